import LifecycleModel

/// `stretch(from:to:cancelledBy:allowed:)`.
struct StretchClause {
  let clause: Int
  let allowed: Nanoseconds
  /// From which time on it is more serious, and how much.
  let worse: BudgetLimit?
  /// What opened the stretch, under the key 0.
  var open = KeyedTable<Fact>()
  /// Whether this process's stretch was measured.
  var isOver = false
}

/// `stretch`: how long it takes from one event to another.
extension Analyzer {
  mutating func stretchOpen(_ index: Int, _ event: Event) {
    if set.stretches[index].isOver || !set.stretches[index].open.isEmpty { return }
    set.stretches[index].open.update(0, fact(event))
  }

  mutating func stretchClose(_ index: Int, _ event: Event) {
    if set.stretches[index].isOver { return }
    set.stretches[index].isOver = true
    guard let opener = set.stretches[index].open.remove(0) else { return }
    measure(index, opener, closing: event, at: event.instant)
  }

  /// The process has ended: what the watchdog cut off took too long.
  mutating func endStretch(_ index: Int, _ reason: Doubt) {
    defer {
      set.stretches[index].open.removeAll()
      set.stretches[index].isOver = false
    }
    guard let opener = set.stretches[index].open[0] else { return }
    guard reason == .processEnded, isKilledByWatchdog(after: opener) else {
      return doubt(set.stretches[index].clause, reason)
    }
    measure(index, opener, closing: nil, at: state.instant)
  }

  private func isKilledByWatchdog(after opener: Fact) -> Bool {
    guard let end = state.processEnd, end.ordinal > opener.ordinal else { return false }
    return DeathCauses.isByWatchdog(end.event, vocabulary)
  }

  private mutating func measure(
    _ index: Int, _ opener: Fact, closing: Event?, at instant: Instant
  ) {
    let clause = set.stretches[index].clause
    let elapsed = state.awake(since: opener, at: max(instant, state.instant))
    if elapsed < set.stretches[index].allowed {
      if closing != nil { check(clause) } else { doubt(clause, .processEnded) }
    } else if !state.isCertain(opener) {
      doubt(clause, .gap)
    } else {
      let allowed = set.stretches[index].allowed
      let worse = set.stretches[index].worse
      let until = self.instant(.awake, at: TimeLimit(allowed).deadline(since: opener))
      report(
        clause, culprit: opener, closing: closing, elapsed: elapsed, allowed: allowed,
        severity: worse.flatMap { elapsed >= $0.time ? $0.severity : nil },
        missing: closing == nil
          ? awaited(clause, like: opener.event, before: state.processEnd?.event, until: until) : [])
    }
  }
}
