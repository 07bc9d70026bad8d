import LifecycleModel

extension RulePattern {
  /// Every `trigger` is followed by a `response` before the next `end`.
  public static func every(
    _ trigger: EventPattern, then response: EventPattern, before end: EventPattern,
    per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .every(EveryForm(trigger, then: response, before: end)), per: scope, says: message)
  }

  /// Every `trigger` is followed by a `response` within a time.
  ///
  /// It is found at the moment at which the time is over. From an earlier time on it is less serious.
  public static func every(
    _ trigger: EventPattern, then response: EventPattern, within time: Nanoseconds,
    warningFrom early: Nanoseconds? = nil, per scope: Scope, says message: String
  ) -> RulePattern {
    var form = EveryForm(trigger, then: response, before: .nothing, within: TimeLimit(time))
    form.milder = early.map { [BudgetLimit(.warning, from: $0)] } ?? []
    return RulePattern(.every(form), per: scope, says: message)
  }
}

/// A response to every trigger.
package struct EveryForm: PatternForm {
  /// What calls for a response; the culprit.
  package var trigger: EventPattern
  /// What has to come.
  package var response: EventPattern
  /// Before what it has to come.
  package var end: EventPattern
  /// The time in which it has to come; `nil` for any before the end.
  package var limit: TimeLimit?
  /// The times before it from which on a finding is less serious, in rising order.
  package var milder: [BudgetLimit] = []

  /// Makes a form.
  package init(
    _ trigger: EventPattern, then response: EventPattern, before end: EventPattern,
    within limit: TimeLimit? = nil
  ) {
    (self.trigger, self.response, self.end) = (trigger, response, end)
    self.limit = limit
  }

  package var roles: [FormRole] {
    typealias Part = EveryClause.Part
    return [
      FormRole(Part.trigger, "trigger", trigger, needs: .one, effect: \.open, isGuarded: true),
      FormRole(
        Part.response, "response", response, needs: .all, effect: \.close, unclear: .mayRespond),
      FormRole(Part.end, "end", end, needs: .one, effect: \.culprit),
    ]
  }

  package var words: String {
    "after every \(trigger.words), \(response.words)"
      + (end.isNothing ? "" : ", before \(end.words)")
  }

  package var timeWords: String { limit?.words ?? "" }

  package var details: [String] {
    guard let limit, !milder.isEmpty else { return [] }
    let told = milder.map { "\($0.severity.article) from \(InstantText.print($0.time)) on" }
    return [
      "It is \(told.joined(separator: ", ")), before \(InstantText.print(limit.time)) are over."
    ]
  }

  package func transitions(asked: String) -> FormTransitions {
    var transitions: FormTransitions = [
      ("idle", trigger.words + asked, "waiting"),
      ("waiting", response.words, "idle"),
    ]
    if !end.isNothing { transitions.append(("waiting", end.words, "FOUND, idle")) }
    if let limit {
      let after = "after it began to wait"
      transitions += milder.map {
        ("waiting", "\(InstantText.print($0.time)) \(after)", "FOUND, \($0.severity.rawValue)")
      }
      transitions.append(("waiting", "\(InstantText.print(limit.time)) \(after)", "FOUND, idle"))
    }

    return transitions
  }

  package func order(isOfScene: Bool) -> LifecycleOrder? {
    limit == nil ? LifecycleOrder(roles) : nil
  }
}

/// The triggers that wait for their responses.
struct EveryClause: FormClause {
  enum Part: UInt8 {
    case response, mayRespond, end, trigger
  }

  private struct Wait {
    let trigger: OpenEvent
    /// How many times are over from which on it is less serious.
    var passed = 0
    /// The finding that was made when one was over.
    var finding: Int?
  }

  let form: EveryForm
  let clause: Clause
  private var pending = KeyedTable<Wait>()
  private var visibility: Visibility

  init(_ form: EveryForm, _ clause: Clause) {
    (self.form, self.clause) = (form, clause)
    visibility = Visibility(form.response)
  }

