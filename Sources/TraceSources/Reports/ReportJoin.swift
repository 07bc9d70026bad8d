import LifecycleModel
import TraceText

/// Finds the process of a log that a report is about; the article `CrashReports`, "Joined to a log".
public struct ReportJoin {
  /// What a log says of itself.
  public struct LogFacts: Hashable, Sendable {
    /// Its id, in hex; `nil` when it has none.
    public var logID: String?
    /// The boot in which it began, as a UUID or in hex; `nil` when that is not known.
    public var bootID: String?
    /// The wall clock at its origin, nanoseconds since 1970; `nil` when that is not known.
    public var originWall: Nanoseconds?
    /// The clock that stands still while the device sleeps, at its origin; `nil` when not known.
    public var originMonotonic: Nanoseconds?

    /// Makes facts.
    public init(
      logID: String? = nil, bootID: String? = nil, originWall: Nanoseconds? = nil,
      originMonotonic: Nanoseconds? = nil
    ) {
      (self.logID, self.bootID) = (logID, bootID)
      (self.originWall, self.originMonotonic) = (originWall, originMonotonic)
    }
  }

  /// What tells that a report belongs to a process, the surest first.
  public enum Means: String, CaseIterable, Sendable {
    /// The report names the log.
    case logID = "the log's id, which the report has"
    /// Boot, process number and the time since the boot.
    case boot = "boot, process number and time since the boot"
    /// Process number, bundle and the time since the boot.
    case absoluteTime = "process number, bundle and time since the boot"
    /// Process number, bundle and the wall clock.
    case wallTime = "process number, bundle and wall clock"
    /// The bundle and the wall clock alone.
    case time = "bundle and wall clock"
    /// Process number and how long the process lived, where there is no common clock.
    case age = "process number and the process's age"
    /// Process number and bundle, where one of the two does not know the time.
    case process = "process number and bundle; the time is not known"
  }

  /// Where a report belongs.
  public struct Place: Hashable, Sendable {
    /// When the process died, by the log's time.
    public var instant: Instant
    /// So many events of the log come before.
    public var eventCount: UInt64
    /// What tells it.
    public var means: Means
  }

  /// A report, and where it belongs or why nowhere.
  public enum Outcome: Hashable, Sendable {
    /// It belongs there.
    case joined(Place)
    /// It belongs nowhere, with the reason.
    case apart(String)
  }

  /// Clocks of one moment may differ by so much.
  private static let tolerance: Nanoseconds = .seconds(2)
  /// A process that is silent for longer is not the one whose number is the same.
  private static let longestSilence: Nanoseconds = .seconds(86_400)
  /// Without the number of the process the death follows the last event at once.
  private static let shortSilence: Nanoseconds = .seconds(60)

  private let facts: LogFacts
  private let processes: [RecordedProcess]

  /// Makes a join to the log that says `facts` and has these processes.
  public init(_ facts: LogFacts, _ processes: [RecordedProcess]) {
    (self.facts, self.processes) = (facts, processes)
  }

  /// Where a report belongs.
  public func outcome(of report: TerminationReport) -> Outcome {
    guard report.isDeath else { return .apart("it tells of no death") }
    if processes.isEmpty { return .apart("the log has no process") }
    if let logID = report.logID, let own = facts.logID {
      guard Self.isSame(logID, own) else {
        return .apart("it names another log, \(InertText.word(logID))")
      }
      return place(of: report, by: .logID)
    }

    if let boot = report.bootSession, let own = facts.bootID {
      guard Self.isSame(boot, own) else {
        return .apart("the device was started again between log and report: the boots differ")
      }
      return place(of: report, by: .boot)
    }
    return place(of: report, by: .absoluteTime)
  }

