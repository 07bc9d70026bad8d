import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

/// What is measured, and what is not, by hand.
@Suite struct StatisticsTests {
  private func statistics(_ notation: String) throws -> Statistics {
    try #require(Analyzer.analyze(try TraceNotation.parse(notation), statistics: true).statistics)
  }

  private func row(
    _ notation: String, _ kind: Statistics.Kind, _ name: String = "", _ label: String = ""
  ) throws -> Statistics.Row {
    let statistics = try statistics(notation)
    return try #require(
      statistics[Statistics.Key(kind, name: name, label: label)],
      "\(statistics.rows.map(\.key))")
  }

  @Test func nothingIsMeasuredUnlessAskedFor() throws {
    let trace = try TraceNotation.parse(
      """
      1s main call applicationDidBecomeActive app
      2s main return applicationDidBecomeActive app
      """)
    #expect(Analyzer.analyze(trace).statistics == nil)
  }

  /// 100, 200 and 300 ms.
  ///
  /// A bucket near 200 ms is 2^20 ns wide: the 191st ends at 200.278015 ms.
  @Test func aCallbackHasItsPercentilesItsLimitAndItsBudget() throws {
    let row = try row(
      """
      0s - profile hooks=app-delegate
      1s main call applicationDidEnterBackground app
      1.3s main return applicationDidEnterBackground app
      2s main call applicationDidEnterBackground app
      2.1s main return applicationDidEnterBackground app
      3s main call applicationDidEnterBackground app
      3.2s main return applicationDidEnterBackground app
      """, .callback, "applicationDidEnterBackground")

    #expect(row.durations.count == 3)
    #expect(row.durations.percentile(50) == 200_278_015)
    #expect(row.durations.percentile(95) == .milliseconds(300))
    #expect(row.durations.percentile(99) == .milliseconds(300))
    #expect(row.durations.longest == .milliseconds(300))
    #expect(row.durations.budget() == .milliseconds(310))
    let use = try #require(row.allowances.first)
    #expect(use.allowed == .seconds(5) && use.used == .milliseconds(300) && use.permille == 60)
    #expect(row.omitted == 0)
  }

  @Test func theKindsAreToldApart() throws {
    let statistics = try statistics(
      """
      1s main observe UIApplication.didBecomeActiveNotification app "cache"
      2s main observed UIApplication.didBecomeActiveNotification app "cache"
      3s db data.dirty app "draft"
      4s db acquire lock app "notes.db"
      5s db work.begin save app "draft" 7
      7s db work.end save app "draft" 7
      8s db release lock app "notes.db"
      9s - snapshot.begin scene:1
      9.5s - snapshot.end scene:1
      10s main task.begin task:1 "sync"
      11s main task.expire task:1
      11.25s main task.expired task:1
      13s main task.end task:1 "sync"
      """)

    let rows = statistics.rows.map {
      "\($0.key.kind) \($0.key.name) \($0.key.label) \($0.durations.count) "
        + "\($0.durations.longest / 1_000_000)ms"
    }
    #expect(
      rows == [
        "observer UIApplication.didBecomeActiveNotification cache 1 1000ms",
        "work save draft 1 2000ms",
        "held lock notes.db 1 4000ms",
        "task  sync 1 3000ms",
        "expiration   1 250ms",
        // The save of its label has saved the datum.
        "unsaved  draft 1 4000ms",
        "snapshot   1 500ms",
      ])
  }

  @Test func suspensionDoesNotCount() throws {
    let row = try row(
      """
      1s main work.begin network app "sync"
      1.5s - suspend app
      11.5s - resume app
      12s main work.end network app "sync"
      """, .work, "network", "sync")
    #expect(row.durations.longest == .seconds(1))
  }

  /// By the writer 2 s and 3 s; by the newest alone it would be 1 s and 4 s.
  @Test func callsPairByTheirWriter() throws {
    let row = try row(
      """
      1s main call applicationDidBecomeActive app
      2s other call applicationDidBecomeActive app
      3s main return applicationDidBecomeActive app
      5s other return applicationDidBecomeActive app
      """, .callback, "applicationDidBecomeActive")
    #expect(row.durations.count == 2 && row.durations.longest == .seconds(3))
  }

  /// 2 s and 3 s by the value.
  @Test func workPairsByItsValueOnAnyWriter() throws {
    let row = try row(
      """
      1s a work.begin save app "notes.db" 1
      2s a work.begin save app "notes.db" 2
      3s b work.end save app "notes.db" 1
      5s b work.end save app "notes.db" 2
      """, .work, "save", "notes.db")
    #expect(row.durations.count == 2 && row.durations.longest == .seconds(3))
  }

  /// 1 s and 4 s.
  @Test func theNewestOfEqualSpansIsClosedFirst() throws {
    let row = try row(
      """
      1s a work.begin load app "a"
      2s a work.begin load app "a"
      3s a work.end load app "a"
      5s a work.end load app "a"
      """, .work, "load", "a")
    #expect(row.durations.count == 2 && row.durations.longest == .seconds(4))
    // The bucket of 1 s is 2^22 ns wide and ends at 239 · 2^22 - 1.
    #expect(row.durations.percentile(50) == 1_002_438_655)
  }

  // MARK: What is not counted

  @Test func whatAGapMayHaveChangedIsNotCounted() throws {
    let row = try row(
      """
      1s main work.begin load app "across"
      2s main work.begin load app "across" 2
      3s - gap ring-full 4
      4s main work.end load app "across"
      5s main work.end load app "across" 9
      6s main work.begin load app "across"
      7s main work.end load app "across"
      """, .work, "load", "across")

    // The first pair, the second begin whose end may be lost, and the end whose begin may be.
    #expect(row.omissions == [.gap: 3])
    #expect(row.durations.count == 1 && row.durations.longest == .seconds(1))
  }

  @Test func whatIsNotSeenToEndIsNotCounted() throws {
    let statistics = try statistics(
      """
      0s - process.start app
      1s main work.begin load app "a"
      2s - kill app
      3s - process.start app
      4s main work.end load app "a"
      5s main work.begin load app "a"
      6s main work.begin load app "b"
      """)

    let first = try #require(statistics[Statistics.Key(.work, name: "load", label: "a")])
    #expect(first.omissions == [.processEnded: 1, .noBegin: 1, .endOfLog: 1])
    #expect(first.durations.count == 0 && first.durations.budget() == nil)
    let second = try #require(statistics[Statistics.Key(.work, name: "load", label: "b")])
    #expect(second.omissions == [.endOfLog: 1])
  }

  @Test func whatTheKillCutOffIsNotAtTheEndOfTheLog() throws {
    let row = try row(
      """
      1s main call applicationDidEnterBackground app
      20s - kill app code=0x8badf00d
      """, .callback, "applicationDidEnterBackground")
    #expect(row.omissions == [.processEnded: 1])
  }

  @Test func anEarlierProcessGapIsNoExcuse() throws {
    let row = try row(
      """
      0s - process.start app
      1s - gap ring-full 4
      2s - process.start app
      3s main work.end load app
      """, .work, "load")
    #expect(row.omissions == [.noBegin: 1])
  }

  @Test func aClockThatWentBackIsNotMeasured() throws {
    let vocabulary = Vocabulary()
    let load = WorkCategory.load.symbol
    let events = [
      Event(instant: .init(nanoseconds: 50), writer: .main, verb: .workBegin, name: load),
      Event(instant: .init(nanoseconds: 20), writer: .main, verb: .workEnd, name: load),
    ]
    var analyzer = Analyzer(vocabulary, statistics: true)
    analyzer.observe(events)
    let row = analyzer.finish().statistics?[Statistics.Key(.work, name: "load")]
    #expect(row?.omissions == [.disorder: 1] && row?.durations.count == 0)
  }

  @Test func whatNeedsNoCompletionIsNotMissed() throws {
    let statistics = try statistics(
      """
      1s - deliver event app
      2s - deliver push app
      3s main data.save app "clean"
      """)
    #expect(statistics.rows.map(\.key) == [Statistics.Key(.delivery, name: "push")])
  }

  @Test func theSystemsWorkIsNotTheApps() throws {
    let statistics = try statistics(
      """
      1s main work.begin ui scene:1 by=system
      2s main work.end ui scene:1
      3s - snapshot.begin scene:1
      4s main work.begin ui scene:1
      5s - snapshot.end scene:1
      6s main work.end ui scene:1
      7s main work.begin ui scene:1
      8s main work.end ui scene:1
      9s main work.begin ui scene:1 by=system
      """)
    let row = try #require(statistics[Statistics.Key(.work, name: "ui")])
    #expect(row.durations.count == 1 && row.durations.longest == .seconds(1) && row.omitted == 0)
  }

  // MARK: Limits

  private func allowances(_ profile: String, _ events: String) throws -> [String] {
    try statistics("0s - profile \(profile)\n\(events)").rows.flatMap { row in
      row.allowances.map { "\(row.key.kind): \($0.used / 1_000_000)/\($0.allowed / 1_000_000)" }
    }
  }

  /// Ten seconds, of which 6 s in the background, of which 2 s suspended.
  private static let task = """
    0.5s main call applicationDidBecomeActive app
    1s main task.begin task:1 "sync"
    5s main call applicationDidEnterBackground app
    6s - suspend app
    8s - resume app
    11s main task.end task:1 "sync"
    """

  @Test func ofATaskTheBackgroundTimeIsHeldAgainstItsEra() throws {
    #expect(try allowances("os=18.2", Self.task) == ["task: 4000/30000"])
    #expect(try allowances("os=10.0", Self.task) == ["task: 4000/180000"])
    #expect(try allowances("os=6.1", Self.task) == ["task: 4000/600000"])
  }

  @Test func withoutAVersionOrAStateNoLimitIsNamed() throws {
    #expect(try allowances("mode=app", Self.task) == [])
    #expect(
      try allowances("os=18.2", "1s main task.begin task:1\n2s main task.end task:1") == [])
  }

  @Test func observersRunInTheTimeOfTheirCallback() throws {
    #expect(
      try allowances(
        "mode=scene",
        """
        1s main observe UIScene.didEnterBackgroundNotification scene:1 "cache"
        2s main observed UIScene.didEnterBackgroundNotification scene:1 "cache"
        3s main observe UIScene.didActivateNotification scene:1 "cache"
        4s main observed UIScene.didActivateNotification scene:1 "cache"
        5s main call sceneWillResignActive scene:1
        6s main return sceneWillResignActive scene:1
        """) == ["observer: 1000/5000"])
  }

  @Test func onlyARefreshTaskHasALimit() throws {
    #expect(
      try allowances(
        "mode=app",
        """
        0s main bgtask.register com.example.refresh app kind=refresh
        0s main bgtask.register com.example.clean app kind=processing
        1s - bgtask.launch com.example.refresh app
        2s - bgtask.launch com.example.clean app
        9s main bgtask.complete com.example.refresh app
        99s main bgtask.complete com.example.clean app
        """) == ["bgtask: 8000/30000"])
  }

  @Test func aPushCountsInTheBackgroundAndAFetchAlways() throws {
    #expect(
      try allowances(
        "mode=app",
        """
        1s main call applicationDidBecomeActive app
        2s - deliver push app "visible"
        4s main complete push app "visible"
        5s main call applicationDidEnterBackground app
        6s - deliver push app "hidden"
        9s main complete push app "hidden"
        10s - deliver fetch app
        14s main complete fetch app
        """) == ["delivery: 4000/30000", "delivery: 3000/30000"])
  }

  @Test func aBusyMainThreadCountsWhileTheAppIsActive() throws {
    #expect(
      try allowances(
        "mode=app",
        """
        1s main work.begin main-busy app "launch"
        2s main work.end main-busy app "launch"
        3s main call applicationDidBecomeActive app
        4s main work.begin main-busy app "layout"
        4.5s main work.end main-busy app "layout"
        """) == ["work: 500/10000"])
  }
}
