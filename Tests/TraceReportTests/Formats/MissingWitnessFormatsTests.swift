import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// What had to come and did not stands in every form that tells the evidence, and in none as an event.
@Suite struct MissingWitnessFormatsTests {
  /// A callback that has not returned after five seconds, and a lock that is held at a suspension.
  private static let notation = """
    0s - profile mode=app hooks=app-delegate,resources,system
    1s main call applicationDidEnterBackground app
    2s db acquire lock app "notes.db" 1
    9s - suspend app
    """
  private static let returned =
    "return applicationDidEnterBackground app, due after main#1, until 6s"
  private static let released = "release lock app \"notes.db\" 1, due after db#1 and before -#2"

  private func bench() throws -> FormatBench {
    try FormatBench(MissingWitnessFormatsTests.notation)
  }

  private func finding(_ rule: String, _ report: JSON) throws -> JSON {
    try #require(report["findings"].list.first { $0["rule"].text == rule })
  }

  // MARK: Text

  /// The lines below the first finding of a rule.
  private func evidence(_ notation: String, of rule: String) throws -> [String] {
    let bench = try FormatBench(notation)
    let lines = TextReport(bench.results).text.components(separatedBy: "\n")
    let heading = try #require(lines.firstIndex { $0.contains(" \(rule) (R") })
    return lines[(heading + 1)...].prefix { !$0.isEmpty }.map { String($0.dropFirst(4)) }
  }

  /// The line has its place, and nothing is said twice.
  ///
  /// "return within 5s" would only say it again, and so would "add …". The
  /// notification would have done, too, but this log has none.
  @Test func textHasALineAtItsPlaceAndSaysNothingTwice() throws {
    #expect(
      try evidence(MissingWitnessFormatsTests.notation, of: "budget-did-enter-background") == [
        "culprit main#1    1s        main  call          applicationDidEnterBackground app ◀",
        "missing           \(MissingWitnessFormatsTests.returned)", "while   app background",
      ])

