import LifecycleModel

/// Gives UIKit's background task identifiers the numbers that they have in the log.
///
/// UIKit counts from 1 in every process, and a log must not use a number twice: a task keeps
/// UIKit's identifier when no process before has used it, and else gets the next free number.
struct TaskNumbers {
  /// The most expiration handlers that are remembered until their task begins.
  private static let maximumAnnounced = 64
  /// The most tasks of one process that can be open or renumbered; older ones are forgotten.
  private static let maximumTasks = 1 << 16
  /// UIKit begins a task at once, so an older announcement belongs to a task that was not printed.
  private static let longestWait: Nanoseconds = .seconds(2)

  private var usedInLog = NumberSet()
  private var usedInProcess = NumberSet()
  private var renumbered: [UInt64: UInt32] = [:]
  private var open: Set<UInt32> = []
  private var ended = NumberSet()
  /// The tasks that are about to begin.
  private var announced: [(name: String, hasHandler: Bool, instant: Instant)] = []
  /// UIKit's highest number of a task that this process began; `nil` before the first.
  private(set) var highest: UInt64?

  /// Forgets the process's tasks; its numbers stay used.
  mutating func endProcess() {
    var next = TaskNumbers()
    next.usedInLog = usedInLog
    self = next
  }

  /// Remembers what UIKit says just before it begins a task.
  mutating func announce(_ name: String, hasHandler: Bool, at instant: Instant) {
    if announced.count == Self.maximumAnnounced { announced.removeFirst() }
    announced.append((name, hasHandler, instant))
  }

  /// Begins a task: its number, and whether it has a handler where that was said.
  mutating func begin(
    _ id: UInt64, name: String?, at instant: Instant
  ) -> (number: UInt32, hasHandler: Bool?) {
    let number = number(of: id)
    highest = max(highest ?? id, id)
    if open.count >= Self.maximumTasks { open = [] }
    open.insert(number)
    announced.removeAll { instant.since($0.instant) > Self.longestWait }
    guard let name, let index = announced.firstIndex(where: { $0.name == name }) else {
      return (number, nil)
    }
    return (number, announced.remove(at: index).hasHandler)
  }

  /// Ends a task, also one whose begin was never printed: its number.
  mutating func end(_ id: UInt64) -> UInt32 {
    let number = number(of: id)
    open.remove(number)
    ended.insert(number)
    return number
  }

  /// Whether the end of the task that UIKit calls `id` in this process was narrated.
  mutating func hasEnded(_ id: UInt64) -> Bool { ended.contains(number(of: id)) }

  /// Whether the task with this number has begun and not ended.
  func isOpen(_ number: UInt32) -> Bool { open.contains(number) }

  /// The number in the log of the task that UIKit calls `id` in this process.
  mutating func number(of id: UInt64) -> UInt32 {
    if let number = renumbered[id] { return number }
    if let own = UInt32(exactly: id) {
      if usedInProcess.contains(own) { return own }
      if !usedInLog.contains(own) {
        usedInProcess.insert(own)
        usedInLog.insert(own)
        return own
      }
    }

    let number = usedInLog.free
    usedInLog.insert(number)
    if renumbered.count >= Self.maximumTasks { renumbered = [:] }
    renumbered[id] = number
    return number
  }
}
