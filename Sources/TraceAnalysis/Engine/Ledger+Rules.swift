import LifecycleModel

/// Rules that are written in code: what they find, when they are woken, and how they end.
extension Ledger {
  /// Shows a rule the present, each in its place.
  @inline(__always)
  mutating func show<Result>(
    _ index: Int, _ call: (RuleCell, Moment, inout RuleFindings) -> Result
  ) -> Result {
    let rules = rules
    return Ledger.show(&present, &ruleFindings) { moment, findings in
      rules.with(index) { call($0, moment, &findings) }
    }
  }

  @inline(__always)
  private static func show<Result>(
    _ present: inout Present, _ findings: inout RuleFindings,
    _ call: (Moment, inout RuleFindings) -> Result
  ) -> Result {
    withUnsafePointer(to: &present) {
      findings.moment = Moment($0)
      return call(Moment($0), &findings)
    }
  }

  /// Takes what a rule has found, and when it wants to be woken.
  mutating func take(_ index: Int) {
    if let time = ruleFindings.wakeTime { wakes.set(index, time) }
    tallies[index].checks += ruleFindings.checks
    if ruleFindings.hasOnlyChecked {
      (ruleFindings.checks, ruleFindings.wakeTime) = (0, nil)
      return
    }

    if let reason = ruleFindings.idleReason { tallies[index].idleReason = reason }
    for reason in ruleFindings.doubts { tallies[index].doubt(reason) }
    for found in ruleFindings.reports { report(found, rule: index, clause: -1 - index) }
    ruleFindings = RuleFindings()
  }

  /// Shows a rule's code an event that it asked for.
  mutating func performRule(_ index: Int, _ event: Event) {
    show(index) { $0.observe(event, $1, &$2) }
    if !ruleFindings.isEmpty { take(index) }
  }

  /// Shows a rule that is in force how the process ended.
  mutating func conclude(_ index: Int, _ death: DeathVerdict) {
    guard tallies[index].force == .inForce else { return }
    show(index) { $0.conclude(death, $1, &$2) }
    if !ruleFindings.isEmpty { take(index) }
  }

  /// Wakes each rule whose time comes before `event`, in the order of their times.
  ///
  /// A new process wakes none, nor does its profile: when the old one ended is not known.
  @inline(__always)
  mutating func wakeRules(before event: Event) {
    if wakes.next == .max { return }
    let now = time(.awake, at: event)
    if wakes.next <= now && !event.verb.mayBeginProcess { wakeRules(until: now) }
  }

  @inline(never)
  private mutating func wakeRules(until now: Nanoseconds) {
    while wakes.next <= now, let index = wakes.rule {
      let time = max(wakes.next, present.state.awake(at: present.state.instant))
      wakes.set(index, .max)
      show(index) { $0.wake(time, $1, &$2) }
      // Who asks for a time that is over is woken at the next event, and not for ever; there is none after
      // the greatest instant.
      if let asked = ruleFindings.wakeTime, asked <= time {
        ruleFindings.wakeTime = now == .max ? .max : now + 1
      }
      take(index)
    }
  }

  /// Tells every rule that the process has ended, or the log, and lets it forget the process.
  mutating func endRules(_ reason: Doubt) {
    for index in rules.indices {
      show(index) { $0.end(reason, $1, &$2) }
      rules.with(index) { $0.forgetProcess() }
      ruleFindings.wakeTime = nil
      if tallies[index].force == .inForce { take(index) } else { ruleFindings = RuleFindings() }
    }

    wakes.removeAll()
    present.endProcess()
  }
}
