import LifecycleModel

/// The clauses of all rules, by form, and the table that says which event concerns which.
///
/// There is a table for each set of rules that may be in force.
struct ClauseSet {
  var clauses: [Clause] = []
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
  var table = StepTable([])
  /// What is wanted, and by which rule; `nil` for what is always looked at.
  private var wanted: [(rule: Int?, pattern: EventPattern, step: Step)] = []

  init(_ rules: [ActiveRule]) {
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

  /// Takes the table of the rules that are in force, and the hooks that are recorded.
  mutating func adopt(_ table: StepTable, _ hooks: Set<Hook>) {
    self.table = table
    for index in windows.indices { windows[index].closing.update(hooks) }
    for index in orders.indices { orders[index].first.update(hooks) }
  }

  private mutating func want(
    _ action: Step.Action, _ pattern: EventPattern, _ index: Int, rule: Int?
  ) {
    let subjects = pattern.subjects.map { kinds in
      kinds.reduce(UInt8(0)) { $0 | 1 << $1.rawValue }
    }
    let step = Step(
      action: action, writer: pattern.writer, subjects: subjects ?? .max, index: UInt16(index))
    wanted.append((rule, pattern, step))
  }

  private mutating func add(_ pattern: RulePattern, rule: Int, severity: Severity) {
    let clause = clauses.count
    clauses.append(Clause(pattern, rule: rule, severity: severity))
    if case .recently(let event, _) = pattern.mitigation {
      want(.mitigate, event, clause, rule: rule)
    }
    switch pattern.form {
    case .window(let culprit, let opening, let closing):
      want(.windowCulprit, culprit, windows.count, rule: rule)
      want(.windowClose, closing, windows.count, rule: rule)
      want(.windowOpen, opening, windows.count, rule: rule)
      windows.append(WindowClause(clause: clause, closing: Visibility(closing)))
    case .condition(let culprit, let state):
      let action: Step.Action =
        state.isSuspension
        ? .conditionWhileSuspended
        : state.isQuiet
          ? .conditionUnlessActive : state.isInsideCall ? .conditionInsideCall : .condition
      want(action, culprit, conditions.count, rule: rule)
      conditions.append(ConditionClause(clause: clause, condition: state))
    case .always(let culprit, let exercisedBy):
      want(.always, culprit, always.count, rule: rule)
      if let exercisedBy { want(.exercise, exercisedBy, always.count, rule: rule) }
      always.append(clause)
    case .order(let first, let then, let until, let repetition):
      want(.orderFirst, first, orders.count, rule: rule)
      want(.orderThen, then, orders.count, rule: rule)
      if let until { want(.orderUntil, until, orders.count, rule: rule) }
      orders.append(
        OrderClause(clause: clause, repetition: repetition, first: Visibility(first)))
    case .every(let trigger, let response, let end):
      want(.everyTrigger, trigger, everys.count, rule: rule)
      want(.everyResponse, response, everys.count, rule: rule)
      want(.everyEnd, end, everys.count, rule: rule)
      everys.append(EveryClause(clause: clause))
    case .budget(let spans, let limits, let until):
      want(.budgetBegin, spans, budgets.count, rule: rule)
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
      stretches.append(StretchClause(clause: clause, allowed: allowed))
    case .mainThread(let code):
      want(.mainThreadKilled, .verbs(.kill), mainThreads.count, rule: rule)
      mainThreads.append((clause, code))
    }
  }
}

extension EventPattern {
  /// The events that end what the events of this pattern begin.
  var endings: EventPattern {
    var pattern = self
    pattern.alternatives = alternatives.compactMap { alternative in
      SpanFamily.allCases.first { $0.opening == alternative.verb }.map {
        Alternative(verb: $0.closing, name: alternative.name)
      }
    }
    return pattern
  }
}
