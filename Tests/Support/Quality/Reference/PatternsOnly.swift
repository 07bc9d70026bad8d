import LifecycleRules
import TraceAnalysis

/// Rules as the second evaluator reads them: without code.
package enum PatternRules {
  /// All rules that have patterns, without their code.
  package static let all = RuleRegistry.all.map(\.description)
    .filter { !$0.patterns.isEmpty }.map { ActiveRule(patternsOf: $0) }
}
