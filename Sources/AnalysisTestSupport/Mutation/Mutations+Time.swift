import LifecycleModel
import TraceTestSupport

/// What takes too long, and what is never given back.
extension MutationOperator {
  // MARK: Delay

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
      let busy = WorkCategory.mainBusy.symbol
      var draft = Draft(clean)
      draft.insert(
        Event(.workBegin, busy, .app, label: clean.symbol("layout")),
        Event(.workEnd, busy, .app, label: clean.symbol("layout")), at: place)
      draft.delay(from: place + 1, by: milliseconds(300...12_000, &generator))
      return (draft, .violation(["budget-main-blocked-foreground"]))
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
      return (draft, .violation(["budget-push-completion"]))
    },
    MutationOperator("delay", "the completion of a refresh task") { clean, generator in
      let completions = clean.places { _, event, state in
        event.verb == .bgtaskComplete && state.open.count(.bgtask) == 1
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.delay(from: completion, by: milliseconds(25_500...50_000, &generator))
      return (draft, .violation(["budget-bg-refresh"]))
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
  private static func isOnlyDelivery(_ state: LifecycleState) -> Bool {
    state.open.count(.delivery) == 1 && state.open.count(.bgtask) == 0
  }

  private static func milliseconds(
    _ range: ClosedRange<Int64>, _ generator: inout SeededGenerator
  ) -> Nanoseconds { .milliseconds(Int64.random(in: range, using: &generator)) }

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

  // MARK: Leak

  static let leaks = [
    MutationOperator("leak", "a background task") { clean, generator in
      let ends = clean.places { _, event, _ in event.verb == .taskEnd }
      guard let end = ends.pick(&generator) else { return nil }
      let task = clean.events[end].subject
      var draft = Draft(clean)
      draft.remove([end])
      let process = clean.reference.process(end)
      let isSuspended = clean.next(after: end) { $0.verb == .suspend } != nil
      let expires = clean.next(after: end) { $0.verb == .taskExpired && $0.subject == task } != nil
      var rules: Set<String> = []
      if isSuspended { rules.insert("task-leak-at-suspend") }
      if expires { rules.insert("task-end-in-expiration") }
      if backgroundTime(clean, end..<process.upperBound) >= .seconds(31) {
        rules.formUnion(["task-one-end", "budget-assertion-total", "task-leak-at-suspend"])
      }
      if backgroundStay(clean, end..<process.upperBound) >= .seconds(26) {
        rules.insert("budget-assertion-total")
      }
      return (
        draft,
        rules.isEmpty
          ? .equivalent("the process ends while the task still has time: R74") : .violation(rules)
      )
    },
    leak("a lock", .lock, until: .suspend, ["lock-at-suspend"]),
    // A socket that waits for others; one to a server is nobody's business.
    leak(
      "a socket", .socket, Attribute(.kind, "listening"), until: .suspend,
      ["work-sockets-in-background"]),
    leak("a Bonjour service", .bonjour, until: .suspend, ["work-sockets-in-background"]),
    held(
      "the camera", .camera, [.applicationDidEnterBackground, .sceneDidEnterBackground],
      "work-shared-resource-in-background"),
    held(
      "the contacts", .contacts, [.applicationDidEnterBackground, .sceneDidEnterBackground],
      "work-shared-resource-in-background"),
    held(
      "a file that is written", .file, [.applicationWillResignActive, .sceneWillResignActive],
      "files-open-at-resign"),
    MutationOperator("leak", "unsaved data") { clean, generator in
      let entries = clean.passages(.applicationDidEnterBackground, .sceneDidEnterBackground)
      guard let entry = entries.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.dataDirty, .none, entry.subject, label: clean.symbol("draft")), at: entry.call)
      // Under a task the save may still come, and is judged at the suspension.
      func isCovered(_ entry: Passage) -> Bool {
        clean.reference.states[entry.end].open.count(.task) > 0
      }
      var rules: Set<String> = []
      if !isCovered(entry) || clean.next(after: entry.end, { $0.verb == .suspend }) != nil {
        rules.insert("data-dirty-at-background")
      }
      // It stays unsaved, and may be lost later.
      let process = clean.reference.process(entry.call)
      for later in clean.passages
      where later.call > entry.end && process.contains(later.call) && later.subject == entry.subject
      {
        let isEntry = later.callback == entry.callback
        if isEntry && !isCovered(later) { rules.insert("data-dirty-at-background") }
        let isResign = [.applicationWillResignActive, .sceneWillResignActive].contains(
          later.callback)
        let end: Set<Callback> = [.sceneDidDisconnect, .applicationWillTerminate]
        let last = clean.events[process.upperBound - 1].verb
        let isLost = clean.next(later).map { end.contains($0.callback) } ?? (last == .kill)
        if isResign && isLost {
          rules.insert("data-last-chance-is-resign")
        }
      }
      return (
        draft,
        rules.isEmpty
          ? .equivalent("a task is open, and the process is not suspended: R88") : .violation(rules)
      )
    },
    MutationOperator("leak", "a save that nothing covers") { clean, generator in
      guard
        let place = clean.places({ _, event, state in
          event.verb == .suspend && state.open.count(.task) == 0
        }).pick(&generator)
      else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.workBegin, WorkCategory.save.symbol, .app, label: clean.symbol("draft")), at: place)
      return (draft, .violation(["data-save-survives"]))
    },
    MutationOperator("leak", "a push or a fetch that is not completed") { clean, generator in
      let names = [Delivery.push.symbol, Delivery.fetch.symbol]
      let completions = clean.places { _, event, state in
        event.verb == .complete && names.contains(event.name) && state.appState == .background
          && isOnlyDelivery(state)
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.remove([completion])
      let process = clean.reference.process(completion)
      guard let delivery = clean.reference.states[completion].open.facts(.delivery).first else {
        return nil
      }
      let place = Int(delivery.ordinal) - 1
      if isOnScreen(clean, place) {
        return (draft, .equivalent("a push on screen need not be completed: R53"))
      }
      if awakeTime(clean, place..<process.upperBound) < .seconds(20) {
        return (draft, .equivalent("the process has not run for the time that it is given: R53"))
      }
      if !isLate(clean, place, without: completion) {
        return (draft, .equivalent("a later one that looks alike was completed in its place"))
      }
      return (draft, .violation(["budget-push-completion", "completion-handlers-called"]))
    },
    MutationOperator("leak", "a task of BGTaskScheduler") { clean, generator in
      let completions = clean.places { _, event, state in
        event.verb == .bgtaskComplete && state.open.count(.bgtask) == 1
      }
      guard let completion = completions.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.remove([completion])
      let process = clean.reference.process(completion)
      let name = clean.events[completion].name
      guard let launch = clean.reference.states[completion].open.facts(.bgtask).first else {
        return nil
      }
      let isLaunchedAgain =
        clean.next(after: completion) { $0.verb == .bgtaskLaunch && $0.name == name } != nil
      let time = awakeTime(clean, (Int(launch.ordinal) - 1)..<process.upperBound)
      if time < .seconds(25) && !isLaunchedAgain {
        return (draft, .equivalent("the process ends before the task's time is over: R54, R81"))
      }
      return (draft, .violation(["bgtask-complete-once", "budget-bg-refresh"]))
    },
  ]

  private static func isOnScreen(_ clean: CleanTrace, _ delivery: Int) -> Bool {
    clean.events[delivery].name == Delivery.push.symbol
      && clean.reference.states[delivery].appState?.isForeground == true
  }

  /// Whether some delivery that looks like the one at `first` is late, or never completed, even if
  /// each completion but one is taken for that of the oldest.
  private static func isLate(
    _ clean: CleanTrace, _ first: Int, without completion: Int
  ) -> Bool {
    let delivered = clean.events[first]
    let process = clean.reference.process(first)
    var open: [Int] = []
    func isLate(_ delivery: Int, at end: Int) -> Bool {
      awakeTime(clean, delivery..<(end + 1)) >= .seconds(20)
    }
    for index in first..<process.upperBound where index != completion {
      let event = clean.events[index]
      guard event.name == delivered.name, event.label == delivered.label,
        event.subject == delivered.subject, event.value == delivered.value
      else { continue }
      if event.verb == .deliver && !isOnScreen(clean, index) { open.append(index) }
      if event.verb == .complete && !open.isEmpty && isLate(open.removeFirst(), at: index) {
        return true
      }
    }
    return open.contains { isLate($0, at: process.upperBound - 1) }
  }

  private static func time(
    _ clean: CleanTrace, _ range: Range<Int>, _ counts: (LifecycleState) -> Bool
  ) -> Nanoseconds {
    range.dropLast().reduce(0) { sum, index in
      counts(clean.reference.states[index + 1])
        ? sum + clean.reference.awake(index + 1) - clean.reference.awake(index) : sum
    }
  }

  private static func awakeTime(_ clean: CleanTrace, _ range: Range<Int>) -> Nanoseconds {
    time(clean, range) { _ in true }
  }

  private static func backgroundTime(_ clean: CleanTrace, _ range: Range<Int>) -> Nanoseconds {
    time(clean, range) { $0.appState == .background }
  }

  /// The longest stay in the background.
  private static func backgroundStay(_ clean: CleanTrace, _ range: Range<Int>) -> Nanoseconds {
    var longest: Nanoseconds = 0
    var stay: Nanoseconds = 0
    for index in range.dropLast() {
      let isThere = clean.reference.states[index + 1].appState == .background
      let isFree = clean.reference.states[index + 1].open.count(.bgtask) == 0
      if !isThere {
        stay = 0
      } else if isFree {
        stay += clean.reference.awake(index + 1) - clean.reference.awake(index)
      }
      longest = max(longest, stay)
    }
    return longest
  }

  /// Something is taken at some time and never given back.
  private static func leak(
    _ name: String, _ resource: Resource, _ said: Attribute..., until verb: Verb,
    _ rules: Set<String>
  ) -> MutationOperator {
    MutationOperator("leak", name) { clean, generator in
      let places = clean.idlePlaces { _, _ in true }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(
          .acquire, resource.symbol, .app, label: clean.symbol("shared"),
          clean.reference.vocabulary.attributes(said)), at: place)
      let isShown = clean.next(after: place - 1) { $0.verb == verb } != nil
      return (
        draft, isShown ? .violation(rules) : .equivalent("the process is not suspended after it")
      )
    }
  }

  /// Something is held when a callback returns.
  private static func held(
    _ name: String, _ resource: Resource, _ callbacks: [Callback], _ rule: String
  ) -> MutationOperator {
    MutationOperator("leak", name) { clean, generator in
      let passages = clean.passages.filter { callbacks.contains($0.callback) }
      guard let passage = passages.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.acquire, resource.symbol, passage.subject, label: clean.symbol("held")),
        at: passage.call)
      return (draft, .violation([rule]))
    }
  }
}
