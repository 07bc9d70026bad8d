import Foundation
import Testing

/// Every sample has its expected report beside it.
@Suite struct SampleTests {
  static func samples(_ folder: String, _ ending: String) -> [URL] {
    let url = CommandRun.root.appendingPathComponent("samples/\(folder)")
    let files = try? FileManager.default.contentsOfDirectory(
      at: url, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == ending }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  private func report(beside sample: URL) -> URL {
    sample.deletingPathExtension().appendingPathExtension("report.txt")
  }

  @Test func thereAreSamples() {
    #expect(Self.samples("console", "log").count >= 3)
    #expect(Self.samples("traces", "trace").count >= 1)
  }

  @Test(arguments: samples("console", "log")) func aCaptureGivesItsReport(_ capture: URL) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let recorded = try CommandRun(
      "record", "--source", "console", "--app", "Notes", "-o", log, "-q", capture.path)
    #expect(recorded.status == 0 && recorded.errors == "")
    let analyzed = try CommandRun("analyze", "--fail-on", "never", log)
    #expect(analyzed.status == 0 && analyzed.errors == "")
    try Snapshot.expect(analyzed.output, at: report(beside: capture))
  }

  @Test(arguments: samples("traces", "trace")) func aTraceGivesItsReport(_ trace: URL) throws {
    let analyzed = try CommandRun("analyze", "--fail-on", "never", trace.path)
    #expect(analyzed.status == 0 && analyzed.errors == "")
    try Snapshot.expect(analyzed.output, at: report(beside: trace))
  }

  @Test(arguments: samples("traces", "trace") + samples("console", "log"))
  func theLogSaysWhatItsSourceSays(_ sample: URL) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let source = sample.pathExtension == "log" ? "console" : "trace"
    _ = try CommandRun("record", "--source", source, "-o", log, "-q", sample.path)
    let notation = try CommandRun("dump", log)
    let lines = try CommandRun("dump", "--ndjson", log)
    #expect(notation.status == 0 && !notation.output.isEmpty)
    let again = scratch.path("again.bin")
    _ = try CommandRun("record", "--source", "trace", "-o", again, "-q", input: notation.output)
    #expect(try CommandRun("dump", again).output == notation.output)
    let third = scratch.path("third.bin")
    _ = try CommandRun("record", "--source", "ndjson", "-o", third, "-q", input: lines.output)
    #expect(try CommandRun("dump", third).output == notation.output)
    let reports = try [log, again, third].map { try CommandRun("analyze", $0).output }
    #expect(Set(reports).count == 1)
  }
}
