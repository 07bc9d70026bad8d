import LifecycleModel
import TraceText

/// What an analyzer of one rule holds as an event comes, in words.
struct Inspection {
  private let analyzer: Analyzer
  private let event: Event
  private let steps: [Step]
  private let closings: [Instance: String]

  /// An instance of a clause.
  struct Instance: Hashable {
    var clause: Int
    var key: UInt64
  }

  init(analyzer: Analyzer, event: Event, closings: [Instance: String] = [:]) {
    self.analyzer = analyzer
    self.event = event
    self.closings = closings
    var table = analyzer.set.table
    steps = table.range(event, isQuiet: false).map { table.steps[$0] }
  }

  var profile: Profile { analyzer.profile }

  /// Whether the rule looks at such events.
  var isAsked: Bool {
    steps.contains { step in
      switch step.action {
      // These are looked at for every analysis, whatever its rules.
      case .termination, .resumed: false
      case .mainThreadBegin, .mainThreadEnd: !analyzer.set.mainThreads.isEmpty
      default: true
      }
    }
  }

  /// Whether the rule looks at this very event, its subject and its writer considered.
  var isLookedAt: Bool {
    steps.contains { step in
      switch step.action {
      case .termination, .resumed, .sceneRole: false
      case .mainThreadBegin, .mainThreadEnd:
        !analyzer.set.mainThreads.isEmpty && step.matches(event)
      case .guarded: analyzer.set.guarded[Int(step.index)].means(event)
      default: step.matches(event)
      }
    }
  }

  /// The windows that the event closes.
  var closedWindows: [Instance] {
    steps.compactMap { step in
      var step = step
      if step.action == .guarded {
        let guarded = analyzer.set.guarded[Int(step.index)]
        guard guarded.means(event) else { return nil }
        step = guarded.step
      }
      guard step.action == .windowClose, step.matches(event) else { return nil }
      let window = analyzer.set.windows[Int(step.index)]
      guard let key = key(window.clause), window.open[key] != nil else { return nil }
      return Instance(clause: window.clause, key: key)
    }
  }

  /// The event in words.
  var toldEvent: String { told(event) }

  /// What is true before the event.
  var state: [String] {
    let state = analyzer.state
    var lines: [String] = []
    if let app = state.app {
      lines.append("the app is \(app.state.rawValue) since \(told(app.since))")
    } else {
      lines.append("the state of the app is not known")
    }
    if event.subjectKind == .scene {
      let scene = state.scene(event.subjectNumber)
      lines.append(
        scene.map { "\(event.subject) is \($0.activation.rawValue) since \(told($0.since))" }
          ?? "\(event.subject) is not known to be connected")
    }
    if let suspension = state.suspension {
      lines.append("the process is suspended since \(told(suspension))")
    }
    if let gap = state.lastGap { lines.append("events are missing at \(told(gap))") }
    for call in state.open.facts(.call).prefix(4) { lines.append("\(told(call)) runs") }
    return lines
  }

  /// The rule's patterns.
  var clauses: [Inquiry.Clause] {
    analyzer.set.clauses.indices.map { index in
      let clause = analyzer.set.clauses[index]
      let pattern = analyzer.active[clause.rule].description.patterns[index]
      var values = values(index)
      if let launches = clause.launches {
        let names = launches.map(\.rawValue).sorted().joined(separator: ", ")
        values.append(
          "judged for launches by \(names); this one is by "
            + (analyzer.present.launch?.rawValue ?? "a reason that is not known"))
      }
      if clause.milder != nil {
        let severity = clause.severity(at: event.instant, under: profile)
        if severity != clause.severity {
          values.append("a finding here is \(severity.rawValue), not \(clause.severity.rawValue)")
        }
      }
      return Inquiry.Clause(pattern: pattern.words, roles: roles(index), values: values)
    }
  }

  // MARK: Roles

