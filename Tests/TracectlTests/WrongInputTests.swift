import Foundation
import TestTime
import Testing
import TraceLog
import Traces

/// What a newcomer gives the command by mistake: it says so, and spoils nothing.
@Suite struct WrongInputTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private let trace = """
    0s - profile mode=app hooks=app-delegate,work
    10s main call applicationDidBecomeActive app
    10s main return applicationDidBecomeActive app
    11s main return applicationWillResignActive app
    12s main work timer app "poll"

    """

  private func run(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(arguments, input: input, in: scratch.url)
  }

  private func content(_ name: String) throws -> String {
    try String(contentsOfFile: scratch.path(name), encoding: .utf8)
  }

  // MARK: outputs that are inputs

  @Test func aLineThatCannotBeReadLosesNothingBeforeIt() throws {
    let good = (1...20).map { "\($0)s main note \"n\"\n" }.joined()
    try scratch.file("a.trace", good + "bad\n")
    let run = try CommandRun(
      ["record", "--source", "trace", "a.trace", "-o", "kept.bin"], in: scratch.url)
    #expect(run.status == 3)
    #expect(run.errors.contains("kept.bin holds the 20 events before it"), "\(run.errors)")
    let verify = try CommandRun(["verify", "kept.bin"], in: scratch.url)
    #expect(verify.output.hasPrefix("20 events"), "\(verify.output)")
  }

  @Test func aRecordingNeverReplacesWhatItReads() throws {
    try scratch.file("run.trace", trace)
    let run = try run("record", "--source", "trace", "--replace", "-o", "./run.trace", "run.trace")
    #expect(run.status == 2)
    #expect(run.errors == "tracectl: ./run.trace: is the input file; choose another -o\n")
    #expect(try content("run.trace") == trace)
  }

  @Test func aSimulationNeverReplacesItsScenario() throws {
    try scratch.file("life.yml", "steps: []\n")
    let run = try run("simulate", "life.yml", "--replace", "-o", "life.yml")
    #expect(run.status == 2 && run.errors.contains("is the scenario; choose another -o"))
    #expect(try content("life.yml") == "steps: []\n")
  }

  @Test func aReducedTraceNeverReplacesItsLog() throws {
    try scratch.file("run.trace", trace)
    _ = try run("analyze", "-v", "run.trace", "--reduce", ".")
    // Reduced again, its culprit is the second event of main, and stays it.
    _ = try run("analyze", "-v", "work-timer-while-inactive-4.trace", "--reduce", ".")
    let reduced = "work-timer-while-inactive-2.trace"
    let log = "# mine\n" + (try content(reduced))
    try scratch.file(reduced, log)
    let run = try run("analyze", "-v", reduced, "--reduce", ".")
    #expect(run.status == 2 && run.errors.contains("would overwrite one of its inputs"))
    #expect(try content(reduced) == log)
  }

  // MARK: text that is not what it seems

  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
  func utf16IsReadAsUTF8(_ encoding: String.Encoding) throws {
    try scratch.file("plain.trace", trace)
    try #require(trace.data(using: encoding)).write(
      to: scratch.url.appendingPathComponent("wide.trace"))
    for command in [["analyze", "--format", "json"], ["dump"]] {
      let (plain, wide) = try (
        CommandRun(command + ["plain.trace"], in: scratch.url),
        CommandRun(command + ["wide.trace"], in: scratch.url)
      )
      #expect(wide.status == plain.status)
      #expect(wide.output.replacing("wide.trace", with: "plain.trace") == plain.output)
    }

    let record = try run("record", "--source", "trace", "-o", "x.bin", "wide.trace")
    #expect(record.status == 0, "\(record.errors)")
    #expect(try run("dump", "x.bin").output == run("dump", "plain.trace").output)
  }

  @Test func aByteOrderMarkHidesNoNDJSON() throws {
    let line = "{\"t\":1,\"writer\":\"main\",\"verb\":\"note\",\"label\":\"x\"}\n"
    let run = try run("dump", "-", input: "\u{feff}" + line)
    #expect(run.status == 0 && run.output == "1ns       main  note          \"x\"\n", "\(run)")
  }

  // MARK: words that are not known

  @Test(arguments: [
    (["analyse", "run.trace"], "there is no tracectl analyse; did you mean analyze?"),
    (["config", "chek"], "there is no tracectl config chek; did you mean check?"),
    (["baseline", "forget"], "there is no tracectl baseline forget\nUsage:"),
  ])
  func anUnknownSubcommandIsNamed(arguments: [String], error: String) throws {
    let run = try CommandRun(arguments, in: scratch.url)
    #expect(run.status == 2 && run.errors.hasPrefix("Error: \(error)"), "\(run.errors)")
  }

  @Test(arguments: [
    ("task-leak", "did you mean task-leak-at-suspend?"),
    ("gibberish", "gibberish is not a rule, code, signal or reason"),
    ("SIGSEGW", "did you mean SIGSEGV?"),
  ])
  func anUnknownRuleIsNamed(rule: String, error: String) throws {
    let run = try run("explain", rule)
    #expect(run.status == 2 && run.errors.contains(error), "\(run.errors)")
  }

  @Test(arguments: [
    (["--profile", "background-modes=vopi"], "vopi is not a background mode; did you mean voip?"),
    (
      ["--profile", "mode=app,background-modes=audio,none"],
      "none is not a background mode; expected none, or of"
    ),
    (["--profile", "mode=window"], "mode is app or scene, not window"),
    (["--profile", "color=red"], "color is not a key; expected mode, os or background-modes"),
    (["--profile", "scene"], "it takes key=value, such as mode=scene"),
    (["--mode", "scene"], "'--mode' is now '--profile': --profile mode=app, or mode=scene"),
    (["--app", ""], "--app takes a process name or a bundle identifier, not an empty text"),
  ])
  func anAnswerThatNoAppCanGiveIsRefused(arguments: [String], error: String) throws {
    try scratch.file("run.trace", trace)
    let run = try CommandRun(["analyze", "-v", "run.trace"] + arguments, in: scratch.url)
    #expect(run.status == 2 && run.errors.contains(error), "\(run.errors)")
  }

  @Test func knownBackgroundModesAreTaken() throws {
    try scratch.file("run.trace", trace)
    for modes in ["none", "audio", "audio,remote-notification"] {
      let run = try run("analyze", "-v", "run.trace", "--profile", "background-modes=\(modes)")
      #expect(run.status != 2, "\(run.errors)")
    }
  }

  @Test func aFileIsNoDevice() throws {
    let run = try run("record", "--device", "capture.log", "--app", "Notes", "-o", "log.bin")
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "--device takes a UDID, not a file such as capture.log; to read a saved capture, run "
          + "tracectl record --source console capture.log"), "\(run.errors)")
  }

  /// Nothing but skipped lines is no recording, and takes the place of none.
  @Test func anInputWithoutAReadableLineFails() throws {
    try scratch.file("notes.txt", "Dear diary\nnothing happened\n")
    try scratch.file("run.trace", trace)
    _ = try run("record", "--source", "trace", "run.trace", "-o", "log.bin")
    let before = try Data(contentsOf: scratch.url.appendingPathComponent("log.bin"))
    for form in ["trace", "ndjson"] {
      let run = try run(
        "record", "--source", form, "--on-error", "skip", "notes.txt", "-o", "log.bin", "--replace")
      #expect(run.status == 3 && run.errors.contains("no line of the input can be read"))
    }
    #expect(try Data(contentsOf: scratch.url.appendingPathComponent("log.bin")) == before)
    let console = try run("record", "--source", "console", "--on-error", "skip", "notes.txt")
    #expect(console.status == 2 && console.errors.contains("--on-error needs --source ndjson"))
  }

  @Test func anUnknownVerbIsAnError() throws {
    let input = trace + "13s main my.own\n"
    #expect(try run("dump", "-", "--only", "my.own", input: input).output.contains("13s"))
    let run = try run("dump", "-", "--only", "wrk", "--only", "note", input: input)
    #expect(run.status == 2 && run.output == "")
    #expect(run.errors.contains("no event has the verb wrk; did you mean work?"), "\(run.errors)")
  }

  @Test func anEmptyRangeIsAnError() throws {
    let run = try run("dump", "-", "--from", "5s", "--to", "1s", input: trace)
    #expect(run.status == 2 && run.errors.contains("--from 5s is after --to 1s"))
  }

  // MARK: an interrupt

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func anInterruptInALineKeepsWhatStoodBeforeIt(signal: Int32) throws {
    let log = scratch.path("live.bin")
    let program = StartedProgram(
      [CommandRun.command.path, "record", "--source", "trace", "-q", "-o", log])
    let process = program.process
    let pipe = Pipe()
    process.standardInput = pipe
    process.standardError = try FileHandle(forWritingTo: scratch.file("errors"))
    try program.start()
    try pipe.fileHandleForWriting.write(contentsOf: Data((trace + "13s main note").utf8))

    // The log is made when events are known, long after the signal is waited for.
    try wait("the log") {
      !process.isRunning || FileManager.default.fileExists(atPath: log)
    }
    kill(process.processIdentifier, signal)
    // Who ignores hangups ends here, with the line.
    try pipe.fileHandleForWriting.close()
    let status = program.waitForEnd()

    let errors = try content("errors")
    #expect(status == 0, "\(errors)")
    // A line cut short may be another one, so it is none.
    #expect(try run("dump", "live.bin").output.split(separator: "\n").count == 5)
  }

  /// A recording that goes on behind a terminal's end is what `nohup` is for.
  @Test func aHangupThatIsIgnoredStaysIgnored() throws {
    let log = scratch.path("live.bin")
    let pipe = Pipe()
    let program = StartedProgram([
      "/bin/sh", "-c", "trap '' HUP; exec \"$0\" record --source trace -q -o \"$1\"",
      CommandRun.command.path, log,
    ])
    program.process.standardInput = pipe
    try program.start()
    try pipe.fileHandleForWriting.write(contentsOf: Data(trace.utf8))
    try wait("the log") {
      !program.process.isRunning || FileManager.default.fileExists(atPath: log)
    }
    kill(program.process.processIdentifier, SIGHUP)
    try pipe.fileHandleForWriting.write(contentsOf: Data("13s main note\n".utf8))
    try pipe.fileHandleForWriting.close()

    #expect(program.waitForEnd() == 0)
    #expect(try run("dump", "live.bin").output.split(separator: "\n").count == 6)
  }

  /// A console is a steady drip, and a kill must not take what stood in it.
  @Test func anInputThatNeverPausesIsWrittenAsItArrives() throws {
    let program = StartedProgram([
      CommandRun.command.path, "record", "--source", "trace", "-q", "-o", scratch.path("live.bin"),
    ])
    let pipe = Pipe()
    program.process.standardInput = pipe
    try program.start()
    try pipe.fileHandleForWriting.write(contentsOf: Data(trace.utf8))

    var second = 13
    try wait("events in the log") {
      try? pipe.fileHandleForWriting.write(contentsOf: Data("\(second)s main note\n".utf8))
      second += 1
      return (try? LogSummary(path: scratch.path("live.bin")).eventCount) ?? 0 > 5
    }
    kill(program.process.processIdentifier, SIGKILL)
    _ = program.waitForEnd()
    #expect(try run("dump", "live.bin").output.split(separator: "\n").count > 5)
  }

  // MARK: the screen, and words

  @Test(arguments: ["0", "1", "-7", "29", "many", "99999999"])
  func helpFitsEveryScreen(columns: String) throws {
    for arguments in [["analyze", "-v", "--help"], ["config"], ["copy"]] {
      let run = try CommandRun(arguments, environment: ["COLUMNS": columns])
      #expect(run.status == (arguments == ["copy"] ? 2 : 0), "\(run.errors)")
      #expect((run.output + run.errors).contains(arguments[0]))
    }
  }

  @Test func oneIsNotCalledMany() throws {
    try scratch.file("one.trace", "0s - profile mode=app\n")
    let recorded = try run("record", "--source", "trace", "-o", "one.bin", "one.trace")
    #expect(recorded.errors.contains("1 line, 1 record, 1 event → one.bin"), "\(recorded.errors)")
    #expect(try run("verify", "one.bin").output == "1 event in 1 block, whole\n")
  }

  // MARK: names

  @Test func aFileWithTwoNamesIsOneLog() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path("runs"), withIntermediateDirectories: true)
    try scratch.file("runs/a.trace", trace)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("runs/latest.trace"), withDestinationPath: "a.trace")

    for logs in [
      ["runs"], ["runs", "runs"], ["runs/a.trace", "runs"], ["runs", "./runs/a.trace"],
    ] {
      let run = try CommandRun(["analyze"] + logs, in: scratch.url)
      #expect(run.status == 1 && run.output.hasPrefix("1 log: 1 with findings\n"), "\(run)")
    }
  }

  @Test func aQueryOfALogThatIsNotThereFails() throws {
    let missing = try run("query", "missing.bin", "select 1")
    #expect(missing.status == 3 && missing.output == "", "\(missing)")
    #expect(missing.errors == "tracectl: missing.bin: no such file; check the name\n")
  }

  @Test func severalTablesAreNoFile() throws {
    try scratch.file("run.trace", trace)
    let run = try run("export", "run.trace", "--tables", "events,gaps", "-o", "two.csv")
    #expect(run.status == 2 && run.errors.contains("-o takes the directory of several"), "\(run)")
  }

  @Test func aLogThatIsNotThereCannotBeAttachedTo() throws {
    let run = try run("record", "--attach", "nothing.bin")
    #expect(run.status == 3)
    #expect(run.errors == "tracectl: nothing.bin: no such file; check the name\n")
  }

  // MARK: what was recorded before

  @Test func anAppThatCannotRunMovesNoRecording() throws {
    _ = try run("record", "--source", "trace", "-", input: trace)
    let log = try Data(contentsOf: scratch.url.appendingPathComponent("log.bin"))
    try scratch.file("not-executable", "text")
    for (program, status) in [("/nopee", 127), ("no-such-program", 127), ("./not-executable", 126)]
    {
      let run = try run("record", "--", program)
      #expect(run.status == status && run.errors.contains("\(program): cannot run: "))
    }

    let empty = try run("record", "--source", "trace", "/dev/null")
    #expect(empty.status == 3)
    #expect(
      empty.errors == "tracectl: the input has no events, so log-2.bin is not written\n")
    #expect(try Data(contentsOf: scratch.url.appendingPathComponent("log.bin")) == log)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("log-2.bin")))
  }

  // MARK: words that change nothing

  @Test func whatNothingMatchesIsSaid() throws {
    try scratch.file("run.trace", trace)
    for filter in [["--only", "label=nope"], ["--from", "100s"]] {
      let run = try CommandRun(["dump", "run.trace"] + filter, in: scratch.url)
      #expect(run.status == 0 && run.output == "")
      #expect(run.errors == "tracectl: run.trace: no event matches\n")
    }

    let named = try run("analyze", "-v", "--app", "Notes", "run.trace")
    #expect(
      named.errors
        == "tracectl: run.trace: is no console text and no crash report; --app is ignored\n")
  }

  @Test func aLogBehindItsRuleIsSwapped() throws {
    try scratch.file("run.trace", trace)
    let run = try run("why", "R57", "run.trace")
    #expect(run.status == 2)
    #expect(run.errors == "tracectl: the log comes first: tracectl why run.trace R57\n")
  }

  @Test func textOfNoFormIsNoWrongTrace() throws {
    try scratch.file("notes.txt", "buy milk\n")
    let run = try run("analyze", "-v", "notes.txt")
    #expect(run.status == 3)
    #expect(
      run.errors.hasPrefix(
        "tracectl: notes.txt: is in no format that tracectl reads: text of 1 line, beginning with "
          + "\"buy milk\"; no death was found in it; paste the crash report itself "),
      "\(run.errors)")
    #expect(
      run.errors.hasSuffix(
        "(.ips, .crash, JetsamEvent, that of an SDK), or the console lines of the minute before the end\n"
      ))

    try scratch.file("slip.trace", trace + "soon main note\n")
    let slip = try self.run("analyze", "-v", "slip.trace")
    #expect(slip.status == 3 && slip.errors.hasSuffix("; correct the line\n"), "\(slip.errors)")
  }

  @Test func aPictureIsRefusedByItsName() throws {
    try Data([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]).write(
      to: scratch.url.appending(path: "shot.png"))
    let run = try run("analyze", "shot.png")
    #expect(run.status == 3)
    #expect(run.errors == "tracectl: shot.png: is a picture; paste the text that it shows\n")
  }

  /// Zeros in a capture are passed over, and it is no binary log; one that is cut says so.
  @Test func aCaptureThatIsTornIsReadAndSaysSo() throws {
    let sample = CommandRun.root.appendingPathComponent("samples/console/healthy-cycle.log")
    let text = try String(contentsOf: sample, encoding: .utf8)
    try scratch.file("whole.log", text)
    let whole = try run("dump", "--app", "Notes", "whole.log")
    try scratch.file("torn.log", text.replacing("Notes\t", with: "No\0tes\t") + "default\t09:4")
    let torn = try run("dump", "--app", "Notes", "torn.log")

    let lines = torn.output.split(separator: "\n").filter { !$0.contains(" gap ") }
    #expect(torn.status == 0 && lines == whole.output.split(separator: "\n"))
    let count = text.count { $0 == "\n" } + 1
    #expect(torn.errors.contains("tracectl: torn.log: "), "\(torn.errors)")
    #expect(torn.errors.contains(" zero bytes were passed over; was the file damaged, "))
    #expect(torn.errors.contains("tracectl: torn.log: ends in the middle of line \(count); "))
    let recorded = try run(
      "record", "--source", "console", "--app", "Notes", "torn.log", "-o", "a.bin")
    #expect(recorded.errors.contains(" zero bytes passed over, 1 line cut at the end, "))
  }

  @Test func aScenarioWithoutALaunchIsSaid() throws {
    try scratch.file("life.yml", "actions:\n  - 1s: home\n")
    let run = try run("simulate", "life.yml")
    #expect(run.errors.contains("life.yml: the app never ran; begin the scenario with launch"))
  }

  // MARK: damage

  /// Headers are whole where a payload is not.
  @Test func everyCommandSaysThatAPayloadIsDamaged() throws {
    try scratch.file("run.trace", trace)
    _ = try run("record", "--source", "trace", "run.trace", "-o", "log.bin")
    let url = scratch.url.appendingPathComponent("log.bin")
    var bytes = [UInt8](try Data(contentsOf: url))
    bytes[bytes.count * 2 / 3] ^= 0x10
    try Data(bytes).write(to: url)

    let summary = try run("query", "log.bin", "--view", "summary")
    #expect(summary.output.contains(",missing,corrupt-block,5\r\n"), "\(summary.output)")
    let verify = try run("verify", "log.bin")
    #expect(
      verify.status == 1 && verify.output.contains("a damaged block: the payload's checksum is"))

    // A gap has no number by which it could be asked about.
    let why = try run("why", "log.bin", "lost-events")
    #expect(why.status == 0 && why.output.contains("\n  gap  0s "), "\(why.output)")
    #expect(!why.output.contains("Next") && !why.output.contains("#0"))
    #expect(try !run("analyze", "-v", "log.bin").output.contains("#0"))
  }

  #if os(Linux)
    @Test func aDeviceIsNotReadBeforeItIsWritten() throws {
      let run = try run("record", "--source", "trace", "--replace", "-o", "/dev/full", input: trace)
      #expect(run.status == 3 && run.errors.contains("/dev/full: the disk is full"))
    }

    @Test(arguments: [
      ["dump", "/dev/zero"], ["verify", "/dev/zero"], ["record", "--source", "trace", "/dev/zero"],
      ["simulate", "/dev/zero"],
    ])
    func whatHasNoEndIsGivenUp(arguments: [String]) throws {
      let run = try CommandRun(arguments, in: scratch.url)
      #expect(run.status == 3 && run.errors.hasPrefix("tracectl: /dev/zero: "), "\(run.errors)")
    }
  #endif
}
