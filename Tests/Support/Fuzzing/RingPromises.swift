import Foundation
import LifecycleModel
import TraceLog
import Traces

/// What must hold for any bytes that lie where the ring of a log lies.
@MainActor enum RingPromises {
  private nonisolated static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("tracectl-fuzz-\(ProcessInfo.processInfo.processIdentifier)")

  /// The log beside the ring, the same for all inputs.
  private static let log = Result {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appendingPathComponent("flight.bin")
    try Data(RingSeeds.log()).write(to: log)
    return log.path
  }

  /// Reads the log with a ring of these bytes beside it, in each way there is.
  static func check(_ bytes: [UInt8]) throws {
    let log = try log.get()
    try Data(bytes).write(to: URL(fileURLWithPath: log + RingFormat.pathEnding))
    let trace = try Trace(log: log)
    try hold(trace == Trace(log: log), "two readings differ")
    _ = try VerifyReport(path: log)
    let summary = try LogSummary(path: log)
    try hold(
      summary.ringEvents <= trace.events.count, "the ring has \(summary.ringEvents) events")
    try hold(
      zip(trace.events, trace.events.dropFirst()).allSatisfy { $0.instant <= $1.instant },
      "events are out of order")

    let sayable = trace.events.suffix(256).filter(TracePromises.isSayable)
    try TracePromises.check(sayable, trace.vocabulary)
    TracePromises.analyze(trace.events, trace.vocabulary)
  }
}