  private func roles(_ clause: Int) -> [String] {
    steps.compactMap { step in
      guard self.clause(step) == clause else { return nil }
      if step.action == .guarded {
        let guarded = analyzer.set.guarded[Int(step.index)]
        return guarded.step.action.role.map { role in told(role, guarded) }
      }
      guard let role = step.action.role else { return nil }
      return step.matches(event) ? role : "\(role), but for its subject or its writer"
    }
  }

  /// The part in a pattern that asks for more than verb and name.
  private func told(_ role: String, _ guarded: GuardedStep) -> String {
    guard guarded.means(event) else { return "\(role), but for its subject, writer, name or label" }
    switch guarded.guards.answer(event, analyzer.state) {
    case .counts: return role
    case .doesNot: return "\(role), but for the state in which it happens"
    case .unknown(let doubt): return "\(role), if the state were known: \(doubt.reason)"
    }
  }

  /// The clause that a step belongs to.
  private func clause(_ step: Step) -> Int? {
    let set = analyzer.set
    let index = Int(step.index)
    switch step.action {
    case .mitigate: return index
    case .windowCulprit, .windowClose, .windowOpen: return set.windows[index].clause
    case .condition, .conditionUnlessActive, .conditionWhileSuspended, .conditionInsideCall:
      return set.conditions[index].clause
    case .always, .exercise: return set.always[index]
    case .orderFirst, .orderThen, .orderUntil: return set.orders[index].clause
    case .everyTrigger, .everyResponse, .everyEnd: return set.everys[index].clause
    case .budgetBegin, .budgetEnd, .budgetUntil: return set.budgets[index].clause
    case .balanceOpen, .balanceClose: return set.balances[index].clause
    case .stretchOpen, .stretchClose, .stretchCancel: return set.stretches[index].clause
    case .mainThreadBegin, .mainThreadEnd, .mainThreadKilled:
      // The main thread is watched for the verdict too, which is no clause.
      return set.mainThreads.indices.contains(index) ? set.mainThreads[index].clause : nil
    case .guarded: return set.guarded[index].clause
    case .termination, .resumed, .rule, .ruleInsideObserver, .sceneRole: return nil
    }
  }

  // MARK: Values

  private func values(_ clause: Int) -> [String] {
    let set = analyzer.set
    if let window = set.windows.first(where: { $0.clause == clause }) { return values(window) }
    if let condition = set.conditions.first(where: { $0.clause == clause }) {
      return values(condition)
    }
    if let order = set.orders.first(where: { $0.clause == clause }) { return values(order) }
    if let every = set.everys.first(where: { $0.clause == clause }) {
      guard let key = key(clause) else { return [noScope(clause)] }
      return [every.pending[key].map { "waits since \(held($0))" } ?? "nothing is waited for"]
    }
    if let budget = set.budgets.first(where: { $0.clause == clause }) { return values(budget) }
    if let balance = set.balances.first(where: { $0.clause == clause }) {
      guard let key = key(clause) else { return [noScope(clause)] }
      if let open = balance.open[key] { return ["open since \(held(open.fact))"] }
      return [balance.firstEnd(key).map { "was closed at \(told($0))" } ?? "is not open"]
    }
    if let stretch = set.stretches.first(where: { $0.clause == clause }) {
      if stretch.isOver { return ["was measured in this process already"] }
      return [stretch.open[0].map { "runs since \(held($0))" } ?? "has not begun"]
    }
    return []
  }

  private func values(_ window: WindowClause) -> [String] {
    guard let key = key(window.clause) else { return [noScope(window.clause)] }
    guard let opener = window.open[key] else {
      let closing = closings[Instance(clause: window.clause, key: key)]
      return ["no window is open" + (closing.map { ": \($0) closed the last one" } ?? "")]
    }
    var values = ["the window is open since \(held(opener))"]
    if !window.closing.isGiven {
      values.append("what would close it was never seen, and is recorded in no other way")
    }
    return values
  }

