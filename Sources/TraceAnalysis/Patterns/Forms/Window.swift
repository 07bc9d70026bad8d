import LifecycleModel

extension RulePattern {
  /// No `culprit` after an `opening` until a `closing`.
  public static func never(
    _ culprit: EventPattern, between opening: EventPattern, until closing: EventPattern,
    per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .window(WindowForm(culprit, between: opening, until: closing)), per: scope, says: message)
  }
}

/// Nothing of a kind while a window is open.
package struct WindowForm: PatternForm {
  /// What must not come.
  package var culprit: EventPattern
  /// What opens the window, or opens it anew.
  package var opening: EventPattern
  /// What closes it.
  package var closing: EventPattern
  /// How long it stays open; `nil` until it is closed.
  package var limit: TimeLimit?

  /// Makes a form.
  package init(
    _ culprit: EventPattern, between opening: EventPattern, until closing: EventPattern,
    within limit: TimeLimit? = nil
  ) {
    (self.culprit, self.opening, self.closing) = (culprit, opening, closing)
    self.limit = limit
  }

  package var roles: [FormRole] {
    typealias Part = WindowClause.Part
    return [
      FormRole(
        Part.culprit, "culprit", culprit, needs: .one, effect: \.culprit, isGuarded: true),
      FormRole(Part.open, "opens the window", opening, needs: .one, effect: \.open),
      FormRole(
        Part.close, "closes the window", closing, needs: .all, effect: \.close,
        unclear: .mayClose),
    ]
  }

  package var words: String {
    "never \(culprit.words) between \(opening.words) and "
      + (closing.isNothing ? "the end of the process" : closing.words)
  }

  package var timeWords: String { limit?.words ?? "" }

  package func transitions(asked: String) -> FormTransitions {
    var transitions: FormTransitions = [
      ("closed", opening.words, "open"),
      ("open", opening.words, "open, anew"),
      ("open", culprit.words + asked, "FOUND, closed"),
    ]

    if !closing.isNothing { transitions.append(("open", closing.words, "closed")) }
    if let limit {
      let time = InstantText.print(limit.time)
      transitions.append(("open", "\(time) after it was opened", "closed"))
    }
    return transitions
  }

  package func order(isOfScene: Bool) -> LifecycleOrder? {
    limit == nil ? LifecycleOrder(roles) : nil
  }
}

/// A window of each instance.
struct WindowClause: FormClause {
  enum Part: UInt8 {
    case culprit, close, mayClose, open
  }

  let form: WindowForm
  let clause: Clause
  /// What opened each window that is open; of several of one thread the last.
  private var open = KeyedTable<OpenEvent>()
  /// What opened windows of threads before, and has not ended, in its order.
  private var beneath: [(key: UInt64, opener: OpenEvent)] = []
  /// What opened windows and did not say which, by the subjects' numbers.
  private var strays = KeyedTable<OpenEvent>()
  private var visibility: Visibility

  init(_ form: WindowForm, _ clause: Clause) {
    (self.form, self.clause) = (form, clause)
    visibility = Visibility(form.closing)
  }

