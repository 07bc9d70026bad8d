import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

@Suite struct JSONReportTests {
  private func report(_ notation: String) throws -> [String: Any] {
    let trace = try TraceNotation.parse(notation)
    return try report(trace)
  }

  private func report(_ trace: Trace) throws -> [String: Any] {
    let results = AnalysisResults(Analyzer.analyze(trace), of: "log", trace.vocabulary)
    let text = try results.json
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(json as? [String: Any])
  }

  /// What is known of one log alone.
  private func log(_ notation: String) throws -> [String: Any] {
    try #require(try report(notation)["log"] as? [String: Any])
  }

  private static let violating = """
    0s - profile mode=app hooks=app-delegate,tasks
    1s main task.begin task:1 "sync"
    2s main call applicationDidEnterBackground app
    8s main return applicationDidEnterBackground app
    """

  private static let outOfOrder = """
    0s - profile mode=scene hooks=scene-delegate,scene-notifications
    1s main call sceneDidBecomeActive scene:1
    3s main call sceneDidEnterBackground scene:1
    """

  @Test func aFindingHasItsEvidence() throws {
    let findings = try #require(try report(Self.violating)["findings"] as? [[String: Any]])
    let finding = try #require(findings.first)
    #expect(finding["rule"] as? String == "budget-did-enter-background")
    #expect(finding["severity"] as? String == "error")
    #expect(finding["elapsed"] as? Int == 6_000_000_000)
    #expect(finding["allowed"] as? Int == 5_000_000_000)
    let witnesses = try #require(finding["witnesses"] as? [[String: Any]])
    #expect(witnesses.map { $0["role"] as? String } == ["culprit", "closes"])
    let event = try #require(witnesses[0]["event"] as? [String: Any])
    #expect(event["verb"] as? String == "call" && event["t"] as? Int == 2_000_000_000)
  }

  private func nearest(_ notation: String) throws -> [String: Any] {
    let findings = try #require(try report(notation)["findings"] as? [[String: Any]])
    return try #require(findings.first?["nearest"] as? [String: Any])
  }

  @Test func aMissingEventIsAdded() throws {
    let nearest = try nearest(Self.outOfOrder)
    #expect(nearest["says"] as? [String] == ["add sceneWillResignActive scene:1 before main#2"])
    let edits = try #require(nearest["edits"] as? [[String: Any]])
    #expect(edits.count == 1 && edits[0]["edit"] as? String == "add")
    #expect(edits[0]["verb"] as? String == "call" && edits[0]["subject"] as? String == "scene:1")
    #expect(edits[0]["name"] as? String == "sceneWillResignActive")
    let place = try #require(edits[0]["before"] as? [String: Any])
    #expect(place["writer"] as? String == "main" && place["sequence"] as? Int == 2)
    #expect(Set(edits[0].keys) == ["edit", "verb", "name", "subject", "before"])
  }

  @Test func aLateEventIsMovedAndASecondOneDropped() throws {
    let moved = try nearest(
      """
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main notify UIApplication.willResignActiveNotification app
      1.1s main call applicationWillResignActive app
      1.2s main return applicationWillResignActive app
      """)

    let move = try #require((moved["edits"] as? [[String: Any]])?.first)
    #expect(move["edit"] as? String == "move" && move["writer"] as? String == "main")
    #expect(Set(move.keys).subtracting(["before", "after"]) == ["edit", "writer", "sequence"])
    let dropped = try nearest(
      """
      0s - profile mode=scene hooks=app-delegate,scene-delegate
      1s main call applicationDidBecomeActive app
      """)

    #expect(dropped["says"] as? [String] == ["drop main#1 applicationDidBecomeActive"])
    let drop = try #require((dropped["edits"] as? [[String: Any]])?.first)
    #expect(Set(drop.keys) == ["edit", "writer", "sequence"] && drop["sequence"] as? Int == 1)
  }

  @Test func whereNoEditHelpsWordsSayWhatIsLegal() throws {
    let nearest = try nearest(Self.violating)
    #expect(nearest["says"] as? [String] == ["return within 5s"])
    #expect((nearest["edits"] as? [Any])?.isEmpty == true)
  }

  @Test func aFindingTellsWhatABaselineKnowsAndWhatIsAccepted() throws {
    var bench = try FormatBench.sample()
    bench.compare("task-leak-at-suspend", .known)
    bench.accept("work-timer-while-inactive", "by design", at: "t.yml:3")
    let text = try bench.results.json
    let findings = try JSON(text)["findings"].list
    #expect(findings.map(\.["baselineState"].text) == ["known", nil, nil])
    #expect(findings[0]["dependents"][0]["baselineState"].text == "known")
    #expect(findings[2]["suppression"].keys == ["reason", "place"])
    #expect(findings[2]["suppression"]["place"].text == "t.yml:3")
    #expect(findings[0]["suppression"].isAbsent && findings[1]["suppression"].isAbsent)
  }

  @Test func theEndTellsWhatIsOpen() throws {
    let end = try #require(try log(Self.violating)["end"] as? [String: Any])
    #expect(end["app"] as? String == "background")
    #expect((end["open"] as? [Any])?.count == 1 && end["openLeftOut"] as? Int == 0)
  }

