import LifecycleModel

extension Analyzer {
  /// Does one step of one clause.
  @inline(__always)
  mutating func perform(_ step: Step, _ event: Event) {
    let index = Int(step.index)
    if step.action == .always { return performAlways(index, step, event) }
    guard step.matches(event) else { return }
    switch step.action {
    case .conditionInsideCall:
      if state.open.count(.call) > 0 { performCondition(index, event) }
    case .mitigate: set.clauses[index].lastMitigation = event.instant
    case .windowCulprit: windowCulprit(index, event)
    case .windowClose: windowClose(index, event)
    case .windowOpen: windowOpen(index, event)
    case .condition: performCondition(index, event)
    case .conditionUnlessActive:
      if isActiveForCertain(event) {
        check(set.conditions[index].clause)
      } else {
        performCondition(index, event)
      }
    case .conditionWhileSuspended:
      if isSuspended { performCondition(index, event) } else { check(set.conditions[index].clause) }
    case .always: break
    case .exercise: tallies[set.clauses[set.always[index]].rule].checks += 1
    case .orderFirst: orderFirst(index, event)
    case .orderThen: orderThen(index, event)
    case .orderUntil: orderUntil(index, event)
    case .everyTrigger: everyTrigger(index, event)
    case .everyResponse: everyResponse(index, event)
    case .everyEnd: everyEnd(index, event)
    case .budgetBegin: budgetBegin(index, event)
    case .budgetEnd: budgetEnd(index, event)
    case .budgetUntil: budgetUntil(index, event)
    case .balanceOpen: balanceOpen(index, event)
    case .balanceClose: balanceClose(index, event)
    case .stretchOpen: stretchOpen(index, event)
    case .stretchClose: if !set.stretches[index].isOver { stretchClose(index, event) }
    case .stretchCancel:
      if !set.stretches[index].open.isEmpty { set.stretches[index].open.remove(0) }
    case .mainThreadBegin: mainThreadBegin(event)
    case .mainThreadEnd: mainThreadEnd(event)
    case .mainThreadKilled: mainThreadKilled(index, event)
    case .termination:
      if present.termination == nil { present.termination = fact(event) }
    case .resumed: present.resumes.note(fact(event))
    case .rule: performRule(index, event)
    case .guarded: performGuarded(index, event)
    case .sceneRole: noteRole(event)
    case .ruleInsideObserver: if state.open.count(.observe) > 0 { performRule(index, event) }
    }
  }

  /// Whether the app's code tells something of the app, or of its only scene, that is active: nearly
  /// always.
  @inline(__always)
  func isQuiet(_ event: Event) -> Bool {
    !isSuspended && event.writer != .system
      && (event.subjectKind == .app || event.subjectKind == .scene) && isActiveForCertain(event)
  }

  /// Counts what the steps found that were left out because all was quiet.
  mutating func countQuietSteps() {
    for (step, count) in set.table.takeLeftOut() {
      let clause = set.conditions[Int(step.index)].clause
      tallies[set.clauses[clause].rule].checks += count
    }
  }

  /// Whether the event is about an app, or its only scene, that is active: nearly always.
  @inline(__always)
  private func isActiveForCertain(_ event: Event) -> Bool {
    state.isActiveAlone && state.lastGap == nil
      && (event.subjectKind != .scene || event.subjectNumber == state.aloneScene)
  }

  func fact(_ event: Event) -> Fact { state.nextFact(event) }

  mutating func check(_ clause: Int) {
    if set.clauses[clause].isLaunchBound && !isAboutLaunch(clause) { return }
    tallies[set.clauses[clause].rule].checks += 1
  }

  /// Whether the reason for the launch is one that a clause is about, or not known; remembers another.
  @inline(never)
  private mutating func isAboutLaunch(_ clause: Int) -> Bool {
    guard let launches = set.clauses[clause].launches, let launch = present.launch,
      !launches.contains(launch)
    else { return true }
    tallies[set.clauses[clause].rule].otherLaunch = launch
    return false
  }

