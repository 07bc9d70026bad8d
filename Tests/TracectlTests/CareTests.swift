import Foundation
import Testing

/// Logs that `copy` makes of others: repaired and scrubbed ones, slices, and joined pieces.
@Suite struct CareTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("samples"),
      withDestinationURL: CommandRun.root.appendingPathComponent("samples"))
  }

  private func run(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(arguments, input: input, in: scratch.url)
  }

  private func expectWhole(_ log: String) throws {
    let verified = try run("verify", log)
    #expect(verified.status == 0, "\(log): \(verified.output)\(verified.errors)")
  }

  /// Each finding: its rule, how serious it is, and its events by number and time.
  private func findings(_ log: String) throws -> [String] {
    let run = try run("analyze", "--fail-on", "never", "--format", "json", log)
    #expect(run.status == 0, "\(run.errors)")
    let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    return try #require(report?["findings"] as? [[String: Any]]).flatMap(text)
  }

  private func text(_ finding: [String: Any]) -> [String] {
    let events = (finding["witnesses"] as? [[String: Any]] ?? []).map { witness in
      let event = witness["event"] as? [String: Any] ?? [:]
      return "\(witness["role"] ?? "") \(event["sequence"] ?? "") \(event["t"] ?? "")"
    }
    let own = "\(finding["rule"] ?? "") \(finding["severity"] ?? ""): \(events)"
    return [own] + (finding["dependents"] as? [[String: Any]] ?? []).flatMap(text)
  }

  private static let samples: [String] =
    ["traces/slow-background.trace", "reports/notes.trace"]
    + ["healthy-cycle", "lost-line", "two-deaths"].map { "console/\($0).trace" }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: scratch.url.appending(path: name))
  }

  // MARK: scrub

  @Test(arguments: samples) func aScrubbedSampleShowsTheSameFindings(sample: String) throws {
    let log = "samples/\(sample)"
    let made = try run("copy", "--scrub", log, "-o", "public.bin")
    #expect(made.status == 0 && made.errors.contains(" events → public.bin, "), "\(made.errors)")
    try expectWhole("public.bin")
    #expect(try findings("public.bin") == findings(log))
    let again = try run("copy", "--scrub", "public.bin", "-o", "again.bin", "-q")
    #expect(again.status == 0 && again.errors == "")
    #expect(try run("dump", "again.bin").output == run("dump", "public.bin").output)
  }

  @Test func everyScenarioIsScrubbedAndShowsTheSameFindings() throws {
    let scenarios = SampleTests.samples("scenarios", "yml").map(\.path)
    #expect(scenarios.count >= 17)
    for scenario in scenarios {
      _ = try run("simulate", "-q", "--replace", "-o", "a.bin", scenario)
      _ = try run("copy", "--scrub", "-q", "--replace", "-o", "b.bin", "a.bin")
      #expect(try findings("b.bin") == findings("a.bin"), "\(scenario)")
    }
  }

  @Test func theHeaderSaysNothingUnlessAsked() throws {
    _ = try run("simulate", "-q", "-o", "a.bin", "samples/scenarios/leaked-task.yml")
    _ = try run("copy", "--scrub", "-q", "a.bin", "-o", "a.scrubbed.bin")
    let header = try bytes("a.scrubbed.bin").prefix(84)
    #expect(Array(header[32..<72]) == Array(repeating: 0, count: 40))
    #expect(try header[16..<32] != bytes("a.bin")[16..<32])
    _ = try run("copy", "--scrub", "-q", "a.bin", "--keep-time", "-o", "timed.bin")
    #expect(try bytes("timed.bin")[32..<72] == bytes("a.bin")[32..<72])
  }

  @Test func oneSaltGivesOneReplacement() throws {
    let log = "samples/traces/slow-background.trace"
    for (name, salt) in [("a", "salt"), ("b", "salt"), ("c", "other")] {
      _ = try run("copy", "--scrub", "-q", log, "--salt", salt, "-o", "\(name).bin")
    }
    let dumps = try ["a", "b", "c"].map { try run("dump", "\($0).bin").output }
    #expect(dumps[0] == dumps[1] && dumps[0] != dumps[2])
  }

  // MARK: A part, and pieces

  @Test func theSlicesOfALogAreJoinedToTheLog() throws {
    let log = "samples/traces/slow-background.trace"
    _ = try run("record", "-q", "--source", "trace", "-o", "log.bin", log)
    let early = try run("copy", "log.bin", "--to", "12.7s", "-o", "early.bin")
    #expect(early.status == 0 && early.errors.contains(" → early.bin, "), "\(early.errors)")
    _ = try run("copy", "log.bin", "-q", "--from", "12.6s", "-o", "late.bin")
    for slice in ["early.bin", "late.bin"] { try expectWhole(slice) }
    #expect(try run("dump", "late.bin").output.contains("gap           rotated"))

    let joined = try run("copy", "late.bin", "early.bin", "-o", "joined.bin")
    #expect(
      joined.status == 0
        && joined.errors.hasPrefix("tracectl: 3 events in more than one of the logs: copied once\n"),
      "\(joined.errors)")
    try expectWhole("joined.bin")
    #expect(try run("dump", "joined.bin").output == run("dump", "log.bin").output)
    #expect(try findings("joined.bin") == findings(log))

    let window = ["--from", "12.5s", "--to", "12.65s"]
    for (name, logs) in [("of-one.bin", ["log.bin"]), ("of-two.bin", ["late.bin", "early.bin"])] {
      let part = try CommandRun(["copy"] + logs + window + ["-o", name], in: scratch.url)
      #expect(part.status == 0, "\(part.errors)")
      try expectWhole(name)
    }
    #expect(try run("dump", "of-two.bin").output == run("dump", "of-one.bin").output)
  }

  @Test func whatNoPieceHasIsReported() throws {
    let log = "samples/traces/slow-background.trace"
    _ = try run("record", "-q", "--source", "trace", "-o", "log.bin", log)
    _ = try run("copy", "log.bin", "--to", "12s", "-o", "early.bin", "-q")
    _ = try run("copy", "log.bin", "--from", "12.7s", "-o", "late.bin", "-q")
    let joined = try run("copy", "early.bin", "late.bin", "-o", "joined.bin")
    #expect(joined.status == 0)
    #expect(joined.errors.contains("lost of main: event"), "\(joined.errors)")
    #expect(joined.errors.contains("lost in all: "), "\(joined.errors)")
    try expectWhole("joined.bin")
  }

  @Test func aProcessIsCutOutOfACapture() throws {
    let cut = try run(
      "copy", "samples/console/two-deaths.trace", "--process", "2051", "-o", "one.bin")
    #expect(cut.status == 0, "\(cut.errors)")
    try expectWhole("one.bin")
    let summary = try run("query", "one.bin", "--view", "summary").output
    #expect(summary.contains(",2051\r\n"), "\(summary)")
    let none = try run(
      "copy", "samples/console/two-deaths.trace", "--process", "7", "-o", "no.bin")
    #expect(none.status == 2 && none.errors.contains("has no events of process 7; its processes: "))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("no.bin")))
  }

  @Test func differentLogsAreNotJoined() throws {
    for (name, seed) in [("a", "2"), ("b", "1"), ("same", "2")] {
      let scenario = try SampleTests.scenario(name == "a" ? "leaked-task" : "swipe-away").path
      _ = try run("simulate", "-q", "--seed", seed, "-o", "\(name).bin", scenario)
    }
    try scratch.file("c.trace", "0s - profile mode=app\n1s main note \"x\"\n")
    let other = try run("copy", "a.bin", "same.bin", "-o", "joined.bin")
    #expect(other.status == 2 && other.errors.contains("has the log id of another log here"))
    for logs in [["a.bin", "b.bin"], ["a.bin", "c.trace"], ["c.trace", "c.trace"]] {
      let run = try CommandRun(["copy"] + logs + ["-o", "joined.bin"], in: scratch.url)
      #expect(
        run.status == 2 && run.errors.contains("is no slice, part or copy of the same log as"))
      #expect(run.errors.contains("tracectl analyze \(logs[0]) \(logs[1]) takes them side by side"))
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
    #expect(left == ["a.bin", "b.bin", "c.trace", "same.bin", "samples"])
  }

  // MARK: A damaged log

  @Test func aDamagedLogIsMadeWhole() throws {
    let lines = (0..<20_000).map { "\($0)ms main note \"\($0 % 77)\"\n" }
    try scratch.file("long.trace", "0s - profile mode=app\n" + lines.joined())
    _ = try run("record", "-q", "--source", "trace", "-o", "log.bin", "long.trace")
    let whole = try run("copy", "log.bin", "-o", "log.repaired.bin")
    #expect(whole.status == 0 && whole.errors.hasPrefix("tracectl: log.bin: is whole\n"))
    #expect(try run("dump", "log.repaired.bin").output == run("dump", "log.bin").output)

    try bytes("log.bin").dropLast(100).write(to: scratch.url.appending(path: "torn.bin"))
    #expect(try run("verify", "torn.bin").status == 1)
    let repaired = try run("copy", "torn.bin", "-o", "new.bin")
    #expect(repaired.status == 0 && repaired.errors.contains("an unfinished block at byte "))
    #expect(
      repaired.errors.contains(
        "\nlost of main: events 16384 to 20000\nlost in all: at least 3617 events\n16384"),
      "\(repaired.errors)")
    try expectWhole("new.bin")
    #expect(try run("dump", "new.bin").output == run("dump", "torn.bin").output)
  }

  @Test func eachDamageIsToldOnce() throws {
    _ = try run("simulate", "-q", "-o", "log.bin", "samples/scenarios/leaked-task.yml")
    var log = try bytes("log.bin")
    log[20] ^= 1
    try log.write(to: scratch.url.appending(path: "changed.bin"))
    #expect(
      try run("verify", "changed.bin").errors.contains("tracectl copy changed.bin -o NEW.bin"))
    let repaired = try run("copy", "changed.bin", "-o", "new.bin")
    #expect(repaired.status == 0)
    let told = repaired.errors.components(separatedBy: "a damaged file header at byte 0")
    #expect(told.count == 2, "\(repaired.errors)")
    let quiet = try run("copy", "-q", "--replace", "changed.bin", "-o", "new.bin")
    #expect(
      quiet.errors.hasSuffix("at byte 0: the origin of time is not known\n"), "\(quiet.errors)")
  }

  @Test(arguments: [
    ["copy", "--from", "1s", "-o", "new.bin"], ["copy", "--process", "2", "-o", "new.bin"],
    ["timeline", "--at", "1s"],
  ])
  func aLogOfWhichNothingIsLeftIsUnreadable(_ arguments: [String]) throws {
    _ = try run("simulate", "-q", "-o", "log.bin", "samples/scenarios/leaked-task.yml")
    var log = try bytes("log.bin")
    log[log.count - 10] ^= 1
    try log.write(to: scratch.url.appending(path: "changed.bin"))

    let verified = try run("verify", "changed.bin")
    #expect(verified.status == 1 && verified.errors == "")
    let asked = try CommandRun(
      [arguments[0], "changed.bin"] + arguments.dropFirst(), in: scratch.url)
    #expect(asked.status == 3 && asked.output == "", "\(asked.output)")
    #expect(asked.errors.contains("tracectl verify says where"), "\(asked.errors)")
  }

  @Test func aLinkThatIsNamedStaysOne() throws {
    try scratch.file("a.trace", "1s main note \"n\"\n")
    for name in ["a.bin", "target.bin"] {
      #expect(try run("record", "-q", "--source", "trace", "a.trace", "-o", name).status == 0)
    }
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link.bin"), withDestinationPath: "target.bin")
    let repaired = try run("copy", "a.bin", "-o", "link.bin", "--replace")
    #expect(repaired.status == 0, "\(repaired.errors)")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link.bin"))
        == "target.bin")
    try expectWhole("target.bin")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).count == 5)
  }

  @Test func aLogWithoutAnEventIsNotCopied() throws {
    _ = try run("simulate", "-q", "-o", "log.bin", "samples/scenarios/leaked-task.yml")
    try bytes("log.bin").prefix(90).write(to: scratch.url.appending(path: "cut.bin"))
    let run = try run("copy", "cut.bin", "-o", "new.bin")
    #expect(
      run.status == 3 && run.errors.contains("has no event that can be read"), "\(run.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
    #expect(left == ["cut.bin", "log.bin", "samples"])
  }

  // MARK: What is refused

  @Test(arguments: [["--from", "1s"], ["--scrub"], [], ["copy.bin"]])
  func noInputAndNoOtherFileIsWrittenOver(options: [String]) throws {
    for name in ["a", "copy"] {
      _ = try run("simulate", "-q", "-o", "\(name).bin", "samples/scenarios/leaked-task.yml")
    }
    try scratch.file("text", "not a log")
    let before = try bytes("a.bin")
    func output(_ path: String, _ more: String...) throws -> CommandRun {
      try CommandRun(["copy", "a.bin"] + options + ["-o", path] + more, in: scratch.url)
    }

    #expect(try output("./a.bin", "--replace").errors.contains("is an input; choose another -o"))
    #expect(try output("text", "--replace").errors.contains("is not a log, so it is not replaced"))
    #expect(try output("").errors.contains("-o takes the name of a file"))
    #expect(try output("x.trace").errors.contains("tracectl dump prints a log as text"))
    let folder = try output("no/such.bin")
    #expect(folder.status == 3 && folder.errors.contains("cannot be created"), "\(folder.errors)")
    _ = try output("new.bin")
    let again = try output("new.bin")
    #expect(again.status == 2 && again.errors.contains("already exists; choose another -o"))
    #expect(try output("new.bin", "--replace").status == 0)
    #expect(try bytes("a.bin") == before)
  }

  @Test(arguments: [
    (["copy", "a"], "Missing expected argument '--output <log>'"),
    (["copy", "a", "-", "-o", "x"], "- reads one log from standard input"),
    (["copy", "a", "-o", "x", "--keep", "label=x"], "need --scrub"),
    (["copy", "a", "-o", "x", "--keep-time"], "need --scrub"),
    (["copy", "a", "-o", "x", "--scrub", "--drop", "name=x"], "an event needs its name"),
    (["copy", "a", "-o", "x", "--scrub", "--keep", "=x"], "--keep takes a pattern"),
    (["copy", "a", "-o", "x", "--scrub", "--salt", ""], "--salt takes a secret"),
  ])
  func wrongUsageIsTold(arguments: [String], error: String) throws {
    let run = try CommandRun(arguments, in: scratch.url)
    #expect(run.status == 2 && run.errors.contains(error), "\(run.errors)")
  }

  @Test func textBecomesALog() throws {
    let trace = "samples/traces/slow-background.trace"
    let run = try run("copy", trace, "-o", "x.bin")
    #expect(run.status == 0 && run.errors.contains(" events → x.bin, "), "\(run.errors)")
    try expectWhole("x.bin")
    #expect(try self.run("dump", "x.bin").output == self.run("dump", trace).output)
  }

  // MARK: Names that went

  @Test(arguments: [
    (
      ["slice", "a", "--from", "1s"],
      "'slice' is now 'copy': tracectl copy IN -o OUT --from T --to T"
    ),
    (["merge"], "'merge' is now 'copy': tracectl copy IN… -o OUT"),
    (["scrub", "a"], "'scrub' is now 'copy': tracectl copy IN -o OUT --scrub"),
    (["repair", "a", "-o", "b"], "'repair' is now 'copy': tracectl copy IN -o OUT"),
    (["report", "a", "--against", "b"], "'report --against' is now 'diff': tracectl diff A B"),
    (
      ["analyze", "a", "--timeline"],
      "'analyze --timeline' is now 'timeline': tracectl timeline LOG"
    ),
    (
      ["replay", "a", "--at", "1s"],
      "'replay' is now 'timeline': tracectl timeline LOG --at MOMENT, or --changes"
    ),
    (
      ["help", "merge-results"],
      "'merge-results' is now 'analyze': tracectl analyze LOG…, or tracectl export LOG… --tables all"
    ),
    (["dump", "a", "--os", "18"], "'--os' is now '--profile': --profile os=VERSION"),
    (
      ["dump", "a", "--ndjson"],
      "'dump --ndjson' is now 'dump --format': tracectl dump LOG --format ndjson"
    ),
    (
      ["dump", "a", "--verb", "kill"],
      "'dump --verb' is now 'dump --only': tracectl dump LOG --only VERB"
    ),
    (["verify", "a", "--no-config"], "'--no-config' is now '--config': --config none"),
    (["query", "--views"], "'query --views' is now 'query --view': tracectl query --view"),
    (["rules"], "'rules' is now 'explain': tracectl explain"),
    (["rules", "list", "--format", "ids"], "'rules' is now 'explain': tracectl explain"),
    (["rules", "show", "R11"], "'rules show' is now 'explain': tracectl explain RULE"),
    (["rules", "test", "a.yml"], "'rules test' is now 'config check': tracectl config check"),
    (["manual"], "'manual' is now '--help': tracectl COMMAND --help"),
  ])
  func aNameThatWentIsAnsweredWithTheNewOne(arguments: [String], answer: String) throws {
    let run = try CommandRun(arguments, in: scratch.url)
    #expect(run.status == 2 && run.output == "" && run.errors == "tracectl: \(answer)\n", "\(run)")
  }
}
