import LifecycleModel

/// A step whose event must fulfil more than verb, name, subject and writer.
///
/// Such steps are few and stand behind one step of the table each, so that rules without them cost
/// nothing more.
struct GuardedStep {
  /// Events that are meant by one set of conditions.
  private struct Branch {
    let alternatives: [EventPattern.Alternative]
    /// What verb and name have in common with a plain step.
    let step: Step
    let identifiers: [Symbol]?
    let labels: [Symbol]?

    /// Whether an event is meant; `anySubject` leaves its subject out.
    func means(_ event: Event, anySubject: Bool) -> Bool {
      var step = step
      if anySubject { step.subjects = .max }
      return step.matches(event)
        && alternatives.contains {
          $0.verb == event.verb && ($0.name == nil || $0.name == event.name)
        }
        && identifiers?.contains(event.name) ?? true && labels?.contains(event.label) ?? true
    }
  }

  /// What is done when all is fulfilled.
  let step: Step
  let guards: StateGuard
  /// Whether other events of its verbs and names show that the rule was kept.
  let looksAtAll: Bool
  private let branches: [Branch]

  init(
    _ step: Step, _ pattern: EventPattern, _ guards: StateGuard, looksAtAll: Bool,
    _ vocabulary: Vocabulary
  ) {
    // The conditions are asked here; the step itself takes all.
    self.step = step.ofAll
    (self.guards, self.looksAtAll) = (guards, looksAtAll)
    branches = pattern.branches.map { branch in
      Branch(
        alternatives: branch.alternatives, step: step.of(branch),
        identifiers: branch.identifiers.map { $0.sorted().map(vocabulary.symbol) },
        labels: branch.labels.map { $0.sorted().map(vocabulary.symbol) })
    }
  }

  /// The words that events are compared with; they must not be forgotten.
  var words: [Symbol] { branches.flatMap { ($0.identifiers ?? []) + ($0.labels ?? []) } }

  func means(_ event: Event) -> Bool {
    branches.contains { $0.means(event, anySubject: false) }
  }

  /// Whether it would be meant if its subject were the right one.
  func meansButForSubject(_ event: Event) -> Bool {
    branches.contains { $0.means(event, anySubject: true) }
  }
}

extension EventPattern {
  /// A bit for each kind of subject that matches.
  var subjectBits: UInt8 {
    subjects.map { kinds in kinds.reduce(UInt8(0)) { $0 | 1 << $1.rawValue } } ?? .max
  }
}

extension Step {
  /// The same, whoever recorded the event and whatever it is about.
  fileprivate var ofAll: Step { of(.nothing) }

  /// The same, with the conditions of a pattern.
  fileprivate func of(_ pattern: EventPattern) -> Step {
    var step = self
    (step.writer, step.subjects) = (pattern.writer, pattern.subjectBits)
    return step
  }
}

extension ClauseSet {
  /// Does a step if its event fulfils all conditions.
  @inline(never)
  mutating func performGuarded(_ index: Int, _ event: Event, _ ledger: inout Ledger) {
    let clause = guarded[index].step.clause
    guard guarded[index].means(event) else {
      if guarded[index].looksAtAll { lookAt(index, event, &ledger) }
      return
    }
    let guards = guarded[index].guards
    if !guards.isEmpty {
      let answer = withUnsafePointer(to: &ledger.present) {
        guards.answer(event, Moment($0).state)
      }
      switch answer {
      case .counts: break
      case .doesNot: return
      case .unknown(let reason):
        return ledger.doubt(clauses[Int(clause)], reason)
      }
    }
    perform(guarded[index].step, event, &ledger)
  }

  /// An event of a rule that forbids some of its kind, and not this one.
  private func lookAt(_ index: Int, _ event: Event, _ ledger: inout Ledger) {
    let clause = clauses[Int(guarded[index].step.clause)]
    if event.subjectKind == .none && guarded[index].meansButForSubject(event) {
      ledger.doubt(clause, .subjectNotKnown)
    } else {
      ledger.check(clause)
    }
  }
}
