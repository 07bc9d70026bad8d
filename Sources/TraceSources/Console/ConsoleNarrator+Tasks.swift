import LifecycleModel

/// How background tasks come and go.
extension ConsoleNarrator {
  /// UIKit refuses an end within this time of the call.
  private static let refusal: Nanoseconds = .seconds(1)
  /// So many ends are remembered until UIKit may refuse them.
  private static let maximumEnds = 16
  /// So many numbers are looked for among the lines of the next second.
  private static let maximumMissing: UInt64 = 64

  /// Tells what UIKit says about background tasks.
  ///
  /// A task whose identifier is hidden becomes no event: an event needs the number that its end
  /// will have. It is counted, and the profile stops claiming that tasks are recorded, so that an end
  /// without its begin proves nothing. An end is told with its identifier in any case.
  mutating func tellTask(_ sighting: ConsoleSighting) {
    switch sighting.fact {
    case .willBeginTask(let name, let hasHandler):
      tasks.announce(name, hasHandler: hasHandler, at: sighting.instant)
    case .taskBegan(let id, let name): tellBegin(id, name, sighting)
    case .hiddenTaskBegan:
      hiddenTaskCount += 1
      if isOpen { tellProfile(at: sighting.instant) }
    case .taskEnded(let id): tellEnd(id, sighting)
    case .taskEndDescribed(let id):
      // UIKit describes only a task that it knows, and that ends once.
      if !tasks.hasEnded(id) { tellEnd(id, sighting) }
    case .taskEndRefused(let id, let words):
      if !hasJustEnded(id, at: sighting.instant) { tellEnd(id, sighting) }
      tell(.refused, words, tasks.number(of: id), sighting)
    case .taskStillOpen(let id, let name, let elapsed, let hasExpired):
      tellOpen(id, name, elapsed, hasExpired, sighting)
    default: break
    }
  }

  private mutating func tellBegin(_ id: UInt64, _ name: String?, _ sighting: ConsoleSighting) {
    if id == 1, isRunning, sighting.pid == nil, tasks.highest != nil {
      // UIKit counts from 1 in every process.
      start(sighting, pid: nil)
    }
    if isAnyMissing(before: id, sighting) { tellGap(sighting) }
    let task = tasks.begin(id, name: name, at: sighting.instant)
    let handler = task.hasHandler.map { [Attribute(.handler, String($0))] } ?? []
    tell(
      .taskBegin, subject: .task(task.number), label: vocabulary.symbol(name ?? ""),
      attributes: handler, sighting)
  }

  /// Whether the begin of a task with a lower number was not printed.
  ///
  /// UIKit gives every task of a process the next number. Threads may print them in another order, so
  /// a number that comes within a second is not missing.
  private func isAnyMissing(before id: UInt64, _ sighting: ConsoleSighting) -> Bool {
    guard isRunning, hiddenTaskCount == 0,
      let highest = tasks.highest ?? (isLaunchSeen ? 0 : nil), id > highest + 1
    else { return false }

    var missing = id - highest - 1
    if missing > Self.maximumMissing { return true }
    for other in ahead {
      guard isSoon(other, after: sighting) else { break }
      guard case .taskBegan(let next, _) = other.fact, next > highest, next < id else { continue }
      missing -= 1
      if missing == 0 { return false }
    }
    return true
  }

  private mutating func tellEnd(_ id: UInt64, _ sighting: ConsoleSighting) {
    if lastTaskEnds.count == Self.maximumEnds { lastTaskEnds.removeFirst() }
    lastTaskEnds.append((id, sighting.instant))
    tell(.taskEnd, subject: .task(tasks.end(id)), sighting)
  }

  private func hasJustEnded(_ id: UInt64, at instant: Instant) -> Bool {
    lastTaskEnds.contains { $0.id == id && instant.since($0.instant) <= Self.refusal }
  }

  /// Tells that a task is still open; when its begin was not printed, events are missing before it.
  private mutating func tellOpen(
    _ id: UInt64, _ name: String?, _ elapsed: Int?, _ hasExpired: Bool, _ sighting: ConsoleSighting
  ) {
    let number = tasks.number(of: id)
    let age = elapsed.map { "\($0)s" }
    if !tasks.isOpen(number) {
      if isRunning { tellGap(sighting) }
      _ = tasks.begin(id, name: name, at: sighting.instant)
      tell(
        .taskBegin, subject: .task(number), label: vocabulary.symbol(name ?? ""),
        attributes: age.map { [Attribute("elapsed", $0)] } ?? [], sighting)
    }

    if hasExpired {
      tell(.expired, "still open after the expiration handlers were called", number, sighting)
    } else {
      tell(.overdue, "created over \(age ?? "30s") ago and still open", number, sighting)
    }
  }

  /// Tells what UIKit says of a task, in words and by the kind of its warning.
  private mutating func tell(
    _ warning: TaskWarning, _ words: String, _ number: UInt32, _ sighting: ConsoleSighting
  ) {
    tellNote(words, subject: .task(number), warning: warning.rawValue, sighting)
  }
}