    #expect(
      try evidence(
        """
        0s - profile mode=scene hooks=scene-delegate
        1s main call sceneDidBecomeActive scene:1
        1.5s main call sceneWillResignActive scene:1
        1.6s main call sceneDidBecomeActive scene:1
        3s main call sceneDidEnterBackground scene:1
        """, of: "resign-before-background") == [
          "opens   main#3    1.6s      main  call          sceneDidBecomeActive scene:1",
          "missing           call sceneWillResignActive scene:1, due after main#3 and before main#4",
          "culprit main#4    3s        main  call          sceneDidEnterBackground scene:1 ◀",
          "while   app active, scene foregroundActive",
        ])
  }

  /// Where the way out is another than to add what is missing, it is said.
  @Test func whatElseIsLegalStays() throws {
    let lines = try evidence(
      """
      0s - profile mode=app hooks=app-delegate
      1s main call applicationDidEnterBackground app
      7s main return applicationDidEnterBackground app
      """, of: "budget-did-enter-background")
    #expect(lines.last == "legal   return within 5s")
    #expect(!lines.contains { $0.hasPrefix("missing") })
  }

  @Test func manyLogsTellItToo() throws {
    let text = TextReport(try bench().results).textOfMany
    #expect(text.contains("\n    missing           \(MissingWitnessFormatsTests.returned)\n"))
    #expect(!text.contains("legal   return within"))
  }

  // MARK: For programs

  @Test func jsonSaysWhatWhereAndUntilWhen() throws {
    let bench = try bench()
    let report = try JSON(bench.results.json)
    let late = try finding("budget-did-enter-background", report)["witnesses"].list
    #expect(late.map(\.["role"].text) == ["culprit", "missing"])
    #expect(late[1].keys == ["role", "says", "awaited", "after", "until"])
    #expect(late[1]["says"].text == MissingWitnessFormatsTests.returned)
    #expect(late[1]["until"].number == 6_000_000_000)
    #expect(late[1]["after"]["writer"].text == "main" && late[1]["after"]["sequence"].number == 1)
    let awaited = late[1]["awaited"].list
    #expect(awaited.count == 1 && awaited[0].keys == ["verb", "name", "subject"])
    #expect(awaited[0]["verb"].text == "return" && awaited[0]["subject"].text == "app")
    #expect(awaited[0]["name"].text == "applicationDidEnterBackground")

    let held = try finding("lock-at-suspend", report)["witnesses"].list
    #expect(held.map(\.["role"].text) == ["opens", "missing", "culprit"])
    #expect(held[1].keys == ["role", "says", "awaited", "after", "before"])
    #expect(held[1]["before"]["writer"].text == "-" && held[1]["before"]["sequence"].number == 2)
    #expect(held[1]["awaited"][0].keys == ["verb", "name", "subject", "label", "value"])
    #expect(held[1]["awaited"][0]["value"].number == 1)
  }

  /// Words alone, in the flow of the thread where it was due.
  @Test func sarifInventsNoPlaceAndNoTime() throws {
    let run = try JSON(SARIFReport(try bench().results, toolVersion: "1").text)["runs"][0]
    let result = try #require(
      run["results"].list.first { $0["ruleId"].text == "lock-at-suspend" })
    let flows = result["codeFlows"][0]["threadFlows"].list
    #expect(flows.map(\.["id"].text) == ["db", "-"])

    let steps = flows[0]["locations"].list
    #expect(steps.map(\.["properties"]["role"].text) == ["opens", "missing"])
    #expect(steps[1].keys == ["location", "importance", "properties"])
    #expect(steps[1]["location"].keys == ["message"])
    #expect(
      steps[1]["location"]["message"]["text"].text
        == "missing: \(MissingWitnessFormatsTests.released)")

    // The events keep their order.
    #expect(steps[0]["executionOrder"].number == 0)
    #expect(flows[1]["locations"][0]["executionOrder"].number == 1)
    let late = try #require(
      run["results"].list.first { $0["ruleId"].text == "budget-did-enter-background" })
    let step = late["codeFlows"][0]["threadFlows"][0]["locations"][1]
    #expect(step["properties"].keys == ["role", "until"])
  }

  /// What had to come first stands before the first event of the evidence.
  @Test func sarifPutsWhatHadToComeFirstFirst() throws {
    let bench = try FormatBench(
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,system
      0s - process.start app
      1s main call sceneWillConnect scene:1
      2s main call sceneDidBecomeActive scene:2
      """)

    let run = try JSON(SARIFReport(bench.results, toolVersion: "1").text)["runs"][0]
    let result = try #require(
      run["results"].list.first { $0["ruleId"].text == "scene-connection" })
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].list
    #expect(steps.map(\.["properties"]["role"].text) == ["missing", "culprit"])
  }

  // MARK: For people, elsewhere

  @Test func markdownAndJUnitTellItInTheEvidence() throws {
    let results = try bench().results
    #expect(
      MarkdownReport(results: results).text.contains(
        "\nmissing           \(MissingWitnessFormatsTests.released)\n"))
    let junit = JUnitReport(results, of: "run").text
    #expect(
      junit.contains(
        "missing           return applicationDidEnterBackground app, due after main#1, until 6s"))
  }

  @Test func aDrawingShowsItWhereItWasDue() throws {
    let rule = try #require(
      RuleRegistry.all.first { $0.description.id == "budget-did-enter-background" })
    let text = RuleCatalogue().explanation(of: rule.description)
    #expect(
      text.contains(
        """
          1s  background  ┌  main  call          applicationDidEnterBackground app ◀
                          │  missing: return applicationDidEnterBackground app, until 6s
          9s  ┊           │· db    work          save app "notes.db"
        """), "\(text)")
  }

  @Test func aReducedTraceHasItAsAComment() throws {
    let bench = try bench()
    let finding = try #require(bench.analysis.allFindings.first { $0.rule == "lock-at-suspend" })
    let rule = try #require(RuleRegistry.all.first { $0.description.id == finding.rule })
    let events = try TraceNotation.parse(MissingWitnessFormatsTests.notation).events
      .filter { $0.verb == .acquire || $0.verb == .suspend }
    let text = ReducedTrace(
      finding, of: rule.description, events, culprit: events[1], bench.vocabulary
    ).text
    #expect(
      text.contains(
        """
        2s        db    acquire       lock app "notes.db" 1
        # missing: release lock app "notes.db" 1
        9s        -     suspend       app
        # ◀ lock-at-suspend
        """))
    #expect(try TraceNotation.parse(text).events.count == 2)
  }

  @Test func whyNamesIt() throws {
    let trace = try TraceNotation.parse(MissingWitnessFormatsTests.notation)
    let rule = try #require(RuleRegistry.all.first { $0.description.id == "lock-at-suspend" })
    var inquiry = Inquiry(trace.vocabulary, rule: rule, writer: "-", sequence: 2)
    inquiry.observe(trace.events)
    let finished = inquiry.finish()
    let answer = try #require(finished)
    #expect(
      WhyText(answer, of: rule.description, trace.vocabulary).text
        .contains("\n  missing  \(MissingWitnessFormatsTests.released)\n"))
  }
}
