import LifecycleModel
import Traces

/// The wrong scene, the wrong thread, the wrong object, and books that do not balance.
extension MutationOperator {
  static let retargets = [
    MutationOperator("retarget", "a scene's notification to another scene") { clean, generator in
      let passages = clean.passages.filter { passage in
        passage.notify != nil && clean.next(passage) != nil
          && [.sceneWillEnterForeground, .sceneWillResignActive, .sceneDidEnterBackground]
            .contains(passage.callback)
      }
      guard let passage = passages.randomElement(using: &generator), let notify = passage.notify,
        let other = clean.reference.states[passage.call].scenes
          .first(where: { .scene($0.number) != passage.subject })
      else { return nil }
      var draft = Draft(clean)
      draft.events[notify].subject = .scene(other.number)
      return (draft, .violation(["ident-delegate-scene-match"]))
    },
    MutationOperator("retarget", "a scene's call to a scene that nobody knows") {
      clean, generator in
      let passages = clean.passages(
        .sceneWillEnterForeground, .sceneDidBecomeActive, .sceneWillResignActive,
        .sceneDidEnterBackground)
      guard let passage = passages.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.events[passage.call].subject = .scene(901)
      draft.events[passage.end].subject = .scene(901)
      return (draft, .violation(["scene-connection"]))
    },
    MutationOperator("retarget", "a scene's call to one that has disconnected") {
      clean, generator in
      let gone = clean.passages(.sceneDidDisconnect)
      guard let gone = gone.randomElement(using: &generator),
        let call = clean.passages(.sceneWillEnterForeground, .sceneDidBecomeActive).first(where: {
          $0.call > gone.end && clean.reference.process(gone.call).contains($0.call)
        })
      else { return nil }
      var draft = Draft(clean)
      draft.events[call.call].subject = gone.subject
      draft.events[call.end].subject = gone.subject
      return (draft, .violation(["scene-connection"]))
    },
    MutationOperator("retarget", "a view of another scene, which is active") { clean, generator in
      let passages = clean.passages(.sceneWillResignActive, .sceneDidEnterBackground)
      let sites = passages.flatMap { passage in
        clean.reference.states[passage.end].scenes
          .filter { .scene($0.number) != passage.subject && $0.activation == .foregroundActive }
          .map { (passage, Subject.scene($0.number)) }
      }
      guard let (passage, other) = sites.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.work, WorkCategory.ui.symbol, other, label: clean.symbol("overlay")),
        at: passage.end)
      return (draft, .violation(["ident-no-crosstalk"]))
    },
    MutationOperator("retarget", "a connection to a session that was discarded") {
      clean, generator in
      let name = Callback.applicationDidDiscardSceneSessions.symbol
      let discards = clean.places { _, event, _ in event.verb == .return && event.name == name }
      guard let discard = discards.pick(&generator),
        let connection = clean.passages(.sceneWillConnect).first(where: { $0.call > discard })
      else { return nil }
      let vocabulary = clean.reference.vocabulary
      var draft = Draft(clean)
      let said = vocabulary.attributes(clean.events[connection.call].attributes).map {
        $0.key == AttributeKey.session.rawValue
          ? Attribute(.session, String(clean.events[discard].subjectNumber)) : $0
      }
      draft.events[connection.call].attributes = vocabulary.attributes(said)
      return (draft, .violation(["scene-discard-only-permanent"]))
    },
  ]

  static let wrongThreads = [
    MutationOperator("wrong thread", "a callback") { clean, generator in
      guard let passage = clean.passages.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.events[passage.call].writer = clean.worker
      draft.events[passage.end].writer = clean.worker
      return (draft, .violation(["ident-main-thread"]))
    },
    MutationOperator("wrong thread", "work beside the main thread") { clean, generator in
      let network = WorkCategory.network.symbol
      let begins = clean.places { _, event, _ in event.verb == .workBegin && event.name == network }
      guard let begin = begins.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.events[begin].writer = clean.worker
      return (draft, .equivalent("work may run on any thread"))
    },
  ]

  static let wrongObjects = [
    object("a scene's notification without an object", .sceneNotifications, .nil),
    object("a scene's notification with the app", .sceneNotifications, .app),
    object("an app's notification without an object", .appNotifications, .nil),
    object("an app's notification with a scene", .appNotifications, .scene(1)),
  ]

  private static func object(
    _ name: String, _ hook: Hook, _ subject: Subject
  ) -> MutationOperator {
    MutationOperator("wrong object", name) { clean, generator in
      // Where the app has no scenes their notifications are none of its.
      if hook == .sceneNotifications && !clean.hasScenes { return nil }
      let names = Set(LifecycleNotification.allCases.filter { $0.hook == hook }.map(\.symbol))
      let posts = clean.places { _, event, _ in
        event.verb == .notify && names.contains(event.name)
      }
      guard let post = posts.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.events[post].subject = subject
      return (draft, .violation(["ident-notification-object"]))
    }
  }

  // MARK: Books

  static let wrongBooks = [
    twice("the end of a task", [.taskEnd], "task-one-end"),
    twice("the completion of a refresh task", [.bgtaskComplete], "bgtask-complete-once"),
    twice("a registration", [.bgtaskRegister], "launch-bgtask-register-once"),
    MutationOperator("duplicate", "the completion of a push or a fetch") { clean, generator in
      let names = [Delivery.push.symbol, Delivery.fetch.symbol, Delivery.urlsession.symbol]
      let places = clean.places { _, event, state in
        event.verb == .complete && names.contains(event.name) && state.open.count(.delivery) == 1
      }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(clean.events[place], at: place + 1)
      return (draft, .violation(["completion-handlers-called"]))
    },
    MutationOperator("wrong object", "the end of a task that never was") { clean, generator in
      guard let place = clean.idlePlaces({ _, _ in true }).pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(Event(.taskEnd, .none, .task(4_000_000)), at: place)
      return (draft, .violation(["task-invalid-id"]))
    },
    MutationOperator("drop", "a task's expiration handler") { clean, generator in
      let begins = clean.places { _, event, _ in event.verb == .taskBegin }
      guard let begin = begins.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.events[begin].attributes = clean.attributes(Attribute(.handler, "false"))
      return (draft, .violation(["task-missing-handler"]))
    },
    MutationOperator("leak", "a task that another one overwrites") { clean, generator in
      let places = clean.idlePlaces { _, state in state.appState == .active }
      guard let place = places.pick(&generator) else { return nil }
      let kept = clean.attributes(Attribute(.handler, "true"), Attribute(.holder, "saveTask"))
      var draft = Draft(clean)
      draft.insert(
        Event(.taskBegin, .none, .task(5_000_001), label: clean.symbol("save"), kept),
        Event(.taskBegin, .none, .task(5_000_002), label: clean.symbol("save"), kept),
        Event(.taskEnd, .none, .task(5_000_002)), at: place)
      return (draft, .violation(["task-overwrite-leak"]))
    },
    MutationOperator("leak", "a hundred tasks") { clean, generator in
      let places = clean.idlePlaces { _, state in state.appState == .active }
      guard let place = places.pick(&generator) else { return nil }
      let handled = clean.attributes(Attribute(.handler, "true"))
      var draft = Draft(clean)
      let numbers = (0..<101).map { UInt32(6_000_000 + $0) }
      draft.insert(
        numbers.map {
          Event(.taskBegin, .none, .task($0), label: clean.symbol("upload"), handled)
        } + numbers.map { Event(.taskEnd, .none, .task($0)) }, at: place)
      return (draft, .violation(["task-count"]))
    },
    MutationOperator("swap", "a task with the work that it is for") { clean, generator in
      let begins = clean.places { index, event, state in
        event.verb == .taskBegin && state.open.count(.call) == 1
          && isDeparture(state.open.facts(.call)[0].event)
      }
      guard let begin = begins.pick(&generator),
        let dispatch = clean.next(
          after: begin,
          { $0.name == WorkCategory.dispatch.symbol && $0.label == clean.events[begin].label }),
        clean.reference.states[dispatch].open.count(.call) == 1
      else { return nil }
      var draft = Draft(clean)
      draft.exchange(begin..<(begin + 1), dispatch..<(dispatch + 1))
      let label = clean.events[begin].label
      if clean.reference.states[begin].open.facts(.task).contains(where: { $0.event.label == label }
      ) {
        return (draft, .equivalent("another task of that name is open, and may cover the work"))
      }
      return (draft, .violation(["task-begin-before-work"]))
    },
    MutationOperator("wrong object", "a state that the scenes do not have") { clean, generator in
      guard clean.hasScenes else { return nil }
      let places = clean.idlePlaces { index, state in
        guard state.sceneCount > 0, state.appState == .active || state.appState == .background
        else { return false }
        // Not in a passage, nor right before or after one.
        return !clean.passages.contains {
          ($0.range.lowerBound - 6..<$0.range.upperBound + 6).contains(index)
        }
      }
      guard let place = places.pick(&generator) else { return nil }
      let isActive = clean.reference.states[place].appState == .active
      var draft = Draft(clean)
      draft.insert(
        Event(
          .sample, SampledValue.applicationState.symbol, .app,
          label: clean.symbol(isActive ? "background" : "active")), at: place)
      return (draft, .violation(["agg-state-differs-from-scenes"]))
    },
    MutationOperator("wrong state", "the time that remains, to decide by") { clean, generator in
      let places = clean.idlePlaces { _, state in state.appState == .active }
      guard let place = places.pick(&generator) else { return nil }
      var sample = Event(
        .sample, SampledValue.backgroundTimeRemaining.symbol, .app,
        clean.attributes(Attribute(.reason, "decision")))
      sample.value = -1
      var draft = Draft(clean)
      draft.insert(sample, at: place)
      return (draft, .violation(["work-decided-by-remaining-time"]))
    },
  ]

  private static func isDeparture(_ call: Event) -> Bool {
    [Callback.applicationDidEnterBackground.symbol, Callback.sceneDidEnterBackground.symbol]
      .contains(call.name)
  }

  private static func twice(_ name: String, _ verbs: [Verb], _ rule: String) -> MutationOperator {
    MutationOperator("duplicate", name) { clean, generator in
      let places = clean.places { _, event, _ in verbs.contains(event.verb) }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(clean.events[place], at: place + 1)
      return (draft, .violation([rule]))
    }
  }

  // MARK: Loss

  static let losses = [
    MutationOperator("truncate", "the end of the trace") { clean, generator in
      guard clean.events.count > 8 else { return nil }
      var draft = Draft(clean)
      let place = Int.random(in: 3..<clean.events.count, using: &generator)
      draft.events.removeSubrange(place...)
      return (draft, .equivalent("a trace may end anywhere"))
    },
    MutationOperator("lose", "some events, marked by a gap") { clean, generator in
      guard clean.events.count > 8 else { return nil }
      let first = Int.random(in: 2..<clean.events.count - 1, using: &generator)
      let last = min(clean.events.count, first + Int.random(in: 1...5, using: &generator))
      if clean.events[first..<last].contains(where: {
        $0.verb == .processStart || $0.verb == .profile
      }) {
        return nil
      }
      return (Lossy.losing([first..<last], of: clean), .equivalent("what is lost is not judged"))
    },
  ]
}

/// Traces of which events were lost.
public enum Lossy {
  /// A trace without some runs of events, each told by a gap.
  static func losing(_ runs: [Range<Int>], of clean: CleanTrace) -> Draft {
    var draft = Draft(clean)
    for run in runs.reversed() {
      var gap = Event(.gap, GapCause.ringFull.symbol, .none, by: .system)
      gap.instant = clean.events[run.lowerBound].instant
      gap.value = Int64(run.count)
      draft.events.replaceSubrange(run, with: [gap])
    }
    return draft
  }

  /// The trace with each event lost by a chance of one in `chance`; profile and process starts stay.
  public static func losing(
    oneIn chance: Int, of trace: Trace, _ generator: inout SeededGenerator
  ) -> Trace {
    var lossy = Trace(vocabulary: trace.vocabulary)
    for event in trace.events {
      let isKept = event.verb == .profile || event.verb == .processStart
      guard !isKept, generator.oneIn(chance) else {
        lossy.events.append(event)
        continue
      }
      var gap = Event(.gap, GapCause.ringFull.symbol, .none, by: .system)
      gap.instant = event.instant
      gap.value = 1
      lossy.events.append(gap)
    }

    lossy.orderAndNumber()
    return lossy
  }
}
