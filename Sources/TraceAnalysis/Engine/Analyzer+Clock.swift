import LifecycleModel

/// A wall clock can be set: what is open then has no known length.
extension Analyzer {
  /// Looks whether an event tells that the clock was set.
  mutating func noteClock(_ event: Event) {
    let names = [
      Callback.applicationSignificantTimeChange.symbol,
      LifecycleNotification.applicationSignificantTimeChange.symbol,
    ]
    if names.contains(event.name) { forgetLengths() }
  }

  /// The clock was set, or went back: no limit can be said to pass for what is open.
  mutating func forgetLengths() {
    present.clockSet = state.ordinal
    for index in set.budgets.indices { forgetLengths(ofBudget: index) }
    for index in set.timedEverys {
      for _ in set.everys[index].pending.entries { doubt(set.everys[index].clause, .clockSet) }
      set.everys[index].pending.removeAll()
    }
    for index in set.windows.indices where set.windows[index].limit != nil {
      for _ in set.windows[index].open.entries { doubt(set.windows[index].clause, .clockSet) }
      set.windows[index].open.removeAll()
    }
    for index in set.stretches.indices where !set.stretches[index].open.isEmpty {
      doubt(set.stretches[index].clause, .clockSet)
      set.stretches[index].open.removeAll()
      set.stretches[index].isOver = true
    }
    findNextDeadline()
  }

  /// A budget that was passed before stays so; of the others nothing can be said any more.
  private mutating func forgetLengths(ofBudget index: Int) {
    let clause = set.budgets[index].clause
    let limits = set.budgets[index].limits.count
    for (key, account) in set.budgets[index].accounts.entries {
      guard let position = set.budgets[index].accounts.position(key) else { continue }
      if account.finding != nil {
        set.budgets[index].accounts.modify(at: position) { $0.nextLimit = limits }
      } else if account.openSpans > 0 {
        doubt(clause, .clockSet)
        set.budgets[index].accounts.remove(key)
      }
    }
  }
}
