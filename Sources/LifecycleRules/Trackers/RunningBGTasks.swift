import LifecycleModel
import TraceAnalysis

/// The tasks of BGTaskScheduler that were launched and are not complete.
struct RunningBGTasks: Sendable {
  struct Task: Sendable {
    var launch: OpenEvent
    /// The awake time of its expiration.
    var expiredAt: Nanoseconds?
    /// Whether a suspension has cut it.
    var isCut = false
  }

  /// The system runs a handful at a time.
  private var tasks = Remembered<Task>(256, beyond: .cannotTell)

  /// The launches.
  var launches: [OpenEvent] { tasks.map(\.launch) }

  /// Marks all as cut by a suspension; the launches of those that were not.
  mutating func noteCut() -> [OpenEvent] {
    let cut = tasks.filter { !$0.isCut }.map(\.launch)
    for index in tasks.indices { tasks[index].isCut = true }
    return cut
  }

  /// Takes a launch in.
  mutating func launch(_ opener: OpenEvent, _ findings: inout RuleFindings) {
    tasks.append(Task(launch: opener), &findings)
  }

  /// Takes out a task that is launched anew without having been completed.
  mutating func relaunch(_ event: Event) -> Task? { take(event) }

  mutating func expire(_ event: Event, at time: Nanoseconds) {
    guard let index = index(event), tasks[index].expiredAt == nil else { return }
    tasks[index].expiredAt = time
  }

  mutating func complete(_ event: Event) -> Task? { take(event) }

  /// Takes out the tasks that expired at this awake time or before.
  mutating func takeExpired(before time: Nanoseconds) -> [Task] {
    let isLeft = { (task: Task) in task.expiredAt.map { $0 <= time } ?? false }
    let left = tasks.filter(isLeft)
    tasks.removeAll(where: isLeft)
    return left
  }

  /// The awake time at which the first expired task has had `time`.
  func nextExpiry(_ time: Nanoseconds) -> Nanoseconds? {
    tasks.compactMap(\.expiredAt).min().map { $0.adding(time) }
  }

  private mutating func take(_ event: Event) -> Task? { index(event).map { tasks.remove(at: $0) } }

  private func index(_ event: Event) -> Int? {
    tasks.lastIndex { $0.launch.event.name == event.name }
  }
}

extension RunningBGTasks.Task {
  /// Its completion, due so long after it expired.
  func missing(_ moment: Moment, within time: Nanoseconds) -> [MissingEvent] {
    moment.end(of: launch).map { missing in
      var missing = missing
      missing.until = expiredAt.map { moment.instant(atAwake: $0 &+ time) }
      return missing
    }
  }
}
