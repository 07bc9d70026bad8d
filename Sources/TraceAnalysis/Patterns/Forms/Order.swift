import LifecycleModel

extension RulePattern {
  /// A `first` comes before its `then`; either may be absent.
  ///
  /// An `until` ends the pair.
  public static func order(
    _ first: EventPattern, then: EventPattern, until: EventPattern, per scope: Scope,
    says message: String
  ) -> RulePattern {
    RulePattern(
      .order(OrderForm(first, then: then, until: until, .pairs)), per: scope, says: message)
  }

  /// A `first` comes before any `then` of its scope in a process.
  public static func begins(
    with first: EventPattern, before then: EventPattern, per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .order(OrderForm(first, then: then, until: nil, .mustHaveFirst)), per: scope, says: message)
  }

  /// A `first` comes before any `then`, once for each scope in a process; either may be absent.
  ///
  /// A `settling` event ends the question without an answer.
  public static func orderOnce(
    _ first: EventPattern, then: EventPattern, settledBy settling: EventPattern? = nil,
    per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .order(OrderForm(first, then: then, until: settling, .once)), per: scope, says: message)
  }
}

/// One event before another.
package struct OrderForm: PatternForm {
  /// How often an order can be kept or broken.
  package enum Repetition: Hashable, Sendable {
    /// Again and again; either event may be absent.
    case pairs
    /// Once for each scope in a process; either event may be absent.
    case once
    /// Once for each scope in a process, and the first event must have come.
    case mustHaveFirst
  }

  /// What comes first.
  package var first: EventPattern
  /// What comes after it, and is the culprit when it does not.
  package var then: EventPattern
  /// What ends a pair, or settles the question.
  package var until: EventPattern?
  /// How often it can be kept or broken.
  package var repetition: Repetition

  /// Makes a form.
  package init(
    _ first: EventPattern, then: EventPattern, until: EventPattern?, _ repetition: Repetition
  ) {
    (self.first, self.then, self.until) = (first, then, until)
    self.repetition = repetition
  }

  package var roles: [FormRole] {
    typealias Part = OrderClause.Part
    let begins = repetition == .mustHaveFirst
    let ending = until.map {
      FormRole(
        Part.until, "ends the pair", $0, needs: .all, effect: \.until, unclear: .maySettle)
    }
    return [
      FormRole(
        Part.first, "first", first, needs: .all, effect: begins ? \.close : \.first,
        unclear: .maySettle),
      FormRole(
        Part.then, "second", then, needs: .one, effect: begins ? \.culprit : \.then,
        isGuarded: true), ending,
    ].compactMap(\.self)
  }

  package var words: String {
    repetition == .mustHaveFirst
      ? "\(first.words) before any \(then.words)"
      : "\(first.words) before \(then.words)" + (until.map { ", until \($0.words)" } ?? "")
  }

  package func transitions(asked: String) -> FormTransitions {
    let then = then.words + asked
    let again = repetition == .pairs ? "start" : "settled"
    var transitions: FormTransitions = [
      ("start", first.words, repetition == .pairs ? "first seen" : "settled")
    ]
    if repetition == .mustHaveFirst {
      return transitions + [("start", then, "FOUND, settled")]
    }

    transitions.append(("start", then, "too early"))
    if repetition == .pairs { transitions.append(("first seen", then, "start")) }
    transitions.append(("too early", first.words, "FOUND, \(again)"))
    if let until { transitions.append(("any", until.words, again)) }
    return transitions
  }

  package func order(isOfScene: Bool) -> LifecycleOrder? {
    switch repetition {
    case .pairs: LifecycleOrder(roles)
    case .once: LifecycleOrder(roles, [\.once])
    case .mustHaveFirst: LifecycleOrder(roles, [\.atStart])
    }
  }
}

/// How far each pair has come.
struct OrderClause: FormClause {
  enum Part: UInt8 {
    case until, first, maySettle, then
  }

  private enum Progress {
    case sawFirst
    /// Why its first may have come before, unseen; `nil` when it has not.
    case sawThen(OpenEvent, hidden: Doubt?)
  }

  let form: OrderForm
  let clause: Clause
  private var progress = KeyedTable<Progress>()
  /// After a gap, the place of the last event of each pair's scope.
  private var known = KeyedTable<UInt64>()
  private var visibility: Visibility

