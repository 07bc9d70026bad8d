import AnalysisTestSupport
import LifecycleModel
import TestTime
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

/// The analyzer and the slow second evaluator of the patterns find the same.
@Suite struct EvaluatorTests {
  static let seeds = Nightly.seeds(8, all: 400, variable: "EVALUATOR_SEEDS")

  @Test func everyFormIsRead() {
    let patterns = PatternRules.all.flatMap { $0.description.patterns }
    let forms = Set(
      patterns.map { pattern in
        Mirror(reflecting: pattern.form).children.first?.label ?? ""
      })
    #expect(
      forms == [
        "window", "condition", "always", "order", "every", "budget", "balance", "count", "stretch",
        "mainThread",
      ])
  }

  @Test(.tags(.nightly)) func theyAgreeOnAllExamples() throws {
    let most = Nightly.count(2, all: .max)
    for example in RuleRegistry.all.flatMap({ $0.description.examples.prefix(most) }) {
      let text = example.notation.replacing(String(RuleExample.mark), with: "")
      let trace = try TraceNotation.parse(text)
      #expect(Comparison.differences(trace) == [], "\(example.title)")
    }
  }

  /// The violating examples of rules without code: the evaluator alone finds what is marked.
  @Test func theEvaluatorFindsWhatIsMarked() throws {
    var count = 0
    for rule in PatternRules.all where isWithoutCode(rule) {
      for example in rule.description.examples where example.isViolating {
        let trace = try TraceNotation.parse(
          example.notation.replacing(String(RuleExample.mark), with: ""))
        let marked = example.notation.split(separator: "\n").filter { $0.last == RuleExample.mark }
        let found = Set(ReferenceEvaluator(trace).culprits(of: rule.description))
        #expect(found.count == marked.count, "\(rule.description.id): \(example.title)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  private func isWithoutCode(_ rule: ActiveRule) -> Bool {
    let original = RuleRegistry.all.first { $0.description.id == rule.description.id }
    return original.map { $0.interests.isEmpty && !$0.isJudgedByCode } ?? false
  }

  @Test(.tags(.nightly)) func theyAgreeOnArbitraryTraces() {
    for seed in Self.seeds {
      var maker = ArbitraryTrace(seed: seed)
      let differences = Comparison.differences(maker.trace(count: 60))
      #expect(differences == [], "seed \(seed)")
      if !differences.isEmpty { break }
    }
  }

  @Test(.tags(.nightly)) func theyAgreeOnArbitraryLives() {
    var found: Set<String> = []
    for seed in Self.seeds {
      var maker = ArbitraryLife(seed: seed)
      let trace = maker.trace(count: 120)
      let differences = Comparison.differences(trace)
      #expect(differences == [], "seed \(seed)\n\(TraceNotation.print(trace))")
      if !differences.isEmpty { break }
      for rule in PatternRules.all
      where !ReferenceEvaluator(trace).culprits(of: rule.description).isEmpty {
        found.insert(rule.description.id)
      }
    }
    // The traces give the rules something to find.
    #expect(found.count > 25, "\(found)")
  }

  @MainActor @Test(.tags(.nightly)) func theyAgreeOnSessions() throws {
    for seed in Self.seeds.prefix(Self.seeds.count / 8) {
      var session = try RandomSession(seed: seed)
      session.run()
      #expect(Comparison.differences(try session.trace()) == [], "seed \(seed)")
    }
  }
}
