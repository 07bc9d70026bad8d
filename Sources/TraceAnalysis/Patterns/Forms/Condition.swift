import LifecycleModel
import Run

extension RulePattern {
  /// No `culprit` while a condition on the state holds.
  public static func never(
    _ culprit: EventPattern, while state: StateCondition, says message: String
  ) -> RulePattern {
    RulePattern(.condition(ConditionForm(culprit, while: state)), per: .subject, says: message)
  }
}

/// Nothing of a kind in a state.
package struct ConditionForm: PatternForm {
  /// What must not come.
  package var culprit: EventPattern
  /// The state.
  package var state: StateCondition

  /// Makes a form.
  package init(_ culprit: EventPattern, while state: StateCondition) {
    (self.culprit, self.state) = (culprit, state)
  }

  package var roles: [FormRole] {
    typealias Part = ConditionClause.Part
    let (part, quiet): (Part, Calm) =
      switch state {
      case .suspended: (.whileSuspended, .running)
      case .subjectInactive, .subjectInBackground: (.unlessActive, .active)
      case .insideDeparture: (.insideCall, .none)
      default: (.anytime, .none)
      }
    return [FormRole(part, "culprit", culprit, needs: .one, isGuarded: true, quiet: quiet)]
  }

  package var words: String { "never \(culprit.words) while \(state.words)" }

  package var neededHooks: [[Hook]] { culprit.anyHook + state.neededHooks }

  package func transitions(asked: String) -> FormTransitions {
    [("any", "\(culprit.words), while \(state.words)\(asked)", "FOUND")]
  }

  /// What brings the state about, and what ends it.
  package func order(isOfScene: Bool) -> LifecycleOrder? {
    let window: WindowForm
    switch state {
    case .suspended:
      window = WindowForm(
        isOfScene ? .ofScenes : .ofApp, between: .verbs(.suspend), until: .verbs(.resume))
    case .appInForeground, .sceneInForeground:
      let turner: Turner = isOfScene ? .scene : .app
      window = WindowForm(
        culprit, between: turner.events(.foreground, .activate),
        until: turner.events(.background, .disconnect))
    default: return nil
    }
    return LifecycleOrder(window.roles, [\.lasting])
  }
}

/// A culprit and the state in which it must not come.
struct ConditionClause: FormClause {
  /// The culprit, by what is known of its state beforehand.
  enum Part: UInt8 {
    /// It does not hold while what the event is about is active.
    case unlessActive
    /// It holds only while the process is suspended, which is nearly never.
    case whileSuspended
    case anytime
    /// There is nothing to say about it while no callback runs.
    case insideCall
  }

  let form: ConditionForm
  let clause: Clause

  init(_ form: ConditionForm, _ clause: Clause) { (self.form, self.clause) = (form, clause) }

  @inline(__always)
  func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    switch part {
    case .unlessActive:
      if ledger.isActiveForCertain(event) { return ledger.check(clause) }
    case .whileSuspended:
      if !ledger.isSuspended { return ledger.check(clause) }
    case .insideCall:
      if ledger.present.state.open.count(.call) == 0 { return }
    case .anytime: break
    }
    look(event, &ledger)
  }

  @inline(never)
  private func look(_ event: Event, _ ledger: inout Ledger) {
    // The state is too large to be copied.
    let answer = withUnsafePointer(to: &ledger.present) { present in
      let moment = Moment(present)
      let isSystemWork = event.isSystemWork(
        openSnapshots: moment.state.open.count(.snapshot), moment.vocabulary)
      return isSystemWork ? .irrelevant : form.state.answer(event, moment)
    }

    switch answer {
    case .no: ledger.check(clause)
    case .irrelevant: break
    case .unknown(let reason): ledger.doubt(clause, reason)
    case .yes(let facts):
      for since in facts {
        let missing = missing(since.event, event, ledger)
        ledger.judge(
          clause, .init(culprit: ledger.fact(event), opener: since, missing: missing))
      }
    }
  }

  /// The end of what brought the state about, before a turn of the app's life.
  private func missing(
    _ opener: Event, _ culprit: Event, _ ledger: borrowing Ledger
  ) -> [MissingEvent] {
    guard culprit.verb.isTurn, case .openSpan = form.state,
      var end = MissingEvent.end(of: opener, in: ledger.vocabulary)
    else { return [] }
    end.before = culprit
    return [end]
  }

  func values(_ inspection: Inspection) -> [String] {
    let (state, vocabulary) = (inspection.analyzer.state, inspection.analyzer.vocabulary)
    if inspection.event.isSystemWork(openSnapshots: state.open.count(.snapshot), vocabulary) {
      return ["the work belongs to the system"]
    }

    switch inspection.present({ form.state.answer(inspection.event, $0) }) {
    case .no: return ["the condition does not hold"]
    case .irrelevant: return ["there is nothing to check"]
    case .unknown(let doubt): return ["cannot tell whether the condition holds: \(doubt.reason)"]
    case .yes(let facts):
      return facts.map { "the condition has held since \(inspection.told($0))" }
    }
  }
}

extension EventPattern {
  /// Whatever the app's delegate is called for, and UIApplication posts.
  fileprivate static var ofApp: EventPattern {
    .named(.call, Callback.allCases.filter { $0.hook == .appDelegate }) | .appNotifications
  }

  /// Whatever a scene's delegate is called for, and UIScene posts.
  fileprivate static var ofScenes: EventPattern { .sceneCalls() | .sceneNotifications() }
}
