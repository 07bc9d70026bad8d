import LifecycleModel

extension RulePattern {
  /// The time in which at least one span is open, added up until an `until`, stays within limits.
  ///
  /// `spans` are the events that open them. Time in which the process is suspended does not count.
  /// Per subject, an app with one scene has one account for both: what observes the app's
  /// notification runs in the time of the scene's callback.
  public static func budget(
    _ spans: EventPattern, warning: Nanoseconds, error: Nanoseconds, until: EventPattern,
    per scope: Scope, says message: String
  ) -> RulePattern {
    let limits = [BudgetLimit(.warning, from: warning), BudgetLimit(.error, from: error)]
    return RulePattern(
      .budget(BudgetForm(spans, limits, until: until)), per: scope, says: message)
  }

  /// The time of each span by itself stays within `limits`, which rise; the last is what is allowed.
  ///
  /// Only spans count that begin while the app is on screen, or that bring it back there, in a process
  /// in which it has been active: before that it is launched, and has more time. `allowed` is what the
  /// system allows, if that is more than the last limit.
  package static func budgetWhileVisible(
    ofEach spans: EventPattern, _ limits: [BudgetLimit], allowed: Nanoseconds? = nil,
    returningBy return: BudgetReturn? = nil, says message: String
  ) -> RulePattern {
    var form = BudgetForm(
      .any(of: [spans, `return`?.spans ?? .nothing]), limits, isPerSpan: true,
      counts: .whileVisible)
    form.allowed = allowed ?? form.allowed
    form.return = `return`
    return RulePattern(.budget(form), per: .app, says: message)
  }
}

/// The spans of a budget by which the app comes back to the screen: they begin while it is not there.
package struct BudgetReturn: Sendable {
  /// The events that open them.
  package var spans: EventPattern
  /// What a finding says of one.
  package var message: String

  /// Makes a return.
  package init(_ spans: EventPattern, says message: String) {
    (self.spans, self.message) = (spans, message)
  }
}

/// A time from which on a budget is worth a finding.
package struct BudgetLimit: Hashable, Sendable {
  /// How much a finding matters from here on.
  package var severity: Severity
  /// The time.
  package var time: Nanoseconds

  /// Makes a limit.
  package init(_ severity: Severity, from time: Nanoseconds) {
    self.severity = severity
    self.time = time
  }
}

/// A time that spans may take.
package struct BudgetForm: PatternForm {
  /// Which spans count.
  package enum Counted: Sendable {
    /// All of them.
    case always
    /// Those that begin while the app is active.
    case whileActive
    /// Those that begin while the app is on screen, or bring it back there, where it has been active
    /// before.
    case whileVisible
  }

  /// The events that open the spans.
  package var spans: EventPattern
  /// In rising order.
  package var limits: [BudgetLimit]
  /// What is allowed: at least the last limit.
  package var allowed: Nanoseconds
  /// What begins a new account.
  package var until: EventPattern
  /// Whether each span is judged by itself, and not with those before it.
  package var isPerSpan: Bool
  /// Which spans count.
  package var counts: Counted
  /// Which spans count although the app is not on screen when they begin; `nil` for none.
  package var `return`: BudgetReturn?
  /// The clock that the time is read from.
  package var clock: TimeLimit.Clock

  /// Makes a form.
  package init(
    _ spans: EventPattern, _ limits: [BudgetLimit], until: EventPattern = .nothing,
    isPerSpan: Bool = false, counts: Counted = .always, clock: TimeLimit.Clock = .awake
  ) {
    (self.spans, self.limits, self.until) = (spans, limits, until)
    (self.isPerSpan, self.counts, self.clock) = (isPerSpan, counts, clock)
    allowed = limits.last?.time ?? 0
  }

  package var roles: [FormRole] {
    typealias Part = BudgetClause.Part
    return [
      FormRole(Part.begin, "starts the clock", spans, needs: .one, isGuarded: true),
      FormRole(Part.end, "stops the clock", spans.endings, needs: .none, isImplied: true),
      FormRole(Part.until, "resets the clock", until, needs: .one, unclear: .mayStartAnew),
    ]
  }

  package var words: String {
    "the time in \(spans.words)" + (until.isNothing ? "" : " until \(until.words)")
      + " within its limits"
  }

  package var timeWords: String { clock == .wall ? ", by the wall clock" : "" }

  package var details: [String] {
    let told = limits.map { "\($0.severity.article) at \(InstantText.print($0.time))" }
    let limits =
      "The limits: \(told.joined(separator: ", ")), for "
      + (isPerSpan ? "each span." : "the sum of all spans.")

    switch counts {
    case .always: return [limits]
    case .whileActive:
      return [limits, "Only spans that begin while the app is active count."]
    case .whileVisible:
      return [
        limits,
        "Only spans that begin while the app is on screen, after its first activation, count"
          + (`return`.map { ", and \($0.spans.words), by which it returns." } ?? "."),
      ]
    }
  }

  package func transitions(asked: String) -> FormTransitions {
    let counted =
      switch counts {
      case .always: asked
      case .whileActive: ", while the app is active"
      case .whileVisible:
        ", while the app is on screen" + (`return` == nil ? "" : " or returns there")
      }

    var transitions: FormTransitions = [
      ("idle", spans.words + counted, "spending"),
      ("spending", spans.endings.words, "idle"),
    ]
    transitions += limits.map { limit in
      ("spending", "\(InstantText.print(limit.time)) spent", "FOUND, \(limit.severity.rawValue)")
    }
    if !until.isNothing {
      transitions.append(("any", until.words, "idle, nothing spent"))
    }
    return transitions
  }
}

