import LifecycleModel

/// The clauses of all rules, and the table that says which event concerns which.
///
/// There is a table for each set of rules that may be in force.
struct ClauseSet {
  let clauses: [Clause]
  /// The clauses by form, with what they remember.
  var forms = FormClauses()
  /// The steps that have conditions beyond verb, name, subject and writer.
  private(set) var guarded: [GuardedStep]
  var table = StepTable([])
  /// What is wanted, and by which rule; `nil` for what is always looked at.
  private let wanted: [FormWants.Entry]

  init(_ rules: [ActiveRule], _ patterns: [NumberedPattern], _ vocabulary: Vocabulary) {
    var wants = FormWants(vocabulary)
    if patterns.contains(where: \.pattern.asksConnections) {
      wants.add(.connection, .call(.sceneWillConnect))
    }

    wants.add(.mainThreadBegin, .timed.onMainThread)
    wants.add(.mainThreadEnd, .timed.endings.onMainThread)
    wants.add(.termination, .events(of: [.applicationWillTerminate]))
    wants.add(.resumed, .verbs(.resume))
    wants.add(.memory, MemoryUse.events)
    wants.add(.departure, Departure.events)
    clauses = patterns.map { Clause($0) }
    for (clause, numbered) in zip(clauses, patterns) {
      wants.add(numbered.pattern, clause, to: &forms)
    }

    for (index, rule) in rules.enumerated() {
      for interest in rule.interests { wants.add(interest, ofRule: index) }
    }
    (guarded, wanted) = (wants.guarded, wants.entries)
  }

  /// The table of the rules and clauses that are in force.
  func makeTable(_ inForce: InForce) -> StepTable {
    let entries = wanted.filter { want in
      guard let rule = want.rule else { return true }
      let clause = want.step.step.clause
      return clause == Step.noClause ? inForce.rules[rule] : inForce.clauses[Int(clause)]
    }
    return StepTable(entries.map(\.step))
  }

  /// Does one step of a clause, or of the analyzer's own, whose event matches.
  @inline(__always)
  mutating func perform(_ step: Step, _ event: Event, _ ledger: inout Ledger) {
    if step.form != .none { return forms.perform(step, event, &ledger) }

    let index = step.index
    switch step.action {
    case .connection: ledger.noteConnection(event)
    case .mitigate: ledger.marks[index].lastMitigation = event.instant
    case .mainThreadBegin:
      let now = ledger.time(.awake, at: event)
      ledger.present.mainThread.begin(ledger.fact(event), at: now)
    case .mainThreadEnd:
      let now = ledger.time(.awake, at: event)
      ledger.present.mainThread.end(
        event, at: now, lastWritten: ledger.present.lastOnMain.ordinal)
      if !ledger.present.launchHolds.isOver { ledger.noteLaunchHold(event, at: now) }
    case .termination:
      if ledger.present.termination == nil { ledger.present.termination = ledger.fact(event) }
    case .memory: ledger.present.memory.note(ledger.fact(event))
    case .resumed:
      ledger.present.resumes.note(ledger.fact(event))
      // A prewarmed process is launched now.
      if !ledger.present.wasActive { ledger.present.launchHolds = LaunchHolds() }
    case .departure: ledger.present.departure.note(event, ledger.present.state.ordinal &+ 1)
    case .rule: ledger.performRule(index, event)
    case .ruleInsideObserver:
      if ledger.present.state.open.count(.observe) > 0 { ledger.performRule(index, event) }
    case .guarded: performGuarded(index, event, &ledger)
    }
  }

  /// Takes places of its own for what changes, where a copy has the same.
  mutating func separate() {
    forms.separate()
    table.separate()
  }

  /// Takes the table of the rules that are in force, the hooks that are recorded, and the callbacks that
  /// the app is known to implement.
  mutating func adopt(
    _ table: StepTable, _ hooks: Set<Hook>, _ profile: Profile, _ ledger: inout Ledger
  ) {
    self.table = table
    // Others have the same table, and count in it what they leave out.
    self.table.separate()
    var adoption = ProfileAdoption(hooks: hooks, profile: profile)
    forms.visit(&adoption, &ledger)
  }
}

/// What clauses and rules want to see, as it is gathered.
struct FormWants {
  typealias Entry = (rule: Int?, step: StepTable.Entry)

  private(set) var entries: [Entry] = []
  private(set) var guarded: [GuardedStep] = []
  /// The conditions of the pattern whose clause is being added.
  private var guards = StateGuard()
  /// The same for an event that leaves open whether it is meant: out of its state that does not matter.
  private var unclearGuards = StateGuard()
  private let vocabulary: Vocabulary

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// What is looked at for every analysis.
  mutating func add(_ action: Step.Action, _ events: EventPattern) {
    add(Step(action, index: 0, events), events, rule: nil)
  }

  /// What a rule's code wants to see.
  mutating func add(_ interest: EventPattern, ofRule rule: Int) {
    for isInside in [false, true] {
      let events = EventPattern.any(
        of: interest.branches.filter { $0.isInsideObserver == isInside })
      let action: Step.Action = isInside ? .ruleInsideObserver : .rule
      if !events.isNothing { add(Step(action, index: rule, events), events, rule: rule) }
    }
  }

