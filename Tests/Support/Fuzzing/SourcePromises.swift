import LifecycleModel
import TraceSources

/// What must hold for anything that is read as console text or as a report about an end.
enum SourcePromises {
  /// Reads console text, of the app that it tells and of one that is named.
  static func checkConsole(_ bytes: [UInt8]) throws {
    for app in [nil, "Notes"] {
      let options = ConsoleSource.Options(app: app)
      var (source, other) = (ConsoleSource(options: options), ConsoleSource(options: options))
      let (trace, fault) = try TextPromises.read(bytes, &source, chunk: 1 << 20)
      let (pieces, otherFault) = try TextPromises.read(bytes, &other, chunk: 61)

      try hold("\(fault as Any)" == "\(otherFault as Any)", "pieces fail otherwise")
      // What fails later has handed out some events already, and pieces fail later.
      if fault == nil { try hold(trace == pieces, "pieces are read otherwise") }
      try checkOrder(trace)
      if fault == nil { try TracePromises.check(trace) }
    }
  }

  /// Reads a report, and holds the ends that it tells against its events.
  static func checkReport(_ bytes: [UInt8]) throws {
    var (source, other) = (ReportSource(), ReportSource())
    let (trace, fault) = try TextPromises.read(bytes, &source, chunk: 1 << 20)
    let (pieces, otherFault) = try TextPromises.read(bytes, &other, chunk: 97)
    try hold("\(fault as Any)" == "\(otherFault as Any)", "pieces fail otherwise")
    guard fault == nil else { return }

    try hold(trace == pieces, "pieces are read otherwise")
    try checkOrder(trace)
    let ends = trace.events.filter { $0.verb == .kill || $0.verb == .exit }.count
    // What an SDK has noted is one life, and no report.
    let isNoted = source.tally.form == ReportForm.breadcrumbs.rawValue
    try hold(
      isNoted ? ends <= 1 : ends == source.reports.filter(\.isDeath).count,
      "\(ends) ends of \(source.reports.count)")
    try TracePromises.check(trace)
    try checkJoin(source.reports)
  }

  /// Reads a payload of MetricKit, and one that is made around the bytes.
  static func checkMetricKit(_ bytes: [UInt8]) throws {
    try checkReport(bytes)
    let head = #"{"timeStampBegin":"2026-11-21 04:00:00","crashDiagnostics":["#
    try checkReport(Array(head.utf8) + bytes + Array("]}".utf8))
  }

  private static func checkOrder(_ trace: Trace) throws {
    for (event, next) in zip(trace.events, trace.events.dropFirst()) {
      try hold(event.instant <= next.instant, "\(next.instant) comes behind \(event.instant)")
    }
  }

  /// Joins reports with a log of nothing but a start.
  private static func checkJoin(_ reports: [TerminationReport]) throws {
    var join = ReportJoin(reports)
    let vocabulary = Vocabulary()
    let start = Event(instant: .origin, writer: .system, verb: .processStart, subject: .app)
    let facts = ReportJoin.LogFacts(originWall: 1_795_300_000_000_000_000, originMonotonic: 1)
    let places = join.observe(start, vocabulary, facts) + join.finish(facts)
    try hold(
      places.allSatisfy { reports.indices.contains($0.report) },
      "a place is of no report: \(places)")
  }
}
