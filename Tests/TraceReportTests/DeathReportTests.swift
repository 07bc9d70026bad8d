import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// An end that is not normal is told in every form, and none says "clean" beside it.
@Suite struct DeathReportTests {
  /// A kill that nothing in the log explains, and a process after it that ends well.
  private static let two = """
    0s - profile mode=app os=18.2 hooks=system
    0s - process.start app pid=41 bundle=com.example.notes launch=user
    1s - state notRunning->active app
    12s - kill app code=0x8badf00d namespace=FRONTBOARD
    20s - process.start app pid=42 bundle=com.example.notes launch=user
    21s - state notRunning->active app
    22s - state active->background app
    23s - exit app status=0
    """

  private func text(
    _ notation: String, columns: Int? = nil, clock: WallClock? = nil, log: String? = nil
  ) throws -> String {
    let trace = try TraceNotation.parse(notation)
    let results = AnalysisResults(
      Analyzer.analyze(trace), of: "log", trace.vocabulary, clock: clock)
    return TextReport(results, style: .plain.wide(columns), log: log).text
  }

  @Test func theHeadlineSaysHowItEnded() throws {
    let text = try text(Self.two)
    #expect(
      text.hasPrefix("2 processes ended: killed by the watchdog (0x8badf00d), exited; "), "\(text)")
    #expect(!text.contains("no findings"))
    #expect(text.contains("\n\ncom.example.notes, pids 41 42, OS 18.2\n\n"))
  }

  /// A log that ends at the same moment says no length of nothing.
  @Test func whatLastedNoTimeHasNoLength() throws {
    let text = try text(
      """
      0s - profile mode=app hooks=app-delegate,system
      0s - process.start app launch=user
      1s - state notRunning->active app
      1s main call applicationDidBecomeActive app
      1s - exit app reason=gone
      """
    ).split { $0.isWhitespace }.joined(separator: " ")
    #expect(text.contains("The app was on screen, active. At the end"), "\(text)")
    #expect(text.contains("applicationDidBecomeActive was running. "), "\(text)")
  }

  @Test func wordsThatNoTableHasAreTold() throws {
    let long = String(repeating: "very ", count: 30)
    let text = try [
      text(
        """
        0s - profile hooks=system
        0s - process.start app launch=user
        1s - state notRunning->background app
        9s - kill app reason="the launcher went away." by=com.example.launcher
        """),
      text("0s - profile hooks=system\n9s - kill app reason=\"a \(long)long story\""),
    ].map { $0.split { $0.isWhitespace }.joined(separator: " ") }

    #expect(text[0].hasPrefix("killed: \"the launcher went away.\"; "), "\(text[0])")
    #expect(
      text[0].contains(
        "The system says: \"the launcher went away.\" The request came from com.example.launcher. The app "
          + "was in the background"), "\(text[0])")
    #expect(!text[0].contains("no action is needed"))
    #expect(text[1].hasPrefix("killed: \"a \(long.prefix(69))…\"; "), "\(text[1])")
    #expect(text[1].contains("The system says: \"a \(long)long story\"."))
  }

  @Test func everyEndHasAParagraphInTheHeadlinesOrder() throws {
    let text = try text(Self.two)
    let first = try #require(text.range(of: "\n  Process 41: The system killed the app"))
    let second = try #require(text.range(of: "\n  Process 42: The app exited."))
    #expect(first.lowerBound < second.lowerBound)
    #expect(text.contains("\n  ── the next process, pid 42 ──\n"))
  }

  /// To whoever looks at it, an app that calls exit() has crashed.
  @Test func anExitOnScreenIsNoNormalEnd() throws {
    let life = """
      0s - profile mode=app platform=ios os=18.2 hooks=app-delegate,system
      0s - process.start app pid=41 launch=user
      1s - state notRunning->active app

      """
    let text = try text(life + "9s - exit app status=0")
    #expect(text.hasPrefix("exited on screen; "), "\(text)")
    #expect(text.contains("warning death") && !text.contains("normal end"))

    let told = try self.text(
      life + """
        8s main call applicationWillTerminate app
        8.1s main return applicationWillTerminate app
        9s - exit app status=0
        """)
    #expect(told.hasPrefix("exited; ") && told.contains("a normal end"), "\(told)")
  }

  private func kills(_ codes: [String]) -> String {
    "0s - profile mode=app os=18.2 hooks=system\n"
      + codes.enumerated().map { number, code in
        """
        \(number * 100)s - process.start app pid=\(number) launch=user
        \(number * 100 + 1)s - state notRunning->active app
        \(number * 100 + 50)s - kill app code=\(code)

        """
      }.joined()
  }

  @Test func endsThatAreAlikeHaveOneParagraph() throws {
    let text = try text(kills(Array(repeating: "0x8badf00d", count: 7)))
    #expect(text.hasPrefix("7 processes ended: 7 × killed by the watchdog (0x8badf00d)"))
    #expect(text.components(separatedBy: "\n  Process ").count == 2, "\(text)")
    #expect(text.contains("6 more processes ended alike.") && !text.contains("In total"))
  }

  @Test func kindsBeyondTheFifthAreCounted() throws {
    let codes = [
      "0x8badf00d", "0xdead10cc", "0x2182bad2", "0x2182baad", "0x2182bad3", "0x2182bad4",
      "0xbaadca11",
    ]
    let text = try text(kills(codes))
    #expect(text.components(separatedBy: "\n  Process ").count == 6, "\(text)")
    let total = "\n  In total 7 processes ended: 1 0x2182baad, 1 0x2182bad2, "
    #expect(text.contains(total), "\(text)")
  }

  @Test func aCrashLoopHasOneParagraph() throws {
    var notation = "0s - profile mode=app os=18.2 hooks=system\n"
    for number in 0..<4 {
      notation += "\(number * 10)s - process.start app pid=\(number + 1) launch=user\n"
      notation += "\(number * 10 + 5)s - exit app signal=6\n"
    }
    let text = try text(notation)
    let loop =
      "A crash loop: 4 launches in a row ended at the same place. Process 4: The app crashed"
    #expect(text.split { " \n".contains($0) }.joined(separator: " ").contains(loop), "\(text)")
    #expect(!text.contains("Process 1: ") && !text.contains("Process 3: "), "\(text)")
  }

  @Test func manyLogsCountEndsByTheirCauses() throws {
    var results = try FormatBench(Self.two, log: "a.bin").results
    results.merge(try FormatBench(Self.two, log: "b.bin").results)
    #expect(results.deaths.map(\.count) == [2, 2] && results.deaths.map(\.logs) == [2, 2])
    #expect(results.deaths.map(\.class) == [.fault, .normal])
    #expect(results.verdicts.map(\.log) == ["a.bin", "a.bin", "b.bin", "b.bin"])

    let text = TextReport(results).text
    #expect(
      text.contains(
        """
        How processes ended
          2  fault       killed by the watchdog (0x8badf00d) in 2 logs
          2  normal      exited in 2 logs
        """), "\(text)")

    let line = VerdictLine(try FormatBench(Self.two, log: "a").results, of: "a", nil).text
    #expect(line.hasPrefix("a: 2 processes ended: killed by the watchdog (0x8badf00d), exited; "))
    #expect(!line.contains("clean") && !line.contains("no findings"))
  }

  @Test func everyFormTellsAnEnd() throws {
    let results = try FormatBench(Self.two, log: "a.bin").results
    let forms = [
      try results.json, SARIFReport(results, toolVersion: "1").text,
      JUnitReport(results, of: "a").text, GitHubReport(results: results).text,
      MarkdownReport(results: results).text,
    ]
    for form in forms { #expect(form.contains("0x8badf00d"), "\(form)") }
  }

  @Test func resultsOfEndsMergeInAnyOrder() throws {
    let logs = try ["a", "b", "c"].map { try FormatBench(Self.two, log: $0).results }
    func merged(_ order: [Int]) -> AnalysisResults {
      order.reduce(into: AnalysisResults()) { $0.merge(logs[$1]) }
    }
    #expect(merged([0, 1, 2]) == merged([2, 0, 1]))
  }

  // MARK: Time, width and what to do next

  @Test func theTimeOfDayStandsBesideTheInstant() throws {
    // 2026-11-21 08:15:30 UTC.
    let clock = WallClock(origin: 1_795_248_930_000_000_000)
    let text = try text(Self.two, clock: clock)
    #expect(text.contains(", 2026-11-21 08:15:30 to 08:15:53 UTC\n"), "\(text)")
    #expect(text.contains("\n  2026-11-21 UTC\n  08:15:30.000   0s   process started"))
    #expect(text.contains("\n  08:15:42.000   12s  killed"))
    #expect(WallClock(origin: 0) == nil)
  }

  @Test(arguments: [
    ("app=com.example.notes version=4.2.1 build=812", "com.example.notes 4.2.1 (812), "),
    ("app=com.example.notes version=4.2.1", "com.example.notes 4.2.1, "),
    ("app=com.example.notes build=812", "com.example.notes build 812, "),
    ("app=com.example.notes", "com.example.notes, "),
    ("bundle=com.example.notes build=812", "com.example.notes build 812, "),
    ("version=4.2.1 build=812", "version 4.2.1 (812), "), ("build=812", "build 812, "),
    ("version=\"4\\u001b[2J\"", "version \"4\\u001b[2J\", "), ("os=18.2", ""),
  ])
  func theReleaseIsNamed(profile: String, told: String) throws {
    let life = """
      0s - profile \(profile) platform=ios hooks=app-delegate,process clock=monotonic
      0s - process.start app pid=41 launch=user
      1s main call applicationDidFinishLaunching app
      2s - exit app status=1
      """
    let text = try text(life)
    #expect(text.contains("\n\n\(told)pid 41, iOS"), "\(text)")
  }

  @Test func withoutADateTheTimeOfDayStandsAlone() throws {
    // 23:59:50.
    let clock = WallClock(timeOfDay: 86_390_000_000_000)
    let text = try text(Self.two, clock: clock)
    #expect(
      text.contains(", 23:59:50 to 00:00:13 the next day by the console's clock\n"), "\(text)")
    #expect(text.contains("\n  23:59:50.000   0s   process started"))
    #expect(text.contains("\n  the next day\n  00:00:02.000   12s  killed"))
    #expect(!text.contains("1970") && !text.contains("UTC"))

    let trace = try TraceNotation.parse(Self.two)
    let results = AnalysisResults(
      Analyzer.analyze(trace), of: "log", trace.vocabulary, clock: clock)
    let json = try results.json
    #expect(!json.contains("\"origin\"") && json.contains("\"timeOfDay\" : 86390000000000"))
    #expect(!JUnitReport(results).text.contains("timestamp="))
  }

  @Test func theStoryNamesASignalAsTheHeadlineDoes() throws {
    let text = try text(
      """
      0s - profile mode=app hooks=process
      1s - process.start app pid=7
      2s - state notRunning->active app
      3s - kill app code=0xb namespace=SIGNAL open=save
      """)

    #expect(text.hasPrefix("crashed with SIGSEGV; "), "\(text)")
    #expect(text.contains("\n  3s  crashed with SIGSEGV (open=save)\n"))
    let exit = try self.text("0s - process.start app pid=7\n1s - exit app signal=15")
    #expect(exit.contains("\n  1s  ended by SIGTERM\n"), "\(exit)")
  }

  @Test func timeBehindTheEndIsNoPartOfTheLife() throws {
    let text = try text(
      """
      0s - profile mode=app hooks=process,work
      1s - process.start app pid=7
      2s - state notRunning->active app
      3s main work.begin save app "notes"
      5s - exit app signal=11
      60s - note app "late"
      """)
    #expect(text.contains("\n  the app was active, for 3s; the process has ended\n"), "\(text)")
    #expect(text.contains("\n  open for 2s        3s"))
  }

  @Test func aLogOfAnEndAloneSaysThatNothingWasRecorded() throws {
    let notation = "1s - exit app status=0"
    let text = try text(notation, log: "ls.bin")
    #expect(text.hasPrefix("exited; the app recorded nothing in this log\n"), "\(text)")
    #expect(
      text.contains("\n  tracectl record -- APP   an app that links TraceRecorder shows more\n"))

    let results = try FormatBench(notation).results
    #expect(
      MarkdownReport(results: results).text.hasPrefix(
        "### tracectl: exited; the app recorded nothing in this log\n"))
    #expect(
      VerdictLine(results, of: "ls.bin", nil).text
        == "ls.bin: exited; the app recorded nothing in this log\n")

    let crash = try self.text("1s - exit app signal=11")
    #expect(
      crash.hasPrefix("crashed with SIGSEGV; 1 error; the app recorded nothing in this log\n"),
      "\(crash)")
  }

  @Test func behindASuspensionTheTimeOfDayIsNotExact() throws {
    let notation = """
      0s - profile mode=app hooks=system clock=CLOCK
      1s - suspend app
      2s - resume app
      3s - state notRunning->active app
      """

    let clock = WallClock(origin: 1_795_248_930_000_000_000)
    let monotonic = try text(notation.replacing("CLOCK", with: "monotonic"), clock: clock)
    #expect(monotonic.contains("\n  ~08:15:33.000  3s  active"), "\(monotonic)")
    let wall = try text(notation.replacing("CLOCK", with: "wall"), clock: clock)
    #expect(wall.contains("\n  08:15:33.000   3s  active"), "\(wall)")
  }

  @Test(arguments: [60, 96, 200]) func aTerminalsWidthIsKept(columns: Int) throws {
    let text = try text(Self.two, columns: columns)
    for line in text.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
  }

  @Test func whereThereIsNoTerminalDataIsNotBroken() throws {
    let notation = """
      0s - profile mode=app os=18.2 hooks=system
      1s - note app "\(Array(repeating: "word", count: 40).joined(separator: " "))"
      """
    #expect(try text(notation).split(separator: "\n").contains { $0.count > 200 })
    #expect(try text(notation, columns: 80).split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func theReportEndsWithWhatToType() throws {
    #expect(try text(Self.two, log: "my log.bin").contains("\n\nNext\n  tracectl explain "))
    let unknown = try text("0s - profile hooks=app-delegate,system\n1s main note", log: "a.bin")
    #expect(
      unknown.contains("if you know the answer, pass it: --profile mode=app|scene lets "),
      "\(unknown)")
    #expect(unknown.contains("\n  tracectl analyze --profile mode=scene a.bin "), "\(unknown)")
  }

  // MARK: The app's code

  @Test func findingsLeadToTheAppsCode() throws {
    let results = try FormatBench(
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,work
      1s main call applicationDidEnterBackground app at=Notes/App.swift:12
      2s main work timer app "poll" at=Notes/Poll.swift:42
      """, log: "a.bin"
    ).results

    let finding = try #require(results.findings.first { $0.rule == "work-timer-while-inactive" })
    #expect(finding.codeLocation == CodeLocation("Notes/Poll.swift:42"))
    #expect(
      GitHubReport(results: results).text.contains(" file=Notes/Poll.swift,line=42,"),
      "\(GitHubReport(results: results).text)")

    let sarif = SARIFReport(results, toolVersion: "1").text
    #expect(sarif.contains("\"uri\": \"Notes/Poll.swift\""))
    #expect(sarif.contains("the log that shows this finding"))
    for text in ["", "x", ":3", "a.swift:0", "a.swift:-1"] { #expect(CodeLocation(text) == nil) }
  }

  @Test func documentsHaveAddresses() throws {
    let sarif = SARIFReport(try FormatBench.sample().results, toolVersion: "1").text
    #expect(sarif.contains("\"helpUri\": \"https://developer.apple.com/documentation/"))
    let citations = RuleRegistry.all.flatMap { $0.description.sources }
    let s4 = try #require(citations.first { $0.key == "S4" })
    #expect(
      s4.url == "https://developer.apple.com/documentation/uikit/uiapplicationdelegate/"
        + "applicationdidenterbackground(_:)")

    #expect(
      citations.first { $0.key == "F-732170" }?.url
        == "https://developer.apple.com/forums/thread/732170")
    #expect(
      citations.compactMap(\.url).allSatisfy { url in
        url.hasPrefix("https://") && url.allSatisfy { !$0.isWhitespace }
      })
  }
}
