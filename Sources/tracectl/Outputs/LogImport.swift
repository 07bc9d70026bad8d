import LifecycleModel
import Platform
import LifecycleRules
import TraceAnalysis
import TraceLog
import TraceReport
import TraceSources
import TraceText

/// A log that is being written from a source.
///
/// The file is made when the first events are known: only then the source knows when they happened,
/// and an input that cannot be read leaves no file behind and replaces none.
final class LogImport {
  private let options: NewLogOptions
  private var path: String { options.path }
  private let sync: SyncPolicy
  private let limits: LogLimits
  /// The ends that crash reports describe, which are put where they belong.
  private var reports: JoinedReports
  /// A file, with its limits, or standard output.
  private var log: RotatingLog?
  private var words: UnknownWords?
  private var isNoRotationTold = false

  /// Makes ready to write a log of the given parts.
  init(
    to options: NewLogOptions, sync: SyncPolicy, limits: LogLimits,
    reports: [ReportFiles.Entry] = []
  ) {
    (self.options, self.sync, self.limits) = (options, sync, limits)
    self.reports = JoinedReports(reports)
  }

  /// Throws when there is a log already that must not be replaced.
  func checkOutput() throws {
    guard path != "-", !options.replace, access(path, F_OK) == 0 else { return }
    throw CommandError.usage("\(path): already exists; choose another -o, or pass --replace")
  }

  /// Whether there is a log: the source has given events.
  var isBegun: Bool { log != nil }

  /// How many events were written; some may wait for more to fill a block.
  var eventCount: UInt64 { log?.eventCount ?? 0 }

  /// How large the log is, and what is left of it.
  var size: String { log.map { KeptText.of($0.kept, outOf: $0.eventCount) } ?? "0 bytes" }

  func append(_ events: [Event], _ source: any TraceSource) throws {
    guard !events.isEmpty else { return }
    var events = events
    reports.put(into: &events, source.vocabulary, Self.facts(source))
    try write(events, source)
  }

  /// Appends the ends that reports describe of what the input showed last, and reports which belong
  /// nowhere in the input, which is called so.
  func appendEnds(_ source: any TraceSource, of name: String) throws {
    var events: [Event] = []
    reports.finish(into: &events, source.vocabulary, Self.facts(source))
    reports.tellApart(name)
    if !events.isEmpty { try write(events, source) }
  }

  private static func facts(_ source: any TraceSource) -> ReportJoin.LogFacts {
    ReportJoin.LogFacts(originWall: source.wallOrigin)
  }

  private func write(_ events: [Event], _ source: any TraceSource) throws {
    if words == nil { words = UnknownWords(source.vocabulary) }
    for event in events { words?.observe(event) { nil } }
    let log = try begin(source)
    try log.append(events)
    tellNoRotation(log.rotationFailure)
  }

  /// Reports once that a new part could not be started, and that the log grows beyond its limits.
  private func tellNoRotation(_ failure: (any Error)?) {
    guard let failure, !isNoRotationTold else { return }
    isNoRotationTold = true
    Terminal.printError(
      "\(InertText.word(path)): no new part can be started, so it grows beyond its limits: \(failure)"
    )
  }

  /// The words of the events so far that are not known.
  var unknownWords: [UnknownWord] { words?.list ?? [] }

  func flush() throws { try log?.flush() }

  /// Ends the log; one without events has its header at least, but does not take the place of another one.
  func close(_ source: any TraceSource) throws {
    if log == nil, options.followsOthers {
      throw CommandError.unreadable("the input has no events, so \(path) is not written")
    }
    if log == nil, options.replace, path != "-", access(path, F_OK) == 0 {
      throw CommandError.unreadable("the input has no events; \(path) stays")
    }
    let log = try begin(source)
    let isInPlace = log.isInPlace
    try log.close()
    if !isInPlace { throw LogError.removed(path: path) }
  }

  private func begin(_ source: any TraceSource) throws -> RotatingLog {
    if let log { return log }
    var writing = LogWriter.Options()
    writing.sync = sync
    let identity = LogIdentity.imported(originWall: source.wallOrigin)
    options.reportName()

    let log =
      path == "-"
      ? try RotatingLog(
        on: FileLogSink(descriptor: 1), vocabulary: source.vocabulary, identity: identity,
        options: writing)
      : try RotatingLog(
        path: path, options.replace ? .replace : .create, vocabulary: source.vocabulary,
        identity: identity, options: writing, limits: limits)
    self.log = log
    return log
  }
}

/// How large a log is, and what its limits left of it.
enum KeptText {
  /// `2048 bytes`, or `2048 bytes, which hold the last 90 events` of more.
  static func of(_ kept: (events: UInt64, bytes: Int), outOf events: UInt64) -> String {
    let last = " with the last \(CountText.of(kept.events, "event"))"
    return "\(kept.bytes) bytes" + (kept.events < events ? last : "")
  }
}
