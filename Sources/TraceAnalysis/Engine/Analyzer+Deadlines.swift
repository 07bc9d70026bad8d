import LifecycleModel

/// Deadlines fire by themselves: what takes too long is found when its time is over, and not when it
/// ends, which may be never.
extension Analyzer {
  /// Reports each limit that passes before `event`, in the order of the times.
  ///
  /// A new process passes none, nor does its profile: when the old one ended is not known.
  mutating func fireDeadlines(before event: Event) {
    if event.verb.mayBeginProcess { return }
    // Nearly always nothing passes.
    if nextWallDeadline == .max {
      if nextDeadline <= time(.awake, at: event) { fireDeadlines(.awake, event) }
    } else {
      if nextAwakeDeadline <= time(.awake, at: event) { fireDeadlines(.awake, event) }
      if nextWallDeadline <= time(.wall, at: event) { fireDeadlines(.wall, event) }
    }
  }

  @inline(never)
  private mutating func fireDeadlines(_ clock: TimeLimit.Clock, _ event: Event) {
    let now = time(clock, at: event)
    while let deadline = earliestDeadline(clock), deadline <= now { fire(deadline, clock) }
    findNextDeadline()
  }

  /// Finds the next times at which a limit passes.
  mutating func findNextDeadline() {
    nextAwakeDeadline = earliestDeadline(.awake) ?? .max
    nextWallDeadline = set.hasWallTimes ? earliestDeadline(.wall) ?? .max : .max
    nextDeadline = nextWallDeadline == .max ? nextAwakeDeadline : .min
  }

  /// Notes that the response to `trigger` is waited for.
  mutating func waitFor(_ limit: TimeLimit, since trigger: Fact) {
    let deadline = limit.deadline(since: trigger)
    switch limit.clock {
    case .awake: nextAwakeDeadline = min(nextAwakeDeadline, deadline)
    case .wall: nextWallDeadline = min(nextWallDeadline, deadline)
    }
    nextDeadline = nextWallDeadline == .max ? nextAwakeDeadline : .min
  }

  /// Notes that it is waited for no more: most have others before them.
  mutating func stopAwaiting(_ limit: TimeLimit, since trigger: Fact) {
    let next = limit.clock == .awake ? nextAwakeDeadline : nextWallDeadline
    if limit.deadline(since: trigger) <= next { findNextDeadline() }
  }

  /// The next time of a clock at which a limit passes.
  private func earliestDeadline(_ clock: TimeLimit.Clock) -> Nanoseconds? {
    var next: Nanoseconds?
    for index in set.budgets.indices
    where !set.budgets[index].accounts.isEmpty && set.budgets[index].clock == clock {
      for position in set.budgets[index].accounts.entries.indices {
        let account = set.budgets[index].accounts.entries[position].value
        if let deadline = set.budgets[index].deadline(account) {
          next = min(next ?? deadline, deadline)
        }
      }
    }
    for index in set.timedEverys {
      guard let limit = set.everys[index].limit, limit.clock == clock else { continue }
      for (_, trigger) in set.everys[index].pending.entries {
        let deadline = limit.deadline(since: trigger)
        next = min(next ?? deadline, deadline)
      }
    }
    return next
  }

  /// Reports one limit that passes at `deadline`.
  private mutating func fire(_ deadline: Nanoseconds, _ clock: TimeLimit.Clock) {
    for index in set.budgets.indices where set.budgets[index].clock == clock {
      let budget = set.budgets[index]
      let position = budget.accounts.entries.firstIndex { budget.deadline($0.value) == deadline }
      if let position { return passLimit(index, position, at: deadline) }
    }
    for index in set.timedEverys {
      guard let limit = set.everys[index].limit, limit.clock == clock else { continue }
      let late = set.everys[index].pending.entries.first {
        limit.deadline(since: $0.value) == deadline
      }
      if let late { return missResponse(index, late.key, closing: nil) }
    }
  }

  private mutating func passLimit(_ index: Int, _ position: Int, at deadline: Nanoseconds) {
    let budget = set.budgets[index]
    let account = budget.accounts.entries[position].value
    let limit = budget.limits[account.nextLimit]
    var changed = account
    changed.nextLimit += 1
    if state.isCertain(account.first) {
      // A rule is never more severe than it says.
      let severity = min(limit.severity, set.clauses[budget.clause].severity)
      let allowed = budget.limits.last?.time ?? limit.time
      let until = instant(budget.clock, at: deadline &+ (allowed - limit.time))
      let ends = awaitedEnds(budget, position, until: until)
      if let finding = account.finding {
        collector.update(finding) { $0.escalate(to: severity, limit.time, missing: ends) }
      } else {
        changed.finding = report(
          budget.clause, culprit: account.first, elapsed: limit.time,
          allowed: allowed, severity: severity, missing: ends)
      }
    } else {
      // The end may stand in the gap: no limit can be said to pass.
      changed.nextLimit = budget.limits.count
      doubt(budget.clause, .gap)
    }
    set.budgets[index].accounts.modify(at: position) { $0 = changed }
  }
}

extension Finding {
  /// It has passed the next limit.
  fileprivate mutating func escalate(
    to severity: Severity, _ elapsed: Nanoseconds, missing: [MissingEvent]
  ) {
    witnesses = Finding.ordered(witnesses.filter { $0.role != .missing }, missing: missing)
    self.severity = max(self.severity, severity)
    self.elapsed = max(self.elapsed ?? 0, elapsed)
  }
}
