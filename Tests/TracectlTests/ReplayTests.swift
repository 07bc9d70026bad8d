import Foundation
import Testing

/// What `replay` and `timeline` show of a run.
@Suite struct ReplayTests {
  private static let life = """
    0s - profile mode=app hooks=app-delegate,tasks,resources,process
    0s - process.start app pid=7
    1s main call applicationDidBecomeActive app
    2s main return applicationDidBecomeActive app
    4s main task.begin task:1 "sync"
    6s main call applicationDidEnterBackground app
    7s main return applicationDidEnterBackground app
    8s main acquire lock app "a"
    10s - kill app code=0xdead10cc
    20s - process.start app pid=8
    21s main call applicationDidBecomeActive app
    21.5s main return applicationDidBecomeActive app

    """
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file("a.trace", Self.life)
  }

  private func replay(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["timeline", "a.trace"] + arguments, in: scratch.url)
  }

  @Test func aTimeIsTheStateAfterItsEvents() throws {
    let run = try replay("--at", "6.5s")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        At 6.5s

        State
          process   pid 7, started 6.5s before
          app       background for 500ms

        Open
          main#3    task.begin task:1 "sync", for 2.5s
          main#4    call applicationDidEnterBackground app, for 500ms; 4.5s left of 5s

        Before and after
          last  -#2       0s        -     process.start app pid=7
          last  main#4    6s        main  call          applicationDidEnterBackground app
          next  main#5    7s        main  return        applicationDidEnterBackground app
          next  -#3       10s       -     kill          app code=0xdead10cc

        """)
  }

  /// Nothing grows behind the end of the process, or of the log.
  @Test func behindTheEndAllIsAsItWasThen() throws {
    let dead = try replay("--at", "15s").output
    #expect(
      dead.contains(
        "\nThe process ended at 10s. States, and what is open, are as they were then.\n"))
    #expect(dead.contains("ended 5s before") && dead.contains("app       background for 4s\n"))
    #expect(dead.contains("task.begin task:1 \"sync\", for 6s"), "\(dead)")

    let over = try replay("--at", "2h").output
    #expect(
      over.contains("\nThe log ends at 21.5s. States, and what is open, are as they were then.\n"))
    #expect(over.contains("app       active for 500ms\n"), "\(over)")
    #expect(try !replay("--at", "@death").output.contains("as they were then"))
    #expect(
      try replay("--at", "15s", "--format", "json").output.contains("\"knownUntil\":10000000000"))
  }

  @Test func whatIsMissingAroundAMomentIsTold() throws {
    try scratch.file(
      "gap.trace",
      """
      1s main call applicationDidBecomeActive app
      2s main return applicationDidBecomeActive app
      3s - gap corrupt-block 2 writer=main from=3 to=4
      9s main work timer app

      """)
    func around(_ moment: String) throws -> [Substring] {
      let run = try CommandRun(["timeline", "gap.trace", "--at", moment], in: scratch.url)
      return run.output.split(separator: "\n").filter {
        $0.hasPrefix("  last") || $0.hasPrefix("  lost")
      }
    }
    let lost = "  lost            3s  "
    for moment in ["2.5s", "5s"] {
      #expect(
        try around(moment).contains { $0.hasPrefix(lost) && $0.contains("corrupt-block 2") },
        "\(moment)")
    }
    for moment in ["1.5s", "9s"] {
      #expect(try !around(moment).contains { $0.hasPrefix(lost) }, "\(moment)")
    }
  }

  @Test func anEventAFindingTheDeathAndTheEndAreMoments() throws {
    #expect(try replay("--at", "main#4").output.hasPrefix("At 6s, after main#4\n"))
    let death = try replay("--at", "@death").output
    #expect(
      death.hasPrefix("At 10s, after -#3\n") && death.contains("acquire lock app \"a\", for 2s"))
    #expect(try replay("--at", "@end").output.hasPrefix("At 21.5s\n"))
    #expect(try replay("--at", "@start").output.hasPrefix("At 0s, after -#2\n"))
    let late = try replay("--at", "99s").output
    #expect(late.contains("pid 8, started 1min 19s before"))
    for same in ["1min39s", "1min 39s", "1m 39s"] {
      #expect(try replay("--at", same).output == late, "\(same)")
    }

    let analysis = try CommandRun(["analyze", "a.trace", "--format", "json"], in: scratch.url)
    let match = try #require(analysis.output.firstMatch(of: /"fingerprint" : "([0-9a-f]{16})"/))
    let finding = try replay("--at", String(match.1))
    #expect(finding.status == 0 && finding.output.hasPrefix("At "))
  }

  @Test func aLogOfManyBlocksIsNotReadWhole() throws {
    var text = "0s - process.start app pid=7\n1s main call applicationDidBecomeActive app\n"
    for index in 0..<30_000 { text += "\(2_000 + index)ms main work timer app \"tick\"\n" }
    text += "40s main acquire lock app \"late\"\n41s main work timer app\n"
    try scratch.file("long.trace", text)
    let made = try CommandRun(
      ["record", "--source", "trace", "-o", "long.bin", "long.trace"], in: scratch.url)
    #expect(made.status == 0, "\(made.errors)")

    for instant in ["1.5s", "17.0005s", "40.5s", "50s"] {
      let text = try CommandRun(["timeline", "long.trace", "--at", instant], in: scratch.url).output
      let log = try CommandRun(["timeline", "long.bin", "--at", instant], in: scratch.url).output
      // The blocks before are not read: their last events are not known.
      func state(_ output: String) -> Substring { output.prefix { $0 != "B" } }
      #expect(state(log) == state(text) && log.contains("call applicationDidBecomeActive app"))
    }
  }

  @Test func changesSayWhatTheEventDoesNot() throws {
    let lines = try replay("--changes", "--from", "6s", "--to", "10s").output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("main#4    6s") && lines[0].hasSuffix("app is background"))
    #expect(lines[1].hasSuffix("took 1s"))
    #expect(lines[2].hasSuffix("acquire       lock app \"a\""))
    #expect(lines[3].contains("✗ \"sync\", for 6s") && lines[3].contains("✗ lock \"a\", for 2s"))
  }

  @Test func jsonSaysTheSame() throws {
    let output = try replay("--at", "6.5s", "--format", "json").output
    let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    let moment = try #require(object)
    #expect(
      moment["schema"] as? String == "tracectl-moment" && moment["t"] as? Int == 6_500_000_000)
    let open = try #require(moment["open"] as? [[String: Any]])
    #expect(open.map { $0["age"] as? Int } == [2_500_000_000, 500_000_000])
    #expect(open[1]["left"] as? Int == 4_500_000_000 && open[0]["left"] == nil)
  }

  @Test func wrongMomentsAreRefusedWithTheRightOnes() throws {
    let cases = [
      (["--at", "15"], "not 15; did you mean 15s?"),
      (["--at", "999999d"], "not 999999d"),
      (["--at", "foo"], "an event such as main#25"),
      (["--at", "main#99"], "main has events up to #8"),
      (["--at", "0123456789abcdef"], "has no finding with the fingerprint 0123456789abcdef"),
      (["--at", "1s", "--from", "0s"], "--at shows one moment"),
      (["--format", "json"], "--format json needs --at"),
      (["--from", "3s", "--to", "2s"], "swap them"),
    ]
    for (arguments, words) in cases {
      let run = try CommandRun(["timeline", "a.trace"] + arguments, in: scratch.url)
      #expect(run.status == 2 && run.errors.contains(words), "\(run.errors)")
    }
  }

  /// What reads a log twice says what it is, where standard input can be read once.
  @Test(arguments: [
    (["timeline", "-"], "a picture"),
    (["timeline", "-", "--at", "@death"], "--at @death"),
    (["timeline", "-", "--at", "17:30:31"], "--at 17:30:31"), (["report", "-"], "a page"),
    (["export", "-", "--format", "perfetto", "-o", "x"], "an export with findings"),
  ])
  func whatReadsALogTwiceNeedsAFile(arguments: [String], reader: String) throws {
    let piped = try CommandRun(arguments, input: Self.life)
    #expect(piped.status == 2, "\(piped.errors)")
    let words =
      "\(reader) reads the log twice, so that it must be a file, not standard input; "
      + "save it first: cat > log.bin"
    #expect(piped.errors.contains(words), "\(piped.errors)")
  }

  @Test func aPictureNeedsAnEvent() throws {
    let outside = try CommandRun(["timeline", "a.trace", "--from", "50s"], in: scratch.url)
    #expect(outside.status == 2 && outside.errors.contains("has no events between --from and --to"))
  }
}