  mutating func doubt(_ clause: Int, _ doubt: Doubt) {
    tallies[set.clauses[clause].rule].doubt(doubt)
  }

  /// Reports a finding of a clause; its place among the findings.
  @discardableResult
  mutating func report(
    _ clause: Int, culprit: Fact, opener: Fact? = nil, closing: Event? = nil,
    elapsed: Nanoseconds? = nil, allowed: Nanoseconds? = nil, severity: Severity? = nil,
    message: String? = nil, missing: [MissingEvent] = []
  ) -> Int? {
    let info = set.clauses[clause]
    if let launches = info.launches {
      guard let launch = present.launch else {
        doubt(clause, .profileKeyMissing(.launch))
        return nil
      }
      if !launches.contains(launch) {
        check(clause)
        return nil
      }
    }
    if let roles = info.roles {
      switch set.roles?[culprit.event] {
      case nil:
        doubt(clause, .attributeMissing(.role))
        return nil
      case let role? where !roles.contains(role):
        check(clause)
        return nil
      default: break
      }
    }
    return report(
      culprit, opener, closing, rule: info.rule, clause: clause, message: message ?? info.message,
      severity: severity ?? info.severity(at: culprit.event.instant, under: profile),
      elapsed: elapsed, allowed: allowed, missing: missing)
  }

  @discardableResult
  mutating func report(
    _ culprit: Fact, _ opener: Fact?, _ closing: Event?, rule: Int, clause: Int, message: String,
    severity: Severity, elapsed: Nanoseconds? = nil, allowed: Nanoseconds? = nil,
    missing: [MissingEvent] = [], identity: [String] = []
  ) -> Int? {
    tallies[rule].violations += 1
    var witnesses: [Finding.Witness] = []
    if let opener { witnesses.append(Finding.Witness(role: .opens, event: opener.event)) }
    witnesses.append(Finding.Witness(role: .culprit, event: culprit.event))
    if let closing { witnesses.append(Finding.Witness(role: .closes, event: closing)) }
    if !missing.isEmpty { witnesses = Finding.ordered(witnesses, missing: missing) }
    var finding = Finding(
      rule: active[rule].description.id, severity: active[rule].severity ?? severity,
      subject: culprit.event.subject, message: message, witnesses: witnesses, elapsed: elapsed,
      allowed: allowed, profile: profile, occurrences: 1, fingerprint: "",
      ordinal: culprit.ordinal)
    finding.state = Finding.State(state, culprit.event.subject)
    finding.cause = active[rule].description.cause
    finding.identity = identity
    let place = collector.add(finding, clause: clause, opener: opener?.ordinal, vocabulary)
    awaitNearestTrace(place, culprit, opener, clause: clause, rule: rule)
    return place
  }

  mutating func performAlways(_ index: Int, _ step: Step, _ event: Event) {
    let clause = set.always[index]
    // On which thread the system's own lines happened is not known.
    if step.writer == .offMain && event.writer == .system { return }
    if step.matches(event) {
      report(clause, culprit: fact(event))
    } else if event.subjectKind == .none && step.subjects != .max {
      doubt(clause, .subjectNotKnown)
    } else {
      check(clause)
    }
  }

  private mutating func performCondition(_ index: Int, _ event: Event) {
    if event.isSystemWork(state, vocabulary) { return }
    let clause = set.conditions[index].clause
    // The state is too large to be copied.
    let condition = set.conditions[index].condition
    let answer = withUnsafePointer(to: &present) { condition.answer(event, Moment($0).state) }
    switch answer {
    case .no: check(clause)
    case .irrelevant: break
    case .unknown(let reason): doubt(clause, reason)
    case .yes(let facts):
      for since in facts { judge(clause, event, since: since) }
    }
  }

  private mutating func performRule(_ index: Int, _ event: Event) {
    Self.show(&rules[index], &present, &ruleFindings) {
      $0.observe(event, $1, &$2)
    }
    if !ruleFindings.isEmpty { take(index) }
  }
}