  /// What a clause wants to see.
  mutating func add(_ pattern: RulePattern, _ clause: Clause, to forms: inout FormClauses) {
    if case .recently(let events, _) = pattern.mitigation {
      let step = Step(.mitigate, index: clause.number, clause: UInt16(clause.number), events)
      add(step, events, rule: clause.rule)
    }
    guards = pattern.guards
    unclearGuards = guards
    if case .condition(let form) = pattern.form { unclearGuards.holding.append(form.state) }
    forms.add(pattern.form, clause, &self)
  }

  /// Makes a clause of a form, and takes what it asks for.
  mutating func add<Running: FormClause>(
    _ form: Running.Form, _ clause: Clause, _ kind: FormKind,
    to clauses: inout Slab<Running>
  ) {
    for role in form.roles {
      let step = Step(kind, role.part, index: clauses.count, clause: clause.number, role.events)
      precondition(
        (step.played() as Running.Part).rawValue == role.part,
        "the parts of a form are numbered from 0, and are no more than 16")
      add(step, as: role, of: clause)
    }
    clauses.append(Running(form, clause))
  }

  /// Takes what a role asks for; it is the same code for all forms.
  private mutating func add(_ step: Step, as role: FormRole, of clause: Clause) {
    let unclear = role.unclear.map {
      Step(step.form, $0, index: step.index, clause: clause.number, role.events)
    }
    add(
      step, unclear: unclear, role.events, rule: clause.rule,
      asking: role.isGuarded ? guards : StateGuard(),
      unclearAsking: role.isGuarded ? unclearGuards : StateGuard(),
      // What is left out is counted without a look at the launch.
      quiet: clause.isLaunchBound ? .none : step.events.least(from: role.quiet),
      looksAtAll: role.looksAtAll)
  }

  /// Notes that events are wanted; `asking` are conditions on the state in which they happen.
  private mutating func add(
    _ step: Step, unclear: Step? = nil, _ events: EventPattern, rule: Int?,
    asking conditions: StateGuard = StateGuard(), unclearAsking: StateGuard = StateGuard(),
    quiet: Calm = .none, looksAtAll: Bool = false
  ) {
    if events.isPlain && conditions.isEmpty {
      let entry = StepTable.Entry(
        alternatives: events.alternatives, step: step, rank: step.rank, quiet: quiet)
      return entries.append((rule, entry))
    }

    // Branches that mean different events stand beside each other.
    if events.isOfPlainBranches && conditions.isEmpty && unclear == nil && !looksAtAll {
      for branch in events.branches {
        let entry = StepTable.Entry(
          alternatives: branch.alternatives, step: step.of(branch), rank: step.rank,
          quiet: .none)
        entries.append((rule, entry))
      }
      return
    }

    let guarding = Step(.guarded, index: guarded.count, clause: step.clause, .nothing)
    guarded.append(
      GuardedStep(
        step, events, conditions, unclear: (unclear, unclearAsking), looksAtAll: looksAtAll,
        vocabulary))
    let entry = StepTable.Entry(
      alternatives: events.distinctAlternatives, step: guarding, rank: step.rank, quiet: .none)
    entries.append((rule, entry))
  }
}

/// Walks over the clauses of all forms, each as what it is.
protocol ClauseVisitor {
  mutating func visit(_ clause: inout some FormClause, _ ledger: inout Ledger)
}

extension Slab where Element: FormClause {
  /// Does a step of one of these clauses.
  @inline(__always)
  func perform(_ step: Step, _ event: Event, _ ledger: inout Ledger) {
    self[step.index].take(step.played(), event, &ledger)
  }

  func visit(_ visitor: inout some ClauseVisitor, _ ledger: inout Ledger) {
    for index in indices { visitor.visit(&self[index], &ledger) }
  }
}

/// Tells the clauses what a profile says.
private struct ProfileAdoption: ClauseVisitor {
  let hooks: Set<Hook>
  let profile: Profile

  func visit(_ clause: inout some FormClause, _ ledger: inout Ledger) {
    clause.adopt(hooks, profile)
  }
}

/// Tells the clauses that the process has ended, or the log.
struct ProcessEnding: ClauseVisitor {
  let reason: Doubt

  func visit(_ clause: inout some FormClause, _ ledger: inout Ledger) {
    clause.end(reason, &ledger)
  }
}

/// Tells the clauses that the clock was set.
struct ClockSetting: ClauseVisitor {
  func visit(_ clause: inout some FormClause, _ ledger: inout Ledger) {
    clause.forgetLengths(&ledger)
  }
}

extension EventPattern {
  /// The verbs and names of all branches, each once; any name stands for each of them.
  fileprivate var distinctAlternatives: [Alternative] {
    let all = branches.flatMap(\.alternatives)
    return all.enumerated().filter { place, one in
      let hasAnyName = all.contains { $0.verb == one.verb && $0.name == nil }
      return all.firstIndex(of: one) == place && (one.name == nil || !hasAnyName)
    }.map(\.element)
  }

  /// The events that end what the events of this pattern begin; they need not say the same of
  /// themselves.
  package var endings: EventPattern {
    .any(
      of: branches.map { branch in
        var ending = branch
        ending.attributes = []
        ending.alternatives = branch.alternatives.compactMap { alternative in
          SpanFamily.opened(by: alternative.verb).map {
            Alternative(verb: $0.closing, name: alternative.name)
          }
        }
        return ending
      })
  }
}
