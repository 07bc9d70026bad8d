import LifecycleModel
import LifecycleRules
import Testing
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// The answer in at most eight lines.
@Suite struct VerdictTests {
  /// A task that is never ended, for which the watchdog kills the app.
  private static let leak = """
    0s - profile mode=app os=18.2 hooks=app-delegate,tasks,system,work,resources,data
    0s - process.start app pid=41 bundle=com.example.notes launch=user
    1s - state notRunning->active app
    2s main task.begin task:1 "upload" handler=true at=UploadQueue.swift:88
    3s main call applicationWillResignActive app
    3.1s main return applicationWillResignActive app
    3.1s - state active->inactive app
    3.2s - state inactive->background app
    3.2s main call applicationDidEnterBackground app
    3.3s main return applicationDidEnterBackground app
    36s - kill app code=0x8badf00d namespace=SPRINGBOARD
    """

  /// The same end twice, which nothing explains, and a normal one.
  private static let kills = """
    0s - profile mode=app os=18.2 hooks=system
    0s - process.start app pid=41 bundle=com.example.notes launch=user
    1s - state notRunning->active app
    12s - kill app code=0x8badf00d namespace=FRONTBOARD
    20s - process.start app pid=42 bundle=com.example.notes launch=user
    21s - state notRunning->active app
    32s - kill app code=0x8badf00d namespace=FRONTBOARD
    40s - process.start app pid=43 bundle=com.example.notes launch=user
    41s - state notRunning->active app
    42s - state active->background app
    43s - exit app status=0
    """

  private func results(_ notation: String, of log: String = "log.trace") throws -> AnalysisResults {
    let trace = try TraceNotation.parse(notation)
    return AnalysisResults(Analyzer.analyze(trace), of: log, trace.vocabulary)
  }

  private func text(
    _ notation: String, _ style: TextStyle = .plain, log: String = "log.trace"
  ) throws -> String {
    VerdictText(try results(notation), style: style, log: log).text
  }

  @Test func whatHappenedWhyAndWhatToDoStandFirst() throws {
    #expect(
      try text(Self.leak) == """
        ✗ com.example.notes 41 at 36s: killed by the watchdog (0x8badf00d), in the background for 32.8s
          cause    likely: background task "upload", not ended after 32.8s in the background (limit 30s)
          fix      Call endBackgroundTask(_:) where the work ends, on every path, and on expiration
                   (UploadQueue.swift:88)
          more     tracectl analyze log.trace -v · tracectl report log.trace --open

        """)
  }

  @Test func equalEndsAreOneItem() throws {
    let text = try text(Self.kills)
    #expect(
      text.hasPrefix(
        """
        ✗ 2 processes: killed by the watchdog (0x8badf00d), first at 12s, last at 32s
          cause    not known: the log does not show what led to it
        """), "\(text)")
    #expect(text.contains("  also     1 process ended normally\n"), "\(text)")
  }

  @Test func manyLogsHaveTheAnswerOfOne() throws {
    var all = try results(Self.kills, of: "b.bin")
    all.merge(try results(Self.leak, of: "a.bin"))
    all.merge(AnalysisResults(unreadable: .init(log: "c.bin", error: "c.bin: the file is empty")))

    let lines = VerdictText(all).text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "2 logs: 2 with findings; 1 could not be read")
    #expect(lines[1].hasPrefix("✗ com.example.notes 41: killed by the watchdog"), "\(lines)")
    #expect(lines[2].contains("background task \"upload\", not ended after 32.8s"))
    #expect(lines.contains { $0.hasPrefix("✗ 2 processes: killed by the watchdog") })
    #expect(lines.contains("  unread   c.bin: the file is empty"), "\(lines)")
    #expect(lines.last == "  more     tracectl analyze a.bin -v" && lines.count <= 8)
  }

  /// A report of a crash states where; where the main thread stood at a kill is no cause.
  @Test(arguments: [
    (
      """
      5s - note app "the exception was thrown in -[Store add:], called by main"
      5s - kill app code=0x6 namespace=SIGNAL by=report
      """, "exception was thrown in -[Store add:], called by main", Verdict.Certainty.certain
    ),
    (
      """
      5s - note app "the main thread was in mach_msg2_trap, called by -[UIApplication _run]"
      5s - kill app code=0xdead10cc namespace=RUNNINGBOARD by=report
      """, "the report does not name the locked file", .unknown
    ),
    (
      """
      5s - kill app code=0x8badf00d reason="scene-update watchdog transgression" by=report
      """, "the system says: \"scene-update watchdog transgression\"", .stated
    ),
  ])
  func aReportIsQuoted(_ end: String, _ cause: String, _ certainty: Verdict.Certainty) throws {
    let item = try Verdict(
      results("0s - profile os=18.2 hooks=process\n0s - process.start app pid=4\n" + end)
    ).items[0]
    #expect(item.cause?.contains(cause) == true, "\(item)")
    #expect(item.certainty == certainty && item.tone == .error)
  }

  /// An end of which nobody can tell more does not hide what was found.
  @Test func whatWasFoundStandsBeforeWhatNobodyCanTell() throws {
    let verdict = try Verdict(
      results(
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications,process
        0s - process.start app pid=4
        1s main call sceneDidBecomeActive scene:1
        3s main call sceneDidEnterBackground scene:1
        9s - process.start app pid=5
        """))
    #expect(verdict.tone == .error && verdict.items[0].tone == .error, "\(verdict.items)")
    #expect(verdict.items[0].title.contains("ended without a recorded cause; 2 errors"))
    #expect(verdict.items[0].cause?.contains("scene:1") == true && verdict.also.count == 1)
  }

  /// Nothing is reassuring where few rules could judge.
  @Test func aHealthyRunIsGreenWhereMostRulesCouldJudge() throws {
    let few = try results(
      """
      0s - profile mode=scene hooks=scene-delegate
      1s main call sceneDidBecomeActive scene:1
      2s main return sceneDidBecomeActive scene:1
      """)

    #expect(Verdict(few).tone == .unknown)
    #expect(
      VerdictText(few, log: "log.trace").text.contains("the log lacks evidence for "))
    var whole = few
    whole.rules = few.rules.filter { !$0.isDoubtful }
    #expect(Verdict(whole).tone == .good && Verdict(whole).items[0].cause == nil)
    let nothing = try results("")
    #expect(Verdict(nothing).tone == .unknown)
  }

  @Test func noAnswerTakesMoreThanEightLines() throws {
    let notations = RuleRegistry.all.flatMap(\.description.examples).map {
      $0.notation.replacing(String(RuleExample.mark), with: "")
    }
    #expect(notations.count > 200)

    for notation in notations + [Self.leak, Self.kills] {
      let results = try results(notation)
      for style in [TextStyle.plain, .plain.wide(60), .colored.wide(44)] {
        let text = VerdictText(results, style: style, log: "a-folder/of/logs/log.trace").text
        let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        #expect((1...8).contains(count), "\(text)")
      }
    }
  }
}
