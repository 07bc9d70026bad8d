import TraceAnalysis

/// The patterns of a rule without its code.
struct PatternsOnly<Original: Rule>: Rule {
  static var description: RuleDescription { Original.description }
}

/// Rules as the second evaluator reads them: without code.
package enum PatternRules {
  /// All rules that have patterns, without their code.
  package static let all: [any Rule.Type] = RuleRegistry.all
    .filter { !$0.description.patterns.isEmpty }.map { strip($0) }

  private static func strip<Original: Rule>(_ rule: Original.Type) -> any Rule.Type {
    PatternsOnly<Original>.self
  }
}
