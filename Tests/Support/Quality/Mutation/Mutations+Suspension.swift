import LifecycleModel
import TraceAnalysis

/// What a suspension cuts, and what nobody calls.
extension MutationOperator {
  static let cuts = [
    MutationOperator("leak", "a transfer that nothing covers") { clean, generator in
      let places = clean.places { _, event, state in event.verb == .suspend && isFree(state) }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.workBegin, WorkCategory.network.symbol, .app, label: clean.symbol("photo")),
        at: place)
      return (draft, label(isCut(clean, from: place), "work-survives-suspension"))
    },
    MutationOperator("leak", "the work of a fetch or a push that is completed") {
      clean, generator in
      let names = [Delivery.push.symbol, Delivery.fetch.symbol]
      let completions = clean.places { _, event, state in
        event.verb == .complete && names.contains(event.name) && state.appState == .background
          && isOnlyDelivery(state)
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.workBegin, WorkCategory.other.symbol, .app, label: clean.symbol("merge")),
        at: completion)

      let foreground = (completion..<clean.reference.process(completion).upperBound).first {
        clean.reference.states[$0].appState != .background
      }
      // The first suspension is the one that the completion has brought about.
      let suspension = clean.next(after: completion) { $0.verb == .suspend }
      let isShown =
        suspension.map { $0 < foreground ?? .max && isCut(clean, from: completion, until: $0 + 1) }
        ?? false
      return (draft, label(isShown, "work-survives-suspension"))
    },
    MutationOperator("leak", "the completion of a URL session") { clean, generator in
      let completions = clean.places { _, event, _ in
        event.verb == .complete && event.name == Delivery.urlsession.symbol
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.remove([completion])
      return (
        draft, label(isLeft(clean, completion), "completion-handlers-called")
      )
    },
    MutationOperator("wrong thread", "the completion of a URL session") { clean, generator in
      let completions = clean.places { _, event, _ in
        event.verb == .complete && event.name == Delivery.urlsession.symbol
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.events[completion].writer = clean.worker
      return (draft, .violation(["ident-main-thread"]))
    },
    MutationOperator("drop", "a scene delegate's method that the app delegate has") {
      clean, generator in
      let turns = clean.places { index, event, _ in
        event.verb == .notify
          && event.name == LifecycleNotification.sceneWillEnterForeground.symbol
          && awakeTime(clean, after: index) > .seconds(2)
      }
      guard clean.hasScenes, turns.pick(&generator) != nil else { return nil }
      var draft = Draft(clean)
      let method = Callback.sceneWillEnterForeground.symbol
      draft.events.removeAll { [.call, .return].contains($0.verb) && $0.name == method }

      let implemented = "applicationWillEnterForeground,sceneDidBecomeActive,sceneWillResignActive"
      let vocabulary = clean.reference.vocabulary
      for index in draft.events.indices where draft.events[index].verb == .profile {
        let said = vocabulary.attributes(draft.events[index].attributes)
        draft.events[index].attributes = vocabulary.attributes(
          said.filter { $0.key != AttributeKey.implements.rawValue }
            + [Attribute(.implements, implemented)])
      }
      return (draft, .violation(["excl-one-delegate"]))
    },
  ]

  private static func label(_ isViolation: Bool, _ rule: String) -> Mutant.Label {
    isViolation
      ? .violation([rule]) : .equivalent("no suspension of a minute comes, or nothing after it")
  }

  /// Whether nothing is open that allows the app to work.
  private static func isFree(_ state: LifecycleState) -> Bool {
    state.open.count(.task) == 0 && state.open.count(.bgtask) == 0
      && state.open.count(.delivery) == 0
  }

  /// Whether a suspension lasts a minute or more, and the process is seen to go on after it, not for a
  /// background URL session, or to have ended in it.
  static func isPassedOver(_ clean: CleanTrace, _ suspension: Int) -> Bool {
    let end = clean.next(after: suspension - 1) { [.resume, .kill, .exit].contains($0.verb) }
    guard let end,
      clean.events[end].instant.since(clean.events[suspension].instant) >= .seconds(60)
    else { return false }
    if clean.events[end].verb != .resume { return true }

    let process = clean.reference.process(end)
    let second = (end..<process.upperBound).prefix {
      clean.reference.awake($0) - clean.reference.awake(end) <= .seconds(1)
    }
    if second.contains(where: { clean.events[$0].name == Delivery.urlsession.symbol }) {
      return false
    }
    return second.upperBound < process.upperBound
      || second.contains { [.suspend, .kill, .exit].contains(clean.events[$0].verb) }
  }

  /// Whether a suspension cuts what is open from a place on, and nothing covers it there.
  private static func isCut(
    _ clean: CleanTrace, from place: Int, until end: Int = .max
  ) -> Bool {
    let places = place..<min(end, clean.reference.process(place).upperBound)
    let expiry = places.first {
      [.taskExpire, .bgtaskExpire].contains(clean.events[$0].verb)
    }
    return places.contains {
      clean.events[$0].verb == .suspend && $0 < expiry ?? .max
        && isFree(clean.reference.states[$0]) && isPassedOver(clean, $0)
    }
  }

  /// Whether a suspension passes over what would have been completed at a place, before something that
  /// looks like it is completed.
  static func isLeft(_ clean: CleanTrace, _ completion: Int) -> Bool {
    let completed = clean.events[completion]
    let again = clean.next(after: completion) {
      $0.verb == .complete && $0.name == completed.name && $0.label == completed.label
    }
    let places = completion..<clean.reference.process(completion).upperBound
    return places.contains {
      clean.events[$0].verb == .suspend && $0 < again ?? .max && isPassedOver(clean, $0)
    }
  }

  private static func awakeTime(_ clean: CleanTrace, after index: Int) -> Nanoseconds {
    clean.reference.awake(clean.reference.process(index).upperBound - 1)
      - clean.reference.awake(index)
  }
}
