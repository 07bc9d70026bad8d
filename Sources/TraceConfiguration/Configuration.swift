import LifecycleModel
import LifecycleRules
import TraceAnalysis
import YAMLReading

/// What a team has decided: which rules, how serious, what is accepted, and its rules of its own.
///
/// A value, read from files by ``ConfigurationFiles``; without one everything has its default.
public struct Configuration: Sendable {
  /// A value, and where it stands.
  public struct Sourced<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Where it stands.
    public var place: ConfigurationPlace
  }

  /// What a rule is set to.
  public struct RuleSetting: Sendable {
    /// Whether the rule is applied.
    public var isOn: Bool
    /// What every finding matters; `nil` when the rule decides.
    public var severity: Severity?
    /// Why, where a reason is stated.
    public var reason: String?
    /// Where it stands.
    public var place: ConfigurationPlace
  }

  /// The files that were read, in their order.
  public internal(set) var files: [String] = []
  /// What rules are set to, by id.
  public internal(set) var rules: [String: RuleSetting] = [:]
  /// The rules that somebody wrote, in the order of the files; those of budgets come first.
  public internal(set) var ownRules: [OwnRule] = []
  /// How many of the own rules are budgets.
  public internal(set) var budgetCount = 0
  /// The findings that are accepted.
  public internal(set) var suppressions: [Suppression] = []
  /// From which severity on a command fails; a severity, or `never`.
  public internal(set) var failOn: Sourced<String>?
  /// Whether an inconclusive rule makes a command fail.
  public internal(set) var strict: Sourced<Bool>?
  /// The hooks that every log has to record; without one it is inconclusive.
  public internal(set) var requiredHooks: [Sourced<Hook>] = []
  /// The path of the baseline; where the configuration was read from a file, as one would write it
  /// beside the path of that file.
  public internal(set) var baseline: Sourced<String>?
  /// What holds where a log does not say it, as `--profile` states it.
  public internal(set) var profile: [Sourced<Attribute>] = []
  /// How reports are written.
  public internal(set) var formats: [Sourced<String>] = []
  /// When reports have colours.
  public internal(set) var color: Sourced<String>?

  /// A configuration that leaves everything at its default.
  public init() {}

  /// What holds where a log does not say it, as a log would say it.
  public var answers: Profile { Profile(profile.map(\.value)) }

  /// Every rule there is: the catalogue and those of one's own, with the severity that was chosen;
  /// also those that are off.
  public var knownRules: [ActiveRule] {
    (RuleRegistry.all + ownRules.map(\.active)).map { rule in
      var rule = rule
      if let severity = rules[rule.description.id]?.severity { rule.severity = severity }
      return rule
    }
  }

  /// Records in an analysis which rules are off, and which of the required hooks its log does not record.
  public func annotate(_ analysis: inout Analysis) {
    analysis.rulesOff = knownRules.map(\.description.id).filter { !(rules[$0]?.isOn ?? true) }
    let recorded = analysis.profile.hooks ?? []
    analysis.missingHooks = requiredHooks.map(\.value).filter { !recorded.contains($0) }
  }

  /// The rules that are applied.
  public var activeRules: [ActiveRule] {
    knownRules.filter { rules[$0.description.id]?.isOn ?? true }
  }

  /// Problems in the order of the files and of the places in them.
  package func inOrder(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
    problems.sorted { first, second in
      let places = [first.place, second.place].map { place in
        (files.firstIndex(of: place.file) ?? 0, place.line, place.column)
      }
      return places[0] < places[1]
    }
  }
}
