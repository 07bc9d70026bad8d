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

  /// Makes a form.
  package init(
    _ trigger: EventPattern, then response: EventPattern, before end: EventPattern,
    within limit: TimeLimit? = nil
  ) {
    (self.trigger, self.response, self.end) = (trigger, response, end)
    self.limit = limit
  }

  package var events: [EventPattern] { [trigger, response, end] }

  package var words: String {
    "after every \(trigger.words) \(response.words)"
      + (end.isNothing ? "" : ", before \(end.words)")
  }

  package var timeWords: String { limit?.words ?? "" }

  package var neededHooks: [[Hook]] { trigger.anyHook + response.allHooks + end.anyHook }

  package func transitions(asked: String) -> FormTransitions {
    var transitions: FormTransitions = [
      ("idle", trigger.words + asked, "waiting"),
      ("waiting", response.words, "idle"),
    ]
    if !end.isNothing { transitions.append(("waiting", end.words, "FOUND, idle")) }
    if let limit {
      let time = InstantText.print(limit.time)
      transitions.append(("waiting", "\(time) after it began to wait", "FOUND, idle"))
    }
    return transitions
  }

  package func order(isOfScene: Bool) -> [LifecycleOrder] {
    limit == nil ? [.window(culprit: end, opening: trigger, closing: response, lasts: false)] : []
  }
}

/// The triggers that wait for their responses.
struct EveryClause: FormClause {
  enum Part: UInt8 {
    case response, mayRespond, end, trigger
  }

  let clause: Clause
  private let limit: TimeLimit?
  private let response: EventPattern
  private var pending = KeyedTable<Fact>()
  private var visibility: Visibility

  init(_ form: EveryForm, _ clause: Clause) {
    self.clause = clause
    limit = form.limit
    response = form.response
    visibility = Visibility(form.response)
  }

  static func wants(_ form: EveryForm) -> [Want<Part>] {
    [
      Want(.trigger, form.trigger, isGuarded: true),
      Want(.response, form.response, unclear: .mayRespond), Want(.end, form.end),
    ]
  }

  static func role(_ part: Part) -> String {
    switch part {
    case .trigger: "trigger"
    case .response, .mayRespond: "response"
    case .end: "end"
    }
  }

  mutating func adopt(_ hooks: Set<Hook>, _ profile: Profile) {
    visibility.update(hooks, profile)
  }

  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    guard let key = clause.scope.key(event) else { return }
    switch part {
    case .trigger: takeTrigger(key, event, &ledger)
    case .response:
      visibility.see()
      if pending.remove(key) != nil { ledger.check(clause) }
    case .mayRespond: pending.remove(key)
    case .end: miss(key, closing: event, &ledger)
    }
  }

  private mutating func takeTrigger(_ key: UInt64, _ event: Event, _ ledger: inout Ledger) {
    if case .task = clause.scope, ledger.state.open.span(closedBy: event, .task) == nil {
      return ledger.doubt(clause, .startNotSeen)
    }
    if pending.position(key) != nil {
      // With a deadline the first that is not answered counts.
      if limit != nil { return }
    } else if ledger.isOverfull(clause, pending.entries.count) {
      return
    }

    let trigger = ledger.fact(event)
    pending.update(key, trigger)
    if let limit { ledger.deadlines.wait(for: limit.deadline(since: trigger), limit.clock) }
  }

  /// What a trigger calls for has not come, before an event or before its time was over.
  private mutating func miss(_ key: UInt64, closing: Event?, _ ledger: inout Ledger) {
    guard let trigger = pending.remove(key) else { return }
    if !ledger.state.isCertain(trigger) {
      ledger.doubt(clause, .gap)
    } else if !visibility.isGiven {
      ledger.doubt(clause, .callbackNeverSeen)
    } else {
      let until = limit.map { ledger.instant($0.clock, at: $0.deadline(since: trigger)) }
      let missing = MissingEvent(
        ledger.kinds(response, like: trigger.event, clause), after: trigger.event,
        before: closing, until: until)
      ledger.report(
        clause, culprit: trigger, closing: closing, elapsed: closing == nil ? limit?.time : nil,
        allowed: limit?.time, missing: [missing])
    }
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    for _ in pending.entries { ledger.doubt(clause, reason) }
    pending.removeAll()
  }

  mutating func forgetLengths(_ ledger: inout Ledger) {
    if limit != nil { end(.clockSet, &ledger) }
  }

  func deadline(_ clock: TimeLimit.Clock) -> Nanoseconds? {
    guard let limit, limit.clock == clock else { return nil }
    return pending.entries.lazy.map { limit.deadline(since: $0.value) }.min()
  }

  mutating func pass(
    _ deadline: Nanoseconds, _ clock: TimeLimit.Clock, _ ledger: inout Ledger
  ) -> Bool {
    guard let limit, limit.clock == clock,
      let late = pending.entries.first(where: { limit.deadline(since: $0.value) == deadline })
    else { return false }
    miss(late.key, closing: nil, &ledger)
    return true
  }

  var facts: [Fact] { pending.entries.map(\.value) }

  func values(_ inspection: Inspection) -> [String] {
    guard let key = inspection.key(clause) else { return [inspection.noScope(clause)] }
    return [
      pending[key].map { "waits since \(inspection.held($0))" } ?? "nothing is waited for"
    ]
  }
}
