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

  package var events: [EventPattern] { [culprit, opening, closing] }

  package var words: String {
    "never \(culprit.words) between \(opening.words) and "
      + (closing.isNothing ? "the end of the process" : closing.words)
  }

  package var timeWords: String { limit?.words ?? "" }

  package var neededHooks: [[Hook]] { culprit.anyHook + opening.anyHook + closing.allHooks }

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

  package func order(isOfScene: Bool) -> [LifecycleOrder] {
    limit == nil
      ? [.window(culprit: culprit, opening: opening, closing: closing, lasts: false)] : []
  }
}

/// A window of each instance.
struct WindowClause: FormClause {
  enum Part: UInt8 {
    case culprit, close, mayClose, open
  }

  let clause: Clause
  private let limit: TimeLimit?
  private let closing: EventPattern
  /// What opened each window that is open.
  private var open = KeyedTable<OpenEvent>()
  /// Whether something opened a window and did not say which.
  private var hasStray = false
  private var visibility: Visibility

  init(_ form: WindowForm, _ clause: Clause) {
    self.clause = clause
    limit = form.limit
    closing = form.closing
    visibility = Visibility(form.closing)
  }

  static func wants(_ form: WindowForm) -> [Want<Part>] {
    [
      Want(.culprit, form.culprit, isGuarded: true),
      Want(.close, form.closing, unclear: .mayClose), Want(.open, form.opening),
    ]
  }

  static func role(_ part: Part) -> String {
    switch part {
    case .culprit: "culprit"
    case .close, .mayClose: "closes the window"
    case .open: "opens the window"
    }
  }

  mutating func adopt(_ hooks: Set<Hook>, _ profile: Profile) {
    visibility.update(hooks, profile)
  }

  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    let key = clause.scope.said == nil ? clause.scope.key(event) : saidKey(part, event, &ledger)
    guard let key else { return }
    switch part {
    case .culprit:
      if open.isEmpty && !hasStray { ledger.check(clause) } else { judge(key, event, &ledger) }
    case .close:
      visibility.see()
      if open.remove(key) != nil { ledger.check(clause) }
    case .mayClose: open.remove(key)
    case .open:
      if ledger.isFull(clause, open, key) { return }
      open.update(key, ledger.fact(event))
    }
  }

  /// The key of an event whose instance only what was said tells.
  ///
  /// That it is not known counts once a culprit comes.
  @inline(never)
  private mutating func saidKey(
    _ part: Part, _ event: Event, _ ledger: inout Ledger
  ) -> UInt64? {
    let isEnd = part == .close || part == .mayClose
    if isEnd && endsAnother(event, ledger) { return nil }
    let instance = ledger.instance(clause.scope, event)

    if case .unknown = instance {
      switch part {
      case .open: hasStray = true
      case .close, .mayClose: ledger.noteStray(clause)
      case .culprit where open.isEmpty && !hasStray: ledger.check(clause)
      case .culprit: ledger.doubt(clause, clause.scope.doubt)
      }
    }
    return instance.key
  }

  /// Whether an event ends something that opened no window of its holder's, or no longer does: another
  /// thing is in its place.
  private func endsAnother(_ event: Event, _ ledger: borrowing Ledger) -> Bool {
    guard clause.scope == .holder, let begin = ledger.opened(event) else { return false }
    return !open.entries.contains { $0.value.ordinal == begin.ordinal }
  }

  @inline(never)
  private mutating func judge(_ key: UInt64, _ event: Event, _ ledger: inout Ledger) {
    // The window ends here either way: what follows from one cause is found once.
    guard let opener = open.remove(key) else {
      return hasStray ? ledger.doubt(clause, clause.scope.doubt) : ledger.check(clause)
    }

    if let limit, ledger.time(limit.clock, at: event) >= limit.deadline(since: opener) {
      ledger.check(clause)
    } else if let doubt = ledger.doubt(clause, since: opener) {
      ledger.doubt(clause, doubt)
    } else if !visibility.isGiven {
      ledger.doubt(clause, .callbackNeverSeen)
    } else {
      ledger.judge(
        clause, ledger.fact(event), since: opener, missing: missing(opener.event, event, ledger))
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
    guard limit == nil, culprit.verb.isTurn, !isRepeated else { return [] }
    let kinds = ledger.kinds(closing, like: opener, clause)
    return [MissingEvent(kinds, after: opener, before: culprit)]
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    open.removeAll()
    hasStray = false
  }

  mutating func forgetLengths(_ ledger: inout Ledger) {
    if limit == nil { return }
    for _ in open.entries { ledger.doubt(clause, .clockSet) }
    open.removeAll()
  }

  var facts: [OpenEvent] { open.entries.map(\.value) }

  func values(_ inspection: Inspection) -> [String] {
    guard let key = inspection.key(clause) else { return [inspection.noScope(clause)] }
    guard let opener = open[key] else {
      let closed = inspection.lastClosed(clause, key).map { ": \($0) closed the last one" }
      return ["no window is open" + (closed ?? "")]
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
