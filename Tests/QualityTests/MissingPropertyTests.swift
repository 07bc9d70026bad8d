import AnalysisTestSupport
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis

/// What patterns miss in arbitrary lives, of the catalogue and of one's own.
@Suite struct MissingPropertyTests {
  private static let rules = PatternRules.all + OwnPatternTests.rules

  /// The forms of a rule's patterns.
  private static func forms(_ rule: ActiveRule) -> [RulePattern.Form] {
    rule.description.patterns.map(\.form)
  }

  /// Whether what is added may not be enough: spans that come later spend the same account.
  private static func isSum(_ rule: ActiveRule) -> Bool {
    rule.description.patterns.contains { pattern in
      if case .budget(let form) = pattern.form { !form.isPerSpan } else { false }
    }
  }

  /// Whether every finding of a rule shows that something did not come; `nil` when only some do.
  private static func alwaysMisses(_ rule: ActiveRule) -> Bool? {
    let answers = forms(rule).map { form -> Bool? in
      switch form {
      // A response that comes late is not missing any more.
      case .every(let form): form.milder.isEmpty ? true : nil
      case .order(let form): form.repetition == .mustHaveFirst
      case .always, .mainThread: false
      default: nil
      }
    }
    guard let first = answers.first, answers.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  @Test func whatIsMissingWasAwaitedInArbitraryLives() throws {
    var judged: Set<String> = []
    for seed in EvaluatorTests.seeds.prefix(EvaluatorTests.seeds.count / 2) {
      var maker = ArbitraryLife(seed: seed)
      let trace = maker.trace(count: 120)
      var analyzer = Analyzer(trace.vocabulary, rules: MissingPropertyTests.rules)
      analyzer.observe(trace.events)
      let findings = Dictionary(grouping: analyzer.finish().allFindings, by: \.rule)
      for rule in MissingPropertyTests.rules {
        for finding in findings[rule.description.id] ?? [] {
          if let always = MissingPropertyTests.alwaysMisses(rule) {
            #expect(finding.missing.isEmpty == !always, "\(rule.description.id), seed \(seed)")
          }
          if finding.missing.isEmpty || MissingPropertyTests.isSum(rule) { continue }
          // What tells again of an end is shown to no rule.
          let awaited = finding.missing.flatMap(\.kinds)
          if awaited.contains(where: { $0.verb == .exit }) { continue }
          judged.insert(rule.description.id)
          // The newest of equal spans ends first: where several are open, each has to end.
          let equal = (findings[rule.description.id] ?? []).filter {
            $0.missing.map(\.kinds) == finding.missing.map(\.kinds)
              && $0.missing.map(\.before) == finding.missing.map(\.before)
          }
          for choice in Supplement.choices(finding) {
            let made = try Supplement.made(trace, equal, choice)
            let isThere = Supplement.findings(made, rule).contains {
              Supplement.isSame($0, finding)
            }
            #expect(
              !isThere,
              "\(rule.description.id), seed \(seed): \(finding.missing.map(\.words)), \(choice)")
          }
        }
      }
    }

    // Each form that can miss something has shown it.
    #expect(judged.count >= 10, "\(judged.sorted())")
  }
}
