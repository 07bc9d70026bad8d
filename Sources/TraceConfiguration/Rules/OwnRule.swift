import LifecycleRules
import TraceAnalysis
import YAMLReading

/// A rule that somebody wrote, and where.
public struct OwnRule: Sendable {
  /// What the rule says.
  public var description: RuleDescription
  /// Where it stands.
  public var place: ConfigurationPlace
  /// Where each of its examples stands, in their order.
  public var examplePlaces: [ConfigurationPlace]

  /// The rule as an analyzer applies it.
  public var active: ActiveRule { ActiveRule(patternsOf: description) }

  /// What is wrong with its examples; empty when each shows what it says.
  ///
  /// Cost: an analysis of each example.
  public var failures: [ConfigurationProblem] {
    zip(description.examples, examplePlaces).flatMap { example, place in
      example.problems(under: active).map { problem in
        ConfigurationProblem(
          kind: .error, place: place,
          message: "\(description.id), \(example.answer) example \"\(example.title)\": \(problem)")
      }
    }
  }
}
