import LifecycleModel
import Testing

@testable import LifecycleRules
@testable import TraceAnalysis

/// What is too much for an analysis is told, and never left out in silence.
@Suite struct RuleLimitsTests {
  private func rule(_ id: String, _ patterns: [RulePattern]) -> ActiveRule {
    ActiveRule(
      patternsOf: RuleDescription(
        id: id, number: nil, topic: .own, summary: "", severity: .warning, sources: [], why: "",
        remedy: "", limits: "", patterns: patterns, examples: []))
  }

  private let aboutOrder = RulePattern.never(
    .call(.sceneDidBecomeActive), between: .call(.sceneDidDisconnect),
    until: .call(.sceneWillConnect), per: .scene, says: "")
  private let aboutWork = RulePattern.never(.work(.timer), says: "")

  /// The catalogue leaves room for your own rules.
  @Test func theCatalogueFits() {
    #expect(RuleLimits.excess(RuleRegistry.all)?.rule == nil)
    let rules = RuleRegistry.all.map(\.description)
    let automata = LifecycleAutomata(rules, NumberedPattern.all(of: rules))
    #expect(automata.app.clauses.count <= 32, "\(automata.app.clauses.count)")
    #expect(automata.scene.clauses.count <= 32, "\(automata.scene.clauses.count)")
  }

  @Test func thePatternThatHasNoBitIsTold() throws {
    let all = (1...LifecycleAutomaton.capacity).map { rule("own-\($0)", [aboutOrder]) }
    #expect(RuleLimits.excess(all)?.rule == nil)

    let one = try #require(RuleLimits.excess(all + [rule("own-last", [aboutWork, aboutOrder])]))
    #expect(one.rule == "own-last")
    #expect(
      one.description
        == "the rules have more than 64 patterns about the order of callbacks, which is all that an "
        + "analysis holds; turn off rules that you do not need")

    // What is about something else than order needs no bit.
    #expect(RuleLimits.excess(all + [rule("own-last", [aboutWork])])?.rule == nil)
  }

  /// An analyzer stops with these sentences, so that a rule in Swift is refused as one in YAML is.
  @Test func aScopeThatAFormCannotFollowIsRefused() {
    let begin = EventPattern.verbs(.taskBegin)
    let wrong: [RulePattern] = [
      .balance(
        .acquire(.lock), .verbs(.release), per: .holder, unclosed: "", closedAgain: ""),
      .budget(begin, warning: 1, error: 2, until: .nothing, per: .holder, says: ""),
      .begins(with: .verbs(.taskGranted), before: .verbs(.taskEnd), per: .holder, says: ""),
    ]

    for pattern in wrong {
      #expect(pattern.scopeProblems.first?.contains("cannot follow holders: ") ?? false)
    }
    let never = RulePattern.never(
      .work(.gpu), between: .verbs(.suspend), until: .verbs(.resume), per: .scene, says: "")
    #expect(never.scopeProblems.first?.contains("never has a scene") ?? false)
    for pattern in RuleRegistry.all.flatMap(\.description.patterns) {
      #expect(pattern.scopeProblems == [])
    }
  }

  @Test func soIsThePatternThatHasNoNumber() throws {
    let many = rule("own-many", Array(repeating: aboutWork, count: RuleLimits.patterns))
    #expect(RuleLimits.excess([many])?.rule == nil)
    let one = try #require(RuleLimits.excess([many, rule("own-last", [aboutWork])]))
    #expect(one.rule == "own-last")
    #expect(
      one.description.hasPrefix("the rules have 10001 patterns, and an analysis holds 10000;"))
  }
}
