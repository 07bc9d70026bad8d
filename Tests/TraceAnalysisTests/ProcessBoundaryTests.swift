import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// Where starts are not recorded, launch callbacks tell where a process begins.
@Suite struct ProcessBoundaryTests {
  private static let life = [
    (0, "call applicationDidFinishLaunching"), (100, "return applicationDidFinishLaunching"),
    (110, "notify UIApplication.didFinishLaunchingNotification"),
    (200, "call applicationDidBecomeActive"), (210, "return applicationDidBecomeActive"),
  ]

  /// Two lives, one after the other, as `hooks` record them.
  private func trace(_ hooks: String, _ life: [(Int, String)] = life) throws -> Trace {
    let lines = [0, 60_000].flatMap { origin in
      life.map { "\(origin + $0.0)ms main \($0.1) app" }
    }
    return try TraceNotation.parse(
      "0s - profile mode=app os=18.2 hooks=\(hooks)\n" + lines.joined(separator: "\n"))
  }

  @Test func aSecondLaunchCallbackIsAnotherProcess() throws {
    let analysis = Analyzer.analyze(try trace("app-delegate,app-notifications"))
    #expect(analysis.allFindings.isEmpty, "\(analysis.allFindings.map(\.rule))")
    #expect(analysis.deaths.verdicts.map(\.deathClass) == [.unknown])
    #expect(analysis.deaths.last?.unknown == .hooksNotRecorded([.process]))
  }

  /// The system's word on the first state comes before the callbacks of the launch.
  @Test func aLaunchBehindItsStartIsNoOtherProcess() throws {
    let trace = try TraceNotation.parse(
      """
      0s - process.start app pid=7 launch=user
      1ms - state notRunning->background app
      2ms main call applicationWillFinishLaunching app
      3ms main return applicationWillFinishLaunching app
      4ms main call applicationDidFinishLaunching app
      5ms main return applicationDidFinishLaunching app
      6ms main notify UIApplication.didFinishLaunchingNotification app
      9s - kill app code=0xdead10cc
      """)

    let deaths = Analyzer.analyze(trace).deaths
    #expect(deaths.verdicts.map(\.cause) == ["0xdead10cc"])
    #expect(deaths.last?.process.start != nil)
  }

  @Test func theNotificationAloneTellsOfItToo() throws {
    let life =
      Self.life.filter { $0.1.hasPrefix("notify") } + [
        (200, "notify UIApplication.didBecomeActiveNotification")
      ]
    let analysis = Analyzer.analyze(try trace("app-notifications", life))
    #expect(analysis.deaths.count == 1 && analysis.allFindings.isEmpty)
  }

  @Test func whereStartsAreRecordedASecondLaunchIsAFault() throws {
    let analysis = Analyzer.analyze(try trace("app-delegate,app-notifications,process"))
    #expect(analysis.deaths.count == 0)
    #expect(analysis.allFindings.contains { $0.rule == "launch-order" })
  }

  @Test func aProfileWithAnotherPidIsAnotherProcess() throws {
    let analysis = Analyzer.analyze(
      try TraceNotation.parse(
        """
        0s - profile mode=app os=18.2 pid=100 hooks=app-delegate,process
        1s main call applicationDidBecomeActive app
        60s - profile mode=app os=18.2 pid=200 hooks=app-delegate,process
        61s main call applicationDidBecomeActive app
        """))
    #expect(analysis.deaths.verdicts.map(\.deathClass) == [.unexplained])
    #expect(analysis.deaths.last?.process.pid == 100)
  }

  /// A profile that is told anew without a pid may be another process's: nobody held a task all night.
  @Test func aProfileMayBeThatOfAnotherProcess() throws {
    func trace(_ pids: String, _ again: String) throws -> Trace {
      try TraceNotation.parse(
        """
        0s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks \(pids)
        1s main call applicationDidBecomeActive app
        2s main call applicationDidEnterBackground app
        2.1s main task.begin task:1 "upload" handler=true
        2.2s main return applicationDidEnterBackground app
        5000s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks \(again)
        5000.1s main bgtask.register refresh app
        5000.2s main call applicationDidBecomeActive app
        """)
    }

    for (first, again) in [("", ""), ("pid=100", ""), ("", "pid=200")] {
      let analysis = Analyzer.analyze(try trace(first, again))
      #expect(analysis.allFindings.map(\.rule) == [], "\(first) \(again)")
    }

    let same = Analyzer.analyze(try trace("pid=100", "pid=100")).allFindings.map(\.rule)
    #expect(same.contains("budget-assertion-total"))
  }

  /// The profile of the next process says nothing of when the one before it vanished.
  @Test(arguments: ["profile hooks=app-delegate,tasks,process background-modes=none os=18.2", ""])
  func nobodyHoldsATaskAfterThePhoneWentOff(profile: String) throws {
    let said = profile.isEmpty ? "" : "\n5000s - \(profile)"
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks,process
      0s - process.start app pid=100 launch=user
      1s main call applicationDidBecomeActive app
      2s main call applicationDidEnterBackground app
      2.1s main task.begin task:1 "upload" handler=true
      2.2s main return applicationDidEnterBackground app
      2.3s main bgtask.launch refresh app kind=refresh\(said)
      5000s - process.start app pid=200 launch=user
      """)
    #expect(Analyzer.analyze(trace).allFindings.map(\.rule) == [])
  }

  /// A task is not open in the time before it begins.
  @Test func theTimeBeforeATaskIsNotCharged() throws {
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks,process
      1s main call applicationDidBecomeActive app
      2s main call applicationDidEnterBackground app
      2.2s main return applicationDidEnterBackground app
      900s main task.begin task:1 "upload" handler=true
      901s main note "the last line"
      5000s - process.start app pid=200 launch=user
      """)
    #expect(Analyzer.analyze(trace).allFindings.map(\.rule) == [])
  }

  /// Who registers after it was told to terminate is another process.
  @Test func aRegistrationAfterTheTerminationMayBeThatOfAnotherProcess() throws {
    func found(_ termination: String) throws -> [String] {
      let trace = try TraceNotation.parse(
        """
        0s - profile mode=app os=18.2 background-modes=none hooks=app-notifications,tasks
        1s main notify UIApplication.didBecomeActiveNotification app
        1.9s main notify UIApplication.willResignActiveNotification app
        2s main notify UIApplication.didEnterBackgroundNotification app
        2.1s main task.begin task:1 "upload" handler=true
        2.2s main notify UIApplication.\(termination)Notification app
        5000.1s main bgtask.register refresh app
        """)
      return Analyzer.analyze(trace).allFindings.map(\.rule)
    }

    let told = try found("willTerminate")
    #expect(told == [])
    #expect(try found("didReceiveMemoryWarning").contains("budget-assertion-total"))
  }

  @Test func aBoundaryLeavesNothingOpen() throws {
    let life = Self.life + [(300, "work.begin main-busy"), (400, "acquire lock")]
    let analysis = Analyzer.analyze(try trace("app-delegate,work,resources", life))
    #expect(analysis.state.open.count(.work) == 1 && analysis.state.open.count(.resource) == 1)
  }
}
