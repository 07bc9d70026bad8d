import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// A dead process, and what must be said of it; alone, and with a healthy process behind it.
struct DeathCase: CustomTestStringConvertible, Sendable {
  let name: String
  let trace: String
  let deathClass: DeathClass
  /// The rules of which one has the finding that stands for the death; empty when none does.
  var rules: [String] = []
  /// How much that finding matters.
  var severity: Severity?
  /// Words that the finding, or else the verdict's sentence, must have.
  var words = ""

  var testDescription: String { name }

  private static let hooks = "hooks=app-delegate,app-notifications,tasks,work,resources,system"

  /// A launch at 0 s and an active app from 1.2 s on.
  private static func active(_ profile: String = "background-modes=none \(hooks)") -> String {
    """
    0s - profile mode=app platform=ios os=18.2 \(profile)
    0s - process.start app launch=user pid=100
    1s main call applicationDidFinishLaunching app
    1.1s main return applicationDidFinishLaunching app
    1.2s main call applicationDidBecomeActive app
    1.3s main return applicationDidBecomeActive app

    """
  }

  private static let left = """
    5s main call applicationWillResignActive app
    5.1s main return applicationWillResignActive app
    6s main call applicationDidEnterBackground app
    6.1s main return applicationDidEnterBackground app

    """

  /// So many resumes in the background, two seconds apart, from 8 s on.
  private static let resumes = (1...12).map { index in
    "\(6 + index * 2).5s - suspend app\n\(7 + index * 2)s - resume app\n"
  }.joined()

  private static let healthy = """
    100s - process.start app launch=user pid=200
    101s main call applicationDidFinishLaunching app
    101.1s main return applicationDidFinishLaunching app
    101.2s main call applicationDidBecomeActive app
    101.3s main return applicationDidBecomeActive app
    109s - exit app signal=15
    """

  var followed: String { trace + "\n" + DeathCase.healthy }

