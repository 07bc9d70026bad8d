import LifecycleModel
import Traces

/// Steps that are missing, come twice, or come in another order.
extension MutationOperator {
  // MARK: Drop

  static let drops = [
    MutationOperator("drop", "a resign") { clean, generator in
      guard
        let resign = clean.passages(.sceneWillResignActive, .applicationWillResignActive)
          .randomElement(using: &generator)
      else { return nil }
      var draft = Draft(clean)
      draft.remove(resign.parts)
      switch clean.next(resign)?.callback {
      case .sceneDidEnterBackground, .sceneDidDisconnect, .applicationDidEnterBackground:
        return (draft, .violation(["resign-before-background"]))
      case .sceneDidBecomeActive, .applicationDidBecomeActive:
        return (draft, .violation(["active-alternates"]))
      case .applicationWillTerminate:
        return (draft, .equivalent("an active app may be told to terminate: §1.1, §2.7"))
      default: return (draft, .equivalent("the trace ends before it shows"))
      }
    },
    MutationOperator("drop", "an entry into the foreground") { clean, generator in
      let entries = clean.passages(.sceneWillEnterForeground, .applicationWillEnterForeground)
      guard let entry = entries.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.remove(entry.parts)
      // The app's own notification shows the app's foreground.
      switch clean.next(entry)?.callback {
      case .sceneDidBecomeActive:
        return (draft, .violation(["foreground-before-active"]))
      case .applicationDidBecomeActive:
        if clean.previous(entry).contains(where: { $0.callback == .applicationDidEnterBackground })
        {
          return (draft, .violation(["foreground-before-active"]))
        }
        switch clean.reference.launch(entry.call) {
        case .location, .bgtask: return (draft, .violation(["foreground-before-active"]))
        default: return (draft, .equivalent("a push that is tapped activates at once: §2.1"))
        }
      default: return (draft, .equivalent("it is not activated, and may go to the background"))
      }
    },
    MutationOperator("drop", "an activation") { clean, generator in
      guard
        let activation = clean.passages(.sceneDidBecomeActive, .applicationDidBecomeActive)
          .randomElement(using: &generator)
      else { return nil }
      var draft = Draft(clean)
      draft.remove(activation.parts)
      let next = clean.next(activation)
      var rules: Set<String> = []
      switch next?.callback {
      case .sceneWillResignActive, .applicationWillResignActive: rules.insert("active-alternates")
      default: break
      }
      // What an active app may do shows it too: input always, a timer after a mere interruption.
      let isInterrupted = [.applicationWillResignActive, .sceneWillResignActive].contains(
        clean.previous(activation).last?.callback)
      let end = next?.range.lowerBound ?? clean.reference.process(activation.call).upperBound
      for event in clean.events[activation.range.upperBound..<max(activation.range.upperBound, end)]
      where event.verb == .work && event.subject == activation.subject {
        if event.name == WorkCategory.input.symbol { rules.insert("work-input-while-inactive") }
        if event.name == WorkCategory.timer.symbol && isInterrupted {
          rules.insert("work-timer-while-inactive")
        }
      }
      return (
        draft, rules.isEmpty ? .equivalent("the trace ends before it shows") : .violation(rules)
      )
    },
    MutationOperator("drop", "a connection") { clean, generator in
      guard let connection = clean.passages(.sceneWillConnect).randomElement(using: &generator)
      else { return nil }
      var draft = Draft(clean)
      draft.remove(connection.parts)
      return (
        draft,
        clean.next(connection) == nil
          ? .equivalent("nothing is heard of the scene") : .violation(["scene-connection"])
      )
    },
    MutationOperator("drop", "a promised notification") { clean, generator in
      let leaving = clean.passages(
        .sceneWillResignActive, .sceneDidEnterBackground, .applicationWillResignActive,
        .applicationDidEnterBackground)
      guard let passage = leaving.filter({ $0.notify != nil }).randomElement(using: &generator),
        let notify = passage.notify
      else { return nil }
      var draft = Draft(clean)
      draft.remove([notify])
      // The scene or the app comes back, or the process is suspended, before it ends.
      let isAnswered = clean.next(
        after: passage.end,
        { event in
          event.verb == .suspend
            || event.verb == .call && event.subject == passage.subject
              && [
                Callback.sceneWillEnterForeground.symbol, Callback.sceneDidBecomeActive.symbol,
                Callback.applicationWillEnterForeground.symbol,
                Callback.applicationDidBecomeActive.symbol,
              ].contains(event.name)
        })
      return (
        draft,
        isAnswered == nil
          ? .equivalent("the process ends before it shows")
          : .violation(["notification-promised"])
      )
    },
    MutationOperator("drop", "all app notifications of an app with scenes") { clean, _ in
      guard clean.hasScenes else { return nil }
      // The app as a whole became active twice and went to the background twice; a scene that is
      // closed says nothing of that.
      let isLong = clean.reference.processes.contains { process in
        var turns = 0
        for index in process
        where clean.events[index].verb == .state && clean.events[index].subjectKind == .scene {
          let isActive = clean.reference.states[index + 1].appState == .active
          let isAway =
            clean.reference.states[index + 1].appState == .background
            && clean.reference.vocabulary.text(clean.events[index].name).hasSuffix("->background")
          if turns % 2 == 0 ? isActive : isAway { turns += 1 }
        }
        return turns >= 4
      }
      // What the leaving of a scene promises is missed at once.
      let promised: [LifecycleNotification] = [
        .applicationWillResignActive, .applicationDidEnterBackground,
      ]
      let names = Set(
        LifecycleNotification.allCases
          .filter { $0.hook == .appNotifications && (isLong || !promised.contains($0)) }
          .map(\.symbol))
      var draft = Draft(clean)
      draft.remove(
        clean.places { _, event, _ in event.verb == .notify && names.contains(event.name) })
      return (
        draft,
        isLong
          ? .violation(["notification-promised"])
          : .equivalent("what is promised is there: R105")
      )
    },
  ]

