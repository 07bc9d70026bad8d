import LifecycleModel
import TraceText

extension RulePattern {
  /// From the first `opening` of a process to its first `closing` passes less than `allowed`, once in
  /// a process; the process is awake for that time.
  ///
  /// `cancelling` forgets the opening, and an opening on the same event comes after it. Measured when
  /// the closing comes or the watchdog kills the process: that it never comes may mean that it is not
  /// recorded. From `worse` on a stretch has another severity.
  ///
  /// The culprit is what held the main thread for the largest part of the stretch, and the message begins
  /// with `message`, in which `{opener}` is what began it; where no such span took a quarter of it, the
  /// culprit is what began it.
  package static func stretch(
    from opening: EventPattern, to closing: EventPattern, cancelledBy cancelling: EventPattern,
    allowed: Nanoseconds, worse: BudgetLimit? = nil, says message: String
  ) -> RulePattern {
    let form = StretchForm(
      opening: opening, closing: closing, cancelling: cancelling, allowed: allowed, worse: worse)
    return RulePattern(.stretch(form), per: .app, says: message)
  }
}

/// A time between two events, once in a process.
package struct StretchForm: PatternForm {
  /// What begins the stretch.
  package let opening: EventPattern
  /// What ends it.
  package let closing: EventPattern
  /// What forgets that it began.
  package let cancelling: EventPattern
  /// How long it may take.
  package let allowed: Nanoseconds
  /// From which time on it is more serious, and how much.
  let worse: BudgetLimit?
  /// A span is the culprit that took at least one part in so many.
  package static let partOfCulprit: Nanoseconds = 4

  package var roles: [FormRole] {
    typealias Part = StretchClause.Part
    return [
      FormRole(Part.open, "starts the measurement", opening, needs: .one),
      FormRole(Part.close, "ends the measurement", closing, needs: .one),
      FormRole(Part.cancel, "discards the measurement", cancelling, needs: .all),
    ]
  }

  package var words: String {
    "from \(opening.words) to \(closing.words) in less than \(InstantText.print(allowed))"
  }

  package func transitions(asked: String) -> FormTransitions {
    [
      ("before", opening.words, "running"),
      ("running", cancelling.words, "before"),
      ("running", closing.words + ", within \(InstantText.print(allowed))", "over"),
      ("running", closing.words + ", later", "FOUND, over"),
    ]
  }
}

/// The stretch of the process.
struct StretchClause: FormClause {
  enum Part: UInt8 {
    case close, cancel, open
  }

  let form: StretchForm
  let clause: Clause
  /// What opened the stretch.
  private var opener: OpenEvent?
  /// Whether this process's stretch was measured.
  private var isOver = false

  init(_ form: StretchForm, _ clause: Clause) { (self.form, self.clause) = (form, clause) }

  @inline(__always)
  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    if isOver { return }
    switch part {
    case .open: if opener == nil { opener = ledger.fact(event) }
    case .cancel: if opener != nil { opener = nil }
    case .close: close(event, &ledger)
    }
  }

  private mutating func close(_ event: Event, _ ledger: inout Ledger) {
    isOver = true
    guard let opener else { return }
    self.opener = nil
    measure(opener, closing: event, at: event.instant, &ledger)
  }

  private func measure(
    _ opener: OpenEvent, closing: Event?, at instant: Instant, _ ledger: inout Ledger
  ) {
    let elapsed = ledger.present.state.awake(
      since: opener, at: max(instant, ledger.present.state.instant))
    if elapsed < form.allowed {
      if closing != nil { ledger.check(clause) } else { ledger.doubt(clause, .processEnded) }
    } else if ledger.canRely(clause, on: opener) {
      let hold = hold(since: opener, closing, at: instant, of: elapsed, ledger)
      let culprit = hold?.fact ?? opener
      ledger.report(
        clause,
        .init(
          culprit: culprit, opener: culprit.ordinal == opener.ordinal ? nil : opener,
          closing: closing, elapsed: elapsed, allowed: form.allowed,
          severity: form.worse.flatMap { elapsed >= $0.time ? $0.severity : nil },
          message: words(hold, opener, isClosed: closing != nil, ledger),
          missing: closing == nil ? [missing(opener, ledger)] : []))
    }
  }

  /// What held the main thread for the largest part of the stretch; `nil` where nothing took enough.
  private func hold(
    since opener: OpenEvent, _ closing: Event?, at instant: Instant, of elapsed: Nanoseconds,
    _ ledger: borrowing Ledger
  ) -> LaunchHolds.Hold? {
    let now = ledger.time(.awake, at: max(instant, ledger.present.state.instant))
    // Where UIKit calls or posts, what has not returned has lost its return.
    let isWithin = closing.map { $0.verb == .work || $0.verb == .workBegin } ?? true
    let hold = ledger.present.launchHolds.longest(
      since: opener, ledger.present.state, at: now, isWithin: isWithin)
    return hold.flatMap { $0.time >= elapsed / StretchForm.partOfCulprit ? $0 : nil }
  }

  /// The message, in which what came had not come where the process ended first.
  private func words(
    _ hold: LaunchHolds.Hold?, _ opener: OpenEvent, isClosed: Bool, _ ledger: borrowing Ledger
  ) -> String {
    let said = ledger.terms[clause.number].pattern.message
    let message = isClosed ? said : said.replacing(" came ", with: " had not come ")
    guard let hold else {
      return message.replacing("{opener}", with: "{name}")
        + "; the log does not show what took the time"
    }

    let isOpener = hold.fact.ordinal == opener.ordinal
    var words = isOpener ? message.replacing("{opener}", with: "{name}") : message
    words += "; {name} {label} held the main thread for \(InstantText.rounded(hold.time))"
    if let work = hold.work {
      words += ", \(ledger.vocabulary.words(naming: work.event)) in it for "
      words += InstantText.rounded(hold.workTime)
    }
    return words
  }

  private func missing(_ opener: OpenEvent, _ ledger: borrowing Ledger) -> MissingEvent {
    let deadline = TimeLimit(form.allowed).deadline(since: opener)
    return MissingEvent(
      ledger.kinds(form.closing, like: opener.event, clause), after: opener.event,
      before: ledger.present.state.processEnd?.event, until: ledger.instant(.awake, at: deadline))
  }

  /// The process has ended: what the watchdog cut off took too long.
  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    defer { (opener, isOver) = (nil, false) }
    guard let opener else { return }
    if reason == .processEnded, isKilledByWatchdog(after: opener, ledger) {
      measure(opener, closing: nil, at: ledger.present.state.instant, &ledger)
    } else {
      ledger.doubt(clause, reason)
    }
  }

  private func isKilledByWatchdog(after opener: OpenEvent, _ ledger: borrowing Ledger) -> Bool {
    guard let end = ledger.present.state.processEnd, end.ordinal > opener.ordinal else {
      return false
    }
    return ledger.system.isOutOfTime(end.event, ledger.vocabulary)
  }

  mutating func forgetLengths(_ ledger: inout Ledger) {
    if opener == nil { return }
    ledger.doubt(clause, .clockSet)
    opener = nil
    isOver = true
  }

  var facts: [OpenEvent] { opener.map { [$0] } ?? [] }

  func values(_ inspection: Inspection) -> [String] {
    if isOver { return ["already measured in this process"] }
    return [opener.map { "running since \(inspection.held($0))" } ?? "has not begun"]
  }
}
