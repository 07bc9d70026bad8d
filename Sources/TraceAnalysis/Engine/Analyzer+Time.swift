import LifecycleModel

/// `budget` and `balance`: what takes too long, and what is never closed.
extension Analyzer {
  mutating func budgetBegin(_ index: Int, _ event: Event) {
    let clause = set.budgets[index].clause
    guard let key = budgetKey(clause, event) else { return }
    if set.budgets[index].isWhileActive && !isActiveForCertain(clause) { return }
    if set.budgets[index].isWhileVisible && !isVisibleForCertain(clause) { return }
    let clock = set.budgets[index].clock
    let now = time(clock, at: event)
    if set.budgets[index].accounts.position(key) == nil {
      if isOverfull(clause, set.budgets[index].accounts.entries.count) { return }
      set.budgets[index].accounts.update(key, BudgetClause.Account(first: fact(event)))
    }
    guard let position = set.budgets[index].accounts.position(key) else { return }
    set.budgets[index].accounts.modify(at: position) { account in
      if account.openSpans == 0 { account.busySince = now }
      account.openSpans += 1
    }
    if key != scope(clause).key(event) { set.budgets[index].charge(state.ordinal &+ 1, to: key) }
    findNextDeadline()
  }

  private mutating func isActiveForCertain(_ clause: Int) -> Bool {
    guard let app = state.app else {
      doubt(clause, .stateNotKnown)
      return false
    }
    guard app.state == .active else { return false }
    if state.isCertain(app.since) { return true }
    doubt(clause, .gap)
    return false
  }

  /// Whether the app is on screen, in a process in which it has been active: one that is launched, or
  /// was attached to late, has not been.
  private mutating func isVisibleForCertain(_ clause: Int) -> Bool {
    guard let app = state.app else {
      if state.processStart == nil { doubt(clause, .stateNotKnown) }
      return false
    }
    guard app.state.isForeground else { return false }
    if !state.isCertain(app.since) {
      doubt(clause, .gap)
    } else if app.state == .active || present.wasActive {
      return true
    } else if state.processStart == nil {
      doubt(clause, .stateNotKnown)
    }
    return false
  }

  mutating func budgetEnd(_ index: Int, _ event: Event) {
    let clause = set.budgets[index].clause
    guard let ownKey = scope(clause).key(event), let begin = opened(event) else { return }
    let key = set.budgets[index].takeCharged(begin.ordinal) ?? ownKey
    guard let position = set.budgets[index].accounts.position(key) else { return }
    let clock = set.budgets[index].clock
    let now = time(clock, at: event)
    var finished: BudgetClause.Account?
    set.budgets[index].accounts.modify(at: position) { account in
      guard account.openSpans > 0 else { return }
      account.openSpans -= 1
      if account.openSpans == 0 {
        account.spent &+= max(0, now &- account.busySince)
        finished = account
      }
    }
    if finished != nil && set.budgets[index].isPerSpan { set.budgets[index].accounts.remove(key) }
    findNextDeadline()
    guard let finished else { return }
    if let finding = finished.finding {
      collector.update(finding) { $0.finish(at: event, elapsed: finished.spent) }
    } else if finished.nextLimit == 0 {
      check(clause)
    }
  }

  /// The begin of what `event` ends; `nil` when it was not recorded.
  private func opened(_ event: Event) -> Fact? {
    guard let family = SpanFamily.allCases.first(where: { $0.closing == event.verb }) else {
      return nil
    }
    return state.open.span(closedBy: event, family)
  }

  /// The account that an event belongs to.
  ///
  /// Where subjects are kept apart, an app with one scene has one account for both: observers of the
  /// app's notification run in the time of the scene's callback.
  ///
  /// Part of its callers: a call with the analyzer as it is copies all of it.
  @inline(__always)
  func budgetKey(_ clause: Int, _ event: Event) -> UInt64? {
    guard case .subject = scope(clause), event.subjectKind != .scene, state.sceneCount == 1 else {
      return scope(clause).key(event)
    }
    return UInt64(state.aloneScene) + 1
  }

