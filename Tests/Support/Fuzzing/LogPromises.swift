import LifecycleModel
import TraceAnalysis
import TraceLog
import TraceText
import Traces

/// What must hold for the bytes of any log, or of none.
enum LogPromises {
  /// Reads bytes in each way there is, and holds the ways against each other.
  static func check(_ bytes: [UInt8]) throws {
    guard let trace = try read(bytes) else { return }
    let report = try VerifyReport(LogReader(bytes: bytes))
    let summary = try LogSummary(bytes: bytes)

    // The payload that the end of the log cuts is not counted.
    try hold(
      summary.byteCount == bytes.count || summary.isTorn,
      "the summary read \(summary.byteCount) of \(bytes.count) bytes")
    try hold(
      report.eventCount <= UInt64(trace.events.count),
      "\(report.eventCount) events were verified, and \(trace.events.count) read")
    if report.isWhole { try checkNumbers(trace) }
    let sayable = trace.events.prefix(256).filter(TracePromises.isSayable)
    try TracePromises.check(sayable, trace.vocabulary)
    TracePromises.analyze(trace.events, trace.vocabulary)
  }

  private static func read(_ bytes: [UInt8]) throws -> Trace? {
    var reader: LogReader
    do { reader = try LogReader(bytes: bytes) } catch is LogError { return nil }
    let trace = try reader.readAll()
    try hold(try trace == Trace(log: bytes), "two readings differ")
    return trace
  }

  private static func checkNumbers(_ trace: Trace) throws {
    var last: [WriterID: UInt64] = [:]
    for event in trace.events where event.verb != .gap {
      let before = last.updateValue(event.sequence, forKey: event.writer) ?? 0
      try hold(
        event.sequence > before, "of a whole log an event \(event.sequence) follows \(before)")
    }
  }
}
