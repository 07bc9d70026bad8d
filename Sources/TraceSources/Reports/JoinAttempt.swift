import LifecycleModel
import TraceText

/// Whether reports belong to one process of a log.
struct JoinAttempt {
  /// When the process died and what shows it, or why a report does not belong to it.
  enum Outcome {
    case joined(Instant, ReportJoin.Means)
    case apart(String)
  }

  /// Clocks of one moment may differ by so much.
  private static let tolerance: Nanoseconds = .seconds(2)
  /// A process that is silent for longer is not the one whose number is the same.
  private static let longestSilence: Nanoseconds = .seconds(86_400)
  /// Without the number of the process, or without a clock, the death follows the last event at once.
  private static let shortSilence: Nanoseconds = .seconds(60)

  let process: RecordedProcess
  /// When the log's next process begins; `nil` for the last one.
  let next: Instant?
  let facts: ReportJoin.LogFacts

  /// Whether a report belongs to the process.
  func outcome(of report: TerminationReport) -> Outcome {
    var surest = ReportJoin.Means.absoluteTime
    if let logID = report.logID, let own = facts.logID {
      guard Self.isSame(logID, own) else {
        return .apart("it names another log, \(InertText.word(logID))")
      }
      surest = .logID
    } else if let boot = report.bootSession, let own = facts.bootID {
      guard Self.isSame(boot, own) else {
        return .apart("the device was started again between log and report: the boots differ")
      }
      surest = .boot
    }

    if let pid = report.pid, let own = process.pid, pid != own {
      return .apart("its process is \(pid), the log's is \(own)")
    }
    if let bundle = report.bundle, let own = process.bundle, bundle != own {
      return .apart("it is about \(InertText.word(bundle)), the log about \(InertText.word(own))")
    }

    if surest != .logID, let reason = contradiction(of: report) { return .apart(reason) }

    let hasPID = report.pid != nil && process.pid != nil
    if !hasPID && surest != .logID && (report.bundle == nil || process.bundle == nil) {
      return .apart("neither log nor report say enough to tell whose they are")
    }
    guard let (time, isAbsolute) = time(of: report) else {
      return outcomeWithoutClock(report, by: surest, hasPID: hasPID)
    }

    switch surest {
    case .logID: return outcome(at: time, .logID)
    case .boot where isAbsolute: return outcome(at: time, .boot)
    default: return outcome(at: time, !hasPID ? .time : isAbsolute ? .absoluteTime : .wallTime)
    }
  }

  /// Whether two ids are equal, whatever their dashes and capitals.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    func plain(_ text: String) -> String { text.lowercased().filter { $0 != "-" } }
    return plain(first) == plain(second)
  }

  /// In what the systems of log and report differ; `nil` when in nothing that both say.
  private func contradiction(of report: TerminationReport) -> String? {
    let phones: Set = ["ios", "ipados", "tvos", "watchos", "visionos"]
    if report.isOfMac, let own = process.platform, phones.contains(own) {
      return "it is about an app for macOS, the log about one for \(own)"
    }
    if let platform = report.platform, let own = process.platform,
      Self.family(platform) != Self.family(own)
    {
      return "it is about an app on \(platform), the log about one on \(InertText.word(own))"
    }

    guard let os = report.isOfMac ? report.hostOS : report.os, let own = process.os,
      let major = Self.major(os), let ownMajor = Self.major(own), major != ownMajor
    else { return nil }
    return "its system is \(InertText.word(os)), the log's is \(InertText.word(own))"
  }

  /// An iPad calls its system by either name.
  private static func family(_ platform: String) -> String {
    platform == "ipados" ? "ios" : platform
  }

  private static func major(_ version: String) -> Int? { Int(version.prefix { $0.isNumber }) }

  /// Where log and report have no common clock the age of the process serves, or its number alone.
  private func outcomeWithoutClock(
    _ report: TerminationReport, by surest: ReportJoin.Means, hasPID: Bool
  ) -> Outcome {
    let isNamed = surest == .logID
    if process.hasStart, hasPID || isNamed, let age = report.age {
      let end = process.start.advanced(by: age)
      return outcome(at: end, isNamed ? .logID : .age)
    }
    // A report that names the log and no process is about the last one.
    let isLast = isNamed && (hasPID || next == nil)
    guard isLast || hasPID && report.bundle != nil && process.bundle != nil else {
      return .apart("log and report have no common clock")
    }
    return joined(at: process.last, isNamed ? .logID : .process)
  }

  /// When the process died by the log's time, and whether that is exact.
  private func time(of report: TerminationReport) -> (Instant, isAbsolute: Bool)? {
    let byWall = report.died.flatMap { died in
      facts.originWall.map { Self.instant(died, since: $0) }
    }
    if let exit = report.exitMonotonic, let origin = facts.originMonotonic, origin != 0 {
      let absolute = Self.instant(exit, since: origin)
      // While the device sleeps the wall clock alone goes on: it can be ahead, and not behind.
      guard let byWall, byWall.since(absolute) < -.seconds(60) else { return (absolute, true) }
      // These ticks were counted since another boot.
    }
    return byWall.map { ($0, false) }
  }

  /// The instant of a time by a clock that showed `origin` at the log's origin.
  private static func instant(_ time: Nanoseconds, since origin: Nanoseconds) -> Instant {
    Instant(nanoseconds: Instant(nanoseconds: time).since(Instant(nanoseconds: origin)))
  }

  private func outcome(at time: Instant, _ means: ReportJoin.Means) -> Outcome {
    // Held off the limits, so that its opposite is a number too.
    let silence = max(time.since(process.last), -.max)
    if silence < -Self.tolerance {
      return .apart(
        time < process.start
          ? "its process died \(InertText.word(InstantText.rounded(process.start.since(time)))) "
            + "before the log's began"
          : "the log goes on for \(InstantText.rounded(-silence)) after that death")
    }

    if let next, time.since(next) > Self.tolerance {
      return .apart("the log's next process had begun by then")
    }
    let longest = means == .time ? Self.shortSilence : Self.longestSilence
    if means != .logID && means != .boot && silence > longest {
      return .apart("the log is silent for \(InstantText.rounded(silence)) before that death")
    }
    let isLate = means == .age && silence > Self.shortSilence
    return joined(at: max(time, process.last), isLate ? .ageAfterSilence : means)
  }

  private func joined(at instant: Instant, _ means: ReportJoin.Means) -> Outcome {
    .joined(next.map { min(instant, $0) } ?? instant, means)
  }
}
