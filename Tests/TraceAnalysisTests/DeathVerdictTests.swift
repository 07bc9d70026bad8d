import LifecycleModel
import Testing
import TraceText
import Traces

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct DeathVerdictTests {
  private func verdict(_ notation: String) throws -> DeathVerdict {
    try #require(Analyzer.analyze(try TraceNotation.parse(notation)).deaths.last)
  }

  private static let profile =
    "0s - profile mode=app platform=ios os=18.2 background-modes=none "
    + "hooks=app-delegate,app-notifications,tasks,work,resources,system\n"
    + "0s - process.start app launch=user\n"
    + "1s main call applicationDidFinishLaunching app\n"
    + "1.1s main return applicationDidFinishLaunching app\n"
    + "1.2s main call applicationDidBecomeActive app\n"
    + "1.3s main return applicationDidBecomeActive app\n"
  private static let left =
    "5s main call applicationWillResignActive app\n"
    + "5.1s main return applicationWillResignActive app\n"
    + "6s main call applicationDidEnterBackground app\n"
    + "6.1s main return applicationDidEnterBackground app\n"

  @Test func aLeakedTaskExplainsAWatchdogKillInTheBackground() throws {
    let verdict = try verdict(
      Self.profile + "4s main task.begin task:1 \"sync\" handler=true\n" + Self.left
        + "40s - kill app code=0x8badf00d namespace=SPRINGBOARD")
    #expect(verdict.manner == .kill && verdict.reason == .appWatchdog && !verdict.isNormal)
    #expect(verdict.audience == .notVisible && verdict.state == .background)

    #expect(verdict.stateAge == .seconds(34))
    #expect(verdict.suspects.map(\.kind) == [.task])
    #expect(verdict.suspects.first?.elapsed == .seconds(34))
    #expect(verdict.suspects.first?.allowed == .seconds(30))
    #expect(verdict.shares.isEmpty && verdict.doubts.isEmpty)
    #expect(verdict.agreement?.isLike("agrees") == true)
  }

  @Test func theAgeOfAProcessIsNotTheLengthOfItsLaunch() throws {
    // Nobody recorded states, so that none was seen says nothing; the end itself says that the app was seen.
    func suspects(_ reason: String) throws -> [DeathVerdict.Suspect.Kind] {
      try verdict(
        "0s - profile platform=ios os=18.2 hooks=process\n0s - process.start app pid=7\n"
          + "60s - kill app code=0x8badf00d namespace=FRONTBOARD visibility=foreground "
          + "reason=\"\(reason)\""
      ).suspects.map(\.kind)
    }

    #expect(try suspects("scene-update watchdog transgression: exhausted 10 seconds") == [])
    #expect(try suspects("") == [])
    #expect(try suspects("process-launch watchdog transgression: 19.6 seconds") == [.launch])
    #expect(try suspects("Notes failed to launch in time") == [.launch])
  }

  @Test func theTimeOfTheWholeWindowIsToldAndNotTheLastFrame() throws {
    let verdict = try verdict(
      Self.profile
        + """
        5s main call applicationDidEnterBackground app
        5s main work.begin load app "parse"
        9s main work.end load app "parse"
        9s main work.begin ui app "layout"
        10s - kill app code=0x8badf00d
        """)

    #expect(verdict.suspects.map(\.kind) == [.mainThread])
    #expect(verdict.busyTime == .seconds(5))
    #expect(verdict.shares.map(\.elapsed) == [.seconds(4), .seconds(1)])
    #expect(verdict.shares.map(\.event.verb) == [.workBegin, .workBegin])
  }

  @Test func aReturnToTheForegroundThatMayBeMissingMakesNoLeak() throws {
    let life =
      Self.profile + Self.left + "20s - gap source-hole\n20.1s main task.begin task:2 \"b\"\n"
    for end in ["60s - kill app code=0x8badf00d", "60s - exit app status=0"] {
      let analysis = Analyzer.analyze(try TraceNotation.parse(life + end))
      #expect(analysis.findings.allSatisfy { $0.subject.kind != .task || $0.rule == "death" })
      #expect(analysis.deaths.last?.agreement?.isLike("agrees") != true)
    }
  }

  @Test func aCallWhoseReturnMayBeMissingHeldNothingOnceTheThreadHasGoneOn() throws {
    let life =
      Self.profile + "2s main call sceneWillEnterForeground scene:1\n2.1s - gap source-hole\n"
    let end = "\n60s - kill app code=0x8badf00d"
    let gone = try verdict(
      life
        + "30s main call sceneDidBecomeActive scene:1\n30.1s main return sceneDidBecomeActive scene:1"
        + end)
    #expect(gone.suspects.isEmpty && gone.shares.isEmpty)
    #expect(gone.agreement?.isLike("cannotTell") == true)

    // Nothing says that it has returned.
    let silent = try verdict(life + "30s db work timer app" + end)
    #expect(silent.suspects.map(\.kind) == [.mainThread])
  }

  @Test func aLockAtSuspensionIsASuspendedLock() throws {
    let verdict = try verdict(
      Self.profile + Self.left
        + """
        7s db acquire lock app "notes.db"
        8s - suspend app
        8.1s - kill app code=0xdead10cc namespace=RUNNINGBOARD
        """)
    #expect(verdict.reason == .suspendedWithLockedFile && verdict.isSuspended)
    #expect(verdict.suspects.map(\.kind) == [.lock])
    #expect(verdict.agreement?.isLike("agrees") == true)
  }

  @Test func aCodeThatTheTraceDoesNotShowIsAFactAllTheSame() throws {
    let verdict = try verdict(Self.profile + Self.left + "9s - kill app code=0xdead10cc")
    #expect(verdict.agreement?.isLike("notShown") == true)
    #expect(verdict.suspects.isEmpty)
    #expect(verdict.severity(under: Profile()) == .error)
  }

  @Test func onlyProofOfTheContraryDisagrees() throws {
    let visible = try verdict(Self.profile + "9s - kill app code=0xdead10cc")
    #expect(visible.agreement?.isLike("disagrees") == true)
    #expect(visible.severity(under: Profile()) == .error)
    let otherSystem = try verdict(Self.profile + Self.left + "9s - kill app code=0xc51bad01")
    #expect(otherSystem.agreement?.isLike("disagrees") == true)
  }

  @Test func nineTenthsOfTheAllowanceAreTheCause() throws {
    func suspects(_ begin: String, _ allowance: String) throws -> [DeathVerdict.Suspect.Kind] {
      try verdict(
        Self.profile + "\(begin) main call applicationWillResignActive app\n"
          + "30s - kill app code=0x8badf00d reason=\"exhausted real (wall clock) time allowance "
          + "of \(allowance) seconds\""
      ).suspects.map(\.kind)
    }

    #expect(try suspects("20.02s", "10.00") == [.mainThread])
    #expect(try suspects("21s", "10.00") == [.mainThread])
    #expect(try suspects("21.1s", "10.00") == [])
    #expect(try suspects("12s", "19.97") == [.mainThread])
    #expect(try suspects("15s", "19.97") == [])
  }

  @Test func workThatIsBegunOnTheMainThreadHoldsItNot() throws {
    let verdict = try verdict(
      Self.profile
        + """
        2s main work.begin network app "download"
        3s main work frame app
        13.5s - kill app code=0x8badf00d
        """)
    #expect(verdict.suspects.isEmpty && verdict.shares.isEmpty && verdict.running.isEmpty)
    guard case .notShown(let words) = verdict.agreement else {
      Issue.record("\(String(describing: verdict.agreement))")
      return
    }
    #expect(words.contains("nothing on the main thread for 10.5s"))
  }

  @Test func workInACallbackHoldsTheThreadUntilTheThreadWritesAgain() throws {
    let call = "2s main call applicationWillResignActive app\n3s main work.begin load app \"a\"\n"
    let silent = try verdict(Self.profile + call + "12s - kill app code=0x8badf00d")
    #expect(silent.shares.map(\.event.verb) == [.workBegin, .call])
    let busy = try verdict(
      Self.profile + call + "4s main note\n12s - kill app code=0x8badf00d")
    #expect(busy.shares.map(\.event.verb) == [.call])
    #expect(busy.shares.first?.elapsed == .seconds(10))
  }

  @Test func anAppOnItsWayToTheScreenIsVisible() throws {
    let verdict = try verdict(
      Self.profile + Self.left
        + "20s main call applicationWillEnterForeground app\n"
        + "30s - kill app code=0x8badf00d allowance=10s cpu=0.1s")
    #expect(verdict.audience == .visible && verdict.state == .background)
    #expect(verdict.suspects.first?.allowed == .seconds(10))
    #expect(verdict.processorTime == .milliseconds(100))
  }

  @Test func theSentencesOfTheSystemAreUnderstood() throws {
    func reason(_ words: String, _ end: String = "kill app") throws -> ExitReason? {
      try verdict(Self.profile + Self.left + "90s - \(end) reason=\"\(words)\"").reason
    }

    let average =
      "48 seconds cpu time over 50 seconds (97% cpu average), exceeding limit of 80% cpu"
    #expect(try reason(average) == .cpuResourceLimit)
    #expect(try reason(average, "kill app namespace=RESOURCE") == .cpuResourceLimit)
    #expect(try reason(average, "exit app signal=9") == .cpuResourceLimit)
    #expect(
      try reason("CPU usage limit violated", "kill app namespace=RUNNINGBOARD")
        == .cpuResourceLimit)
    #expect(try reason("the app is being updated") == .appUpdate)
    #expect(try reason("something new") == .unknown)
  }

  @Test func whatNoTableListsIsAWarningWhileTheProcessRuns() throws {
    let kill = "kill app namespace=RUNNINGBOARD reason=\"something new\""
    let running = try verdict(Self.profile + Self.left + "90s - \(kill)")
    #expect(running.deathClass == .unexplained && running.reason == .unknown)
    let suspended = try verdict(Self.profile + Self.left + "9s - suspend app\n90s - \(kill)")
    #expect(suspended.deathClass == .unknown && suspended.reason == .unknown)
    let code = try verdict(Self.profile + Self.left + "90s - kill app code=0x1badbabe")
    #expect(code.deathClass == .unexplained && code.reason == .unknown)
  }

  @Test func whatAnEndCutsOffIsNamed() throws {
    let verdict = try verdict(
      Self.profile + Self.left
        + """
        7s q work.begin save app "db"
        7.5s main data.dirty app "draft"
        8s - kill app namespace=JETSAM reason=vm-pageshortage
        """)
    #expect(verdict.deathClass == .normal && !verdict.isHarmless)
    #expect(verdict.losses.map(\.event.verb) == [.workBegin, .dataDirty])
  }

  @Test func memoryIsStatedWhereItMatters() throws {
    let verdict = try verdict(
      Self.profile
        + """
        2s main sample memory app 1400000000
        3s main notify UIApplication.didReceiveMemoryWarningNotification app
        9s main sample memory app 1800000000
        10s - kill app namespace=JETSAM reason=per-process-limit limit="2098 MB" memory="2100 MB"
        """)
    #expect(
      verdict.memory == "Memory: the process used 2100 MB; the limit was 2098 MB; it went from "
        + "1.4 GB to 1.8 GB in 7s; 1 memory warning came.")
    #expect(try self.verdict(Self.profile + "9s - exit app signal=6").memory == nil)
  }

  @Test func threeLaunchesThatEndAtTheSamePlaceAreACrashLoop() throws {
    func launch(at second: Int, _ end: String) -> String {
      """
      \(second)s - process.start app launch=user
      \(second).1s main call applicationDidFinishLaunching app
      \(second).5s - \(end)

      """
    }
    func rows(_ ends: [String]) throws -> [Int] {
      let lives = ends.enumerated().map { launch(at: 10 + $0.offset * 10, $0.element) }.joined()
      let text = "0s - profile mode=app platform=ios os=18.2 hooks=app-delegate,system\n" + lives
      return Analyzer.analyze(try TraceNotation.parse(text)).deaths.verdicts.map(\.launchesInARow)
    }

    #expect(try rows(Array(repeating: "exit app signal=6", count: 3)) == [1, 2, 3])
    #expect(
      try rows(["exit app signal=6", "exit app signal=11", "exit app signal=6"]) == [1, 1, 1])
    #expect(try rows(Array(repeating: "exit app status=0", count: 2)) == [1, 2])
  }

  @Test func aDeathInTheBackgroundWithoutACodeIsAReclaim() throws {
    for end in ["kill app", "kill app namespace=JETSAM", "kill app namespace=JETSAM code=0x4"] {
      let verdict = try verdict(Self.profile + Self.left + "900s - \(end)")
      // Without a word nothing says that it was for memory.
      let reason: ExitReason? = end == "kill app" ? nil : .memoryPressure
      #expect(verdict.isNormal && verdict.reason == reason, "\(end)")
      #expect(verdict.audience == .notVisible && verdict.suspects.isEmpty, "\(end)")
    }
  }

  @Test func theSameInTheForegroundIsNotNormal() throws {
    let verdict = try verdict(Self.profile + "9s - kill app namespace=JETSAM")
    #expect(!verdict.isNormal && verdict.reason == .memoryPressure)
    #expect(verdict.audience == .visible)
    let limit = try self.verdict(
      Self.profile + "9s - kill app namespace=JETSAM reason=per-process-limit")
    #expect(limit.reason == .memoryResourceLimit && !limit.isNormal)
  }

  @Test func aSilentEndIsNormalInTheBackgroundOnly() throws {
    let visible = try verdict(Self.profile + "9s main note\n90s - process.start app")
    #expect(visible.manner == .silent && !visible.isNormal && visible.audience == .visible)
    #expect(visible.reason == nil)
    let away = try verdict(Self.profile + Self.left + "90s - process.start app")
    #expect(away.manner == .silent && away.isNormal && away.audience == .notVisible)
    // It ended some time after its last event, and not when the next process started.
    #expect(away.stateAge == .milliseconds(100))
  }

  /// The log says what ``PreviousRun/cause`` says of it: what holds the main thread for two seconds as a
  /// process vanishes has probably hung.
  @Test func whatHoldsTheMainThreadAsAProcessVanishesIsAHang() throws {
    func suspects(_ life: String, _ profile: String = Self.profile) throws -> [Verb] {
      let verdict = try verdict(profile + life + "\n90s - process.start app launch=user")
      #expect(verdict.suspects.allSatisfy { $0.kind == .mainThread })
      return verdict.suspects.map(\.event.verb)
    }

    let call = "5s main call applicationWillResignActive app\n"
    #expect(try suspects(call + "7s db work timer app") == [.call])
    #expect(try suspects(call + "6.9s db work timer app") == [])
    #expect(
      try suspects("5s main work.begin main-busy app\n5.3s db work timer app") == [.workBegin])
    #expect(
      try suspects(Self.left + "7s main work.begin main-busy app\n7.3s db work timer app") == [])
    // What else may have ended it counts first.
    let warned = "4s main notify UIApplication.didReceiveMemoryWarningNotification app\n"
    #expect(try suspects(warned + call + "7s db work timer app") == [])
    let debugged = Self.profile.replacing("mode=app", with: "mode=app debugger=true")
    #expect(try suspects(call + "7s db work timer app", debugged) == [])
    // A kill that somebody saw is no hang yet.
    let killed = try verdict(Self.profile + call + "7s - kill app")
    #expect(killed.suspects.isEmpty)
  }

  @Test func anExitIsNoKill() throws {
    let own = try verdict(Self.profile + "9s - exit app status=0")
    #expect(own.manner == .exit && own.reason == .normal && own.deathClass == .unexplained)
    let away = try verdict(Self.profile + Self.left + "9s - exit app status=0")
    #expect(away.isNormal)
    let desktop = try verdict(
      Self.profile.replacing("platform=ios", with: "platform=linux") + "9s - exit app status=0")
    #expect(desktop.isNormal)
    let both = try verdict(
      Self.profile + "9s - exit app status=0\n10s - kill app code=0x8badf00d")
    #expect(both.manner == .kill && both.reason == .appWatchdog && !both.isNormal)
    #expect(try verdict(Self.profile + "9s - exit app status=3").reason == .abnormal)
    let crash = try verdict(Self.profile + "9s - exit app signal=11")
    #expect(crash.manner == .crash && crash.reason == .badAccess && !crash.isNormal)
    let kill = try verdict(Self.profile + "9s - exit app signal=9")
    #expect(kill.manner == .kill && kill.reason == nil && !kill.isNormal)
  }

  @Test func aHangInTheBackgroundIsNoReclaim() throws {
    let verdict = try verdict(
      Self.profile + "6s main call applicationDidEnterBackground app\n13s - exit app signal=9")
    #expect(!verdict.isNormal && verdict.reason == nil)
    #expect(verdict.suspects.map(\.kind) == [.mainThread])
    #expect(verdict.busyTime == .seconds(7))
  }

  @Test func whoSendsASignalIsNotKnown() throws {
    let verdict = try verdict(
      Self.profile + Self.left + "90s - kill app namespace=SIGNAL code=0x9")
    #expect(verdict.manner == .kill && verdict.reason == nil && verdict.code == nil)
    #expect(verdict.isNormal && verdict.audience == .notVisible)
  }

  @Test func aTerminationThatWasAnnouncedIsNormal() throws {
    let verdict = try verdict(
      Self.profile + "8s main notify UIApplication.willTerminateNotification app\n9s - kill app")
    #expect(verdict.isTerminated && verdict.isNormal && verdict.reason == .normal)
  }

  @Test func whatTheLogDoesNotShowIsSaid() throws {
    let late = try verdict("0s - profile hooks=system\n9s - kill app")
    #expect(late.audience == .unknown && late.doubts == [.startNotSeen] && !late.isNormal)
    let lost = try verdict(
      Self.profile + "2s - gap ring-full 3\n9s - kill app code=0xdead10cc")
    #expect(lost.doubts == [.gap])
    #expect(lost.agreement?.isLike("cannotTell") == true)
  }

  @Test func theWordsOfTheSystemStandForACode() throws {
    let verdict = try verdict(
      Self.profile + "4s main task.begin task:1 \"sync\"\n" + Self.left
        + "40s - kill app reason=\"has active assertions beyond permitted time: x\"")
    #expect(verdict.reason == .backgroundTaskAssertionTimeout && !verdict.isNormal)
    #expect(verdict.suspects.map(\.kind) == [.task])
    #expect(verdict.agreement?.isLike("agrees") == true)
  }

  @Test func everyEndIsJudgedAndCounted() throws {
    var stream = TraceStream(
      try TraceNotation.parse(
        Self.profile
          + """
          9s - kill app code=0x8badf00d
          20s - process.start app
          21s - exit app signal=15
          30s - process.start app
          31s - exit app signal=6
          """))

    let deaths = try Analyzer.analyze(&stream).deaths
    #expect(deaths.last?.reason == .abnormal)
    #expect(deaths.count == 3)
    #expect(deaths.verdicts.map(\.deathClass) == [.fault, .normal, .fault])
    #expect(deaths.verdicts.map(\.process.number) == [1, 2, 3])
    #expect(
      deaths.verdicts.map { $0.process.start?.instant.nanoseconds }
        == [0, 20, 30].map { .seconds($0) })
    let watchdog = Deaths.Kind(
      deathClass: .fault, cause: "0x8badf00d", exitReason: .appWatchdog)
    #expect(deaths.counts[watchdog] == 1)
  }

  @Test func aProcessThatRunsOnHasNoVerdict() throws {
    #expect(
      Analyzer.analyze(try TraceNotation.parse(Self.profile + "9s main note")).deaths.last == nil)
  }

  /// For each known code a trace that shows what it means, as far as a trace can.
  @Test(arguments: DeathCauses.codes.filter { $0.bearing != .noDeath })
  func everyCodeHasAVerdict(_ code: DeathCause) throws {
    let verdict = try verdict(Self.profile + Self.left + "9s - kill app code=\(code.word)")
    #expect(verdict.code == code.number && !verdict.meaning.isEmpty && verdict.agreement != nil)
    #expect(verdict.reason == code.exitReason && verdict.cause == code.word)
    #expect(verdict.deathClass == (code.bearing == .fault ? .fault : .normal))
  }
}

extension DeathVerdict.Agreement {
  /// Whether it is the case of this name.
  fileprivate func isLike(_ name: String) -> Bool {
    switch self {
    case .agrees: name == "agrees"
    case .notShown: name == "notShown"
    case .disagrees: name == "disagrees"
    case .nothingToShow: name == "nothingToShow"
    case .cannotTell: name == "cannotTell"
    }
  }
}
