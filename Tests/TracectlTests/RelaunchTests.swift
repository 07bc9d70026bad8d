import Foundation
import Testing
import TraceLog

/// An app that keeps its own log, ends in some way, and is started again.
@Suite struct RelaunchTests {
  private let scratch: ScratchFolder
  private var log: String { scratch.path("flight.bin") }

  init() throws { scratch = try ScratchFolder() }

  @discardableResult
  private func launch(_ arguments: String...) throws -> CommandRun {
    try CommandRun(program: [CommandRun.built("note-taker")] + arguments, in: scratch.url)
  }

  /// The events of these verbs, without instants and the numbers of processes.
  private func dump(_ verbs: String..., log: String? = nil) throws -> [String] {
    let run = try CommandRun(["dump"] + verbs.flatMap { ["--only", $0] } + [log ?? self.log])
    #expect(run.status == 0)
    return run.output.split(separator: "\n").map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
        .replacing(/pid=[0-9]+/, with: "pid=…")
    }
  }

  @Test(arguments: ["crash", "kill"])
  func aVanishedAppHasEndedForEveryReader(how: String) throws {
    #expect(try launch(how).status > 128)
    #expect(FileManager.default.fileExists(atPath: log + ".ring"))
    #expect(
      try dump("exit") == [
        "- exit app reason=gone pid=… open=applicationDidBecomeActive"
      ])

    let first = try CommandRun("analyze", "-v", log)
    #expect(first.output.contains("applicationDidBecomeActive"))
    #expect(!first.output.contains("the app is active"))
    #expect(try CommandRun("analyze", "-v", log).output == first.output)
    #expect(try CommandRun("verify", log).status == 0)
  }

  @Test(arguments: ["analyze", "dump", "verify", "why"])
  func theRingOfAnotherLogIsToldWithItsOwner(command: String) throws {
    try launch("kill")
    for ending in ["", ".ring"] {
      try FileManager.default.moveItem(
        atPath: log + ending, toPath: scratch.path("old.bin") + ending)
    }

    try launch()
    try FileManager.default.moveItem(atPath: scratch.path("old.bin.ring"), toPath: log + ".ring")
    let run = try CommandRun(
      [command, "flight.bin"] + (command == "why" ? ["R83"] : []), in: scratch.url)

    if command == "verify" {
      #expect(
        run.output.contains("ring: the log id of flight.bin.ring: expected the id of this log, "))
      #expect(run.output.contains("found the id of old.bin; rename it to old.bin.ring\n"))
    } else {
      #expect(
        run.errors.contains(
          "tracectl: flight.bin.ring: is ignored: it belongs to old.bin, not to flight.bin; "
            + "rename it to old.bin.ring\n"))
    }

    // In a directory, too.
    let all = try CommandRun("analyze", "-v", ".", in: scratch.url)
    #expect(all.errors.contains("flight.bin.ring: is ignored: it belongs to ./old.bin, not to "))
  }

  @Test func anAttachedRecorderWritesTheSameEnd() throws {
    try launch("kill")
    let before = try CommandRun("dump", log).output
    #expect(try CommandRun("record", "--attach", log).status == 0)
    #expect(!FileManager.default.fileExists(atPath: log + ".ring"))
    #expect(try CommandRun("dump", log).output == before)
  }

  @Test func eachLaunchGoesOnWithTheLog() throws {
    try launch("kill")
    let second = try launch("exit", "3")
    #expect(second.status == 3)
    let unknown = "last run: it is not known why the app is gone; its log: flight.bin\n"
    #expect(second.output.hasPrefix(unknown))
    let third = try launch()
    #expect(third.status == 0)
    #expect(third.output.hasPrefix("last run: the app exited: status 3; its log: flight.bin.2\n"))
    #expect(try launch().output.contains("the app exited: status 0; its log: flight.bin.3\n"))
    #expect(!FileManager.default.fileExists(atPath: log + ".ring"))
    #expect(
      try dump("process.start", "exit") == [
        "main process.start app pid=…",
        "- exit app reason=gone pid=… open=applicationDidBecomeActive",
        "main process.start app pid=…", "- exit app status=3",
        "main process.start app pid=…", "- exit app status=0",
        "main process.start app pid=…", "- exit app status=0",
      ])

    #expect(try CommandRun("verify", log).status == 0)
    var reader = try LogReader(path: log)
    let instants = try reader.readAll().events.map(\.instant)
    #expect(instants == instants.sorted() && reader.damages == [])
  }

  @Test func theLastRunsLogIsAFileOfItsOwn() throws {
    try launch("crash")
    try launch()
    let kept = try Data(contentsOf: URL(fileURLWithPath: log))
    try launch()
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == kept)

    let own = scratch.path("uploaded.bin")
    try kept.write(to: URL(fileURLWithPath: own))
    #expect(
      try dump("process.start", "exit", log: own) == [
        "main process.start app pid=…",
        "- exit app reason=gone pid=… open=applicationDidBecomeActive",
      ])
  }

  @Test func theProfileIsFilledInByItself() throws {
    try launch()
    #expect(
      try dump("profile") == [
        "main profile platform=linux debugger=false version=1.0 hooks=process",
        "main profile platform=linux debugger=false version=1.0 hooks=process,app-delegate",
        "main profile platform=linux debugger=false version=1.0 hooks=process,app-delegate,work partial=work",
      ])
    let first = "main profile platform=linux debugger=false version=1.0 hooks=process"
    #expect(try dump().first == first)
  }

  @Test func aFactNamesItsLine() throws {
    try launch()
    let source = try String(
      contentsOf: CommandRun.root.appendingPathComponent("samples/apps/note-taker/main.swift"),
      encoding: .utf8
    ).components(separatedBy: "\n")
    let line = try #require(source.firstIndex { $0.contains("recorder.working(") }) + 1
    #expect(
      try dump("work.begin", "work.end") == [
        "main work.begin save app \"notes.db\" at=note_taker/main.swift:\(line)",
        "main work.end save app \"notes.db\" at=note_taker/main.swift:\(line)",
      ])
  }

  @Test func runsAddUpToOneRecording() throws {
    for _ in 0..<12 { try launch() }
    #expect(try dump("process.start").count == 12)
    #expect(try CommandRun("verify", log).status == 0)
  }

  @Test func aLogThatBrokeIsMovedAside() throws {
    try launch("kill")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    try file.truncate(atOffset: 5)
    try file.close()
    #expect(try launch().status == 0)
    for ending in [".damaged", ".damaged.ring"] {
      #expect(FileManager.default.fileExists(atPath: log + ending), "\(ending)")
    }
    #expect(try dump("exit") == ["- exit app status=0"])
    try Data().write(to: URL(fileURLWithPath: log))
    #expect(try launch().status == 0)
    try Data("a letter".utf8).write(to: URL(fileURLWithPath: log))
    #expect(try launch().errors.contains("flight.bin: is text, not a binary log"))
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "a letter")
  }

  @Test func aTornLogGoesOnBehindItsLastBlock() throws {
    try launch()
    try launch("kill")
    let newest = URL(fileURLWithPath: log + ".2")
    let size = try Data(contentsOf: newest).count
    let file = try FileHandle(forWritingTo: newest)
    try file.seekToEnd()
    try file.write(contentsOf: Data([0x42, 0x4c, 0x4b]))
    try file.close()
    #expect(size > 0)
    #expect(try launch().output.contains("flight.bin.2"))
    #expect(try dump("exit").count == 3)
  }

  @Test func recordSaysWhereAnAppKeepsItsOwnLog() throws {
    let run = try CommandRun(
      ["record", "-o", "outer.bin", "--", CommandRun.built("note-taker")], in: scratch.url)
    #expect(
      run.errors.contains("0 events of the app → outer.bin")
        && run.errors.contains("it keeps its own log: tracectl analyze flight.bin"))
    let silent = try CommandRun(["record", "-o", "silent.bin", "--", "true"], in: scratch.url)
    #expect(silent.errors.contains("does the app link TraceRecorder"))
  }

  /// The app of the guide is the sample, word for word.
  @Test func theGuidesAppIsTheSample() throws {
    let guide = try String(
      contentsOf: CommandRun.root.appendingPathComponent("docs/recording.md"), encoding: .utf8)
    let sample = try String(
      contentsOf: CommandRun.root.appendingPathComponent("samples/apps/note-taker/main.swift"),
      encoding: .utf8)
    let blocks = guide.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    let apps = blocks.filter { $0.contains("Recorder.open(") }
    #expect(!apps.isEmpty)

    for block in apps {
      for part in block.components(separatedBy: "\n\n") {
        let text = part.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("func ") {
          // What the app itself does the guide leaves out: its functions are empty there.
          for line in text.components(separatedBy: "\n") {
            #expect(line.hasSuffix(" {}") && sample.contains("\n\(line.dropLast())"), "\(line)")
          }
        } else {
          #expect(sample.contains(text), "\(text)")
        }
      }
    }
  }
}
