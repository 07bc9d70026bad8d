import LifecycleModel

extension Statistics {
  /// Why the time of something that began or ended is not counted.
  public enum Omission: String, CaseIterable, Sendable {
    /// Events are missing between begin and end, or where one of them would stand.
    case gap
    /// It ended and was never seen to begin.
    case noBegin = "no-begin"
    /// The process ended before it.
    case processEnded = "process-ended"
    /// The log ends before it.
    case endOfLog = "end-of-log"
    /// Its end stands at an earlier instant than its begin: a clock went back.
    case disorder

    /// The reason in words, to stand behind a number.
    public var reason: String {
      switch self {
      case .gap: "with events missing in between"
      case .noBegin: "without a begin"
      case .processEnded: "cut off by the end of the process"
      case .endOfLog: "still open at the end of the log"
      case .disorder: "across a clock that went back"
      }
    }
  }

  /// The most that was used of a limit.
  public struct AllowanceUse: Hashable, Encodable, Sendable {
    /// The limit, as the table of limits has it for the system of the log.
    public let allowed: Nanoseconds
    /// The most that was used of it: of a background task the time in the background, of all else
    /// the whole duration.
    public let used: Nanoseconds
    /// The part of the limit in thousandths, rounded up.
    public let permille: Int64

    init(allowed: Nanoseconds, used: Nanoseconds) {
      (self.allowed, self.used) = (allowed, used)
      let (part, overflow) = used.multipliedReportingOverflow(by: 1000)
      permille =
        overflow || allowed <= 0 ? .max : part / allowed + (part % allowed > 0 ? 1 : 0)
    }
  }

  /// What is known of one key.
  public struct Row: Equatable, Sendable {
    /// What it is about.
    public internal(set) var key: Key
    /// How long it took, while the process could run code.
    public internal(set) var durations = Durations()
    /// How many are not counted, by reason.
    public internal(set) var omissions: [Omission: UInt64] = [:]
    /// The most that was used, by the limit that it was compared with.
    var used: [Nanoseconds: Nanoseconds] = [:]

    init(_ key: Key) { self.key = key }

    /// What was used of each limit, the smallest limit first; empty where no document has one.
    ///
    /// There is more than one only where logs of systems with different limits were merged.
    public var allowances: [AllowanceUse] {
      used.map { AllowanceUse(allowed: $0.key, used: $0.value) }
        .ordered { $0.allowed < $1.allowed }
    }

    /// How many are not counted.
    public var omitted: UInt64 { omissions.values.reduce(0, &+) }

    mutating func omit(_ reason: Omission, _ count: UInt64 = 1) {
      omissions[reason, default: 0] &+= count
    }

    mutating func use(_ time: Nanoseconds, of allowed: Nanoseconds) {
      used[allowed] = max(time, used[allowed] ?? 0)
    }

    mutating func merge(_ other: Row) {
      durations.merge(other.durations)
      for (reason, count) in other.omissions { omit(reason, count) }
      for (allowed, time) in other.used { use(time, of: allowed) }
    }
  }
}