  mutating func adopt(_ hooks: Set<Hook>, _ profile: Profile) {
    visibility.update(hooks, profile)
  }

  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    let mayEnd = part == .response || part == .mayRespond
    guard let key = ledger.key(clause, event, mayEnd: mayEnd) else { return }
    switch part {
    case .trigger: takeTrigger(key, event, &ledger)
    case .response:
      visibility.see()
      if !pending.isEmpty { respond(key, event, &ledger) }
    case .mayRespond: pending.remove(key)
    case .end: if !pending.isEmpty { miss(key, closing: event, &ledger) }
    }
  }

  private mutating func takeTrigger(_ key: UInt64, _ event: Event, _ ledger: inout Ledger) {
    if case .task = clause.scope, ledger.present.state.open.span(closedBy: event, .task) == nil {
      return ledger.doubt(clause, .startNotSeen)
    }
    if pending.position(key) != nil {
      // With a deadline the first that is not answered counts.
      if form.limit != nil { return }
    } else if ledger.isOverfull(clause, pending.entries.count) {
      return
    }

    let trigger = ledger.fact(event)
    let wait = Wait(trigger: trigger)
    pending.update(key, wait)
    if let limit = form.limit { ledger.deadlines.wait(for: deadline(wait), limit.clock) }
  }

  @inline(never)
  private mutating func respond(_ key: UInt64, _ event: Event, _ ledger: inout Ledger) {
    guard let wait = pending.take(key) else { return }
    guard let finding = wait.finding, let limit = form.limit else { return ledger.check(clause) }
    let elapsed = ledger.time(limit.clock, at: event) &- limit.beginning(wait.trigger)
    ledger.collector.update(finding) { $0.finish(at: event, elapsed: elapsed) }
  }

  /// What a trigger calls for has not come, before an event or before a time was over.
  @inline(never)
  private mutating func miss(_ key: UInt64, closing: Event?, _ ledger: inout Ledger) {
    guard var wait = pending.take(key) else { return }
    guard ledger.canRely(clause, on: wait.trigger) else { return }
    if !visibility.isGiven { return ledger.doubt(clause, .callbackNeverSeen) }

    let (milder, limit) = (form.milder, form.limit)
    let early = closing == nil && wait.passed < milder.count ? milder[wait.passed] : nil
    let found = RuleFindings.Report(
      culprit: wait.trigger, closing: closing,
      elapsed: closing == nil ? early?.time ?? limit?.time : nil, allowed: limit?.time,
      severity: ledger.severity(clause, wait.trigger, past: early?.severity),
      missing: [missing(wait.trigger, before: closing, ledger)])
    guard let limit else {
      ledger.judge(clause, found)
      return
    }
    wait.finding = ledger.pass(
      early?.time ?? limit.time, of: limit.time, wait.finding, clause, found)
    if early == nil { return }
    wait.passed += 1
    pending.update(key, wait)
  }

  private func missing(
    _ trigger: OpenEvent, before closing: Event?, _ ledger: borrowing Ledger
  ) -> MissingEvent {
    var until: Instant?
    if let limit = form.limit {
      until = ledger.instant(limit.clock, at: limit.deadline(since: trigger))
    }
    return MissingEvent(
      ledger.kinds(form.response, like: trigger.event, clause), after: trigger.event,
      before: closing,
      until: until)
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    for wait in pending.entries where wait.value.finding == nil { ledger.doubt(clause, reason) }
    pending.removeAll()
  }

  mutating func forgetLengths(_ ledger: inout Ledger) {
    if form.limit != nil { end(.clockSet, &ledger) }
  }

  /// The next time of its clock at which it becomes more serious that nothing has come.
  private func deadline(_ wait: Wait) -> Nanoseconds {
    guard var limit = form.limit else { return .max }
    if wait.passed < form.milder.count { limit.time = form.milder[wait.passed].time }
    return limit.deadline(since: wait.trigger)
  }

  func deadline(_ clock: TimeLimit.Clock) -> Nanoseconds? {
    guard let limit = form.limit, limit.clock == clock else { return nil }
    return pending.entries.lazy.map { deadline($0.value) }.min()
  }

  mutating func pass(
    _ deadline: Nanoseconds, _ clock: TimeLimit.Clock, _ ledger: inout Ledger
  ) -> Bool {
    guard let limit = form.limit, limit.clock == clock,
      let late = pending.entries.first(where: { self.deadline($0.value) == deadline })
    else { return false }
    miss(late.key, closing: nil, &ledger)
    return true
  }

  var facts: [OpenEvent] { pending.entries.map(\.value.trigger) }

  func values(_ inspection: Inspection) -> [String] {
    guard let key = inspection.key(clause) else { return [inspection.noScope(clause)] }
    return [
      pending[key].map { "waits since \(inspection.held($0.trigger))" } ?? "nothing is waited for"
    ]
  }
}
