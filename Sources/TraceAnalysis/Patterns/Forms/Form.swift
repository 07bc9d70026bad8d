import LifecycleModel

extension RulePattern {
  /// The forms of pattern.
  ///
  /// A new one gets a file of its own, its cases here, for which the compiler then asks in this file, and
  /// its keys in the reader of YAML.
  package enum Form: Sendable {
    /// `never(_:between:until:per:says:)`.
    case window(WindowForm)
    /// `never(_:while:says:)`.
    case condition(ConditionForm)
    /// `never(_:exercisedBy:says:)`.
    case always(AlwaysForm)
    /// `order(_:then:until:per:says:)`, `orderOnce` and `begins(with:before:per:says:)`.
    case order(OrderForm)
    /// `every(_:then:before:per:says:)`.
    case every(EveryForm)
    /// `budget(_:warning:error:until:per:says:)` and `budgetWhileVisible`.
    case budget(BudgetForm)
    /// `balance(_:_:per:unclosed:closedAgain:)`.
    case balance(BalanceForm)
    /// `fewer(than:_:within:by:per:says:)`.
    case count(CountForm)
    /// `stretch(from:to:cancelledBy:allowed:worse:says:)`.
    case stretch(StretchForm)
    /// `mainThreadShares(atKill:)`.
    case mainThread(MainThreadForm)

    /// The form itself.
    package var content: any PatternForm {
      switch self {
      case .window(let form): form
      case .condition(let form): form
      case .always(let form): form
      case .order(let form): form
      case .every(let form): form
      case .budget(let form): form
      case .balance(let form): form
      case .count(let form): form
      case .stretch(let form): form
      case .mainThread(let form): form
      }
    }
  }
}

/// The forms, as a step names them; in the order in which one event's steps are done.
enum FormKind: UInt8, CaseIterable {
  /// What belongs to no form.
  case none
  case window, condition, always, order, every, budget, balance, count, stretch, mainThread
}

/// The clauses of all rules while a log is analyzed, by form: the loop over events calls each as what it
/// is.
struct FormClauses {
  private var windows = Slab<WindowClause>([])
  private var conditions = Slab<ConditionClause>([])
  private var always = Slab<AlwaysClause>([])
  private var orders = Slab<OrderClause>([])
  private var everys = Slab<EveryClause>([])
  private var budgets = Slab<BudgetClause>([])
  private var balances = Slab<BalanceClause>([])
  private var counts = Slab<CountClause>([])
  private var stretches = Slab<StretchClause>([])
  private var mainThreads = Slab<MainThreadClause>([])

  /// Adds a clause, and what it asks for.
  mutating func add(_ form: RulePattern.Form, _ clause: Clause, _ wants: inout FormWants) {
    switch form {
    case .window(let form): wants.add(form, clause, .window, to: &windows)
    case .condition(let form): wants.add(form, clause, .condition, to: &conditions)
    case .always(let form): wants.add(form, clause, .always, to: &always)
    case .order(let form): wants.add(form, clause, .order, to: &orders)
    case .every(let form): wants.add(form, clause, .every, to: &everys)
    case .budget(let form): wants.add(form, clause, .budget, to: &budgets)
    case .balance(let form): wants.add(form, clause, .balance, to: &balances)
    case .count(let form): wants.add(form, clause, .count, to: &counts)
    case .stretch(let form): wants.add(form, clause, .stretch, to: &stretches)
    case .mainThread(let form): wants.add(form, clause, .mainThread, to: &mainThreads)
    }
  }

  /// Does a step of a clause.
  @inline(__always)
  mutating func perform(_ step: Step, _ event: Event, _ ledger: inout Ledger) {
    switch step.form {
    case .none: break
    case .window: windows.perform(step, event, &ledger)
    case .condition: conditions.perform(step, event, &ledger)
    case .always: always.perform(step, event, &ledger)
    case .order: orders.perform(step, event, &ledger)
    case .every: everys.perform(step, event, &ledger)
    case .budget: budgets.perform(step, event, &ledger)
    case .balance: balances.perform(step, event, &ledger)
    case .count: counts.perform(step, event, &ledger)
    case .stretch: stretches.perform(step, event, &ledger)
    case .mainThread: mainThreads.perform(step, event, &ledger)
    }
  }

  /// Takes an event that a step's clause does not mean, though verb and name are right.
  @inline(__always)
  func passOver(_ step: Step, _ event: Event, _ ledger: inout Ledger) {
    if step.form == .always { always[step.index].passOver(step.played(), event, &ledger) }
  }

  /// Shows each clause to a visitor, in its place.
  mutating func visit(_ visitor: inout some ClauseVisitor, _ ledger: inout Ledger) {
    for kind in FormKind.allCases {
      switch kind {
      case .none: break
      case .window: windows.visit(&visitor, &ledger)
      case .condition: conditions.visit(&visitor, &ledger)
      case .always: always.visit(&visitor, &ledger)
      case .order: orders.visit(&visitor, &ledger)
      case .every: everys.visit(&visitor, &ledger)
      case .budget: budgets.visit(&visitor, &ledger)
      case .balance: balances.visit(&visitor, &ledger)
      case .count: counts.visit(&visitor, &ledger)
      case .stretch: stretches.visit(&visitor, &ledger)
      case .mainThread: mainThreads.visit(&visitor, &ledger)
      }
    }
  }

  /// Takes places of their own for the clauses, where a copy has the same.
  mutating func separate() {
    for kind in FormKind.allCases {
      switch kind {
      case .none: break
      case .window: windows.separate()
      case .condition: conditions.separate()
      case .always: always.separate()
      case .order: orders.separate()
      case .every: everys.separate()
      case .budget: budgets.separate()
      case .balance: balances.separate()
      case .count: counts.separate()
      case .stretch: stretches.separate()
      case .mainThread: mainThreads.separate()
      }
    }
  }

  /// All clauses, where speed does not matter.
  var all: [any FormClause] {
    FormKind.allCases.flatMap { kind -> [any FormClause] in
      switch kind {
      case .none: []
      case .window: Array(windows)
      case .condition: Array(conditions)
      case .always: Array(always)
      case .order: Array(orders)
      case .every: Array(everys)
      case .budget: Array(budgets)
      case .balance: Array(balances)
      case .count: Array(counts)
      case .stretch: Array(stretches)
      case .mainThread: Array(mainThreads)
      }
    }
  }
}