  static let all: [DeathCase] = [
    DeathCase(
      name: "SIGKILL, and the system waits for an update of the scene beyond its time",
      trace: active() + left + """
        6.2s - work.begin other scene:1 "Logical Background" 12752 allowance=10.00s
        16.3s - kill app code=0x9 namespace=SIGNAL
        """,
      deathClass: .unexplained, rules: ["death"], severity: .warning,
      words: "Logical Background"),
    DeathCase(
      name: "the system says that the process is gone, and waited for it beyond its time",
      trace: active() + left + """
        6.2s - work.begin other scene:1 "Logical Background" 12752 allowance=10.00s line=29
        16.3s - exit app reason=gone line=31
        """,
      deathClass: .unexplained, rules: ["death"], severity: .warning,
      words: "Logical Background"),
    DeathCase(
      name: "SIGKILL in the background, the main thread busy for 12 s",
      trace: active() + left + """
        7s main work.begin main-busy app
        19.2s - exit app signal=SIGKILL
        """,
      deathClass: .unexplained, rules: ["death"], severity: .warning, words: "main-busy"),
    DeathCase(
      name: "a scene takes too long to be created, long after the launch",
      trace: active() + """
        70s - kill app code=0x8badf00d namespace=FRONTBOARD reason="scene-create watchdog transgression"
        """,
      deathClass: .fault, rules: ["death"], severity: .error,
      words: "the log shows nothing on the main thread for 1min 8s: a hang outside any recorded"),
    DeathCase(
      name: "the watchdog's code in decimal",
      trace: active() + """
        4s main call applicationDidReceiveMemoryWarning app
        15s - kill app code=2343432205
        """,
      deathClass: .fault, rules: ["death", "budget-main-blocked-foreground"], severity: .error),
    DeathCase(
      name: "an exit with no status, on the screen",
      trace: active() + "15s - exit app", deathClass: .unexplained, rules: ["death"],
      severity: .warning, words: "exited with an unknown status"),
    DeathCase(
      name: "SIGKILL in the background, and the system says that a limit was passed",
      trace: active() + left
        + "15s - kill app code=0x9 namespace=SIGNAL reason=\"CPU limit: caught burning CPU!\"",
      deathClass: .fault, rules: ["death"], severity: .error,
      words: "it exceeded a CPU time limit (cpu)"),
    DeathCase(
      name: "status 00", trace: active() + "15s - exit app status=00",
      deathClass: .unexplained, rules: ["death"], severity: .warning, words: "exited"),
    DeathCase(
      name: "an exit for a word that is no table's",
      trace: active() + "15s - exit app reason=crashed", deathClass: .unexplained,
      rules: ["death"], severity: .warning),
    DeathCase(
      name: "the system says voluntary",
      trace: active() + "15s - exit app reason=voluntary", deathClass: .unexplained,
      rules: ["death"], severity: .warning),
    DeathCase(
      name: "watchdog code, a callback 11 s open while active",
      trace: active() + """
        4s main call applicationDidReceiveMemoryWarning app
        15s - kill app code=0x8badf00d namespace=FRONTBOARD
        """,
      deathClass: .fault, rules: ["death", "budget-main-blocked-foreground"], severity: .error),
    DeathCase(
      name: "watchdog code, only the system hook",
      trace: """
        0s - profile hooks=system
        0s - process.start app launch=user
        9s - kill app code=0x8badf00d namespace=FRONTBOARD
        """,
      deathClass: .fault, rules: ["death"], severity: .error,
      words: "the cause was not recorded"),
    DeathCase(
      name: "0xdead10cc, lock held, no suspension in the log",
      trace: active() + left + """
        7s db acquire lock app "notes.db"
        9s - kill app code=0xdead10cc namespace=RUNNINGBOARD
        """,
      deathClass: .fault, rules: ["lock-at-suspend"], severity: .error, words: "notes.db"),
    DeathCase(
      name: "the same by MetricKit's word",
      trace: active() + left + """
        7s db acquire lock app "notes.db"
        9s - kill app reason=suspendedWithLockedFile
        """,
      deathClass: .fault, rules: ["lock-at-suspend"], severity: .error, words: "notes.db"),
    DeathCase(
      name: "0x2182bad2 at 18 s",
      trace: active() + "4s main task.begin task:1 \"sync\" handler=true\n" + left
        + "24.1s - kill app code=0x2182bad2 namespace=RUNNINGBOARD",
      deathClass: .fault, rules: ["task-leak-at-suspend"], severity: .error,
      words: "killed the app for it, after 18.1s in the background; the usual limit is 30s"),
    DeathCase(
      name: "0xbad22222 with voip",
      trace: active("background-modes=voip \(hooks)") + left + resumes
        + "33s - kill app code=0xbad22222 namespace=RUNNINGBOARD",
      deathClass: .fault, rules: ["pm-resume-loop"], severity: .error),
    DeathCase(
      name: "SIGSEGV", trace: active() + "9s - exit app signal=11",
      deathClass: .fault, rules: ["death"], severity: .error, words: "SIGSEGV"),
    DeathCase(
      name: "SIGABRT", trace: active() + "9s - kill app namespace=SIGNAL code=0x6",
      deathClass: .fault, rules: ["death"], severity: .error, words: "SIGABRT"),
    DeathCase(
      name: "status 1", trace: active() + "9s - exit app status=1",
      deathClass: .fault, rules: ["death"], severity: .error, words: "status 1"),
    DeathCase(
      name: "an uncaught exception",
      trace: active()
        + "9s - exit app exception=NSRangeException reason=\"index 3 beyond bounds\" signal=6",
      deathClass: .fault, rules: ["death"], severity: .error,
      words: "the uncaught exception NSRangeException: \"index 3 beyond bounds\""),
    DeathCase(
      name: "SIGKILL while visible", trace: active() + "9s - exit app signal=9",
      deathClass: .unexplained, rules: ["death"], severity: .warning, words: "SIGKILL"),
    DeathCase(
      name: "gone while visible", trace: active() + "9s - exit app reason=gone",
      deathClass: .unexplained, rules: ["death"], severity: .warning,
      words: "the log does not show how it ended"),
    DeathCase(
      name: "jetsam's per-process limit in the background",
      trace: active() + left + "9s - kill app namespace=JETSAM code=0x7",
      deathClass: .fault, rules: ["death"], severity: .error, words: "its own memory limit"),
    DeathCase(
      name: "another reason of jetsam while visible",
      trace: active() + "9s - kill app namespace=JETSAM reason=vm-pageshortage",
      deathClass: .unexplained, rules: ["death"], severity: .warning, words: "ran out of memory"),
    DeathCase(
      name: "an unknown code while visible",
      trace: active() + "9s - kill app namespace=FRONTBOARD code=0x1badbabe",
      deathClass: .unexplained, rules: ["death"], severity: .warning, words: "0x1badbabe"),
    DeathCase(
      name: "a namespace that no table has, while visible",
      trace: active() + "9s - kill app namespace=99 code=0x5",
      deathClass: .unexplained, rules: ["death"], severity: .warning, words: "99 0x5"),
    DeathCase(
      name: "SIGTERM", trace: active() + "9s - exit app signal=15",
      deathClass: .normal, words: "was asked to quit with SIGTERM"),
    DeathCase(
      name: "TCC", trace: active() + "9s - kill app namespace=TCC code=0x0",
      deathClass: .fault, rules: ["death"], severity: .error, words: "(TCC 0x0)"),
    DeathCase(
      name: "DYLD by its number", trace: active() + "9s - kill app namespace=6 code=0x1",
      deathClass: .fault, rules: ["death"], severity: .error, words: "(DYLD 0x1)"),
    DeathCase(
      name: "CODESIGNING", trace: active() + "9s - kill app namespace=CODESIGNING code=0x2",
      deathClass: .fault, rules: ["death"], severity: .error, words: "(CODESIGNING 0x2)"),
    DeathCase(
      name: "WATCHDOG", trace: active() + "9s - kill app namespace=WATCHDOG code=0x3e9",
      deathClass: .fault, rules: ["death"], severity: .error, words: "(WATCHDOG 0x3e9)"),
    DeathCase(
      name: "reclaimed in the background",
      trace: active() + left + "90s - kill app namespace=JETSAM reason=vm-pageshortage",
      deathClass: .normal),
    DeathCase(
      name: "forced to quit", trace: active() + "9s - kill app code=0xdeadfa11",
      deathClass: .normal),
    DeathCase(
      name: "told to terminate, and killed",
      trace: active() + """
        8s main call applicationWillTerminate app
        8.1s main return applicationWillTerminate app
        8.2s - exit app signal=9
        """,
      deathClass: .normal),
    DeathCase(
      name: "under a debugger a fault is a warning",
      trace: active("debugger=true background-modes=none \(hooks)") + "9s - exit app signal=5",
      deathClass: .fault, rules: ["death"], severity: .warning),
    DeathCase(
      name: "under a debugger SIGKILL is a stop from Xcode",
      trace: active("debugger=true background-modes=none \(hooks)") + "9s - exit app signal=9",
      deathClass: .normal, words: "a stop from Xcode looks like this"),
    DeathCase(
      name: "a gap hides where the app was",
      trace: active() + "8s - gap ring-full 3\n9s - exit app signal=9", deathClass: .unknown),
  ]
}