  init(_ form: OrderForm, _ clause: Clause) {
    (self.form, self.clause) = (form, clause)
    visibility = Visibility(form.first)
  }

  mutating func adopt(_ hooks: Set<Hook>, _ profile: Profile) {
    visibility.update(hooks, profile)
  }

  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    guard let key = ledger.key(clause, event, mayEnd: part != .then) else { return }
    switch part {
    case .until: settle(key)
    case .first: takeFirst(key, event, &ledger)
    // From here no second event is too early.
    case .maySettle: if !ledger.isFull(clause, progress, key) { progress.update(key, .sawFirst) }
    case .then: takeThen(key, event, &ledger)
    }

    // After a gap something is known of the pair again.
    if ledger.lastLoss(clause) > 0 && form.repetition == .pairs {
      known.update(key, ledger.present.state.ordinal &+ 1)
    }
  }

  private mutating func takeFirst(_ key: UInt64, _ event: Event, _ ledger: inout Ledger) {
    visibility.see()
    if case .sawThen(let early, let hidden)? = progress[key] {
      settle(key)
      if let doubt = hidden ?? ledger.doubt(clause, since: early) {
        ledger.doubt(clause, doubt)
      } else {
        ledger.report(clause, .init(culprit: early, closing: event))
      }
    } else if !ledger.isFull(clause, progress, key) {
      progress.update(key, .sawFirst)
    }
  }

  private mutating func takeThen(_ key: UInt64, _ event: Event, _ ledger: inout Ledger) {
    if case .sawFirst? = progress[key] {
      if form.repetition == .pairs { progress.remove(key) }
      return ledger.check(clause)
    }
    if ledger.isFull(clause, progress, key) { return }
    guard form.repetition == .mustHaveFirst else {
      let hidden = hidesFirst(key, ledger)
      return progress.update(key, .sawThen(ledger.fact(event), hidden: hidden))
    }

    // Once is enough for each scope, found or in doubt.
    progress.update(key, .sawFirst)
    guard let start = ledger.present.beginning else {
      return ledger.doubt(clause, .startNotSeen)
    }
    guard ledger.canRely(clause, on: start) else { return }
    if !visibility.isGiven { return ledger.doubt(clause, .callbackNeverSeen) }
    // It had to come since the process began.
    let missing = MissingEvent(
      ledger.kinds(form.first, like: event, clause), after: start.event, before: event)
    ledger.report(clause, .init(culprit: ledger.fact(event), missing: [missing]))
  }

  /// Why the first of a pair may have come unseen before its then, as in a gap; `nil` when it has not.
  private func hidesFirst(_ key: UInt64, _ ledger: borrowing Ledger) -> Doubt? {
    let since = max(ledger.present.beginning?.ordinal ?? 0, known[key] ?? 0)
    if since < ledger.present.state.lastGap?.ordinal ?? 0 { return .gap }
    return since < ledger.lastLoss(clause) ? ledger.marks[clause.number].strayDoubt : nil
  }

  /// An order that can be broken once is over for this process.
  private mutating func settle(_ key: UInt64) {
    if form.repetition == .once { progress.update(key, .sawFirst) } else { progress.remove(key) }
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    progress.removeAll()
    known.removeAll()
  }

  var facts: [OpenEvent] {
    progress.entries.compactMap {
      if case .sawThen(let opener, _) = $0.value { opener } else { nil }
    }
  }

  /// The words that instances are kept apart by.
  var words: [Symbol] {
    clause.scope.isOfWords ? progress.entries.map { Symbol(rawValue: UInt32($0.key)) } : []
  }

  func values(_ inspection: Inspection) -> [String] {
    guard let key = inspection.key(clause) else { return [inspection.noScope(clause)] }
    switch progress[key] {
    case .sawFirst?: return ["the first event came before, or the pair is complete"]
    case .sawThen(let early, _)?:
      return ["the second event came first, at \(inspection.held(early))"]
    case nil:
      var values = ["neither event has come"]
      if form.repetition == .mustHaveFirst {
        if inspection.analyzer.state.processStart == nil {
          values.append("the start of the process was not recorded")
        } else if !visibility.isGiven {
          values.append("the log never shows the first event, and no other event stands in for it")
        }
      }
      return values
    }
  }
}
