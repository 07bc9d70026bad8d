import LifecycleModel

/// Knows records that a tool prints again: one that finds its device again begins with what the device
/// still holds.
///
/// Only what is older than the latest record is asked for, so that a message that an app repeats is none.
/// Memory: half a megabyte.
struct ReplayFilter {
  private static let slotCount = 1 << 16
  /// The most older records that were never seen and are taken for what was lost before a cut; beyond it the
  /// clock was set back.
  private static let longestBacklog = 1000

  private var seen: [UInt64] = []
  private var isAfterCut = false
  private var isReplaying = false
  private var strangers = 0

  /// Says that the tool had lost its device here.
  mutating func noteCut() { isAfterCut = true }

  /// Whether a record is of the past that was read already; `lag` is how far it lies behind the latest one.
  mutating func drops(_ record: ConsoleRecord, lag: Nanoseconds) -> Bool {
    let mark = Self.mark(of: record)
    let slot = Int(mark >> 1) & (Self.slotCount - 1)
    if seen.isEmpty { seen = [UInt64](repeating: 0, count: Self.slotCount) }
    if lag < 0 {
      (isAfterCut, isReplaying) = (false, false)
      seen[slot] = mark
      return false
    }

    let isInDoubt = isAfterCut || isReplaying || lag > ReorderWindow.length
    if isInDoubt, seen[slot] == mark {
      (isReplaying, strangers) = (true, 0)
      return true
    }
    if isReplaying && lag > 0 || isAfterCut && lag > ForwardClock.longestInversion {
      strangers += 1
      isReplaying = strangers <= Self.longestBacklog
      if isReplaying { return true }
      isAfterCut = false
    }
    seen[slot] = mark
    return false
  }

  /// What distinguishes one record from another: its time, its process, and how its message ends; never 0.
  private static func mark(of record: ConsoleRecord) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(record.stamp.timeOfDay)
    hasher.combine(record.stamp.day)
    // Some forms print no number of the process.
    hasher.combine(record.pid ?? 0)
    hasher.combine(record.process)
    hasher.combine(record.message.count)
    record.message.suffix(16).withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
  }
}