  /// Whether two ids are equal, whatever their dashes and capitals.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    func plain(_ text: String) -> String { text.lowercased().filter { $0 != "-" } }
    return plain(first) == plain(second)
  }

  // MARK: The process

  private func place(of report: TerminationReport, by surest: Means) -> Outcome {
    var reasons: [String] = []
    for index in processes.indices.reversed() {
      switch outcome(of: report, at: index, by: surest) {
      case .joined(let place): return .joined(place)
      case .apart(let reason): if !reasons.contains(reason) { reasons.append(reason) }
      }
    }
    return .apart(reasons.first ?? "no process of the log fits")
  }

  private func outcome(
    of report: TerminationReport, at index: Int, by surest: Means
  ) -> Outcome {
    let process = processes[index]
    if let pid = report.pid, let own = process.pid, pid != own {
      return .apart("its process is \(pid), the log's is \(own)")
    }
    if let bundle = report.bundle, let own = process.bundle, bundle != own {
      return .apart("it is about \(InertText.word(bundle)), the log about \(InertText.word(own))")
    }

    let hasPID = report.pid != nil && process.pid != nil
    if !hasPID && surest != .logID && (report.bundle == nil || process.bundle == nil) {
      return .apart("neither log nor report say enough to tell whose they are")
    }
    guard let (time, isAbsolute) = time(of: report) else {
      if process.hasStart, hasPID || surest == .logID, let age = report.age {
        let end = Instant(nanoseconds: process.start.nanoseconds.clamped(plus: age))
        return outcome(at: end, index, surest == .logID ? .logID : .age)
      }
      let isEnough = surest == .logID || hasPID && report.bundle != nil && process.bundle != nil
      if !isEnough { return .apart("log and report have no common clock") }
      return joined(at: process.last, index, surest == .logID ? .logID : .process)
    }

    let means: Means
    switch surest {
    case .logID: means = .logID
    case .boot where isAbsolute: means = .boot
    default: means = !hasPID ? .time : isAbsolute ? .absoluteTime : .wallTime
    }
    return outcome(at: time, index, means)
  }

  /// When the process died by the log's time, and whether that is exact.
  private func time(of report: TerminationReport) -> (Instant, isAbsolute: Bool)? {
    let byWall = report.died.flatMap { died in
      facts.originWall.map { Instant(nanoseconds: died.clamped(minus: $0)) }
    }
    if let exit = report.exitMonotonic, let origin = facts.originMonotonic, origin != 0 {
      let absolute = Instant(nanoseconds: exit.clamped(minus: origin))
      // While the device sleeps the wall clock alone goes on: it can be ahead, and not behind.
      guard let byWall, byWall.since(absolute) < -.seconds(60) else { return (absolute, true) }
      // These ticks were counted since another boot.
    }
    return byWall.map { ($0, false) }
  }

  private func outcome(at time: Instant, _ index: Int, _ means: Means) -> Outcome {
    let process = processes[index]
    // Held off the limits, so that its opposite is a number too.
    let silence = max(time.since(process.last), -.max)
    if silence < -Self.tolerance {
      return .apart(
        time < process.start
          ? "its process died \(InertText.word(InstantText.rounded(process.start.since(time)))) "
            + "before the log's began"
          : "the log goes on for \(InstantText.rounded(-silence)) after that death")
    }

    if index + 1 < processes.count, time.since(processes[index + 1].start) > Self.tolerance {
      return .apart("the log's next process had begun by then")
    }
    let longest = means == .time ? Self.shortSilence : Self.longestSilence
    if means != .logID && means != .boot && silence > longest {
      return .apart("the log is silent for \(InstantText.rounded(silence)) before that death")
    }
    return joined(at: max(time, process.last), index, means)
  }

  private func joined(at instant: Instant, _ index: Int, _ means: Means) -> Outcome {
    var instant = instant
    if index + 1 < processes.count { instant = min(instant, processes[index + 1].start) }
    return .joined(
      Place(instant: instant, eventCount: processes[index].eventCount, means: means))
  }
}

extension Nanoseconds {
  /// The sum, held at the limits of 64 bits.
  fileprivate func clamped(plus other: Nanoseconds) -> Nanoseconds {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }

  /// The difference, held at the limits of 64 bits.
  fileprivate func clamped(minus other: Nanoseconds) -> Nanoseconds {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
