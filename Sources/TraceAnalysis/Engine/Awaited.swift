import LifecycleModel

/// What a clause waits for, so that its findings can say what did not come.
enum Awaited {
  /// Nothing: what is there is too much, or comes in a wrong state or too late.
  case nothing
  /// An event of the pattern.
  case event(EventPattern)
  /// The event that closes a window, where it had to come before a turn of the app's life.
  case closing(EventPattern)
  /// The end of what the opening event began, before a turn of the app's life.
  case endOfOpener
  /// The end of each of these that is open.
  case endOfSpans(EventPattern)

  init(_ pattern: RulePattern) {
    self =
      switch pattern.form {
      case .every(_, let response, _): .event(response)
      case .order(let first, _, _, .mustHaveFirst): .event(first)
      case .balance(_, let closing), .stretch(_, let closing, _, _): .event(closing)
      // A window that is over after some time is over without it.
      case .window(_, _, let closing) where pattern.limit == nil: .closing(closing)
      case .condition(_, let state) where state.isOfSpans: .endOfOpener
      case .budget(let spans, _, _): .endOfSpans(spans)
      case .window, .condition, .always, .order, .mainThread: .nothing
      }
  }
}

extension Analyzer {
  /// What a clause waits for, as it would have been for the instance that `event` belongs to.
  func awaited(
    _ clause: Int, like event: Event, before: Event? = nil, until: Instant? = nil,
    withinBackgroundTime backgroundTime: Nanoseconds? = nil
  ) -> [MissingEvent] {
    guard case .event(let pattern) = set.awaited[clause] else { return [] }
    return [
      MissingEvent(
        kinds(pattern, like: event, clause), after: event, before: before,
        until: until, withinBackgroundTime: backgroundTime)
    ]
  }

  /// What had to come between the event that opened a window, or brought a state about, and a culprit.
  ///
  /// Only before a turn that the app does not choose; what the app does itself is too much, and so is the
  /// same again.
  func awaited(_ clause: Int, from opener: Event, to culprit: Event) -> [MissingEvent] {
    guard culprit.verb.isTurn else { return [] }
    switch set.awaited[clause] {
    case .closing(let pattern):
      if opener.verb == culprit.verb && opener.name == culprit.name { return [] }
      let kinds = kinds(pattern, like: opener, clause)
      return [MissingEvent(kinds, after: opener, before: culprit)]
    case .endOfOpener:
      guard var end = MissingEvent.end(of: opener, in: vocabulary) else { return [] }
      end.before = culprit
      return [end]
    case .nothing, .event, .endOfSpans: return []
    }
  }

  /// The ends of what an account of a budget counts and is open now.
  func awaitedEnds(_ budget: BudgetClause, _ position: Int, until: Instant) -> [MissingEvent] {
    guard case .endOfSpans(let spans) = set.awaited[budget.clause] else { return [] }
    let (key, account) = budget.accounts.entries[position]
    // The account of one span is that of its first: nothing else need be looked at, however much is open.
    if account.openSpans == 1, let only = openSpan(account.first) {
      return [MissingEvent.end(of: only.event, in: vocabulary, until: until)].compactMap(\.self)
    }

    let scope = scope(budget.clause)
    var open = state.open.facts.filter {
      $0.ordinal >= account.first.ordinal && scope.key($0.event) == key
        && spans.means($0.event, vocabulary)
    }
    // Some began in a state in which they do not count.
    if open.count > account.openSpans {
      let first = open.filter { $0.ordinal == account.first.ordinal }
      open = first.isEmpty ? Array(open.suffix(account.openSpans)) : first
    }
    return open.compactMap { MissingEvent.end(of: $0.event, in: vocabulary, until: until) }
  }

  /// The fact, if what it opened is open and nothing like it was opened since.
  private func openSpan(_ fact: Fact) -> Fact? {
    guard let family = SpanFamily.allCases.first(where: { $0.opening == fact.event.verb }),
      let newest = state.open.span(closedBy: fact.event, family), newest.ordinal == fact.ordinal
    else { return nil }
    return newest
  }

  private func kinds(
    _ pattern: EventPattern, like event: Event, _ clause: Int
  ) -> [MissingEvent.Kind] {
    pattern.kinds(like: event, scope(clause), vocabulary, hooks: profile.hooks)
  }

  /// The instant at which a clock shows `time`, of a process that is awake.
  func instant(_ clock: TimeLimit.Clock, at time: Nanoseconds) -> Instant {
    Instant(nanoseconds: clock == .wall ? time : time &+ state.suspended(at: state.instant))
  }
}

extension Verb {
  /// Whether such events are turns of the app's life, which it does not choose.
  fileprivate var isTurn: Bool {
    switch self {
    case .call, .return, .notify, .state, .suspend, .resume, .kill, .exit, .snapshotBegin,
      .taskExpire, .bgtaskExpire:
      true
    default: false
    }
  }
}

extension StateCondition {
  /// Whether it holds from the begin of something to its end.
  fileprivate var isOfSpans: Bool {
    switch self {
    case .holding, .running, .unsaved, .taskOpen: true
    default: false
    }
  }
}
