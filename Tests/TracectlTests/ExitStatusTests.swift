import Foundation
import Testing

@Suite struct ExitStatusTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private let clean = "0s - profile hooks=work mode=app\n1s main note \"x\"\n"
  private let warning = "0s - profile hooks=work\n1s - gap ring-full 3\n"
  private let info = "0s - profile hooks=work\n1s - gap torn-tail -1\n"

  @Test func cleanIsZero() throws {
    #expect(try CommandRun("analyze", "-v", "-", input: clean).status == 0)
  }

  @Test func findingsAreOneFromTheChosenSeverityOn() throws {
    #expect(try CommandRun("analyze", "-v", "-", input: warning).status == 1)
    #expect(try CommandRun("analyze", "-v", "-", "--fail-on", "error", input: warning).status == 0)
    #expect(try CommandRun("analyze", "-v", "-", "--fail-on", "never", input: warning).status == 0)
    #expect(try CommandRun("analyze", "-v", "-", input: info).status == 0)
    #expect(try CommandRun("analyze", "-v", "-", "--fail-on", "info", input: info).status == 1)
  }

  @Test func inconclusiveIsFourUnderStrict() throws {
    #expect(try CommandRun("analyze", "-v", "-", "--strict", input: clean).status == 4)
    #expect(try CommandRun("analyze", "-v", "-", "--strict", input: warning).status == 1)
  }

  /// Nothing that is printed is lost in silence, help not either.
  @Test(arguments: [
    "--help", "--version", "dump --help", "help analyze", "explain", "explain lost-events",
    "--generate-completion-script bash", "analyze life.trace", "dump life.trace",
    "timeline life.trace", "export --format perfetto life.trace", "query life.trace --view deaths",
    "verify life.bin", "record -q --source trace -o - life.trace", "tail life.bin",
    "diff life.trace life.trace", "copy life.bin --from 0s -o -", "config show",
  ])
  func outputThatCannotBeWrittenIsThree(arguments: String) throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try scratch.file("life.trace", clean)
    let log = ["record", "-q", "--source", "trace", "-o", "life.bin", "life.trace"]
    #expect(try CommandRun(log, in: scratch.url).status == 0)
    let whole = try CommandRun(arguments.components(separatedBy: " "), in: scratch.url)
    #expect(whole.status < 2, "\(whole.errors)")

    let program = StartedProgram(
      [CommandRun.command.path] + arguments.components(separatedBy: " "), in: scratch.url)
    let errors = try scratch.file("errors", "")
    program.process.standardError = try FileHandle(forWritingTo: errors)
    program.process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
    try program.start()
    #expect(program.waitForEnd() == 3)
    let told = try String(contentsOf: errors, encoding: .utf8)
    #expect(
      told.hasPrefix("tracectl: standard output: cannot be written: No space left on device\n")
        || told.hasPrefix("tracectl: standard output: the disk is full"), "\(told)")
  }

  /// An input without an event takes the place of no log, and no log is put between the parts of another one.
  @Test func aLogThatIsThereStays() throws {
    func record(_ arguments: String..., input: String) throws -> CommandRun {
      let options = ["record", "-q", "--source", "trace", "-o", "l.bin"]
      return try CommandRun(options + arguments, input: input, in: scratch.url)
    }
    #expect(try record(input: clean).status == 0)
    let before = try Data(contentsOf: scratch.url.appending(path: "l.bin"))
    for empty in ["", "# nothing\n"] {
      let run = try record("--replace", input: empty)
      #expect(run.status == 3 && run.errors == "tracectl: the input has no events; l.bin stays\n")
    }
    #expect(try Data(contentsOf: scratch.url.appending(path: "l.bin")) == before)

    try FileManager.default.moveItem(
      atPath: scratch.path("l.bin"), toPath: scratch.path("l.bin.1"))
    let beside = try record(input: clean)
    #expect(beside.status == 2)
    #expect(beside.errors.contains("l.bin.1: already exists; choose another -o, or pass --replace"))
    #expect(try record("--replace", input: clean).status == 0)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("l.bin.1")))
  }

  /// What a rule that looked has passed says nothing of how the process ended.
  @Test func aLostEndIsInconclusiveHoweverManyRulesPass() throws {
    let scenario = CommandRun.root.appendingPathComponent("samples/scenarios/two-scenes.yml").path
    let log = scratch.path("life.bin")
    #expect(try CommandRun("simulate", scenario, "-q", "-o", log).status == 0)
    let life = try CommandRun("dump", log).output
    let whole = try CommandRun("analyze", "-v", "-", "--strict", input: life)
    #expect(whole.status == 0 && !whole.output.contains("inconclusive"), "\(whole.output)")

    let lost = life + "200s - gap torn-tail -1\n"
    let cut = try CommandRun("analyze", "-v", "-", "--strict", input: lost)
    #expect(cut.status == 4, "\(cut.output)")
    #expect(cut.output.contains(" rules could check; inconclusive"), "\(cut.output)")
    let ended = lost + "201s - kill app signal=9\n"
    #expect(
      try CommandRun("analyze", "-v", "-", "--strict", input: ended).output.contains("SIGKILL"))
  }

  @Test func aLogIsAsInconclusiveAmongManyAsAlone() throws {
    let log = try scratch.file("info.trace", info).path
    for arguments in [["analyze", "-v", log], ["analyze", "-v", scratch.url.path]] {
      let run = try CommandRun(arguments + ["--strict"])
      #expect(run.status == 4, "\(arguments): \(run)")
    }
    let many = try CommandRun("analyze", "-v", scratch.url.path)

    #expect(many.output.contains("; inconclusive\n"), "\(many.output)")
  }

  @Test(arguments: [
    (["analyze", "x", "--format", "xml"], "xml is not a report format"),
    (["explode"], "there is no tracectl explode"),
    (["dump", "x", "--from", "9s", "--to", "2s"], "--from 9s is after --to 2s"),
    (["copy"], "Missing expected argument"),
    (["--generate-completion-script", "tcsh"], "tcsh"),
    (["record", "--sorce", "console"], "Unknown option '--sorce'. Did you mean '--source'?"),
    (["explain", "--fromat", "ids"], "Unknown option '--fromat'. Did you mean '--format'?"),
    (["explain", "--format", "yml"], "yml"),
    (["explain", "--format", "english"], "--format english needs a rule"),
    (["explain", "R11", "--format", "ids"], "--format ids, json and markdown list all rules"),
    (["simulate", "x", "--days", "-1"], "--days takes a number from 1 to 3650"),
    (["simulate", "x", "--seed", "-1"], "The value '-1' is invalid for '--seed <number>'"),
    (["timeline", "x", "--at", "-5"], "--at takes a time such as 4.2s"),
  ])
  func badUsageIsTwo(arguments: [String], error: String) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 2 && run.errors.hasPrefix("Error:"), "\(arguments): \(run.errors)")
    #expect(run.errors.contains(error), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func whatIsMissingBehindRecordIsGuessed() throws {
    let text = try scratch.file("a.ndjson", "{}").path
    for (argument, advice) in [
      ("/bin/ls", "is /bin/ls the app? put it after --: tracectl record -- /bin/ls"),
      (text, "tracectl record --source ndjson \(text)"),
      ("missing.log", "missing.log: no such file"),
    ] {
      let run = try CommandRun("record", argument)
      #expect(run.status == 2 && run.errors.contains(advice), "\(run.errors)")
    }
  }

  @Test func anUnknownRuleIsTwo() throws {
    let run = try CommandRun("explain", "lock-at-suspnd")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "tracectl: there is no rule lock-at-suspnd; did you mean lock-at-suspend? "
        + "tracectl explain lists all rules\n")
  }

  @Test func whyHasAnAnswerOrIsTwo() throws {
    let clean = try CommandRun("why", "-", "lost-events@1", input: clean)
    #expect(clean.status == 0, "\(clean.errors)")
    for (question, error) in [
      ("lost-events@x", "names no event"),
      ("lost-event@1", "did you mean lost-events?"),
      ("lost-events@7", "there is no event main#7; main has events up to #1"),
      ("lost-events@db#1", "there is no event db#1; db recorded nothing"),
    ] {
      let run = try CommandRun("why", "-", question, input: self.clean)
      #expect(run.status == 2 && run.errors.contains(error), "\(question): \(run.errors)")
      #expect(run.output.isEmpty)
    }
  }

  @Test func anExistingLogIsNotReplaced() throws {
    let log = try scratch.file("log.bin", "mine").path
    let run = try CommandRun("record", "--source", "trace", "-o", log, input: clean)
    #expect(run.status == 2)
    #expect(run.errors.contains("already exists; choose another -o, or pass --replace"))
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "mine")

    // What is no log is somebody else's.
    let refused = try CommandRun(
      "record", "--source", "trace", "--replace", "-o", log, input: clean)
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "mine")

    let own = scratch.path("own.bin")
    for _ in 0..<2 {
      let replaced = try CommandRun(
        "record", "--source", "trace", "--replace", "-o", own, input: clean)
      #expect(replaced.status == 0, "\(replaced.errors)")
    }
  }

  @Test func aRingIsReadWithItsLog() throws {
    let ring = try scratch.file("log.bin.ring", String(repeating: "\0", count: 4096)).path
    for command in ["analyze", "dump", "verify"] {
      let run = try CommandRun(command, ring)
      let log = ring.dropLast(".ring".count)
      #expect(
        run.errors == "tracectl: \(ring): is not a log; a ring is read with its log: name \(log)\n")
      #expect(run.status == 3)
    }
  }

  @Test(arguments: ["analyze", "dump", "verify"])
  func whatCannotBeReadIsThree(command: String) throws {
    let empty = try scratch.file("empty.bin").path
    let text = try scratch.file("letter.txt", "Dear reader,\nthis is no trace.\n").path
    let binary = scratch.path("noise.bin")
    try Data([0, 1, 2, 3, 255, 254] + Array(repeating: 7, count: 100))
      .write(to: URL(fileURLWithPath: binary))

    let locked = try scratch.file("locked.bin", "x").path
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked)
    var inputs = [empty, text, binary, scratch.path("missing.bin")]

    // To analyze a directory is to analyze what is in it.
    if command != "analyze" { inputs.append(scratch.url.path) }
    // To the superuser every file is readable.
    if getuid() != 0 { inputs.append(locked) }
    for input in inputs {
      let run = try CommandRun(command, input)
      #expect(run.status == 3, "\(command) \(input): \(run.errors)")
      #expect(run.errors.hasPrefix("tracectl: \(input)"), "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1 && run.output == "")
    }
  }

  @Test(arguments: ["analyze", "dump", "verify"])
  func aLogOfANewerVersionIsThree(command: String) throws {
    let log = scratch.path("log.bin")
    _ = try CommandRun("record", "--source", "trace", "-o", log, "-q", input: clean)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: log))

    // The major version stands behind the magic; the header's checksum is its last word.
    bytes[8] = 200
    let length = Int(bytes[12]) | Int(bytes[13]) << 8
    let checksum = crc32(bytes[..<(length - 4)])
    for index in 0..<4 {
      bytes[length - 4 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index))
    }

    try bytes.write(to: URL(fileURLWithPath: log))
    let run = try CommandRun(command, log)
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("version") && run.errors.contains("update tracectl"))
  }

  private func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0)
      }
    }
  }

  @Test func halfALineIsOneClearError() throws {
    let half = try scratch.file("half.trace", clean + "2s main call").path
    let run = try CommandRun("analyze", "-v", half)
    #expect(run.status == 3)
    #expect(run.errors.contains("line 3"), "\(run.errors)")
    let ndjson = try scratch.file("half.ndjson", "{\"verb\":\"note\"}\n{\"verb\":\"no").path
    let second = try CommandRun("analyze", "-v", ndjson)
    #expect(second.status == 3 && second.errors.contains("line 2"), "\(second.errors)")
  }

  @Test func aSkippedLineIsAGap() throws {
    let log = scratch.path("log.bin")
    let input = "0s - profile hooks=work\n1s main oops(\n2s main note\n"
    let stopped = try CommandRun("record", "--source", "trace", "-o", log, input: input)
    #expect(stopped.status == 3 && stopped.errors.contains("line 2"), "\(stopped.errors)")
    let skipped = try CommandRun(
      "record", "--source", "trace", "--on-error", "skip", "--replace", "-o", log, input: input)
    #expect(skipped.status == 0, "\(skipped.errors)")
    #expect(try CommandRun("dump", log).output.contains("gap           source-hole 1"))
  }

  @Test func aCutLogIsReadUpToTheCut() throws {
    let log = scratch.path("log.bin")
    _ = try CommandRun("record", "--source", "trace", "-o", log, "-q", input: clean)
    let whole = try Data(contentsOf: URL(fileURLWithPath: log))
    try whole.dropLast(5).write(to: URL(fileURLWithPath: log))
    #expect(try CommandRun("verify", log).status == 1)
    let run = try CommandRun("dump", log)
    #expect(run.status == 0 && run.output.contains("torn-tail"))
  }

  /// What was written and is gone is no unfinished block; all commands count what is left.
  @Test func aLogThatLostABlockFails() throws {
    let log = scratch.path("log.bin")
    let timers = (1...40_000).map { "\($0)ms main work timer app\n" }.joined()
    try scratch.file("timers.trace", "0s - profile hooks=work\n" + timers)
    _ = try CommandRun(
      "record", "--source", "trace", "-o", log, "-q", scratch.path("timers.trace"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: log))
    try whole.dropLast(5).write(to: URL(fileURLWithPath: log))

    let run = try CommandRun("analyze", "-v", log)
    #expect(run.status == 1, "\(run.output)")
    let left = "32768 events "
    #expect(
      run.output.contains(
        "warning lost-events: 7233 events are missing of main: the log ends in the middle of a block"
      )
    )
    #expect(
      run.output.contains("\n  \(left)over ") && run.output.contains("1 gap with at least 7233"))
    #expect(
      try CommandRun("verify", log).output.contains("\n\(left)in 2 blocks, not whole: 1 problem"))
  }
}
