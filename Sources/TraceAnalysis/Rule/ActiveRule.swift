/// A rule as an analyzer applies it: one of the catalogue, or one that somebody wrote, in Swift or in
/// patterns alone.
public struct ActiveRule: Sendable {
  /// What the rule says of itself.
  public var description: RuleDescription
  /// What every finding of the rule matters, in place of what the rule says; `nil` when the rule
  /// decides.
  public var severity: Severity?
  /// The events that the rule's code wants to see; empty for a rule of patterns alone.
  package let interests: [EventPattern]
  /// Whether code decides about what the patterns find.
  package let isJudgedByCode: Bool
  /// Whether it is one of the catalogue, which has no words of its own.
  let isOfCatalogue: Bool
  let makeLogic: @Sendable () -> any RuleLogic

  /// A rule that is written in Swift.
  public init(_ rule: any Rule.Type) { self.init(rule, isOfCatalogue: false) }

  /// A rule of the catalogue.
  package init(ofCatalogue rule: any Rule.Type) { self.init(rule, isOfCatalogue: true) }

  private init(_ rule: any Rule.Type, isOfCatalogue: Bool) {
    description = rule.description
    interests = rule.interests
    isJudgedByCode = rule.isJudgedByCode
    self.isOfCatalogue = isOfCatalogue
    makeLogic = { rule.init() }
  }

  /// A rule of patterns alone.
  public init(patternsOf description: RuleDescription) {
    self.description = description
    interests = []
    isJudgedByCode = false
    isOfCatalogue = false
    makeLogic = { PatternsAlone() }
  }
}

/// The code of a rule that has none.
private struct PatternsAlone: RuleLogic {}
