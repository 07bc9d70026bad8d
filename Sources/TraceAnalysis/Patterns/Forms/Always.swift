import LifecycleModel

extension RulePattern {
  /// No `culprit` at all; `exercisedBy` are the events that show that the rule had something to
  /// judge, where the culprit's own verb and name do not.
  public static func never(
    _ culprit: EventPattern, exercisedBy: EventPattern? = nil, says message: String
  ) -> RulePattern {
    RulePattern(
      .always(AlwaysForm(culprit, exercisedBy: exercisedBy)), per: .subject, says: message)
  }
}

/// Nothing of a kind at all.
package struct AlwaysForm: PatternForm {
  /// What must not come.
  package var culprit: EventPattern
  /// What shows that there was something to judge, where the culprit's verb and name do not.
  package var exercisedBy: EventPattern?

  /// Makes a form.
  package init(_ culprit: EventPattern, exercisedBy: EventPattern? = nil) {
    (self.culprit, self.exercisedBy) = (culprit, exercisedBy)
  }

  package var roles: [FormRole] {
    let exercise = exercisedBy.map {
      FormRole(
        AlwaysClause.Part.exercise, "shows that the rule has something to check", $0, needs: .none)
    }
    return [
      FormRole(
        AlwaysClause.Part.culprit, "culprit", culprit, needs: .one, effect: \.culprit,
        isGuarded: true, looksAtAll: true), exercise,
    ].compactMap(\.self)
  }

  package var words: String { "never \(culprit.words)" }

  package func transitions(asked: String) -> FormTransitions {
    [("any", culprit.words + asked, "FOUND")]
  }

  package func order(isOfScene: Bool) -> LifecycleOrder? {
    LifecycleOrder(roles, [\.always, \.lasting])
  }
}

/// A culprit that must never come.
struct AlwaysClause: FormClause {
  enum Part: UInt8 {
    case culprit, exercise
  }

  let form: AlwaysForm
  let clause: Clause
  /// Whether only events of other threads than the main one are culprits.
  private let isOffMain: Bool
  /// Whether only events about some subjects are culprits.
  private let asksSubject: Bool

  init(_ form: AlwaysForm, _ clause: Clause) {
    (self.form, self.clause) = (form, clause)
    isOffMain = form.culprit.writer == .other
    asksSubject = form.culprit.subjects != nil
  }

  func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    switch part {
    case .culprit: ledger.report(clause, .init(culprit: ledger.fact(event)))
    case .exercise: ledger.tallies[clause.rule].checks += 1
    }
  }

  /// What is not the culprit shows that the rule was kept, when its subject is known.
  func passOver(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    if part != .culprit { return }
    // On which thread the system's own lines happened is not known.
    if isOffMain && event.writer == .system { return }
    if event.subjectKind == .none && asksSubject {
      ledger.doubt(clause, .subjectNotKnown)
    } else {
      ledger.check(clause)
    }
  }
}
