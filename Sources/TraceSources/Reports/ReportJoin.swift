import LifecycleModel
import TraceText

/// Finds the processes of a log that reports are about, while the log is read; the article
/// `CrashReports`, "Joined to a log".
///
/// Memory: the reports, and one process.
public struct ReportJoin {
  /// What a log states about itself.
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

  /// What shows that a report belongs to a process, the surest first.
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
    /// The same, where the log was silent for over a minute before.
    case ageAfterSilence = "process number and the process's age, after a long silence of the log"
    /// Process number and bundle, where one of the two does not know the time.
    case process = "process number and bundle; the time is not known"

    /// Why the report may be about another process, as numbers of processes are used again; `nil` where
    /// a clock or an id shows that it is about this one.
    public var doubt: String? {
      switch self {
      case .age, .ageAfterSilence: "the report was joined by the process's number and age alone"
      case .process: "the report was joined by the process's number and bundle alone"
      case .logID, .boot, .absoluteTime, .wallTime, .time: nil
      }
    }
  }

  /// Where a report belongs.
  public struct Place: Hashable, Sendable {
    /// Which of the reports it is.
    public var report: Int
    /// When the process died, by the log's time.
    public var instant: Instant
    /// What shows it.
    public var means: Means
    /// How many profiles at the end of what was observed are the next process's: the end stands before
    /// them.
    public var profilesBehind: Int
    /// Whether the end stands with an earlier process already, which fits as well as this one.
    public var isSecond: Bool
  }

  private let reports: [TerminationReport]
  private var processes = RecordedProcesses()
  /// The reports that belong to no process so far, with the reason, and whether it is about a process of the report's
  /// number.
  private var open: [(report: Int, reason: String, isOwn: Bool)]
  /// The reports that were joined by a means that leaves a doubt: later processes may fit, too.
  private var doubtful: Set<Int> = []

  /// Makes a join of these reports to a log that was not read yet.
  public init(_ reports: [TerminationReport]) {
    self.reports = reports
    open = reports.enumerated().map { index, report in
      (index, report.isDeath ? "the log has no process" : "it reports no death", false)
    }
  }

  /// The reports that belong to no process of what was observed, by their numbers, with the reason.
  public var apart: [(report: Int, reason: String)] { open.map { ($0.report, $0.reason) } }

  /// Takes the next event of a log that says `facts`; returns the ends that belong before it, as it
  /// begins another process.
  public mutating func observe(
    _ event: Event, _ vocabulary: Vocabulary, _ facts: LogFacts
  ) -> [Place] {
    guard !isDone, let over = processes.observe(event, vocabulary) else { return [] }
    return places(in: over, before: processes.current?.start, facts)
  }

  /// Says that the log has ended; returns the ends that belong behind its last event.
  public mutating func finish(_ facts: LogFacts) -> [Place] {
    guard !isDone, let last = processes.current else { return [] }
    return places(in: last, before: nil, facts)
  }

  private var isDone: Bool { open.isEmpty && doubtful.isEmpty }

  private mutating func places(
    in process: RecordedProcess, before next: Instant?, _ facts: LogFacts
  ) -> [Place] {
    var places: [Place] = []
    let attempt = JoinAttempt(process: process, next: next, facts: facts)
    let candidates: [(place: Int?, report: Int)] =
      open.enumerated().map { ($0, $1.report) } + doubtful.sorted().map { (nil, $0) }
    for (index, number) in candidates where reports[number].isDeath {
      switch attempt.outcome(of: reports[number]) {
      case .apart(let reason):
        // A process with the report's number says more than the others.
        let isOwn = reports[number].pid != nil && reports[number].pid == process.pid
        if let index, isOwn || !open[index].isOwn { open[index] = (number, reason, isOwn) }
      case .joined(let instant, let means):
        places.append(
          Place(
            report: number, instant: instant, means: means, profilesBehind: processes.profiles,
            isSecond: index == nil))
      }
    }

    open.removeAll { entry in places.contains { $0.report == entry.report } }
    doubtful.formUnion(places.filter { $0.means.doubt != nil }.map(\.report))
    return places
  }
}