  private func values(_ condition: ConditionClause) -> [String] {
    if event.isSystemWork(analyzer.state, analyzer.vocabulary) {
      return ["the work is the system's"]
    }
    switch condition.condition.answer(event, analyzer.state) {
    case .no: return ["the condition does not hold"]
    case .irrelevant: return ["there is nothing to judge"]
    case .unknown(let doubt): return ["whether the condition holds is not known: \(doubt.reason)"]
    case .yes(let facts): return facts.map { "the condition holds since \(told($0))" }
    }
  }

  private func values(_ order: OrderClause) -> [String] {
    guard let key = key(order.clause) else { return [noScope(order.clause)] }
    switch order.progress[key] {
    case .sawFirst?: return ["the first event came before, or the question is settled"]
    case .sawThen(let early, _)?: return ["the second event came at \(held(early))"]
    case nil:
      var values = ["neither event came before"]
      if order.repetition == .mustHaveFirst {
        if analyzer.state.processStart == nil {
          values.append("how the process began was not recorded")
        } else if !order.first.isGiven {
          values.append("the first event was never seen, and is recorded in no other way")
        }
      }
      return values
    }
  }

  private func values(_ budget: BudgetClause) -> [String] {
    guard let key = analyzer.budgetKey(budget.clause, event) else {
      return [noScope(budget.clause)]
    }
    let limits = budget.limits.map { "\($0.severity.rawValue) from \(InstantText.print($0.time))" }
    var values = ["limits: " + limits.joined(separator: ", ")]
    guard let account = budget.accounts[key] else {
      return values + ["nothing was spent before it"]
    }
    let now = analyzer.time(budget.clock, at: event)
    let running = account.openSpans > 0 ? max(0, now &- account.busySince) : 0
    values.append(
      "\(InstantText.print(account.spent &+ running)) were spent since \(held(account.first)), "
        + "\(account.openSpans) open")
    return values
  }

  private func key(_ clause: Int) -> UInt64? { analyzer.scope(clause).key(event) }

  private func noScope(_ clause: Int) -> String {
    "the event is of no \(analyzer.scope(clause).word)"
  }

  // MARK: Words

  /// A fact, and whether a gap lies between it and now.
  private func held(_ fact: Fact) -> String {
    told(fact)
      + (analyzer.state.isCertain(fact) ? "" : ", before events that are missing: cannot tell")
  }

  private func told(_ fact: Fact) -> String { told(fact.event) }

  private func told(_ event: Event) -> String {
    let name = analyzer.vocabulary.text(event.name)
    let word = name.isEmpty ? analyzer.vocabulary.word(of: event.verb) : name
    return "\(InertText.word(analyzer.vocabulary.name(of: event.writer)))#\(event.sequence) "
      + "\(InstantText.print(event.instant.nanoseconds)) \(InertText.word(word))"
  }
}

extension Step.Action {
  /// The part that the event plays in a pattern.
  fileprivate var role: String? {
    switch self {
    case .mitigate: "makes a finding less serious"
    case .windowCulprit, .condition, .conditionUnlessActive, .conditionWhileSuspended,
      .conditionInsideCall, .always:
      "culprit"
    case .windowOpen: "opens the window"
    case .windowClose: "closes the window"
    case .exercise: "shows that the rule had something to judge"
    case .orderFirst: "first"
    case .orderThen: "second"
    case .orderUntil: "ends the pair"
    case .everyTrigger: "trigger"
    case .everyResponse: "response"
    case .everyEnd: "end"
    case .budgetBegin: "begins to spend"
    case .budgetEnd: "ends to spend"
    case .budgetUntil: "begins a new account"
    case .balanceOpen: "opens"
    case .balanceClose: "closes"
    case .stretchOpen: "begins the stretch"
    case .stretchClose: "ends the stretch"
    case .stretchCancel: "forgets the stretch"
    case .mainThreadBegin, .mainThreadEnd: "takes time on main"
    case .mainThreadKilled: "kill"
    case .termination, .resumed, .rule, .ruleInsideObserver, .guarded, .sceneRole: nil
    }
  }
}
