import LifecycleModel
import Platform
import TraceRecorder

/// The app's own answer to why its last run ended: the analyzer and the rules, at the next launch.
///
/// It is for debug and TestFlight builds: its texts are for developers. It prints nothing and sends nothing.
///
/// ```swift
/// import TraceRecorder
/// import TraceVerdict
///
/// func explainLastRun(_ recorder: Recorder) async {
///   for await verdict in TraceVerdict.lastRun(of: recorder) {
///     print(verdict)
///   }
/// }
/// ```
public enum TraceVerdict {
  /// What is known of the crash reports of one log's last run.
  private struct Reports {
    var report: String?
    var waiting: [@Sendable (String) -> Void] = []
  }

  /// By the id of the log.
  private static let reports = Lock<[String: Reports]>([:])

  /// The verdicts on the run before this one: a provisional one, and a final one when a crash report was added.
  ///
  /// Nothing happens before the app has become active: not in a prewarmed launch, in one in the background, or before the
  /// first unlock. The analysis then runs in a task of low priority. It reads the newest part of the run's log for at
  /// most 200 ms of its thread's time, and of each run once: a note beside the log, `flight.bin.verdict`, is on the disk
  /// before it begins, so that a launch that died in it is not followed by another. A second verdict on the same run
  /// consists of ``LastRunVerdict/cause`` alone.
  ///
  /// The sequence ends at once if there was no run before, and after the final verdict. Call it once in a launch.
  public static func lastRun(of recorder: Recorder) -> AsyncStream<LastRunVerdict> {
    lastRun(of: recorder, within: LastRunAnalysis.Limits())
  }

  static func lastRun(
    of recorder: Recorder, within limits: LastRunAnalysis.Limits
  ) -> AsyncStream<LastRunVerdict> {
    AsyncStream { continuation in
      guard let log = recorder.logID, recorder.previousRun != nil else {
        return continuation.finish()
      }
      recorder.whenActive {
        Task.detached(priority: .utility) {
          // By now the app has stated its version, which may show an update.
          guard let run = recorder.previousRun else { return continuation.finish() }
          let analysis = LastRunAnalysis(of: run, in: log, within: limits)
          let known = reports.withLock { $0[log]?.report }
          continuation.yield(analysis.verdict(crashReport: known))
          if known != nil { return continuation.finish() }

          whenReported(log) { report in
            continuation.yield(analysis.verdict(crashReport: report))
            continuation.finish()
          }
        }
      }
    }
  }

  /// Adds what a crash reporter or MetricKit says about a crash of the run before this one, such as
  /// `SIGSEGV in NotesStore.save()`; the verdict becomes final.
  ///
  /// Any thread may call it, before ``lastRun(of:)`` or after it. Of several reports the first counts.
  public static func add(crashReport report: String, to recorder: Recorder) {
    guard let log = recorder.logID else { return }
    let waiting = reports.withLock { reports in
      guard reports[log]?.report == nil else { return [@Sendable (String) -> Void]() }
      let waiting = reports[log]?.waiting ?? []
      reports[log] = Reports(report: report)
      return waiting
    }
    for body in waiting { body(report) }
  }

  /// Calls `body` when a report is added, or at once if that has happened.
  private static func whenReported(
    _ log: String, _ body: @escaping @Sendable (String) -> Void
  ) {
    let known = reports.withLock { reports in
      if let report = reports[log]?.report { return report as String? }
      reports[log, default: Reports()].waiting.append(body)
      return nil
    }
    if let known { body(known) }
  }
}
