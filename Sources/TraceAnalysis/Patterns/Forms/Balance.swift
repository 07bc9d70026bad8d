import LifecycleModel

extension RulePattern {
  /// What is opened is closed once: not twice, and before the process has spent the background time
  /// that its system allows.
  public static func balance(
    _ opening: EventPattern, _ closing: EventPattern, per scope: Scope,
    unclosed message: String, closedAgain: String
  ) -> RulePattern {
    RulePattern(
      .balance(BalanceForm(opening, closedBy: closing, closedAgain: closedAgain)), per: scope,
      says: message)
  }
}

/// Closed once what was opened.
package struct BalanceForm: PatternForm {
  /// What opens; the culprit when it is not closed.
  package var opening: EventPattern
  /// What closes; the culprit when it comes again.
  package var closing: EventPattern
  /// What a finding says of what is closed again.
  package var closedAgain: String

  /// Makes a form.
  package init(_ opening: EventPattern, closedBy closing: EventPattern, closedAgain: String) {
    (self.opening, self.closing, self.closedAgain) = (opening, closing, closedAgain)
  }

  package var roles: [FormRole] {
    typealias Part = BalanceClause.Part
    return [
      FormRole(Part.open, "opens", opening, needs: .one, unclear: .mayChange),
      FormRole(Part.close, "closes", closing, needs: .all, unclear: .mayChange),
    ]
  }

  package var words: String { "\(opening.words) is closed once by \(closing.words)" }

  package func transitions(asked: String) -> FormTransitions {
    [
      ("closed", opening.words, "open"),
      ("open", closing.words, "closed"),
      ("closed", closing.words + ", if it was open before", "FOUND"),
      ("open", "the process ends past its background time", "FOUND"),
    ]
  }
}

/// What is open, and what was closed.
struct BalanceClause: FormClause {
  enum Part: UInt8 {
    case close, open, mayChange
  }

  private struct Open {
    var fact: OpenEvent
    /// The background time that the process had spent when it was opened.
    var backgroundBefore: Nanoseconds
  }

  /// A second end is seen when it comes within this many ends.
  private static let rememberedEnds = 1024

  let form: BalanceForm
  let clause: Clause
  private var open = KeyedTable<Open>()
  private var ended = KeyedTable<OpenEvent>()
  /// The keys of what ended, in a ring.
  private var order: [UInt64] = []
  private var oldest = 0

  init(_ form: BalanceForm, _ clause: Clause) { (self.form, self.clause) = (form, clause) }

  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    guard let key = ledger.key(clause, event, mayEnd: true) else { return }
    switch part {
    case .open:
      if ledger.isFull(clause, open, key) { return }
      let background = ledger.backgroundClock.reading(at: ledger.time(.awake, at: event))
      open.update(key, Open(fact: ledger.fact(event), backgroundBefore: background))
    case .close:
      if open.remove(key) {
        ledger.check(clause)
        remember(key, ledger.fact(event))
      } else if let first = ended[key] {
        closeAgain(event, since: first, &ledger)
      }
    case .mayChange:
      open.remove(key)
      ended.remove(key)
    }
  }

  private func closeAgain(_ event: Event, since first: OpenEvent, _ ledger: inout Ledger) {
    // What opened last may be another's, or this one's.
    if first.ordinal < ledger.marks[clause.number].lastStray { return }
    // A task that ended never begins again, whatever a gap hides. All else may have been opened there.
    if clause.scope != .task && !ledger.present.state.isCertain(first) {
      return ledger.doubt(clause, .gap)
    }
    let fact = ledger.fact(event)
    ledger.report(clause, .init(culprit: fact, opener: first, message: form.closedAgain))
  }

  private mutating func remember(_ key: UInt64, _ end: OpenEvent) {
    ended.update(key, end)
    if order.count < BalanceClause.rememberedEnds {
      order.append(key)
    } else {
      ended.remove(order[oldest])
      order[oldest] = key
      oldest = (oldest + 1) % BalanceClause.rememberedEnds
    }
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    let background = ledger.backgroundClock.reading(at: ledger.present.state.awakeNow)
    let leaks = open.entries.map(\.value)
    for leak in leaks.ordered(by: { $0.fact.ordinal < $1.fact.ordinal }) {
      judge(leak.fact, background &- leak.backgroundBefore, reason, &ledger)
    }

    open.removeAll()
    ended.removeAll()
    order.removeAll()
    oldest = 0
  }

  /// What was open for `elapsed` in the background when the process ended.
  private func judge(
    _ leak: OpenEvent, _ elapsed: Nanoseconds, _ reason: Doubt, _ ledger: inout Ledger
  ) {
    let allowed = ledger.system.backgroundTime(ledger.present.profile)
    if elapsed < allowed {
      ledger.doubt(clause, reason)
    } else if !ledger.canRely(clause, on: leak, forLength: true) {
      return
    } else if let modes = ledger.present.profile.backgroundModes {
      if !modes.isEmpty { return ledger.doubt(clause, .backgroundModes) }
      let missing = MissingEvent(
        ledger.kinds(form.closing, like: leak.event, clause), after: leak.event,
        withinBackgroundTime: allowed)
      ledger.report(
        clause, .init(culprit: leak, elapsed: elapsed, allowed: allowed, missing: [missing]))
    } else {
      ledger.doubt(clause, .profileKeyMissing(.backgroundModes))
    }
  }

  var facts: [OpenEvent] { open.entries.map(\.value.fact) + ended.entries.map(\.value) }

  func values(_ inspection: Inspection) -> [String] {
    guard let key = inspection.key(clause) else { return [inspection.noScope(clause)] }
    if let open = open[key] { return ["open since \(inspection.held(open.fact))"] }
    return [ended[key].map { "was closed at \(inspection.told($0))" } ?? "is not open"]
  }
}
