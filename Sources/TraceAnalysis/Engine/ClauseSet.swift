import LifecycleModel

/// The clauses of all rules, by form, and the table that says which event concerns which.
///
/// There is a table for each set of rules that may be in force.
struct ClauseSet {
  var clauses: [Clause] = []
  /// What each clause waits for; beside the clauses, since only findings ask for it.
  private(set) var awaited: [Awaited] = []
  var windows: [WindowClause] = []
  var conditions: [ConditionClause] = []
  var always: [Int] = []
  var orders: [OrderClause] = []
  var everys: [EveryClause] = []
  var budgets: [BudgetClause] = []
  var balances: [BalanceClause] = []
  var stretches: [StretchClause] = []
  /// The clauses about the main thread, each with the code of a kill.
  var mainThreads: [(clause: Int, code: String)] = []
  /// The steps that have conditions beyond verb, name, subject and writer.
  var guarded: [GuardedStep] = []
  /// Whether any time is read from the wall clock.
  private(set) var hasWallTimes = false
  /// The clauses of ``EveryClause`` that have a deadline.
  var timedEverys: [Int] = []
  var table = StepTable([])
  /// What is wanted, and by which rule; `nil` for what is always looked at.
  private var wanted: [(rule: Int?, pattern: EventPattern, step: Step)] = []

  /// The roles of scenes, where a clause asks for them.
  var roles: SceneRoles?
  private let vocabulary: Vocabulary

  init(_ rules: [ActiveRule], _ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    if rules.contains(where: { $0.description.patterns.contains { $0.roles != nil } }) {
      roles = SceneRoles()
      want(.sceneRole, .call(.sceneWillConnect), 0, rule: nil)
    }
    want(.mainThreadBegin, .timed.onMainThread, 0, rule: nil)
    want(.mainThreadEnd, .timed.endings.onMainThread, 0, rule: nil)
    want(
      .termination, .call(.applicationWillTerminate) | .notify(.applicationWillTerminate), 0,
      rule: nil)
    want(.resumed, .verbs(.resume), 0, rule: nil)
    for (index, rule) in rules.enumerated() {
      for pattern in rule.description.patterns {
        add(pattern, rule: index, severity: rule.description.severity)
      }
      for interest in rule.interests {
        want(interest.isInsideObserver ? .ruleInsideObserver : .rule, interest, index, rule: index)
      }
    }
  }

  /// The table of the rules that are in force.
  func makeTable(inForce: [Bool]) -> StepTable {
    StepTable(
      wanted.filter { want in want.rule.map { inForce[$0] } ?? true }.map { ($0.pattern, $0.step) })
  }

  /// Takes the table of the rules that are in force, the hooks that are recorded, and the callbacks that
  /// the app is known to implement.
  mutating func adopt(_ table: StepTable, _ hooks: Set<Hook>, _ profile: Profile) {
    self.table = table
    for index in windows.indices { windows[index].closing.update(hooks, profile) }
    for index in orders.indices { orders[index].first.update(hooks, profile) }
    for index in everys.indices { everys[index].response.update(hooks, profile) }
  }

  /// Notes that a clause wants events; `asking` are conditions on the state in which they happen.
  private mutating func want(
    _ action: Step.Action, _ pattern: EventPattern, _ index: Int, rule: Int?,
    asking conditions: StateGuard = StateGuard()
  ) {
    let step = Step(
      action: action, writer: pattern.writer, subjects: pattern.subjectBits, index: UInt16(index))
    if pattern.isPlain && conditions.isEmpty { return wanted.append((rule, pattern, step)) }
    guarded.append(
      GuardedStep(
        step, clause: clauses.count - 1, pattern, conditions, vocabulary))
    var any = pattern
    let alternatives = pattern.branches.flatMap(\.alternatives)
    any.alternatives = alternatives.enumerated().filter { place, one in
      alternatives.firstIndex(of: one) == place

        // Any name stands for each of them.
        && (one.name == nil || !alternatives.contains { $0.verb == one.verb && $0.name == nil })
    }.map(\.element)
    wanted.append(
      (rule, any, Step(guarding: action, index: UInt16(guarded.count - 1))))
  }

