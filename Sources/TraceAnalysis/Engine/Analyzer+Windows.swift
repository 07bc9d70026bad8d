import LifecycleModel

/// `never … between … until`, `order`, `begins` and `every`: what is remembered from one event to
/// another.
extension Analyzer {
  mutating func windowOpen(_ index: Int, _ event: Event) {
    let clause = set.windows[index].clause
    guard let key = scope(clause).key(event) else { return }
    if scope(clause).isOfWords && set.windows[index].open.position(key) == nil
      && isOverfull(clause, set.windows[index].open.entries.count)
    {
      return
    }
    set.windows[index].open.update(key, fact(event))
  }

  mutating func windowClose(_ index: Int, _ event: Event) {
    guard let key = scope(set.windows[index].clause).key(event) else { return }
    set.windows[index].closing.see()
    if set.windows[index].open.remove(key) != nil { check(set.windows[index].clause) }
  }

  mutating func windowCulprit(_ index: Int, _ event: Event) {
    let clause = set.windows[index].clause
    guard let key = scope(clause).key(event) else { return }
    guard let opener = set.windows[index].open[key] else { return check(clause) }
    // The window ends here either way: what follows from one cause is found once.
    set.windows[index].open.remove(key)
    if let limit = set.windows[index].limit,
      time(limit.clock, at: event) >= limit.deadline(since: opener)
    {
      check(clause)
    } else if !state.isCertain(opener) {
      doubt(clause, .gap)
    } else if !set.windows[index].closing.isGiven {
      doubt(clause, .callbackNeverSeen)
    } else {
      judge(clause, event, since: opener)
    }
  }

  mutating func orderFirst(_ index: Int, _ event: Event) {
    let clause = set.orders[index].clause
    guard let key = scope(clause).key(event) else { return }
    set.orders[index].first.see()
    defer { noteOrder(index, key) }
    if case .sawThen(let early, let isHidden)? = set.orders[index].progress[key] {
      settle(index, key)
      if state.isCertain(early) && !isHidden {
        report(clause, culprit: early, closing: event)
      } else {
        doubt(clause, .gap)
      }
    } else if !scope(clause).isOfWords || set.orders[index].progress.position(key) != nil
      || !isOverfull(clause, set.orders[index].progress.entries.count)
    {
      set.orders[index].progress.update(key, .sawFirst)
    }
  }

  mutating func orderThen(_ index: Int, _ event: Event) {
    let clause = set.orders[index].clause
    guard let key = scope(clause).key(event) else { return }
    defer { noteOrder(index, key) }
    if case .sawFirst? = set.orders[index].progress[key] {
      if set.orders[index].repetition == .pairs { set.orders[index].progress.remove(key) }
      return check(clause)
    }
    if scope(clause).isOfWords && set.orders[index].progress.position(key) == nil
      && isOverfull(clause, set.orders[index].progress.entries.count)
    {
      return
    }
    guard set.orders[index].repetition == .mustHaveFirst else {
      return set.orders[index].progress.update(
        key, .sawThen(fact(event), isHidden: isFirstHidden(index, key)))
    }
    // Once is enough for each scope, found or in doubt.
    set.orders[index].progress.update(key, .sawFirst)
    if let start = present.beginning {
      if !state.isCertain(start) {
        doubt(clause, .gap)
      } else if !set.orders[index].first.isGiven {
        doubt(clause, .callbackNeverSeen)
      } else {
        report(
          clause, culprit: fact(event), missing: awaitedFirst(clause, event, since: start.event))
      }
    } else {
      doubt(clause, .startNotSeen)
    }
  }

  /// The event that had to come before any `then` of its scope, since the process began.
  private func awaitedFirst(_ clause: Int, _ then: Event, since start: Event) -> [MissingEvent] {
    awaited(clause, like: then, before: then).map { missing in
      var missing = missing
      missing.after = start
      return missing
    }
  }

  mutating func orderUntil(_ index: Int, _ event: Event) {
    guard let key = scope(set.orders[index].clause).key(event) else { return }
    settle(index, key)
    noteOrder(index, key)
  }

  /// Whether the first of an order may stand in a gap before its then.
  private func isFirstHidden(_ index: Int, _ key: UInt64) -> Bool {
    guard let gap = state.lastGap else { return false }
    let start = present.beginning?.ordinal ?? 0
    return max(start, set.orders[index].known[key] ?? 0) < gap.ordinal
  }

  /// Remembers after a gap that something is known of a pair again.
  private mutating func noteOrder(_ index: Int, _ key: UInt64) {
    if state.lastGap == nil || set.orders[index].repetition != .pairs { return }
    set.orders[index].known.update(key, state.ordinal &+ 1)
  }

  /// An order that can be broken once is over for this process.
  private mutating func settle(_ index: Int, _ key: UInt64) {
    if set.orders[index].repetition == .once {
      set.orders[index].progress.update(key, .sawFirst)
    } else {
      set.orders[index].progress.remove(key)
    }
  }

  mutating func everyTrigger(_ index: Int, _ event: Event) {
    let clause = set.everys[index].clause
    guard let key = scope(clause).key(event) else { return }
    if case .task = scope(clause), state.open.span(closedBy: event, .task) == nil {
      return doubt(clause, .startNotSeen)
    }
    if set.everys[index].pending.position(key) != nil {
      // With a deadline the first that is not answered counts.
      if set.everys[index].limit != nil { return }
    } else if isOverfull(clause, set.everys[index].pending.entries.count) {
      return
    }
    set.everys[index].pending.update(key, fact(event))
    if let limit = set.everys[index].limit { waitFor(limit, since: fact(event)) }
  }

  mutating func everyResponse(_ index: Int, _ event: Event) {
    guard let key = scope(set.everys[index].clause).key(event) else { return }
    set.everys[index].response.see()
    if let trigger = set.everys[index].pending.remove(key) {
      check(set.everys[index].clause)
      if let limit = set.everys[index].limit { stopAwaiting(limit, since: trigger) }
    }
  }

  mutating func everyEnd(_ index: Int, _ event: Event) {
    guard let key = scope(set.everys[index].clause).key(event) else { return }
    missResponse(index, key, closing: event)
    if set.everys[index].limit != nil { findNextDeadline() }
  }

  /// What a trigger calls for has not come, before an event or before its time was over.
  mutating func missResponse(_ index: Int, _ key: UInt64, closing: Event?) {
    guard let trigger = set.everys[index].pending.remove(key) else { return }
    let every = set.everys[index]
    if !state.isCertain(trigger) {
      doubt(every.clause, .gap)
    } else if !every.response.isGiven {
      doubt(every.clause, .callbackNeverSeen)
    } else {
      let until = every.limit.map { instant($0.clock, at: $0.deadline(since: trigger)) }
      report(
        every.clause, culprit: trigger, closing: closing,
        elapsed: closing == nil ? every.limit?.time : nil, allowed: every.limit?.time,
        missing: awaited(every.clause, like: trigger.event, before: closing, until: until))
    }
  }

  /// Whether a clause follows so many instances that it takes no more.
  ///
  /// Asked where instances are without number: kept apart by words, or looked at one by one when a limit
  /// passes.
  mutating func isOverfull(_ clause: Int, _ count: Int) -> Bool {
    if count >= Scope.followedWords { set.clauses[clause].isOverfull = true }
    if set.clauses[clause].isOverfull { doubt(clause, .tooManyInstances) }
    return set.clauses[clause].isOverfull
  }

  func scope(_ clause: Int) -> Scope { set.clauses[clause].scope }
}