  @Test func anAppThatLeaksIsToldInAHundredLines() throws {
    let leaks = (1...250).map { "\($0)ms main acquire file app \"f\($0)\"" }
    let end = try #require(
      try log((["0s - profile hooks=resources"] + leaks).joined(separator: "\n"))["end"]
        as? [String: Any])
    #expect((end["open"] as? [Any])?.count == 100 && end["openLeftOut"] as? Int == 150)
  }

  @Test func everyRuleHasAVerdict() throws {
    let report = try report(Self.violating)
    let rules = try #require(report["rules"] as? [[String: Any]])
    let others = try ["cannotTell", "notApplicable"].flatMap { key in
      try #require(report[key] as? [String: [String]]).values.flatMap(\.self)
    }
    let ids = rules.compactMap { $0["id"] as? String }
    #expect(Set(ids + others) == Set(RuleRegistry.all.map(\.description.id)))
    #expect(Set(ids).isDisjoint(with: others))
    for rule in rules {
      let verdict = try #require(rule["verdict"] as? String)
      #expect(["violated", "satisfied"].contains(verdict))
      #expect((rule["remedy"] != nil) == (verdict == "violated"), "\(rule)")
    }
  }

  /// A log of some dozen events, most of whose rules cannot tell, gives a report that fits a mail.
  @Test func aReportCarriesTheTextsOfTheRulesThatItNames() throws {
    for log in [FormatBench.hole, Self.violating, Self.killed] {
      let results = try FormatBench(log).results
      #expect(try results.json.utf8.count < 25_000)
      #expect(SARIFReport(results, toolVersion: "1").text.utf8.count < 25_000)
    }
  }

  @Test func theArticleDescribesEveryMember() throws {
    let article = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/TraceReport/TraceReport.docc/JSONReportFormat.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    func check(_ value: Any) {
      if let object = value as? [String: Any] {
        for (key, member) in object {
          // The profile's and the events' own members are those of the article Events.
          if key == "profile" || key == "event" { continue }
          #expect(text.contains("`\(key)`"), "\(key)")
          // Their keys are reasons, in words.
          if ["cannotTell", "otherDoubts", "notApplicable"].contains(key) { continue }
          check(member)
        }
      } else if let array = value as? [Any] {
        for element in array { check(element) }
      }
    }

    check(try report(Self.violating))
    check(try report(Self.killed))
    check(try report(Self.outOfOrder))
    var bench = try FormatBench.sample()
    bench.accept("work-timer-while-inactive", "by design", at: "t.yml:3")
    let known = try JSON(bench.results(fixed: FormatBench.fixed).json)
    #expect(known["baseline"]["fixed"].list.count == 1)
    if let value = known.value { check(value) }
  }

  private static let killed = """
    0s - profile mode=app os=18.2 hooks=app-delegate,work,tasks,resources,system
    0s - process.start app launch=user
    2s main call applicationDidEnterBackground app
    2s main work.begin save app "notes"
    9s - kill app code=0x8badf00d
    """

  @Test func theVerdictTellsWhatTheParagraphTells() throws {
    let told = try report(Self.killed)
    let verdicts = try #require(told["verdicts"] as? [[String: Any]])
    let verdict = try #require(verdicts.first)
    #expect(verdicts.count == 1 && told["verdictsLeftOut"] as? Int == 0)
    let counted = try #require((told["deaths"] as? [[String: Any]])?.first)
    #expect(counted["class"] as? String == "fault" && counted["count"] as? Int == 1)
    #expect(verdict["class"] as? String == "fault" && verdict["cause"] as? String == "0x8badf00d")
    #expect((verdict["process"] as? [String: Any])?["number"] as? Int == 1)
    #expect(verdict["manner"] as? String == "kill")
    #expect(verdict["exitReason"] as? String == "appWatchdog")
    #expect(verdict["code"] as? String == "0x8badf00d")
    #expect(verdict["normal"] as? Bool == false)
    #expect(verdict["audience"] as? String == "not-visible")
    #expect(verdict["codeFits"] as? String == "yes")
    #expect(verdict["mainThreadBusy"] as? Int == 7_000_000_000)

    let reasons = try #require(verdict["explainedBy"] as? [[String: Any]])
    #expect(reasons.map { $0["kind"] as? String } == ["main-thread"])
    #expect(reasons[0]["elapsed"] as? Int == 7_000_000_000)
    #expect(reasons[0]["allowed"] as? Int == 5_000_000_000)
    #expect(
      verdict["text"] as? String == """
        The system killed the app: the app exceeded a watchdog time limit (0x8badf00d, appWatchdog). The \
        app was in the background for 7s. Likely cause: applicationDidEnterBackground, which \
        held the main thread for 7s (limit 5s). The code agrees with the trace. The main thread was busy for 7s before the end: save "notes" \
        100%. Lost: save "notes", begun at 2s, was cut off.
        """)
  }

  @Test func aProcessThatRunsOnHasNoVerdict() throws {
    let told = try report(Self.violating)
    #expect((told["verdicts"] as? [Any])?.isEmpty == true)
    #expect((told["deaths"] as? [Any])?.isEmpty == true)
  }

  @Test(arguments: 0..<60) func anyAnalysisIsJSON(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let report = try report(maker.trace(count: 150))
    #expect(report["version"] as? Int == AnalysisResults.schemaVersion, "seed \(seed)")
  }
}
