import LifecycleModel

extension Analyzer {
  /// Does one step of one clause.
  @inline(__always)
  mutating func perform(_ step: Step, _ event: Event) {
    let index = Int(step.index)
    if step.action == .always { return performAlways(index, step, event) }
    guard step.matches(event) else { return }
    switch step.action {
    case .mitigate: set.clauses[index].lastMitigation = event.instant
    case .windowCulprit: windowCulprit(index, event)
    case .windowClose: windowClose(index, event)
    case .windowOpen: windowOpen(index, event)
    case .condition: performCondition(index, event)
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
    case .stretchClose: stretchClose(index, event)
    case .stretchCancel: set.stretches[index].open.remove(0)
    case .rule: performRule(index, event)
    case .ruleInsideObserver: if state.open.count(.observe) > 0 { performRule(index, event) }
    }
  }

  func fact(_ event: Event) -> Fact { state.nextFact(event) }

  mutating func check(_ clause: Int) { tallies[set.clauses[clause].rule].checks += 1 }

  mutating func doubt(_ clause: Int, _ doubt: Doubt) {
    tallies[set.clauses[clause].rule].doubt(doubt)
  }

  /// Reports a finding of a clause; its place among the findings.
  @discardableResult
  mutating func report(
    _ clause: Int, culprit: Fact, opener: Fact? = nil, closing: Event? = nil,
    elapsed: Nanoseconds? = nil, allowed: Nanoseconds? = nil, severity: Severity? = nil,
    message: String? = nil
  ) -> Int? {
    let info = set.clauses[clause]
    if let launches = info.launches {
      guard let launch else {
        doubt(clause, .profileKeyMissing(.launch))
        return nil
      }
      if !launches.contains(launch) {
        check(clause)
        return nil
      }
    }
    return report(
      culprit, opener, closing, rule: info.rule, clause: clause, message: message ?? info.message,
      severity: severity ?? info.severity(at: culprit.event.instant, under: profile),
      elapsed: elapsed, allowed: allowed)
  }

  private mutating func report(
    _ culprit: Fact, _ opener: Fact?, _ closing: Event?, rule: Int, clause: Int, message: String,
    severity: Severity, elapsed: Nanoseconds? = nil, allowed: Nanoseconds? = nil
  ) -> Int? {
    tallies[rule].violations += 1
    var witnesses: [Finding.Witness] = []
    if let opener { witnesses.append(Finding.Witness(role: .opens, event: opener.event)) }
    witnesses.append(Finding.Witness(role: .culprit, event: culprit.event))
    if let closing { witnesses.append(Finding.Witness(role: .closes, event: closing)) }
    let finding = Finding(
      rule: type(of: rules[rule]).description.id, severity: severity,
      subject: culprit.event.subject, message: message, witnesses: witnesses, elapsed: elapsed,
      allowed: allowed, profile: profile, occurrences: 1, fingerprint: "",
      ordinal: culprit.ordinal)
    return collector.add(finding, clause: clause, opener: opener?.ordinal, vocabulary)
  }

  private mutating func performAlways(_ index: Int, _ step: Step, _ event: Event) {
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
    switch set.conditions[index].condition.answer(event, state) {
    case .no: check(clause)
    case .unknown(let reason): doubt(clause, reason)
    case .yes(let facts):
      for since in facts { report(clause, culprit: fact(event), opener: since) }
    }
  }

  private mutating func performRule(_ index: Int, _ event: Event) {
    Self.show(event, to: &rules[index], &state, vocabulary, profile, launch, &ruleFindings)
    takeFindings(index)
  }

  /// Shows an event to a rule, with the state in its place.
  private static func show(
    _ event: Event, to rule: inout any Rule, _ state: inout LifecycleState,
    _ vocabulary: Vocabulary, _ profile: Profile, _ launch: LaunchReason?,
    _ findings: inout RuleFindings
  ) {
    withUnsafePointer(to: &state) {
      rule.observe(event, Moment($0, vocabulary, profile, launch), &findings)
    }
  }

  /// Tells the rules with code that the process has ended.
  mutating func endProcessOfRules(_ reason: Doubt) {
    for index in rules.indices
    where tallies[index].force == .inForce && !type(of: rules[index]).interests.isEmpty {
      Self.end(&rules[index], reason, &state, vocabulary, profile, launch, &ruleFindings)
      takeFindings(index)
    }
  }

  private static func end(
    _ rule: inout any Rule, _ reason: Doubt, _ state: inout LifecycleState,
    _ vocabulary: Vocabulary, _ profile: Profile, _ launch: LaunchReason?,
    _ findings: inout RuleFindings
  ) {
    withUnsafePointer(to: &state) {
      rule.endProcess(reason, Moment($0, vocabulary, profile, launch), &findings)
    }
  }

  /// Takes what a rule with code has found.
  private mutating func takeFindings(_ index: Int) {
    tallies[index].checks += ruleFindings.checks
    ruleFindings.checks = 0
    if ruleFindings.reports.isEmpty && ruleFindings.doubts.isEmpty { return }
    for reason in ruleFindings.doubts { tallies[index].doubt(reason) }
    for found in ruleFindings.reports {
      let severity = found.severity ?? type(of: rules[index]).description.severity
      _ = report(
        found.earlier ?? fact(found.culprit), found.opener, nil, rule: index, clause: -1 - index,
        message: found.message, severity: severity)
    }
    ruleFindings = RuleFindings()
  }
}