  // MARK: Duplicate

  static let duplicates = [
    MutationOperator("duplicate", "an activation or a resign") { clean, generator in
      let turns = clean.passages(
        .sceneDidBecomeActive, .sceneWillResignActive, .applicationDidBecomeActive,
        .applicationWillResignActive)
      return again(clean, turns, &generator) { _ in .violation(["active-alternates"]) }
    },
    MutationOperator("duplicate", "a launch callback") { clean, generator in
      let launches = clean.passages(.applicationDidFinishLaunching)
      return again(clean, launches, &generator) { _ in .violation(["launch-order"]) }
    },
    MutationOperator("duplicate", "a disconnection") { clean, generator in
      again(clean, clean.passages(.sceneDidDisconnect), &generator) { _ in
        .violation(["scene-connection"])
      }
    },
    MutationOperator("duplicate", "the app's entry into the foreground") { clean, generator in
      again(clean, clean.passages(.applicationWillEnterForeground), &generator) { _ in
        .violation(["foreground-from-background"])
      }
    },
    MutationOperator("duplicate", "a didEnterBackground") { clean, generator in
      let entries = clean.passages(.sceneDidEnterBackground, .applicationDidEnterBackground)
      return again(clean, entries, &generator) { _ in .violation(["order-background-once"]) }
    },
    MutationOperator("duplicate", "a scene's entry into the foreground") { clean, generator in
      again(clean, clean.passages(.sceneWillEnterForeground), &generator) { _ in
        .violation(["foreground-from-background"])
      }
    },
    MutationOperator("duplicate", "a connection") { clean, generator in
      again(clean, clean.passages(.sceneWillConnect), &generator) { _ in
        .violation(["scene-connection"])
      }
    },
    MutationOperator("duplicate", "a notification of an activation or a resign") {
      clean, generator in
      let turns = clean.passages(
        .sceneDidBecomeActive, .sceneWillResignActive, .applicationDidBecomeActive,
        .applicationWillResignActive)
      guard let passage = turns.filter({ $0.notify != nil }).randomElement(using: &generator),
        let notify = passage.notify
      else { return nil }
      var draft = Draft(clean)
      draft.insert(clean.events[notify], at: notify + 1)
      return (draft, .violation(["active-alternates"]))
    },
  ]

  /// The call comes again as soon as it has returned.
  private static func again(
    _ clean: CleanTrace, _ passages: [Passage], _ generator: inout SeededGenerator,
    _ label: (Passage) -> Mutant.Label
  ) -> (Draft, Mutant.Label)? {
    guard let passage = passages.randomElement(using: &generator) else { return nil }
    var draft = Draft(clean)
    let place = passage.range.upperBound
    draft.insert(clean.events[passage.call], clean.events[passage.end], at: place)
    return (draft, label(passage))
  }

  // MARK: Swap