  private mutating func add(_ pattern: RulePattern, rule: Int, severity: Severity) {
    let clause = clauses.count
    clauses.append(Clause(pattern, rule: rule, severity: severity))
    awaited.append(Awaited(pattern))
    if pattern.clock == .wall || pattern.limit?.clock == .wall { hasWallTimes = true }
    if case .recently(let event, _) = pattern.mitigation {
      want(.mitigate, event, clause, rule: rule)
    }
    switch pattern.form {
    case .window(let culprit, let opening, let closing):
      want(.windowCulprit, culprit, windows.count, rule: rule, asking: pattern.guards)
      want(.windowClose, closing, windows.count, rule: rule)
      want(.windowOpen, opening, windows.count, rule: rule)
      windows.append(
        WindowClause(clause: clause, limit: pattern.limit, closing: Visibility(closing)))
    case .condition(let culprit, let state):
      let action: Step.Action =
        state.isSuspension
        ? .conditionWhileSuspended
        : state.isQuiet
          ? .conditionUnlessActive : state.isInsideCall ? .conditionInsideCall : .condition
      want(action, culprit, conditions.count, rule: rule, asking: pattern.guards)
      conditions.append(ConditionClause(clause: clause, condition: state))
    case .always(let culprit, let exercisedBy):
      want(.always, culprit, always.count, rule: rule, asking: pattern.guards)
      if let exercisedBy { want(.exercise, exercisedBy, always.count, rule: rule) }
      always.append(clause)
    case .order(let first, let then, let until, let repetition):
      want(.orderFirst, first, orders.count, rule: rule)
      want(.orderThen, then, orders.count, rule: rule, asking: pattern.guards)
      if let until { want(.orderUntil, until, orders.count, rule: rule) }
      orders.append(
        OrderClause(clause: clause, repetition: repetition, first: Visibility(first)))
    case .every(let trigger, let response, let end):
      want(.everyTrigger, trigger, everys.count, rule: rule, asking: pattern.guards)
      want(.everyResponse, response, everys.count, rule: rule)
      want(.everyEnd, end, everys.count, rule: rule)
      if pattern.limit != nil { timedEverys.append(everys.count) }
      everys.append(
        EveryClause(clause: clause, limit: pattern.limit, response: Visibility(response)))
    case .budget(let spans, let limits, let until):
      want(.budgetBegin, spans, budgets.count, rule: rule, asking: pattern.guards)
      want(.budgetEnd, spans.endings, budgets.count, rule: rule)
      want(.budgetUntil, until, budgets.count, rule: rule)
      budgets.append(BudgetClause(clause: clause, limits: limits, pattern))
    case .balance(let opening, let closing):
      want(.balanceOpen, opening, balances.count, rule: rule)
      want(.balanceClose, closing, balances.count, rule: rule)
      balances.append(BalanceClause(clause: clause))
    case .stretch(let opening, let closing, let cancelling, let allowed):
      want(.stretchOpen, opening, stretches.count, rule: rule)
      want(.stretchClose, closing, stretches.count, rule: rule)
      want(.stretchCancel, cancelling, stretches.count, rule: rule)
      stretches.append(StretchClause(clause: clause, allowed: allowed, worse: pattern.worse))
    case .mainThread(let code):
      want(.mainThreadKilled, .verbs(.kill), mainThreads.count, rule: rule)
      mainThreads.append((clause, code))
    }
  }
}

extension EventPattern {
  /// The events that end what the events of this pattern begin.
  package var endings: EventPattern {
    var pattern = self
    pattern.alternatives = alternatives.compactMap { alternative in
      SpanFamily.allCases.first { $0.opening == alternative.verb }.map {
        Alternative(verb: $0.closing, name: alternative.name)
      }
    }
    pattern.others = others.map(\.endings)
    return pattern
  }
}
