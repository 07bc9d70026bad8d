import Foundation
import LifecycleModel
import Testing
import TraceLog

/// What `dump` selects, and how it numbers it.
@Suite struct DumpTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file(
      "a.trace",
      """
      0s - profile mode=scene hooks=scene-delegate,work,resources,system
      1s main call sceneDidBecomeActive scene:1
      2s main return sceneDidBecomeActive scene:1
      3s main work timer scene:1 "autosave"
      4s db acquire lock app "notes.db"
      5s main work timer scene:2 "poll"
      6s - suspend app
      7s db release lock app "notes.db"

      """)
  }

  private func dump(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["dump", "a.trace"] + arguments, in: scratch.url)
  }

  private func labels(_ arguments: String...) throws -> [String] {
    let run = try CommandRun(["dump", "a.trace", "--numbers"] + arguments, in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test func numbersAreThoseOfReports() throws {
    #expect(
      try labels() == ["-#1", "main#1", "main#2", "main#3", "db#1", "main#4", "-#2", "db#2"])
    let line = try dump("--numbers", "--only", "label=poll").output
    #expect(line == "main#4      5s        main  work          timer scene:2 \"poll\"\n")
    let json = try dump("--numbers", "--format", "ndjson", "--only", "label=poll").output
    #expect(json.hasSuffix("\"label\":\"poll\",\"sequence\":4}\n"), "\(json)")
  }

  @Test func filtersNarrowTogether() throws {
    #expect(try labels("--only", "writer=db") == ["db#1", "db#2"])
    #expect(try labels("--only", "subject=scene") == ["main#1", "main#2", "main#3", "main#4"])
    #expect(
      try labels("--only", "subject=scene:2", "--only", "subject=app") == [
        "db#1", "main#4", "-#2", "db#2",
      ])
    #expect(try labels("--only", "label=notes.db", "--only", "release") == ["db#2"])
    #expect(try labels("--only", "writer=main", "--from", "3s", "--to", "4s") == ["main#3"])
  }

  @Test func aRuleSelectsWhatItLooksAt() throws {
    let seen = try labels("--rule", "R83")
    #expect(seen.contains("-#2") && !seen.contains("main#3"), "\(seen)")
    let silent = try dump("--rule", "R78")
    #expect(silent.output.isEmpty && silent.errors.contains("does not check this log: "))
  }

  @Test func aLogThatSaysMuchMoreThanItHasIsStopped() throws {
    let vocabulary = Vocabulary()
    let long = String(repeating: "K", count: 60_000)
    let attributes = vocabulary.attributes([Attribute("k", long)])
    let events = (1...2000).map { number in
      Event(
        sequence: UInt64(number), instant: Instant(nanoseconds: Int64(number)), writer: .main,
        verb: .note, attributes: attributes)
    }

    let sink = MemoryLogSink()
    let writer = try LogWriter(to: sink, vocabulary: vocabulary)
    try writer.append(events)
    try writer.close()
    #expect(sink.bytes.count < 16_000)

    let log = scratch.path("amplified.bin")
    try Data(sink.bytes).write(to: URL(fileURLWithPath: log))
    for arguments in [[], ["--format", "ndjson"], ["--around", "main#1999", "--lines", "5000"]] {
      let run = try CommandRun(["dump", log] + arguments)
      #expect(run.status == 3)
      #expect(run.output.utf8.count < 17 << 20)
      #expect(
        run.errors.contains(
          " bytes of this log expand to over 16 MiB, and the output stops here; "))
      #expect(!run.output.isEmpty || !arguments.contains("ndjson"))
    }

    let part = try CommandRun("dump", log, "--around", "main#1999", "--lines", "0")
    #expect(part.status == 0 && part.output.utf8.count > 10_000)
  }

  @Test func anEventIsShownAmongItsNeighbours() throws {
    let around = try dump("--around", "db#1", "--lines", "1").output
    #expect(
      around == """
        main#3      3s        main  work          timer scene:1 "autosave"
        db#1        4s        db    acquire       lock app "notes.db" ◀
        main#4      5s        main  work          timer scene:2 "poll"

        """)
    #expect(try dump("--around", "1", "--lines", "0").output.hasPrefix("main#1 "))
    let missing = try dump("--around", "main#9")
    #expect(missing.status == 2 && missing.errors.contains("main has events up to #4"))
  }

  @Test(arguments: [
    (["--from", "9"], "did you mean 9s?"),
    (["--around", "x"], "--around takes an event such as main#12, not x"),
    (["--lines", "2"], "needs --around"),
    (["--only", "thread=main"], "it takes a verb, or writer=, subject= or label= and a value"),
    (["--only", "subject=window"], "a subject is app, scene"),
    (
      ["--only", "writer=mian"],
      "no event has the writer mian; the log has events of -, main, db"
    ),
    (["--from", "17:30:31"], "the log does not state its wall-clock start; give"),
  ])
  func whatCannotBeMeantIsRefused(arguments: [String], error: String) throws {
    let run = try CommandRun(["dump", "a.trace"] + arguments, in: scratch.url)
    #expect(run.status == 2 && run.errors.contains(error), "\(run.errors)")
  }

  /// A simulation begins at midnight of a day that is always the same.
  @Test func theWallClockNamesMoments() throws {
    let scenario = CommandRun.root.appendingPathComponent("samples/scenarios/leaked-task.yml").path
    _ = try CommandRun("simulate", "-q", "-o", "log.bin", scenario, in: scratch.url)
    func dump(_ from: String, _ to: String) throws -> String {
      try CommandRun("dump", "log.bin", "--from", from, "--to", to, in: scratch.url).output
    }
    let relative = try dump("5s", "41s")
    #expect(!relative.isEmpty)
    #expect(try dump("00:00:05", "00:00:41") == relative)
    #expect(try dump("2026-01-01T00:00:05", "2026-01-01 00:00:41.000") == relative)
  }

  @Test func theTimeOfDayOfAConsoleNamesMoments() throws {
    let sample = CommandRun.root.appendingPathComponent("samples/console/two-deaths.log").path
    func dump(_ moments: String...) throws -> CommandRun {
      try CommandRun(["dump", "--app", "Notes", sample] + moments)
    }
    let all = try dump().output.split(separator: "\n")
    let late = try dump("--from", "17:30:42").output.split(separator: "\n")
    #expect(late.count > 3 && late.count < all.count && all.suffix(late.count) == late[...])
    #expect(late.first?.hasSuffix("line=42") == true, "\(late)")

    let dated = try dump("--from", "2026-11-21T17:30:42")
    #expect(dated.status == 2 && dated.errors.contains("has times of day but no date"))
  }
}
