import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// Exports traces as the command does, without files.
enum ExportBench {
  /// The bytes of a trace of Perfetto.
  static func bytes(
    _ trace: Trace, in window: ClosedRange<Instant>? = nil, clock: WallClock? = nil
  ) -> [UInt8] {
    let analysis = Analyzer.analyze(trace)
    let head = ExportHead(analysis, of: "logs/run.bin", trace.vocabulary, clock)
    var export = LaneExport(analysis, trace.vocabulary, head, trace.vocabulary, in: window)
    for event in trace.events { export.draw(event) }
    export.finish()
    return export.takeBytes()
  }

  /// A trace in notation as Perfetto gets it.
  static func perfetto(
    _ notation: String, in window: ClosedRange<Double>? = nil, clock: WallClock? = nil
  ) throws -> PerfettoTrace {
    let part = window.map { instant($0.lowerBound)...instant($0.upperBound) }
    return PerfettoTrace(
      bytes(try TraceNotation.parse(notation), in: part, clock: clock))
  }

  static func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
}