/// The accounts of a budget.
struct BudgetClause: FormClause {
  enum Part: UInt8 {
    case until, mayStartAnew, begin, end
  }

  /// The time that the spans of one transition take together.
  private struct Account {
    /// The span that was entered first; the culprit.
    var first: OpenEvent
    var openSpans = 0
    /// Time in which a span was open, before the current stretch.
    var spent: Nanoseconds = 0
    /// The time at the beginning of the current stretch.
    var busySince: Nanoseconds = 0
    /// The place of the next limit; their count when all are passed.
    var nextLimit = 0
    /// The finding that was made when a limit passed.
    var finding: Int?
  }

  let form: BudgetForm
  let clause: Clause
  private let asksAttributes: Bool
  private var accounts = KeyedTable<Account>()
  /// The keys of the accounts that open spans were charged to, where those are not their own, by the
  /// spans' places; nearly always none.
  private var charged: [UInt64: UInt64] = [:]

  init(_ form: BudgetForm, _ clause: Clause) {
    (self.form, self.clause) = (form, clause)
    asksAttributes = form.spans.asksAttributes
  }

  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    switch part {
    case .begin: begin(event, &ledger)
    case .end: end(event, &ledger)
    case .until: startAnew(event, &ledger)
    case .mayStartAnew:
      if let key = key(event, &ledger, mayEnd: true) { accounts.remove(key) }
    }
  }

  /// The account that an event belongs to.
  ///
  /// Where subjects are kept apart, an app with one scene has one account for both: observers of the
  /// app's notification run in the time of the scene's callback.
  private func key(_ event: Event, _ ledger: inout Ledger, mayEnd: Bool = false) -> UInt64? {
    commonKey(event, ledger) ?? ledger.key(clause, event, mayEnd: mayEnd)
  }

  @inline(__always)
  private func commonKey(_ event: Event, _ ledger: borrowing Ledger) -> UInt64? {
    guard case .subject = clause.scope, event.subjectKind != .scene else { return nil }
    return ledger.onlyScene.map { UInt64($0) + 1 }
  }

  // MARK: Spending

  private mutating func begin(_ event: Event, _ ledger: inout Ledger) {
    let common = commonKey(event, ledger)
    guard let key = common ?? ledger.key(clause, event) else { return }
    let known = accounts.position(key)
    guard known.map(isInside) ?? false || doesCount(event, &ledger) else { return }
    let now = ledger.time(form.clock, at: event)
    guard let position = known ?? openAccount(key, event, &ledger) else { return }

    accounts.modify(at: position) { account in
      if account.openSpans == 0 { account.busySince = now }
      account.openSpans += 1
    }
    if let deadline = deadline(accounts.entries[position].value) {
      ledger.deadlines.wait(for: deadline, form.clock)
    }
    if common != nil { charged[ledger.present.state.ordinal &+ 1] = key }
  }

  /// The place of a new account, whose first span `event` begins; `nil` when there are too many.
  private mutating func openAccount(
    _ key: UInt64, _ event: Event, _ ledger: inout Ledger
  ) -> Int? {
    if ledger.isOverfull(clause, accounts.entries.count) { return nil }
    accounts.update(key, Account(first: ledger.fact(event)))
    return accounts.entries.count - 1
  }

  /// Whether an event of an account begins within a span that counts, whatever the state is there.
  private func isInside(_ position: Int) -> Bool {
    form.isPerSpan && accounts.entries[position].value.openSpans > 0
  }

  /// Whether a span that `event` begins counts for certain.
  ///
  /// While the app is visible means on screen, or brought there by `event`, in a process in which it has
  /// been active: one that is launched, or was attached to late, has not been.
  private func doesCount(_ event: Event, _ ledger: inout Ledger) -> Bool {
    if form.counts == .always { return true }
    let isOfActive = form.counts == .whileActive
    guard let app = ledger.present.state.app else {
      let isUnclear = isOfActive || ledger.present.state.processStart == nil
      if isUnclear { ledger.doubt(clause, .stateNotKnown) }
      return false
    }
    let isThere =
      app.state == .active
      || !isOfActive && (app.state.isForeground || isReturn(event, ledger))
    guard isThere else { return false }

    if !ledger.present.state.isCertain(app.since) {
      ledger.doubt(clause, .gap)
    } else if app.state == .active || ledger.present.wasActive {
      return true
    } else if ledger.present.state.processStart == nil {
      ledger.doubt(clause, .stateNotKnown)
    }
    return false
  }

  private func isReturn(_ event: Event, _ ledger: borrowing Ledger) -> Bool {
    form.return?.spans.means(event, ledger.vocabulary) ?? false
  }

  private mutating func end(_ event: Event, _ ledger: inout Ledger) {
    guard let ownKey = ledger.knownKey(clause, event), let begin = ledger.opened(event)
    else { return }
    if asksAttributes && !form.spans.means(begin.event, ledger.vocabulary) { return }
    let key = charged.isEmpty ? ownKey : charged.removeValue(forKey: begin.ordinal) ?? ownKey
    guard let position = accounts.position(key),
      let spent = close(at: position, ledger.time(form.clock, at: event))
    else { return }

    if let finding = accounts.entries[position].value.finding {
      ledger.collector.update(finding) { $0.finish(at: event, elapsed: spent) }
    } else if accounts.entries[position].value.nextLimit == 0 {
      ledger.check(clause)
    }
    if form.isPerSpan { accounts.remove(at: position) }
  }

  /// Ends one span of an account; what the account has spent when that was its last.
  private mutating func close(at position: Int, _ now: Nanoseconds) -> Nanoseconds? {
    var spent: Nanoseconds?
    accounts.modify(at: position) { account in
      guard account.openSpans > 0 else { return }
      account.openSpans -= 1
      if account.openSpans > 0 { return }
      account.spent &+= max(0, now &- account.busySince)
      spent = account.spent
    }
    return spent
  }

  private mutating func startAnew(_ event: Event, _ ledger: inout Ledger) {
    guard let key = key(event, &ledger, mayEnd: true), let account = accounts.take(key) else {
      return
    }
    // Something ended that was never seen to end.
    if account.openSpans > 0 && account.finding == nil { ledger.doubt(clause, .gap) }
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) {
    for (_, account) in accounts.entries where account.openSpans > 0 {
      if let finding = account.finding {
        note(account, finding, &ledger)
      } else {
        ledger.doubt(clause, reason)
      }
    }
    accounts.removeAll()
    charged.removeAll()
  }

  /// What was found and has not ended took at least until now, unless its end may be missing.
  private func note(_ account: Account, _ finding: Int, _ ledger: inout Ledger) {
    guard ledger.doubt(clause, since: account.first) == nil,
      ledger.present.isLengthKnown(since: account.first)
    else { return }
    let now = ledger.time(form.clock, at: ledger.present.state.instant)
    let elapsed = account.spent &+ max(0, now &- account.busySince)
    ledger.collector.update(finding) { $0.elapsed = max($0.elapsed ?? 0, elapsed) }
  }

  /// A budget that was passed before stays so; of the others nothing can be said any more.
  mutating func forgetLengths(_ ledger: inout Ledger) {
    for (key, account) in accounts.entries {
      guard let position = accounts.position(key) else { continue }
      if account.finding != nil {
        accounts.modify(at: position) { $0.nextLimit = form.limits.count }
      } else if account.openSpans > 0 {
        ledger.doubt(clause, .clockSet)
        accounts.remove(key)
      }
    }
  }

  // MARK: Limits

  /// The time of its clock at which an account passes its next limit.
  private func deadline(_ account: Account) -> Nanoseconds? {
    guard account.openSpans > 0, account.nextLimit < form.limits.count else { return nil }
    return account.busySince.adding(form.limits[account.nextLimit].time &- account.spent)
  }

  func deadline(_ clock: TimeLimit.Clock) -> Nanoseconds? {
    if clock != form.clock || accounts.isEmpty { return nil }
    return accounts.entries.lazy.compactMap { deadline($0.value) }.min()
  }

  mutating func pass(
    _ deadline: Nanoseconds, _ clock: TimeLimit.Clock, _ ledger: inout Ledger
  ) -> Bool {
    guard clock == form.clock,
      let position = accounts.entries.firstIndex(where: { self.deadline($0.value) == deadline })
    else { return false }

    var (key, account) = accounts.entries[position]
    let (limits, allowed) = (form.limits, form.allowed)
    let limit = limits[account.nextLimit]
    account.nextLimit += 1
    if !ledger.canRely(clause, on: account.first) {
      // The end may stand in the gap: no limit can be said to pass.
      account.nextLimit = limits.count
    } else {
      let severity = ledger.severity(clause, account.first, past: limit.severity)
      let until = ledger.instant(clock, at: deadline &+ (allowed - limit.time))
      let ends = missing(key, account, until: until, ledger)
      let found = RuleFindings.Report(
        culprit: account.first, elapsed: limit.time, allowed: allowed, severity: severity,
        message: isReturn(account.first.event, ledger) ? form.return?.message : nil, missing: ends)
      account.finding = ledger.pass(
        limit.time, of: limits.last?.time ?? limit.time, account.finding, clause, found)
    }

    accounts.modify(at: position) { $0 = account }
    return true
  }

  /// So many ends are named: those of the spans that began first.
  private static let endsNamed = 20

  /// The ends of what an account counts and is open now.
  private func missing(
    _ key: UInt64, _ account: Account, until: Instant, _ ledger: borrowing Ledger
  ) -> [MissingEvent] {
    let vocabulary = ledger.vocabulary
    // The account of one span is that of its first: nothing else need be looked at, however much is open.
    if account.openSpans == 1, ledger.present.state.open.isNewest(account.first) {
      return [MissingEvent.end(of: account.first.event, in: vocabulary, until: until)]
        .compactMap(\.self)
    }

    var open: [OpenEvent] = []
    for opener in ledger.present.state.open.facts where opener.ordinal >= account.first.ordinal {
      if ledger.knownKey(clause, opener.event) == key, form.spans.means(opener.event, vocabulary) {
        open.append(opener)
      }
    }
    // Some began in a state in which they do not count.
    if open.count > account.openSpans {
      let first = open.filter { $0.ordinal == account.first.ordinal }
      open = first.isEmpty ? Array(open.suffix(account.openSpans)) : first
    }
    return open.prefix(BudgetClause.endsNamed)
      .compactMap { MissingEvent.end(of: $0.event, in: vocabulary, until: until) }
  }

  // MARK: Held

  var facts: [OpenEvent] { accounts.entries.map(\.value.first) }

  func values(_ inspection: Inspection) -> [String] {
    let (analyzer, event) = (inspection.analyzer, inspection.event)
    let common = commonKey(event, analyzer.ledger)
    guard let key = common ?? inspection.key(clause) else { return [inspection.noScope(clause)] }

    let told = form.limits.map { "\($0.severity.rawValue) from \(InstantText.print($0.time))" }
    let values = ["limits: " + told.joined(separator: ", ")]
    guard let account = accounts[key] else { return values + ["no time was spent before it"] }

    let now = analyzer.ledger.time(form.clock, at: event)
    let running = account.openSpans > 0 ? max(0, now &- account.busySince) : 0
    return values + [
      "\(InstantText.print(account.spent &+ running)) were spent since "
        + "\(inspection.held(account.first)), \(account.openSpans) open"
    ]
  }
}
