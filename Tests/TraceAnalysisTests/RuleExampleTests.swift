import LifecycleModel
import Testing
import LifecycleRules

@testable import TraceAnalysis

/// One example of one rule, as a test argument.
struct RuleCase: CustomTestStringConvertible, Sendable {
  let rule: ActiveRule
  let example: RuleExample

  var testDescription: String { "\(rule.description.id): \(example.title)" }

  static let all = RuleRegistry.all.flatMap { rule in
    rule.description.examples.map { RuleCase(rule: rule, example: $0) }
  }
}

@Suite struct RuleExampleTests {
  static let ruleIDs = RuleRegistry.all.map { $0.description.id }

  @Test(arguments: RuleCase.all) func findsWhatIsMarkedAndNothingElse(_ item: RuleCase) {
    #expect(item.example.problems(under: item.rule) == [])
  }

  @Test(arguments: ruleIDs) func everyRuleIsComplete(id: String) throws {
    let rule = try #require(RuleRegistry.all.first { $0.description.id == id }).description
    #expect(!rule.why.isEmpty && !rule.remedy.isEmpty && !rule.limits.isEmpty)
    #expect(!rule.sources.isEmpty && !rule.summary.isEmpty)
    #expect(rule.examples.contains { $0.isViolating } && rule.examples.contains { !$0.isViolating })
  }

  @Test func aLineWithTwoTimesIsABeginAndItsEnd() {
    let examples: RuleExamples = """
      violating: in the call: a timer
      1s..2s main call applicationDidEnterBackground app ◀
      1.5s main work timer app "sync"
      2s main note "after"

      clean: a suspension
      0s - profile hooks=work
      3s..9s - suspend app
      """
    let read = examples.all(given: "0s - profile hooks=system")
    #expect(read.map(\.title) == ["in the call: a timer", "a suspension"])
    #expect(read.map(\.answer) == ["violating", "clean"])
    #expect(
      read.map(\.notation) == [
        """
        0s - profile hooks=system
        1s main call applicationDidEnterBackground app ◀
        1.5s main work timer app "sync"
        2s main return applicationDidEnterBackground app
        2s main note "after"
        """,
        """
        0s - profile hooks=work
        3s - suspend app
        9s - resume app
        """,
      ])
  }

  @Test func anExampleThatIsWrongIsToldSo() {
    let clean = RuleExample.clean("has a gap", "1s - gap ring-full 1")
    let lost = RuleRegistry.all.first { $0.description.id == "lost-events" }
    #expect(
      lost.map { clean.problems(under: $0) }
        == ["found, but not marked: 1s        -     gap           ring-full 1"])
    let marked = RuleExample.violating("has none", "1s main note ◀")
    #expect(lost.map { marked.problems(under: $0) } == ["not found: 1s        main  note"])
  }
}