  mutating func adopt(_ hooks: Set<Hook>, _ profile: Profile) {
    visibility.update(hooks, profile)
  }

  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    let key = clause.scope.said == nil ? clause.scope.key(event) : saidKey(part, event, &ledger)
    guard let key else { return }
    switch part {
    case .culprit:
      if open.isEmpty && strays.isEmpty { ledger.check(clause) } else { judge(key, event, &ledger) }
    case .close:
      visibility.see()
      if close(key, event, ledger) { ledger.check(clause) }
    case .mayClose: _ = close(key, event, ledger)
    case .open:
      if ledger.isFull(clause, open, key) { return }
      keepOpener(key, beside: event, &ledger)
      open.update(key, ledger.fact(event))
    }
  }

  /// Closes the window of an instance, or of what `event` ends; whether one was open.
  private mutating func close(
    _ key: UInt64, _ event: Event, _ ledger: borrowing Ledger
  ) -> Bool {
    guard clause.scope == .holder else { return open.remove(key) }
    guard let ended = ledger.opened(event)?.ordinal else {
      beneath.removeAll { $0.key == key }
      return open.remove(key)
    }

    if open[key]?.ordinal != ended {
      beneath.removeAll { $0.opener.ordinal == ended }
    } else if let place = beneath.lastIndex(where: { $0.key == key }) {
      open.update(key, beneath.remove(at: place).opener)
    } else {
      open.remove(key)
    }
    return true
  }

  /// Keeps what opened a thread's window until it ends: a variable holds one task, a thread many things.
  private mutating func keepOpener(
    _ key: UInt64, beside event: Event, _ ledger: inout Ledger
  ) {
    guard clause.scope == .holder, let opener = open[key], opener.event.subjectKind != .task,
      SpanFamily.opened(by: opener.event.verb) != nil, event.subjectKind != .task
    else { return }
    if ledger.isOverfull(clause, beneath.count) { return }
    beneath.append((key, opener))
  }

  /// The key of an event whose instance only what was said tells.
  ///
  /// That it is not known counts once a culprit comes.
  @inline(never)
  private mutating func saidKey(
    _ part: Part, _ event: Event, _ ledger: inout Ledger
  ) -> UInt64? {
    let isEnd = part == .close || part == .mayClose
    if part == .close { endStray(event, ledger) }
    if isEnd && endsAnother(event, ledger) { return nil }
    let instance = ledger.instance(clause.scope, event)

    if case .unknown = instance {
      switch part {
      case .open:
        let number = UInt64(event.subjectNumber)
        if !ledger.isFull(clause, strays, number) { strays.update(number, ledger.fact(event)) }
      case .close, .mayClose: ledger.noteStray(clause, event)
      case .culprit where open.isEmpty && strays.isEmpty: ledger.check(clause)
      case .culprit:
        if let said = clause.scope.said { ledger.doubt(clause, .attributeMissing(said)) }
      }
    }
    return instance.key
  }

  /// Forgets what did not say which window it opened, when `event` ends it.
  private mutating func endStray(_ event: Event, _ ledger: borrowing Ledger) {
    if strays.isEmpty || event.subjectKind != .scene && event.subjectKind != .task { return }
    let number = UInt64(event.subjectNumber)
    guard let stray = strays[number], stray.event.subject == event.subject else { return }
    let ended = clause.scope == .holder ? ledger.opened(event)?.ordinal : nil
    if ended ?? stray.ordinal == stray.ordinal { strays.remove(number) }
  }

  /// Whether an event ends something that opened no window of its holder's, or no longer does: another
  /// thing is in its place.
  private func endsAnother(_ event: Event, _ ledger: borrowing Ledger) -> Bool {
    guard clause.scope == .holder, let begin = ledger.opened(event) else { return false }
    return !open.entries.contains { $0.value.ordinal == begin.ordinal }
      && !beneath.contains { $0.opener.ordinal == begin.ordinal }
  }

  @inline(never)
  private mutating func judge(_ key: UInt64, _ event: Event, _ ledger: inout Ledger) {
    // The window ends here either way: what follows from one cause is found once.
    guard let opener = open.take(key) else {
      let stray = strays.entries.min { $0.value.ordinal < $1.value.ordinal }?.value
      guard let stray else { return ledger.check(clause) }
      return ledger.doubt(clause, ledger.strayDoubt(clause, stray.event))
    }
    if !beneath.isEmpty { beneath.removeAll { $0.key == key } }

    let isOver = form.limit.map { ledger.time($0.clock, at: event) >= $0.deadline(since: opener) }
    if isOver == true {
      ledger.check(clause)
    } else if ledger.canRely(clause, on: opener) {
      if !visibility.isGiven { return ledger.doubt(clause, .callbackNeverSeen) }
      let missing = missing(opener.event, event, ledger)
      ledger.judge(clause, .init(culprit: ledger.fact(event), opener: opener, missing: missing))
    }
  }

  /// What would have closed the window before a turn of the app's life; not the same again, and a window
  /// that is over after some time is over without it.
  private func missing(
    _ opener: Event, _ culprit: Event, _ ledger: borrowing Ledger
  ) -> [MissingEvent] {
    let isRepeated = opener.verb == culprit.verb && opener.name == culprit.name
    if isRepeated, clause.scope == .holder {
      // What is replaced had to end.
      guard var end = MissingEvent.end(of: opener, in: ledger.vocabulary) else { return [] }
      end.before = culprit
      return [end]
    }
    guard form.limit == nil, culprit.verb.isTurn, !isRepeated else { return [] }
    let kinds = ledger.kinds(form.closing, like: opener, clause)
    return [MissingEvent(kinds, after: opener, before: culprit)]
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    open.removeAll()
    beneath.removeAll()
    strays.removeAll()
  }

  mutating func forgetLengths(_ ledger: inout Ledger) {
    if form.limit == nil { return }
    for _ in open.entries { ledger.doubt(clause, .clockSet) }
    open.removeAll()
    beneath.removeAll()
  }

  var facts: [OpenEvent] {
    open.entries.map(\.value) + beneath.map(\.opener) + strays.entries.map(\.value)
  }

  func values(_ inspection: Inspection) -> [String] {
    guard let key = inspection.key(clause) else { return [inspection.noScope(clause)] }
    guard let opener = open[key] else {
      let closed = inspection.lastClosed(clause, key).map { ": \($0) closed the last one" }
      let strays = strays.entries.map(\.value).ordered { $0.ordinal < $1.ordinal }.first.map {
        "\(inspection.told($0)) does not state its \(clause.scope.word): its window may be this one"
      }
      return ["no window is open" + (closed ?? "")] + (strays.map { [$0] } ?? [])
    }
    var values = ["the window has been open since \(inspection.held(opener))"]
    if !visibility.isGiven {
      values.append("the log never shows the closing event, and no other event stands in for it")
    }
    return values
  }

  func closedInstance(_ part: Part, _ inspection: Inspection) -> UInt64? {
    guard part == .close, let key = inspection.key(clause), open[key] != nil,
      !endsAnother(inspection.event, inspection.analyzer.ledger)
    else { return nil }
    return key
  }
}
