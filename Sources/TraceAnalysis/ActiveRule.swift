/// A rule as an analyzer applies it: one of the catalogue, or one that somebody wrote in patterns.
public struct ActiveRule: Sendable {
  /// What the rule says of itself.
  public var description: RuleDescription
  /// What every finding of the rule matters, in place of what the rule says; `nil` when the rule
  /// decides.
  public var severity: Severity?
  /// The events that the rule's code wants to see; empty for a rule of patterns alone.
  package let interests: [EventPattern]
  /// Whether code decides about what the patterns find.
  package var isJudgedByCode: Bool {
    !isOfPatternsAlone && ActiveRule.judging.contains(description.id)
  }
  /// The rules of the catalogue whose code decides about what their patterns find.
  package static let judging: Set = [
    "data-dirty-at-background", "data-save-survives", "files-open-at-resign",
    "task-begin-before-work", "task-leak-at-suspend", "timer-held-at-suspension",
    "work-background-without-right",
    "work-frame-rate", "work-gpu-in-background", "work-gpu-unfinished-at-background",
    "work-input-while-inactive", "work-memory-in-background",
    "work-new-dispatch-while-inactive", "work-protected-file-while-locked",
    "work-shared-resource-in-background", "work-sockets-in-background",
    "work-timer-while-inactive",
    "work-ui-adjust-in-time", "work-ui-in-background",
  ]
  private let isOfPatternsAlone: Bool
  /// Whether it is one of the catalogue, which has no words of its own.
  var isOfCatalogue: Bool { !isOfPatternsAlone }
  let makeLogic: @Sendable () -> any RuleLogic

  /// A rule of the catalogue.
  public init(_ rule: any Rule.Type) {
    description = rule.description
    interests = rule.interests
    isOfPatternsAlone = false
    makeLogic = { rule.init() }
  }

  /// A rule of patterns alone.
  public init(patternsOf description: RuleDescription) {
    self.description = description
    interests = []
    isOfPatternsAlone = true
    makeLogic = { PatternsAlone() }
  }
}

/// The code of a rule that has none.
private struct PatternsAlone: RuleLogic {}
