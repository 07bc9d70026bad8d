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
  let clause: Int
  let guards: StateGuard
  private let branches: [Branch]

  init(
    _ step: Step, clause: Int, _ pattern: EventPattern, _ guards: StateGuard,
    _ vocabulary: Vocabulary
  ) {
    // The conditions are asked here; the step itself takes all.
    self.step = Step(action: step.action, writer: .any, subjects: .max, index: step.index)
    self.clause = clause
    self.guards = guards
    branches = pattern.branches.map { branch in
      Branch(
        alternatives: branch.alternatives,
        step: Step(
          action: step.action, writer: branch.writer, subjects: branch.subjectBits,
          index: step.index),
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

extension Analyzer {
  /// Does a step if its event fulfils all conditions.
  @inline(never)
  mutating func performGuarded(_ index: Int, _ event: Event) {
    let guarded = set.guarded[index]
    guard guarded.means(event) else {
      if guarded.step.action == .always { lookedAt(guarded, event) }
      return
    }
    if !guarded.guards.isEmpty {
      switch withUnsafePointer(
        to: &present, { guarded.guards.answer(event, Moment($0).state) })
      {
      case .counts: break
      case .doesNot: return
      case .unknown(let reason): return doubt(guarded.clause, reason)
      }
    }
    perform(guarded.step, event)
  }

  /// Notes the role of a scene that is connected.
  mutating func noteRole(_ event: Event) {
    var roles = set.roles
    set.roles = nil
    roles?.note(event, vocabulary, state)
    set.roles = roles
  }

  /// An event of a rule that forbids some of its kind, and not this one.
  private mutating func lookedAt(_ guarded: GuardedStep, _ event: Event) {
    if event.subjectKind == .none && guarded.meansButForSubject(event) {
      doubt(guarded.clause, .subjectNotKnown)
    } else {
      check(guarded.clause)
    }
  }
}
