import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces
import Workloads

@Suite struct AnalyzerTests {
  private func analyze(_ notation: String) throws -> Analysis {
    Analyzer.analyze(try TraceNotation.parse(notation))
  }

  private func verdict(_ analysis: Analysis, _ rule: String) throws -> Outcome {
    try #require(analysis.outcomes.first { $0.rule.id == rule }).outcome
  }

  @Test(arguments: [1, 2, 3]) func aWellBehavedAppIsClean(seed: UInt64) throws {
    var workload = AppWorkload(count: 40_000, seed: seed)
    let analysis = try Analyzer.analyze(&workload)
    #expect(analysis.findings.map(\.message) == [], "seed \(seed)")
    #expect(analysis.eventCount >= 40_000)
    let unsure = analysis.outcomes.filter {
      if case .cannotTell = $0.outcome { true } else { false }
    }
    #expect(unsure.map(\.rule.id) == [], "seed \(seed)")
  }

  @Test(arguments: 0..<150) func anyTraceIsAnalyzedToTheEnd(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 200)
    #expect(Analyzer.analyze(trace).eventCount == 200, "seed \(seed)")
  }

  @Test(arguments: 0..<40) func batchesMakeNoDifference(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 200)
    var whole = Analyzer(trace.vocabulary)
    whole.observe(trace.events)
    var single = Analyzer(trace.vocabulary)
    for event in trace.events { single.observe([event]) }
    #expect(whole.finish().findings == single.finish().findings, "seed \(seed)")
  }

  @Test func aDeadlineFiresAtItsTimeAndNotAtTheEnd() throws {
    let trace = try TraceNotation.parse(
      """
      0s - profile hooks=app-delegate
      1s main call applicationDidEnterBackground app
      6.1s db note "still here"
      """)
    var analyzer = Analyzer(trace.vocabulary)
    analyzer.observe(trace.events)
    let early = try #require(analyzer.findings(after: 0).first)
    #expect(early.elapsed == .seconds(5) && early.allowed == .seconds(5))

    // At the end it has taken all the time up to there.
    let finding = try #require(analyzer.finish().findings.first)
    #expect(finding.severity == .error && finding.allowed == .seconds(5))
    #expect(finding.elapsed == .milliseconds(5100))
    #expect(finding.witnesses.map(\.role) == [.culprit, .missing])
  }

  @Test func aCallbackThatTakesFourSecondsIsAWarningWithItsTime() throws {
    let analysis = try analyze(
      """
      0s - profile hooks=app-delegate
      1s main call applicationDidEnterBackground app
      5s main return applicationDidEnterBackground app
      """)

    let finding = try #require(analysis.findings.first)
    #expect(finding.severity == .warning && finding.elapsed == .seconds(4))
    #expect(
      finding.message
        == "applicationDidEnterBackground and its observers took 4s; the system allows 5s; "
        + "more than 3s is a warning"
    )
    #expect(finding.witnesses.map(\.role) == [.culprit, .closes])
  }

  /// Conditions that cannot hold while the app is active are left out, and counted all the same.
  @Test func whatIsLeftOutIsCounted() throws {
    let analysis = try analyze(
      """
      0s - profile mode=app hooks=app-delegate,work,system
      1s main call applicationDidBecomeActive app
      2s main work timer app "poll"
      3s db work timer app "poll"
      4s - work timer app "poll"
      5s - profile mode=app os=18.2 hooks=app-delegate,work,system
      6s main work timer app "poll"
      7s - suspend app
      8s main work timer app "poll"
      """)

    let timers = try #require(
      analysis.outcomes.first { $0.rule.id == "work-timer-while-inactive" })
    #expect(timers.outcome == .satisfied && timers.checks == 5)
    let suspension = try #require(
      analysis.outcomes.first { $0.rule.id == "order-nothing-while-suspended" })
    #expect(suspension.outcome == .violated)
    #expect(analysis.allFindings.count { $0.rule == "order-nothing-while-suspended" } == 1)
  }

  @Test func aGapInTheWindowMakesARuleUnsure() throws {
    let analysis = try analyze(
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      2s - gap ring-full 4 writer=main from=2 to=5
      3s main call sceneDidEnterBackground scene:1
      """)
    #expect(try verdict(analysis, "resign-before-background") == .cannotTell([.gap]))
    #expect(analysis.findings.map(\.rule) == ["lost-events"])
    #expect(analysis.gaps == (1, 4))
  }

  @Test func aHookThatIsNotRecordedMakesARuleUnsure() throws {
    let analysis = try analyze("0s - profile mode=scene hooks=work\n1s main work timer app")
    #expect(
      try verdict(analysis, "task-one-end") == .cannotTell([.hooksNotRecorded([.tasks])]))
    #expect(
      try verdict(analysis, "active-alternates")
        == .cannotTell([.hooksNotRecorded([.sceneDelegate, .sceneNotifications])]))
    #expect(
      try verdict(analysis, "launch-scene-adoption")
        == .notApplicable("only for apps without scenes"))
  }

  @Test func withoutAProfileNothingIsFound() throws {
    let analysis = try analyze(
      """
      1s main call applicationDidBecomeActive app
      2s main call applicationDidEnterBackground app
      """)
    #expect(analysis.findings.isEmpty)
    #expect(
      try verdict(analysis, "resign-before-background")
        == .cannotTell([.profileKeyMissing(.mode)]))
  }

  @Test func aNewProcessClosesAllWindows() throws {
    let analysis = try analyze(
      """
      0s - profile mode=app os=18 hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      2s - exit app signal=15
      3s - process.start app
      4s main call applicationDidBecomeActive app
      """)
    #expect(analysis.findings.isEmpty)
  }

  @Test func theSameInOneWindowIsOneFindingWithACount() throws {
    let analysis = try analyze(
      """
      0s - profile mode=app hooks=app-delegate,work
      1s main return applicationWillResignActive app
      2s main work timer app "poll"
      3s main work timer app "poll"
      4s main work timer app "poll"
      5s main work timer app "other"
      """)
    #expect(analysis.findings.map(\.occurrences) == [3, 1])
  }

  @Test func ofOneFingerprintTwentyAreKept() throws {
    var lines = ["0s - profile mode=app hooks=app-delegate,work"]
    for cycle in 1...50 {
      lines.append("\(cycle)0s main call applicationDidBecomeActive app")
      lines.append("\(cycle)0s main return applicationDidBecomeActive app")
      lines.append("\(cycle)1s main return applicationWillResignActive app")
      lines.append("\(cycle)2s main work timer app \"poll\"")
    }

    let analysis = try analyze(lines.joined(separator: "\n"))
    #expect(analysis.findings.count == 20)
    #expect(Set(analysis.findings.map(\.fingerprint)).count == 1)
    #expect(analysis.findingsLeftOut.map(\.value) == [30])
  }

  @Test func aFingerprintSurvivesOtherTimesAndIDs() throws {
    func fingerprint(_ scene: Int, _ start: Int) throws -> String? {
      try analyze(
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        \(start)s main note "something else"
        \(start + 1)s main call sceneDidBecomeActive scene:\(scene)
        \(start + 7)s main call sceneDidEnterBackground scene:\(scene)
        """
      ).findings.first?.fingerprint
    }
    #expect(try fingerprint(1, 1) == fingerprint(7, 300))
    #expect(try fingerprint(1, 1) != nil)
  }

  /// A log in which nearly every event has a word of its own.
  private struct WordyStream: EventStream {
    let vocabulary = Vocabulary()
    var batch = 0

    mutating func read(into events: inout [Event]) throws -> Bool {
      events.removeAll()
      if batch == 0 {
        let opening =
          """
          0s - profile mode=app os=18 background-modes=none hooks=app-delegate,tasks,work
          1s main task.begin task:1 "the first task"
          2s main return applicationWillResignActive app
          3s main work timer app "the first timer" interval=7
          """
        for line in opening.split(separator: "\n") {
          let event = try TraceNotation.parse(line: ArraySlice(line.utf8), in: vocabulary)
          if let event { events.append(event) }
        }
      } else {
        for index in 0..<10_000 {
          events.append(
            Event(
              instant: Instant(nanoseconds: .seconds(Int64(batch * 10 + 5))), writer: .main,
              verb: .note, label: vocabulary.symbol("note \(batch * 10_000 + index)"),
              attributes: vocabulary.attributes([Attribute("n", "\(batch * 10_000 + index)")])))
        }
      }

      batch += 1
      return batch <= 31
    }
  }

  @Test func distinctWordsAreForgottenButForWhatIsHeld() throws {
    var stream = WordyStream()
    let analysis = try Analyzer.analyze(&stream)
    #expect(stream.vocabulary.heldCount < 150_000)
    let timer = try #require(analysis.findings.first { $0.rule == "work-timer-while-inactive" })
    let culprit = try #require(timer.culprit)
    #expect(stream.vocabulary.text(culprit.label) == "the first timer")
    #expect(stream.vocabulary.attributes(culprit.attributes) == [Attribute("interval", "7")])
    let open = analysis.state.open.facts(.task).map { stream.vocabulary.text($0.event.label) }
    #expect(open == ["the first task"])
  }

  /// An observer's two effects, with a flood of distinct words between them.
  private struct FloodedStream: EventStream {
    let vocabulary = Vocabulary()
    var batch = 0

    mutating func read(into events: inout [Event]) throws -> Bool {
      events.removeAll()
      defer { batch += 1 }
      switch batch {
      case 0:
        events = try parse(
          """
          0s - profile mode=scene hooks=app-notifications,scene-notifications,work
          1s main observe UIScene.didEnterBackgroundNotification scene:1 "the archiver"
          2s main work save app "the notes"
          3s main observed UIScene.didEnterBackgroundNotification scene:1 "the archiver"
          """)
      case 1...20:
        for index in 0..<10_000 {
          let word = vocabulary.symbol("note \(batch * 10_000 + index)")
          events.append(
            Event(
              instant: Instant(nanoseconds: .seconds(3)), writer: .main, verb: .note, label: word))
        }
      default:
        events = try parse(
          """
          3.2s main observe UIApplication.didEnterBackgroundNotification app "the archiver"
          3.3s main work save app "the notes"
          3.4s main observed UIApplication.didEnterBackgroundNotification app "the archiver"
          """)
      }
      return batch <= 21
    }

    private func parse(_ notation: String) throws -> [Event] {
      try notation.split(separator: "\n").compactMap {
        try TraceNotation.parse(line: ArraySlice($0.utf8), in: vocabulary)
      }
    }
  }

  @Test func whatARuleHoldsIsNotForgotten() throws {
    var stream = FloodedStream()
    let analysis = try Analyzer.analyze(&stream)
    #expect(stream.vocabulary.heldCount < 150_000)
    #expect(analysis.findings.map(\.rule) == ["excl-double-observer"])
    let witnesses = try #require(analysis.findings.first).witnesses
    #expect(
      witnesses.map { stream.vocabulary.text($0.event?.label ?? .none) } == [
        "the notes", "the notes",
      ])
  }

  @Test func aCulpritThatIsFoundLaterStandsInItsPlace() throws {
    let analysis = try analyze(
      """
      0s - profile mode=app launch=push hooks=app-notifications,app-delegate,system
      0s - process.start app launch=push
      1s main notify UIApplication.willEnterForegroundNotification app
      2s main note "in between"
      9s - suspend app
      """)

    let finding = try #require(
      analysis.findings.first { $0.rule == "agg-background-launch-silent" })
    #expect(finding.ordinal == 3)
  }

  @Test func milestonesTellTheStory() throws {
    let analysis = try analyze(
      """
      0s - process.start app
      1s main notify UIScene.willConnectNotification scene:1
      2s main notify UIScene.didActivateNotification scene:1
      3s main notify UIScene.willDeactivateNotification scene:1
      3.2s main notify UIScene.didEnterBackgroundNotification scene:1
      3.3s - snapshot.begin scene:1
      4s main notify UIScene.didDisconnectNotification scene:1
      5s - kill app
      """)

    #expect(
      analysis.milestones.first.map(\.kind) == [
        .processStart, .app(.background), .scene(connected: true), .app(.active), .app(.inactive),
        .app(.background), .snapshot, .scene(connected: false), .end,
      ])
  }
}
