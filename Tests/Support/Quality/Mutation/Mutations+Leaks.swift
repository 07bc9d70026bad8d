import LifecycleModel

/// What is never given back, saved or completed.
extension MutationOperator {
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
    leak(
      "a repeating timer", .timer, Attribute(.kind, "repeating"), until: .suspend,
      ["timer-held-at-suspension"]),
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
          rules.insert("data-unsaved-after-resign")
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
      return (draft, .violation(["work-survives-suspension"]))
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
      let isFetch = clean.events[place].name == Delivery.fetch.symbol
      if isFetch && isLeft(clean, completion) {
        return (draft, .violation(["completion-handlers-called"]))
      }
      if awakeTime(clean, place..<process.upperBound) < .seconds(20) {
        return (draft, .equivalent("the process has not run for the time that it is given: R53"))
      }
      if !isLate(clean, place, without: completion) {
        return (draft, .equivalent("a later one that looks alike was completed in its place"))
      }
      return (draft, .violation(["completion-handlers-called"]))
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
      let next = clean.next(after: completion) {
        $0.verb == .bgtaskLaunch && $0.name == name || $0.verb == .suspend
      }
      let isCut = next.map { clean.events[$0].verb == .suspend && isPassedOver(clean, $0) } ?? false
      let isLaunchedAgain =
        isCut
        || clean.next(after: completion) { $0.verb == .bgtaskLaunch && $0.name == name } != nil
      let time = awakeTime(clean, (Int(launch.ordinal) - 1)..<process.upperBound)
      if time < .seconds(25) && !isLaunchedAgain {
        return (draft, .equivalent("the process ends before the task's time is over: R54, R81"))
      }
      return (draft, .violation(["bgtask-complete-once"]))
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
