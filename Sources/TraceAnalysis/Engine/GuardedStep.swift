import LifecycleModel

/// A step whose event must fulfil more than verb, name, subject and writer.
///
/// Such steps are few and stand behind one step of the table each, so that rules without them cost
/// nothing more.
struct GuardedStep {
  /// Events that are meant by one set of conditions.
  private struct Branch {
    let alternatives: [EventPattern.Alternative]
    let kinds: EventKinds
    /// The same, whatever an event is about.
    let kindsOfAnySubject: EventKinds
    let identifiers: [Symbol]?
    let labels: [Symbol]?
    let attributes: [AttributeCondition]

    /// Whether an event is meant, whatever it says of itself; `anySubject` leaves its subject out.
    func means(_ event: Event, anySubject: Bool) -> Bool {
      (anySubject ? kindsOfAnySubject : kinds).contains(EventKinds(event))
        && alternatives.contains {
          $0.verb == event.verb && ($0.name == nil || $0.name == event.name)
        }
        && identifiers?.contains(event.name) ?? true && labels?.contains(event.label) ?? true
    }
  }

  /// What is done when all is fulfilled.
  let step: Step
  /// What is done when it is not known whether the event is meant; `nil` for nothing.
  let unclearStep: Step?
  let guards: StateGuard
  /// The conditions when it is not known whether the event is meant.
  let unclearGuards: StateGuard
  /// Whether other events of its verbs and names show that the rule was kept.
  let looksAtAll: Bool
  private let branches: [Branch]
  private let asksAttributes: Bool

  init(
    _ step: Step, _ pattern: EventPattern, _ guards: StateGuard,
    unclear: (step: Step?, guards: StateGuard), looksAtAll: Bool, _ vocabulary: Vocabulary
  ) {
    // The conditions are asked here; the step itself takes all.
    self.step = step.ofAll
    (unclearStep, unclearGuards) = (unclear.step?.ofAll, unclear.guards)
    (self.guards, self.looksAtAll) = (guards, looksAtAll)
    asksAttributes = pattern.asksAttributes
    branches = pattern.branches.map { branch in
      Branch(
        alternatives: branch.alternatives, kinds: branch.eventKinds,
        kindsOfAnySubject: EventKinds(branch.writer, subjects: nil),
        identifiers: branch.identifiers.map { $0.sorted().map(vocabulary.symbol) },
        labels: branch.labels.map { $0.sorted().map(vocabulary.symbol) },
        attributes: branch.attributes)
    }
  }

  /// The words that events are compared with; they must not be forgotten.
  var words: [Symbol] { branches.flatMap { ($0.identifiers ?? []) + ($0.labels ?? []) } }

  /// Whether an event is meant; `anySubject` leaves its subject out.
  ///
  /// The vocabulary is asked for only where attributes count, which is rare.
  @inline(__always)
  func meaning(
    _ event: Event, _ vocabulary: @autoclosure () -> Vocabulary, anySubject: Bool = false
  ) -> EventMeaning {
    if asksAttributes { return meaning(event, in: vocabulary(), anySubject: anySubject) }
    return branches.contains { $0.means(event, anySubject: anySubject) } ? .meant : .notMeant
  }

  @inline(never)
  private func meaning(
    _ event: Event, in vocabulary: Vocabulary, anySubject: Bool
  ) -> EventMeaning {
    branches.lazy.filter { $0.means(event, anySubject: anySubject) }.map(\.attributes)
      .meaning(event, vocabulary)
  }
}

extension Ledger {
  /// Whether an event counts in its state.
  fileprivate mutating func answer(_ guards: StateGuard, _ event: Event) -> StateGuard.Answer {
    withUnsafePointer(to: &present) { guards.answer(event, Moment($0)) }
  }
}

extension ClauseSet {
  /// Does a step if its event fulfils all conditions.
  @inline(never)
  mutating func performGuarded(_ index: Int, _ event: Event, _ ledger: inout Ledger) {
    var missing: AttributeKey?
    switch guarded[index].meaning(event, ledger.vocabulary) {
    case .meant: break
    case .unclear(let key): missing = key
    case .notMeant:
      if guarded[index].looksAtAll { lookAt(index, event, &ledger) }
      return
    }

    if let missing { return performUnclear(index, event, missing, &ledger) }
    if isInState(index, guarded[index].guards, event, &ledger) {
      perform(guarded[index].step, event, &ledger)
    }
  }

  /// Doubts an event that leaves open whether it is meant.
  private mutating func performUnclear(
    _ index: Int, _ event: Event, _ missing: AttributeKey, _ ledger: inout Ledger
  ) {
    let step = guarded[index].step
    // What belongs to no form decides for itself.
    if step.form == .none { return perform(step, event, &ledger) }
    guard isInState(index, guarded[index].unclearGuards, event, &ledger) else { return }
    ledger.doubt(clauses[Int(step.clause)], .attributeMissing(missing))
    if let unclear = guarded[index].unclearStep { perform(unclear, event, &ledger) }
  }

  /// Whether an event counts in its state; that this is not known is noted.
  @inline(__always)
  private func isInState(
    _ index: Int, _ guards: StateGuard, _ event: Event, _ ledger: inout Ledger
  ) -> Bool {
    if guards.isEmpty { return true }
    switch ledger.answer(guards, event) {
    case .counts: return true
    case .doesNot: return false
    case .unknown(let reason):
      // Where there is nothing to find it does not matter.
      if case .doesNot = ledger.answer(guarded[index].unclearGuards, event) { return false }
      ledger.doubt(clauses[Int(guarded[index].step.clause)], reason)
      return false
    }
  }

  /// An event of a rule that forbids some of its kind, and not this one.
  private func lookAt(_ index: Int, _ event: Event, _ ledger: inout Ledger) {
    let clause = clauses[Int(guarded[index].step.clause)]
    if event.subjectKind == .none,
      case .meant = guarded[index].meaning(event, ledger.vocabulary, anySubject: true)
    {
      ledger.doubt(clause, .subjectNotKnown)
    } else {
      ledger.check(clause)
    }
  }
}
