import Foundation
import Testing

/// Apps that link the recorder, recorded from outside.
@Suite struct AppRecordingTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func record(_ app: String, _ arguments: [String] = []) throws -> CommandRun {
    try CommandRun(
      ["record", "-o", scratch.path("log.bin"), "--", CommandRun.built(app)] + arguments,
      in: scratch.url)
  }

  private func report() throws -> [String: Any] {
    let run = try CommandRun(
      "analyze", "--format", "json", "--fail-on", "never", scratch.path("log.bin"))
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(json as? [String: Any])
  }

  private func labels(_ members: Any?) -> [String] {
    let members = members as? [[String: Any]] ?? []
    return members.compactMap { member in
      let event = member["event"] as? [String: Any]
      return (event?["name"] ?? event?["verb"]) as? String
    }
  }

  @Test func aKilledAppLeavesItsOpenCalls() throws {
    let run = try record("crash-in-background")
    #expect(run.status == 137 && run.errors.contains("13 events of the app"))
    let report = try report()
    let end = try #require((report["log"] as? [String: Any])?["end"] as? [String: Any])
    #expect(end["app"] as? String == "background")
    #expect(labels(end["open"]) == ["applicationDidEnterBackground", "lock", "save"])

    let dump = try CommandRun("dump", "--only", "kill", scratch.path("log.bin"))
    #expect(
      dump.output.hasSuffix(
        "kill          app code=0x9 namespace=SIGNAL open=applicationDidEnterBackground\n"))
    #expect(try CommandRun("verify", scratch.path("log.bin")).status == 0)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("log.bin.ring")))
  }

  @Test func anAppWithoutTheRecorderHasRecordedNothing() throws {
    let log = scratch.path("true.bin")
    #expect(try CommandRun("record", "-o", log, "--", "/bin/true").status == 0)
    #expect(
      try CommandRun("analyze", "-v", log).output.hasPrefix(
        "exited; the app recorded nothing in this log\n"))
    let other = scratch.path("false.bin")
    #expect(try CommandRun("record", "-o", other, "--", "/bin/false").status == 1)
    let both = try CommandRun("analyze", "-v", log, other).output
    #expect(both.contains("true.bin: exited; the app recorded nothing in this log\n"), "\(both)")
  }

  @Test func aHangIsFoundAtItsDeadline() throws {
    let run = try record("hang")
    #expect(run.status == 137)
    let findings = try #require(try report()["findings"] as? [[String: Any]])
    #expect(findings.map { $0["rule"] as? String } == ["budget-did-enter-background"])
    #expect(findings.first?["severity"] as? String == "error")
  }

  @Test func manyThreadsLoseNothing() throws {
    let run = try record("many-threads")
    #expect(run.status == 0 && run.errors.contains("16003 events of the app"))
    #expect(try report()["gaps"] as? Int == 0)
  }

  /// Times and the process's number differ from run to run and stand as `…` in the expected reports.
  @Test(arguments: ["crash-in-background", "hang", "many-threads"])
  func aSampleGivesItsReport(app: String) throws {
    _ = try record(app)
    let run = try CommandRun(
      ["analyze", "-v", "--fail-on", "never", "log.bin"], in: scratch.url)
    #expect(run.status == 0 && run.errors == "")

    // The verdict is a paragraph, whose lines break as its times are long.
    let paragraphs = run.output.components(separatedBy: "\n\n").map { paragraph in
      paragraph.hasPrefix("Verdict\n") ? paragraph.replacing("\n  ", with: " ") : paragraph
    }
    let text = paragraphs.joined(separator: "\n\n")
      .replacing(/~?[0-9]{4}-[0-9]{2}-[0-9]{2}( ~?[0-9]{2}:[0-9]{2}:[0-9]{2})?/, with: "…")
      .replacing(/~?[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})?/, with: "…")
      .replacing(/[0-9]+(\.[0-9]+)?(ns|us|ms|s)\b/, with: "…")
      .replacing(/pid[= ][0-9]+/, with: "pid=…")
      .replacing(/(\S) +/) { "\($0.output.1) " }
    let folder = CommandRun.root.appendingPathComponent("samples/apps/\(app)")
    try Snapshot.expect(text, at: folder.appendingPathComponent("report.txt"))
  }

  @Test func anAppKeepsItsOwnLog() throws {
    let log = scratch.path("own.bin")
    #expect(try CommandRun(program: [CommandRun.built("many-threads"), log]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: log + ".ring"))
    #expect(try CommandRun("verify", log).output.hasPrefix("16004 events in "))
  }

  @Test func theAppsStreamsAndStatusAreItsOwn() throws {
    let log = scratch.path("log.bin")
    let run = try CommandRun(
      ["record", "-q", "-o", log, "--", "sh", "-c", "cat; echo aside >&2; exit 7"], input: "in")
    #expect(run.status == 7 && run.output == "in" && run.errors == "aside\n")
    let signaled = try CommandRun(
      ["record", "-q", "--replace", "-o", log, "--", "sh", "-c", "kill -SEGV $$"])
    #expect(signaled.status == 139)
    #expect(try CommandRun("dump", log).output.hasSuffix("exit          app signal=11\n"))
  }

  @Test func aLogIsNotReplacedByOneThatCannotBeRecorded() throws {
    let log = scratch.path("log.bin")
    _ = try CommandRun("simulate", "-q", "-o", log, "samples/scenarios/leaked-task.yml")
    let before = try Data(contentsOf: URL(fileURLWithPath: log))
    try scratch.file("mine", "no ring")
    for ring in [scratch.path("mine"), "/no-such-folder/a.ring"] {
      let run = try CommandRun(
        ["record", "--replace", "--ring", ring, "-o", log, "--", "true"])
      #expect(run.status == 2 || run.status == 3, "\(run)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == before, "\(run)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).count == 2)
  }

  @Test func anAppThatCannotBeRunLeavesNoLog() throws {
    let log = scratch.path("log.bin")
    #expect(try CommandRun(["record", "-o", log, "--", "no-such-app"]).status == 127)
    #expect(try CommandRun(["record", "-o", log, "--", scratch.url.path]).status == 126)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
    #expect(try CommandRun(["record", "-o", log]).status == 2)
    #expect(try CommandRun(["record", "-o", log, "--source", "trace", "--", "ls"]).status == 2)
  }
}
