import Foundation
import TestTime
import Testing
import Traces

@testable import TraceReport

/// Exports as OTLP, held against the published schema.
@Suite struct OTLPCheckTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// What is wrong with exports; `nil`, and said, when the machine cannot tell.
  private func complaints(_ files: [String]) throws -> String? {
    let check = CommandRun.root.appendingPathComponent("tools/check-otlp").path
    let run = try CommandRun(program: ["python3", check] + files, in: scratch.url)
    if run.status == 42 || run.status == 127 {
      print("skipped: \(run.errors)")
      return nil
    }

    let lines = run.output.split(separator: "\n").filter { !$0.hasSuffix(": well") }
    #expect((run.status == 0) == lines.isEmpty, "status \(run.status)")
    return lines.joined(separator: "\n") + run.errors
  }

  private func read(_ name: String) throws -> OTLPTrace {
    try OTLPTrace(Array(Data(contentsOf: URL(fileURLWithPath: scratch.path(name)))))
  }

  /// Each process, state and span of the tables is a span, and nothing else is.
  @Test func everySampleIsWellAndHasTheSpansOfTheTables() throws {
    var files: [String] = []
    try ExportBench.eachSample(in: scratch) { log, name in
      let file = "\(name).otlp.jsonl"
      files.append(file)
      let export = ["export", log, "--app", "Notes"]
      let run = try CommandRun(export + ["-o", file], in: scratch.url)
      #expect(run.status == 0, "\(name): \(run.errors)")

      let tables = ["--tables", "processes,states,spans", "--format", "ndjson"]
      let rows = try CommandRun(export + tables, in: scratch.url).output.split(separator: "\n")
      let trace = try read(file)
      #expect(trace.complaints == [], "\(name)")
      for (table, mark) in [("processes", "01"), ("states", "02"), ("spans", "03")] {
        let count = trace.spans.count { $0.id.hasPrefix(mark) }
        #expect(count == rows.count { $0.contains("\"table\":\"\(table)\"") }, "\(name): \(table)")
      }
    }
    #expect(files.count >= 25)
    #expect(try complaints(files) ?? "" == "")
  }

  @Test(.tags(.nightly)) func anyTraceIsWell() throws {
    let files = try Nightly.seeds(20, all: 200).map { seed in
      var generator = ArbitraryTrace(seed: seed)
      let bytes = ExportBench.bytes(generator.trace(count: 300), by: OTLPExport.self)
      try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("\(seed).otlp.jsonl")))
      return "\(seed).otlp.jsonl"
    }
    #expect(try complaints(files) ?? "" == "")
  }

  @Test(arguments: [
    ("\"kind\":1", "\"kind\":\"SPAN_KIND_INTERNAL\"", "no number"),
    ("\"kind\":1", "\"sort\":1", "does not decode"),
    ("\"startTimeUnixNano\":\"86401", "\"startTimeUnixNano\":\"96401", "is from"),
    ("\"parentSpanId\":\"01", "\"parentSpanId\":\"0a", "is not in its trace"),
    ("\"spanId\":\"03", "\"spanId\":\"0X", "does not decode"),
  ])
  func whatIsWrongIsSeen(part: String, wrong: String, complaint: String) throws {
    try scratch.file("a.trace", "1s main call applicationDidBecomeActive app\n")
    let run = try CommandRun(["export", "a.trace", "--format", "otlp"], in: scratch.url)
    #expect(run.output.contains(part))
    let broken = run.output.replacingOccurrences(of: part, with: wrong)
    try scratch.file("broken.otlp.jsonl", broken)

    guard let complaints = try complaints(["broken.otlp.jsonl"]) else { return }
    #expect(complaints.contains(complaint), "\(complaints)")
  }
}
