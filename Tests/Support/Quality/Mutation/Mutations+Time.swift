import LifecycleModel
import Traces

/// What takes too long.
extension MutationOperator {
  static let delays = [
    slow(
      "a slow didEnterBackground", [.applicationDidEnterBackground, .sceneDidEnterBackground],
      by: 3200...9000, "budget-did-enter-background"),
    slow(
      "a slow willResignActive", [.applicationWillResignActive, .sceneWillResignActive],
      by: 1100...6000, "budget-resign"),
    slow(
      "a slow willTerminate", [.applicationWillTerminate], by: 3200...8000,
      "budget-will-terminate"),
    MutationOperator("delay", "the main thread is busy while active") { clean, generator in
      let places = clean.idlePlaces { _, state in
        state.appState == .active && state.open.count(.work) == 0
      }
      guard let place = places.pick(&generator) else { return nil }
      let draft = busy(clean, at: place, for: milliseconds(300...12_000, &generator))
      return (draft, .violation(["budget-main-blocked-foreground"]))
    },
    MutationOperator("delay", "a slow return to the foreground") { clean, generator in
      let returns = clean.passages(.applicationWillEnterForeground, .sceneWillEnterForeground)
        .filter { passage in
          let process = clean.reference.process(passage.call)
          return clean.reference.states[process.lowerBound...passage.call].dropFirst()
            .contains { $0.appState == .active }
        }
      guard let passage = returns.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.delay(from: passage.end, by: milliseconds(300...9900, &generator))
      return (draft, .violation(["budget-main-blocked-foreground"]))
    },
    MutationOperator("delay", "the main thread is busy under an alert") { clean, generator in
      let places = clean.idlePlaces { index, state in
        state.appState == .inactive && state.open.count(.work) == 0
          && clean.reference.states[clean.reference.process(index).lowerBound...index]
            .dropFirst().contains { $0.appState == .active }
      }
      guard let place = places.pick(&generator) else { return nil }
      let draft = busy(clean, at: place, for: milliseconds(300...12_000, &generator))
      return (draft, .violation(["budget-main-blocked-foreground"]))
    },
    MutationOperator("delay", "a launch by some seconds") { clean, generator in
      let starts = clean.places { index, event, _ in
        event.verb == .processStart
          && [.user, .url].contains(clean.reference.launch(index + 1))
      }
      guard let start = starts.pick(&generator),
        clean.next(
          after: start, { $0.verb == .work && $0.name == WorkCategory.frame.symbol }) != nil
      else { return nil }
      var draft = Draft(clean)
      draft.delay(from: start + 2, by: milliseconds(1_100...15_000, &generator))
      return (draft, .violation(["launch-slow"]))
    },
    MutationOperator("delay", "the first frame of a launch") { clean, generator in
      let starts = clean.places { index, event, _ in
        event.verb == .processStart
          && [.user, .url].contains(clean.reference.launch(index + 1))
      }
      guard let start = starts.pick(&generator),
        let frame = clean.next(
          after: start, { $0.verb == .work && $0.name == WorkCategory.frame.symbol }),
        clean.events[frame].instant.since(clean.events[start].instant) < .seconds(19)
      else { return nil }
      var draft = Draft(clean)
      draft.delay(from: start + 2, by: milliseconds(20_000...60_000, &generator))
      return (draft, .violation(["launch-first-frame"]))
    },
    MutationOperator("delay", "the completion of a push or a fetch in the background") {
      clean, generator in
      let names = [Delivery.push.symbol, Delivery.fetch.symbol]
      let completions = clean.places { index, event, state in
        event.verb == .complete && names.contains(event.name) && state.appState == .background
          && isOnlyDelivery(state)
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.delay(from: completion, by: milliseconds(20_500...50_000, &generator))
      return (draft, .violation(["completion-handlers-called"]))
    },
    MutationOperator("delay", "the completion of a refresh task") { clean, generator in
      let completions = clean.places { _, event, state in
        event.verb == .bgtaskComplete && state.open.count(.bgtask) == 1
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.delay(from: completion, by: milliseconds(25_500...50_000, &generator))
      return (draft, .violation(["bgtask-complete-once"]))
    },
    MutationOperator("delay", "the end of the last task in the background") { clean, generator in
      let ends = clean.places { _, event, state in
        event.verb == .taskEnd && state.appState == .background && state.open.count(.task) == 1
          && state.open.count(.bgtask) == 0 && state.suspension == nil
      }
      guard let end = ends.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.delay(from: end, by: milliseconds(25_500...60_000, &generator))
      return (draft, .violation(["budget-assertion-total"]))
    },
    MutationOperator("delay", "the exit after willTerminate") { clean, generator in
      let exits = clean.places { index, event, _ in
        event.verb == .exit && index > 0
          && clean.events[index - 1].name == LifecycleNotification.applicationWillTerminate.symbol
      }
      guard let exit = exits.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.delay(from: exit, by: milliseconds(5200...20_000, &generator))
      return (draft, .violation(["budget-exit"]))
    },
    MutationOperator("delay", "the return of an expiration handler") { clean, generator in
      let places = clean.idlePlaces { _, state in
        state.open.count(.task) == 1 && state.appState == .background
      }
      guard let place = places.pick(&generator),
        let task = clean.reference.states[place].open.facts(.task).first?.event.subject,
        let end = clean.next(after: place - 1, { $0.verb == .taskEnd && $0.subject == task })
      else { return nil }
      var draft = Draft(clean)
      draft.remove([end])
      draft.insert(
        Event(.taskExpire, .none, task), Event(.taskEnd, .none, task),
        Event(.taskExpired, .none, task), at: place)
      draft.delay(from: place + 1, by: milliseconds(1100...4000, &generator))
      return (draft, .violation(["budget-expiration-handler"]))
    },
  ]

  /// Whether nothing else waits for its completion, which might be the one that is completed.
  static func isOnlyDelivery(_ state: LifecycleState) -> Bool {
    state.open.count(.delivery) == 1 && state.open.count(.bgtask) == 0
  }

  private static func milliseconds(
    _ range: ClosedRange<Int64>, _ generator: inout SeededGenerator
  ) -> Nanoseconds { .milliseconds(Int64.random(in: range, using: &generator)) }

  /// A trace whose main thread is busy at a place for so long.
  private static func busy(_ clean: CleanTrace, at place: Int, for time: Nanoseconds) -> Draft {
    let busy = WorkCategory.mainBusy.symbol
    var draft = Draft(clean)
    draft.insert(
      Event(.workBegin, busy, .app, label: clean.symbol("layout")),
      Event(.workEnd, busy, .app, label: clean.symbol("layout")), at: place)
    draft.delay(from: place + 1, by: time)
    return draft
  }

  private static func slow(
    _ name: String, _ callbacks: [Callback], by range: ClosedRange<Int64>, _ rule: String
  ) -> MutationOperator {
    MutationOperator("delay", name) { clean, generator in
      let slow = clean.passages.filter { callbacks.contains($0.callback) }
      guard let passage = slow.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.delay(from: passage.end, by: milliseconds(range, &generator))
      return (draft, .violation([rule]))
    }
  }
}