  mutating func budgetUntil(_ index: Int, _ event: Event) {
    let clause = set.budgets[index].clause
    guard let key = budgetKey(clause, event) else { return }
    guard let account = set.budgets[index].accounts.remove(key) else { return }
    // Something ended that was never seen to end.
    if account.openSpans > 0 && account.finding == nil { doubt(clause, .gap) }
    findNextDeadline()
  }

  mutating func balanceOpen(_ index: Int, _ event: Event) {
    let clause = set.balances[index].clause
    guard let key = scope(clause).key(event) else { return }
    if scope(clause).isOfWords && set.balances[index].open.position(key) == nil
      && isOverfull(clause, set.balances[index].open.entries.count)
    {
      return
    }
    set.balances[index].open.update(
      key,
      BalanceClause.Open(
        fact: fact(event), backgroundBefore: backgroundClock.reading(state, before: event)))
  }

  mutating func balanceClose(_ index: Int, _ event: Event) {
    let clause = set.balances[index].clause
    guard let key = scope(clause).key(event) else { return }
    if set.balances[index].open.remove(key) != nil {
      check(clause)
      set.balances[index].remember(key, fact(event))
    } else if let first = set.balances[index].firstEnd(key) {
      report(
        clause, culprit: fact(event), opener: first, message: set.clauses[clause].secondMessage)
    }
  }

  /// The process has ended, or the log: what is open now is never closed.
  mutating func endProcess(_ reason: Doubt) {
    for index in set.windows.indices { set.windows[index].open.removeAll() }
    for index in set.orders.indices {
      set.orders[index].progress.removeAll()
      set.orders[index].known.removeAll()
    }
    for index in set.everys.indices {
      for _ in set.everys[index].pending.entries { doubt(set.everys[index].clause, reason) }
      set.everys[index].pending.removeAll()
    }
    for index in set.budgets.indices {
      for (_, account) in set.budgets[index].accounts.entries
      where account.openSpans > 0 && account.finding == nil {
        doubt(set.budgets[index].clause, reason)
      }
      set.budgets[index].accounts.removeAll()
      set.budgets[index].forgetCharged()
    }
    nextDeadline = .max
    nextAwakeDeadline = .max
    nextWallDeadline = .max
    set.roles?.removeAll()
    for index in set.clauses.indices { set.clauses[index].isOverfull = false }
    for index in set.stretches.indices { endStretch(index, reason) }
    for index in set.balances.indices { endBalance(index, reason) }
    endRules(reason)
    endLifecycle()
  }

  private mutating func endBalance(_ index: Int, _ reason: Doubt) {
    let clause = set.balances[index].clause
    let allowed = Allowances.backgroundTasks(profile)
    let background = backgroundClock.reading(state)
    let open = set.balances[index].open.entries.map(\.value)
    for leak in open.sorted(by: { $0.fact.ordinal < $1.fact.ordinal }) {
      let elapsed = background &- leak.backgroundBefore
      if elapsed < allowed {
        doubt(clause, reason)
      } else if !state.isCertain(leak.fact) {
        doubt(clause, .gap)
      } else if !present.isLengthKnown(since: leak.fact) {
        doubt(clause, .clockSet)
      } else if let modes = profile.backgroundModes {
        if modes.isEmpty {
          report(
            clause, culprit: leak.fact, elapsed: elapsed, allowed: allowed,
            missing: awaited(clause, like: leak.fact.event, withinBackgroundTime: allowed))
        } else {
          doubt(clause, .backgroundModes)
        }
      } else {
        doubt(clause, .profileKeyMissing(.backgroundModes))
      }
    }
    set.balances[index].removeAll()
  }
}

extension Finding {
  /// What took too long has ended at last: too late, and not missing any more.
  fileprivate mutating func finish(at event: Event, elapsed: Nanoseconds) {
    self.elapsed = elapsed
    witnesses.removeAll { $0.role == .closes || $0.role == .missing }
    witnesses.append(Witness(role: .closes, event: event))
  }
}
