import Foundation
import Testing

/// What `tracectl export` does with files, options and wrong input.
@Suite struct ExportCommandTests {
  private static let life = """
    0s - profile mode=app hooks=app-delegate,work,process
    0s - process.start app pid=7
    1s main call applicationDidBecomeActive app
    2s main return applicationDidBecomeActive app
    3s main work timer app "tick"
    4s - kill app code=0x8badf00d

    """
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file("a.trace", Self.life)
  }

  private func export(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(["export"] + arguments, input: input, in: scratch.url)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
  }

  @Test func theNameOfTheFileTellsTheForm() throws {
    for (name, form, more) in [
      ("a.pftrace", "perfetto", []), ("a.perfetto-trace", "perfetto", []),
      ("a.otlp.jsonl", "otlp", []), ("a.otlp.json", "otlp", []),
      ("a.csv", "csv", ["--tables", "events"]), ("a.ndjson", "ndjson", ["--tables", "events"]),
      ("a.jsonl", "ndjson", ["--tables", "events"]),
    ] {
      func export(_ name: String, _ format: [String]) throws -> CommandRun {
        try CommandRun(["export", "a.trace", "-o", name] + more + format, in: scratch.url)
      }
      let run = try export(name, [])
      #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.errors)")
      let said = "said.\(form)"
      _ = try export(said, ["--format", form])
      #expect(try bytes(name) == bytes(said), "\(name)")
      let again = try export("again.\(form)", ["--format", form])
      #expect(try again.status == 0 && bytes("again.\(form)") == bytes(said), "\(name)")
    }
    #expect(try PerfettoTrace(bytes("a.pftrace")).events.count > 5)
    let none = try export("a.trace", "-o", "a.xyz")
    #expect(none.status == 2 && none.errors.contains("a.xyz ends with no format; say --format"))
    let silent = try export("a.trace")
    #expect(silent.status == 2)
    #expect(silent.errors.contains("say --format perfetto or otlp, or --tables for tables"))
  }

  @Test(arguments: [
    ("chrome", "use --format perfetto"), ("parquet", "of which DuckDB makes Parquet"),
    ("pdf", "pdf is no format; expected perfetto, otlp, csv, ndjson"),
    ("csv", "csv holds tables; say which, such as --tables events"),
    ("ndjson", "ndjson holds tables; say which, such as --tables events"),
  ])
  func aFormatThatIsNotWrittenNamesWhatToUse(form: String, advice: String) throws {
    let run = try export("a.trace", "--format", form)
    #expect(run.status == 2 && run.errors.contains(advice), "\(run.errors)")
  }

  @Test func aBinaryLogAndItsTextAreTheSame() throws {
    _ = try CommandRun(
      ["record", "--source", "trace", "-o", "a.bin", "-q", "a.trace"], in: scratch.url)
    _ = try export("a.bin", "-o", "b.pftrace")
    _ = try export("a.trace", "-o", "t.pftrace")
    let binary = PerfettoTrace(try bytes("b.pftrace"))
    let text = PerfettoTrace(try bytes("t.pftrace"))
    // The process has the name of the log.
    #expect(binary.tracks.dropFirst(2) == text.tracks.dropFirst(2))
    #expect(binary.events == text.events)
  }

  @Test func aPartIsChosenByTime() throws {
    let run = try export("a.trace", "-o", "a.pftrace", "--from", "2.5s", "--to", "3.5s")
    #expect(run.status == 0)
    let times = PerfettoTrace(try bytes("a.pftrace")).events.map(\.time)
    #expect(!times.isEmpty && times.allSatisfy { (2_500_000_000...3_500_000_000).contains($0) })
    let outside = try export("a.trace", "-o", "b.pftrace", "--from", "10s")
    #expect(outside.status == 2 && outside.errors.contains("has no events between --from and --to"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("b.pftrace")))
    let swapped = try export("a.trace", "--format", "perfetto", "--from", "3s", "--to", "2s")
    #expect(swapped.status == 2 && swapped.errors.contains("swap them"))
  }

  @Test func whatCannotBeDoneIsSaidAndSpoilsNothing() throws {
    let pipe = try export("-", "--format", "perfetto", input: Self.life)
    #expect(pipe.status == 2 && pipe.errors.contains("reads the log twice"))
    let itself = try export("a.trace", "--format", "perfetto", "-o", "./a.trace")
    #expect(
      itself.status == 2 && itself.errors.contains("the export would overwrite one of its inputs"))
    #expect(try bytes("a.trace") == Array(Self.life.utf8))

    try scratch.file("old.pftrace", "old")
    try scratch.file("bad.trace", Self.life + "5s main oops(\n")
    let bad = try export("bad.trace", "-o", "old.pftrace")
    #expect(bad.status == 3 && bad.errors.contains("bad.trace: line 7,"), "\(bad.errors)")
    #expect(try bytes("old.pftrace") == Array("old".utf8))
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    #expect(left.sorted() == ["a.trace", "bad.trace", "old.pftrace"])

    try scratch.file("empty.trace", "")
    #expect(try export("empty.trace", "-o", "e.pftrace").status != 0)
    #expect(try export("missing.bin", "-o", "m.pftrace").status == 3)
  }

  @Test func theFindingsAreThoseOfTheReport() throws {
    let log = SampleTests.samples("traces", "trace")[0].path
    _ = try export(log, "-o", "a.pftrace")
    let analyzed = try CommandRun("analyze", log, "--format", "json", "--fail-on", "never")
    let json = try JSONSerialization.jsonObject(with: Data(analyzed.output.utf8)) as? [String: Any]
    let findings = try #require(json?["findings"] as? [[String: Any]])
    func rules(_ finding: [String: Any]) -> [String] {
      [finding["rule"] as? String ?? ""]
        + (finding["dependents"] as? [[String: Any]] ?? []).flatMap(rules)
    }
    let drawn = PerfettoTrace(try bytes("a.pftrace")).events(on: "Findings")
    #expect(drawn.compactMap { $0.details["rule"] }.sorted() == findings.flatMap(rules).sorted())
    #expect(drawn.count > 3)
  }

  @Test func aCrashReportEndsTheTraceToo() throws {
    let folder = CommandRun.root.appendingPathComponent("samples/reports")
    let report = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().first {
        $0.hasSuffix(".ips")
      })
    let run = try export(folder.appendingPathComponent(report).path, "-o", "r.pftrace")
    #expect(run.status == 0, "\(run.errors)")
    let trace = PerfettoTrace(try bytes("r.pftrace"))
    #expect(trace.complaints == [] && trace.events(on: "Ends of processes").count == 1)
  }

  @Test func aTraceOfPerfettoNeverGarblesATerminal() throws {
    let words = "\(CommandRun.command.path) export a.trace --format perfetto"
    let run = try CommandRun(
      program: ["script", "-q", "-e", "-c", words, "/dev/null"], in: scratch.url)
    guard run.status != 127 else { return print("skipped: script is not installed") }
    #expect(run.status == 2 && run.output.contains("is binary and would garble the terminal"))
  }
}
