import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The analyzer held against the second evaluator.
package enum Comparison {
  /// Where the two differ about a trace; empty when they say the same of every pattern.
  ///
  /// The same culprits, of every rule; and of a rule without one, both in doubt or neither.
  package static func differences(
    _ trace: Trace, rules: [ActiveRule] = PatternRules.all
  ) -> [String] {
    let evaluator = ReferenceEvaluator(trace)
    let analysis = Analyzer.analyze(trace, rules: rules)
    // Of very many findings the analyzer leaves some out, and that is all it knows of them.
    let isComplete = analysis.findingsLeftOut.isEmpty
    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)
    return rules.flatMap { rule -> [String] in
      let description = rule.description
      let found = analysis.allFindings.filter { $0.rule == description.id }
        .map { Int($0.ordinal) - 1 }.sorted()
      let expected = evaluator.culprits(of: description)
      let missing = isComplete ? subtract(found, from: expected) : []
      let lines =
        missing.map { "not found: \(printer.line(trace.events[$0]))" }
        + subtract(expected, from: found).map { "found: \(printer.line(trace.events[$0]))" }
      if lines.isEmpty, found.isEmpty, let outcome = outcome(of: description, analysis) {
        let isInDoubt = evaluator.isInDoubt(description)
        if isInDoubt == outcome.doubts.isEmpty {
          return ["\(description.id): \(isInDoubt ? "no " : "")doubt, \(outcome.doubts)"]
        }
      }
      return lines.map { "\(description.id): \($0)" }
    }
  }

  private static func outcome(of rule: RuleDescription, _ analysis: Analysis) -> RuleOutcome? {
    analysis.outcomes.first { $0.rule.id == rule.id }
  }

  private static func subtract(_ some: [Int], from all: [Int]) -> [Int] {
    var rest = all
    for one in some { if let index = rest.firstIndex(of: one) { rest.remove(at: index) } }
    return rest
  }
}