@Suite struct DeathCaseTests {
  private func analyze(_ notation: String) throws -> Analysis {
    Analyzer.analyze(try TraceNotation.parse(notation))
  }

  /// What is wrong with what an analysis says of the first death of a case.
  private func check(_ analysis: Analysis, _ test: DeathCase) throws {
    let death = try #require(analysis.deaths.verdicts.first)
    #expect(death.deathClass == test.deathClass)
    let standing = analysis.allFindings.filter { $0.standsFor == death.end }
    #expect(standing.count == (test.rules.isEmpty ? 0 : 1))
    #expect(standing.allSatisfy { test.rules.contains($0.rule) })
    #expect(standing.first?.severity == test.severity)
    #expect(standing.first?.fingerprint == death.finding)

    let text = standing.first?.message ?? death.sentence
    #expect(test.words.isEmpty || text.contains(test.words), "\(text)")
    if let finding = standing.first, finding.culprit != death.end {
      #expect(finding.witnesses.contains { $0.role == .closes && $0.event == death.end })
    }

    // The exit status of a command follows from the worst finding.
    if test.severity == .error { #expect(analysis.worst == .error) }
    if test.severity == nil { #expect(standing.isEmpty) }
  }

  @Test(arguments: DeathCase.all) func aDeathIsAResult(_ test: DeathCase) throws {
    let analysis = try analyze(test.trace)
    #expect(analysis.deaths.count == 1)
    try check(analysis, test)
  }

  @Test(arguments: DeathCase.all) func aHealthyProcessBehindItHidesNothing(
    _ test: DeathCase
  ) throws {
    let analysis = try analyze(test.followed)
    #expect(analysis.deaths.verdicts.map(\.process.number) == [1, 2])
    #expect(analysis.deaths.last?.deathClass == .normal)
    try check(analysis, test)
  }

  @Test func aStackshotIsNoDeathButANote() throws {
    let analysis = try analyze(
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,work,system
      0s - process.start app launch=user
      1s main call applicationDidBecomeActive app
      9s - kill app code=0xbaaaaaad
      10s main work frame app
      """)

    #expect(analysis.deaths.count == 0 && analysis.state.processEnd == nil)
    #expect(analysis.milestones.first.contains { $0.kind == .note })
    #expect(!analysis.allFindings.contains { $0.rule == "death" })
  }

  @Test func theSystemsWordsWinWhoeverSaysThemFirst() throws {
    let start =
      "0s - profile mode=app os=18.2 hooks=app-delegate,work,system\n"
      + "0s - process.start app launch=user\n1s main call applicationDidBecomeActive app\n"
      + "1.1s main return applicationDidBecomeActive app\n"
    let kill = "kill app code=0xc00010ff namespace=FRONTBOARD"

    for ends in [[kill, "exit app signal=9"], ["exit app signal=9", kill]] {
      let analysis = try analyze(start + "9s - \(ends[0])\n9.5s - \(ends[1])")
      let death = try #require(analysis.deaths.last)
      #expect(analysis.deaths.count == 1 && death.cause == "0xc00010ff")
      // The time up to the end is counted once, up to the first that tells of it.
      #expect(death.stateAge == .seconds(8))
      #expect(analysis.milestones.first.filter { $0.kind == .end }.map(\.event.verb) == [.kill])
    }
  }

  @Test func twoEndsOfOneProcessFindALeakedTaskOnce() throws {
    let analysis = try analyze(
      """
      0s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks,system
      0s - process.start app launch=user
      1s main call applicationDidBecomeActive app
      1.1s main return applicationDidBecomeActive app
      2s main task.begin task:1 "save" handler=true
      3s main call applicationDidEnterBackground app
      3.1s main return applicationDidEnterBackground app
      36s - kill app code=0x8badf00d namespace=RUNNINGBOARD
      36.1s - kill app code=0x9 namespace=SIGNAL
      """)

    let found = analysis.allFindings.filter { $0.rule == "task-leak-at-suspend" }
    #expect(found.map(\.occurrences) == [1])
    #expect(found.first?.standsFor?.verb == .kill)
    #expect(!analysis.allFindings.contains { $0.rule == "death" })
  }

  @Test func aSilentDeathIsNotReassuringWhereSomethingIsOpen() throws {
    let start =
      "0s - profile mode=app os=18.2 hooks=app-delegate,resources,system\n"
      + "0s - process.start app launch=user\n"
      + "6s main call applicationDidEnterBackground app\n"
    let quiet = "6.1s main return applicationDidEnterBackground app\n"
    let next = "90s - process.start app"
    func verdict(_ text: String) throws -> DeathVerdict {
      try #require(try analyze(start + text + next).deaths.last)
    }

    let harmless = try verdict(quiet)
    #expect(harmless.isHarmless && harmless.deathClass == .normal)
    for text in [
      "", "7s db acquire lock app \"a.db\"\n" + quiet, quiet + "7s - deliver fetch app\n",
    ] {
      let death = try verdict(text)
      #expect(!death.isHarmless && death.deathClass == .unknown, "\(text)")
    }
  }

  @Test func aProcessThatRunsAtTheEndOfTheLogHasNotDied() throws {
    for end in ["9s main work frame app", "9s - gap torn-tail -1", "9s - suspend app"] {
      let analysis = try analyze(
        "0s - profile hooks=app-delegate,work,system\n0s - process.start app\n"
          + "1s main call applicationDidBecomeActive app\n" + end)
      #expect(analysis.deaths.count == 0, "\(end)")
    }
  }

  @Test func theFingerprintIsTheCodeTheStateAndTheSuspect() throws {
    func fingerprint(_ end: String, _ state: String = "applicationDidBecomeActive") throws
      -> String?
    {
      try analyze(
        """
        0s - profile mode=app os=18.2 hooks=app-delegate,system
        3s - process.start app launch=user pid=7
        4s main call \(state) app
        4.1s main return \(state) app
        \(end)
        """
      ).deaths.last?.finding
    }

    let first = try fingerprint("9s - kill app code=0x8badf00d namespace=SPRINGBOARD")
    #expect(first != nil)
    #expect(try fingerprint("99s - kill app code=0x8BADF00D namespace=FRONTBOARD") == first)
    #expect(try fingerprint("9s - kill app code=0xdead10cc") != first)
    #expect(
      try fingerprint("9s - kill app code=0x8badf00d", "applicationDidEnterBackground") != first)
  }

  @Test func manyDeathsAreCountedAndTheNewestKept() throws {
    let processes = (1...300).map { "\($0)0s - process.start app\n\($0)5s - exit app signal=11\n" }
    let deaths = try analyze("0s - profile hooks=system\n" + processes.joined()).deaths
    #expect(deaths.count == 300 && deaths.verdicts.count == Deaths.keptVerdicts)
    #expect(deaths.last?.process.number == 300)
    #expect(deaths.counts.values.reduce(0, +) == 300)
  }
}
