import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// Exports traces as the command does, without files.
enum ExportBench {
  /// The bytes of a trace of Perfetto, or of another form.
  static func bytes(
    _ trace: Trace, in window: ClosedRange<Instant>? = nil, clock: WallClock? = nil,
    by writer: any RunExport.Type = LaneExport.self
  ) -> [UInt8] {
    let analysis = Analyzer.analyze(trace)
    let head = ExportHead(analysis, of: "logs/run.bin", trace.vocabulary, clock)
    let part = window ?? .distantPast ... .distantFuture
    var export: any RunExport = writer.init(head, trace.vocabulary, in: part)
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

  /// Calls `body` with each sample of a log, and with a name for it.
  static func eachSample(
    in scratch: ScratchFolder, _ body: (_ log: String, _ name: String) throws -> Void
  ) throws {
    let kinds = [
      ("traces", "trace"), ("console", "log"), ("console", "trace"), ("reports", "ips"),
    ]
    for (folder, ending) in kinds {
      for sample in SampleTests.samples(folder, ending) {
        try body(sample.path, sample.lastPathComponent)
      }
    }

    for scenario in SampleTests.samples("scenarios", "yml") {
      let name = scenario.lastPathComponent
      _ = try CommandRun(["simulate", "-o", "\(name).bin", "-q", scenario.path], in: scratch.url)
      try body("\(name).bin", name)
    }
  }

  static func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
}