  static let swaps = [
    MutationOperator("swap", "a call with its notification") { clean, generator in
      // In an app with scenes the app's own callbacks are the launch's and the end's.
      let pairs = clean.passages(
        .applicationWillResignActive, .applicationWillTerminate, .applicationDidFinishLaunching
      ).filter { $0.notify ?? 0 > $0.end }
      return notifyFirst(clean, pairs, &generator) { _ in .violation(["notification-after-call"]) }
    },
    MutationOperator("swap", "a call with a notification whose order is open") { clean, generator in
      let promised: [Callback] = [
        .applicationWillResignActive, .applicationWillTerminate, .applicationDidFinishLaunching,
      ]
      let pairs = clean.passages.filter {
        $0.notify ?? 0 > $0.end && !promised.contains($0.callback)
      }
      return notifyFirst(clean, pairs, &generator) { _ in
        .equivalent("delegate against notification: §2.9, 1")
      }
    },
    MutationOperator("swap", "two steps of one subject") { clean, generator in
      let pairs = clean.passages.compactMap { first -> (Passage, Passage, String)? in
        guard let second = clean.next(first), let rule = order(first, second, clean) else {
          return nil
        }
        return (first, second, rule)
      }
      guard let (first, second, rule) = pairs.randomElement(using: &generator),
        first.range.upperBound <= second.range.lowerBound
      else { return nil }
      var draft = Draft(clean)
      draft.exchange(first.range, second.range)
      return (draft, .violation([rule]))
    },
    MutationOperator("swap", "a configuration with its connection") { clean, generator in
      let name = Callback.applicationConfigurationForConnecting.symbol
      guard
        let call = clean.places({ _, event, _ in event.verb == .call && event.name == name })
          .pick(&generator),
        let end = clean.next(after: call, { $0.verb == .return && $0.name == name }),
        let connection = clean.passages(.sceneWillConnect).first(where: { $0.call > end }),
        clean.reference.process(call).contains(connection.call),
        // The connection is of the session that was asked for.
        clean.reference.vocabulary.attributes(clean.events[connection.call].attributes)[.session]
          == String(clean.events[call].subjectNumber),
        connection.range.lowerBound > end
      else { return nil }
      var draft = Draft(clean)
      draft.exchange(call..<(end + 1), connection.range)
      return (draft, .violation(["scene-config-before-connect"]))
    },
    MutationOperator("swap", "the two launch callbacks") { clean, generator in
      let names = [
        Callback.applicationWillFinishLaunching.symbol,
        Callback.applicationDidFinishLaunching.symbol,
      ]
      let calls = clean.places { _, event, _ in event.verb == .call && event.name == names[0] }
      guard let will = calls.pick(&generator),
        let did = clean.next(after: will, { $0.verb == .call && $0.name == names[1] }),
        let end = clean.next(after: did, { $0.verb == .return && $0.name == names[1] })
      else { return nil }
      var draft = Draft(clean)
      draft.exchange(will..<did, did..<(end + 1))
      return (draft, .violation(["launch-order"]))
    },
    MutationOperator("swap", "a snapshot with the end of didEnterBackground") { clean, generator in
      let entries = clean.passages(.sceneDidEnterBackground, .applicationDidEnterBackground)
      guard let entry = entries.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.snapshotBegin, .none, entry.subject, by: .system),
        Event(.snapshotEnd, .none, entry.subject, by: .system), at: entry.end)
      return (draft, .violation(["order-snapshot-after-return"]))
    },
  ]

  private static func notifyFirst(
    _ clean: CleanTrace, _ pairs: [Passage], _ generator: inout SeededGenerator,
    _ label: (Passage) -> Mutant.Label
  ) -> (Draft, Mutant.Label)? {
    guard let pair = pairs.randomElement(using: &generator), let notify = pair.notify else {
      return nil
    }
    var draft = Draft(clean)
    draft.remove([notify])
    draft.insert(clean.events[notify], at: pair.call)
    return (draft, label(pair))
  }

  /// The rule that two steps which follow each other break in the other order.
  private static func order(_ first: Passage, _ second: Passage, _ clean: CleanTrace) -> String? {
    switch (first.callback, second.callback) {
    case (.sceneWillEnterForeground, .sceneDidBecomeActive): "foreground-before-active"
    case (.sceneWillResignActive, .sceneDidEnterBackground): "resign-before-background"
    case (.applicationWillResignActive, .applicationDidEnterBackground):
      "resign-before-background"
    case (.applicationWillEnterForeground, .applicationDidBecomeActive):
      clean.previous(first).contains { $0.callback == .applicationDidEnterBackground }
        ? "foreground-before-active" : nil
    case (.sceneWillResignActive, .sceneDidDisconnect): "resign-before-background"
    default: nil
    }
  }
}
