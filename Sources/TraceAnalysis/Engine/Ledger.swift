import LifecycleModel

/// What is known of the process that runs, and what the rules concluded so far: all that a clause needs
/// at an event, beside what it remembers itself.
struct Ledger {
  let active: [ActiveRule]
  /// What is known of the system beside the rules.
  let system: any SystemKnowledge
  /// The place of the rule that tells deaths.
  let deathRule: Int?
  /// What only findings ask of the clauses, by their numbers.
  let terms: [ClauseTerms]
  /// What came that bears on all instances of the clauses, by their numbers.
  var marks: [ClauseMarks]
  /// The code of each rule.
  var rules: RuleCells
  var ruleFindings = RuleFindings()
  /// When rules want to be woken.
  var wakes = RuleWakes()
  var tallies: Slab<Tally>
  /// Whether each clause is in force under the profile that holds.
  var clausesInForce: [Bool] = []
  var collector = FindingCollector()
  /// What the rules are shown.
  var present: Present
  /// Whether the process is suspended, at hand for the loop over events.
  var isSuspended = false
  var deadlines = Deadlines()
  var backgroundClock = BackgroundClock()
  /// What the connections of scenes said, where a clause asks for it.
  var connections: SceneConnections?
  /// The latest callbacks and notifications, for the nearest legal traces.
  var recent: RecentLifecycle

  init(_ catalogue: Catalogue, _ patterns: [NumberedPattern], _ vocabulary: Vocabulary) {
    let active = catalogue.rules
    (self.active, system) = (active, catalogue.system)
    let deathRule = catalogue.system.deathRule
    self.deathRule = active.firstIndex { $0.description.id == deathRule }
    terms = patterns.map {
      ClauseTerms($0.pattern, active[$0.rule])
    }
    marks = patterns.map { _ in ClauseMarks() }
    rules = RuleCells(active.map { $0.makeLogic() })
    tallies = Slab(active.map { _ in Tally() })
    present = Present(vocabulary: vocabulary)
    connections = patterns.contains(where: \.pattern.asksConnections) ? SceneConnections() : nil
    recent = RecentLifecycle(active.map(\.description), patterns)
  }

  var vocabulary: Vocabulary { present.vocabulary }

  // MARK: What clauses ask

  func fact(_ event: Event) -> OpenEvent { present.state.nextFact(event) }

  /// What a clock shows as `event` comes.
  @inline(__always)
  func time(_ clock: TimeLimit.Clock, at event: Event) -> Nanoseconds {
    time(clock, at: max(event.instant, present.state.instant))
  }

  /// What a clock shows at an instant, which is not before the state's.
  @inline(__always)
  func time(_ clock: TimeLimit.Clock, at instant: Instant) -> Nanoseconds {
    clock == .wall ? instant.nanoseconds : present.state.awake(at: instant)
  }

  /// The instant at which a clock shows `time`, of a process that is awake.
  func instant(_ clock: TimeLimit.Clock, at time: Nanoseconds) -> Instant {
    Instant(
      nanoseconds: clock == .wall
        ? time : time &+ present.state.suspended(at: present.state.instant))
  }

  /// Whether the event is about an app, or a scene, that is active: nearly always.
  @inline(__always)
  func isActiveForCertain(_ event: Event) -> Bool {
    if present.state.lastGap != nil { return false }
    if event.subjectKind != .scene { return present.state.appState == .active }
    guard let active = present.state.activeScenes else { return false }
    return any(active .== event.subjectNumber)
  }

  /// How usual the circumstances of an event are.
  @inline(__always)
  func calm(_ event: Event) -> Calm {
    if isSuspended || event.writer == .system { return .none }
    let isActive =
      (event.subjectKind == .app || event.subjectKind == .scene) && isActiveForCertain(event)
    return isActive ? .active : .running
  }

  /// The number of the app's scene, when it has one alone.
  @inline(__always)
  var onlyScene: UInt32? { present.state.sceneCount == 1 ? present.state.aloneScene : nil }

  /// The begin of what `event` ends; `nil` when it was not recorded.
  func opened(_ event: Event) -> OpenEvent? { present.state.opener(closedBy: event) }

  /// What an event of a pattern would have been in the instance of a clause that `event` belongs to.
  func kinds(_ pattern: EventPattern, like event: Event, _ clause: Clause) -> [MissingEvent.Kind] {
    pattern.kinds(like: event, clause.scope, vocabulary, hooks: present.profile.hooks)
  }

  /// Whether a clause follows so many instances that it takes no more.
  ///
  /// Asked where instances are without number, or looked at one by one when a limit
  /// passes.
  mutating func isOverfull(_ clause: Clause, _ count: Int) -> Bool {
    if count >= Scope.followedWords { marks[clause.number].isOverfull = true }
    if marks[clause.number].isOverfull { doubt(clause, .tooManyInstances) }
    return marks[clause.number].isOverfull
  }

  /// Whether a clause has no place for the instance of `key`.
  @inline(__always)
  mutating func isFull<Value>(_ clause: Clause, _ table: KeyedTable<Value>, _ key: UInt64) -> Bool {
    if !clause.scope.isUnbounded && table.entries.count < Scope.followedSubjects { return false }
    return table.position(key) == nil && isOverfull(clause, table.entries.count)
  }

  // MARK: What clauses tell

  @inline(__always)
  mutating func check(_ clause: Clause) {
    if clause.isLaunchBound && !isAboutLaunch(clause) { return }
    tallies[clause.rule].checks += 1
  }

  /// Whether the reason for the launch is one that a clause is about, or not known; remembers another.
  @inline(never)
  private mutating func isAboutLaunch(_ clause: Clause) -> Bool {
    guard let launches = terms[clause.number].pattern.launches, let launch = present.launch,
      !launches.contains(launch)
    else { return true }
    tallies[clause.rule].otherLaunch = launch
    return false
  }

  mutating func doubt(_ clause: Clause, _ doubt: Doubt) { tallies[clause.rule].doubt(doubt) }

  /// Asks the rule of a clause about what its pattern has found, and reports it, or not; its place
  /// among the findings.
  @discardableResult
  @inline(never)
  mutating func judge(_ clause: Clause, _ found: RuleFindings.Report) -> Int? {
    var found = found
    if terms[clause.number].isJudgedByCode {
      let judgement = show(clause.rule) { rule, moment, _ in
        rule.judge(found.culprit.event, since: found.opener ?? found.culprit, moment)
      }
      switch judgement {
      case .violation(let severity, let message):
        found.severity = severity ?? found.severity
        found.message = message
      case .kept:
        check(clause)
        return nil
      case .notJudged: return nil
      case .unclear(let reason):
        doubt(clause, reason)
        return nil
      }
    }

    return report(clause, found)
  }

  /// Reports that a limit passes, or notes it in the `finding` that an earlier one made; its place.
  mutating func pass(
    _ limit: Nanoseconds, of last: Nanoseconds, _ finding: Int?, _ clause: Clause,
    _ found: RuleFindings.Report
  ) -> Int? {
    let place = present.state.ordinal &+ 1
    if let finding { collector.update(finding) { $0.escalate(found, before: place) } }
    let finding = finding ?? judge(clause, found)
    if let finding { collector.update(finding) { $0.note(passed: limit, of: last) } }
    return finding
  }

  /// Whether what a fact began is known to last, for a known time where a length is asked; notes why it
  /// is not.
  mutating func canRely(_ clause: Clause, on fact: OpenEvent, forLength: Bool = false) -> Bool {
    let isLengthKnown = !forLength || present.isLengthKnown(since: fact)
    guard let doubt = doubt(clause, since: fact) ?? (isLengthKnown ? nil : .clockSet) else {
      return true
    }
    self.doubt(clause, doubt)
    return false
  }

  /// The severity of what has passed a limit: a rule is never more severe than it says, or than somebody
  /// has said.
  func severity(_ clause: Clause, _ culprit: OpenEvent, past limit: Severity?) -> Severity {
    if let said = active[clause.rule].severity { return said }
    let own = severity(clause, at: culprit.event.instant)
    return limit.map { min($0, own) } ?? own
  }

  /// Notes what the connection of a scene says.
  ///
  /// In the caller, where the ledger is a parameter, the two accesses would copy all of it for each event: 1,370
  /// instructions more an event in a log of lives.
  mutating func noteConnection(_ event: Event) {
    connections?.note(event, present.vocabulary, present.state)
  }

  /// The severity that the pattern of a clause has for a finding at an instant.
  func severity(_ clause: Clause, at instant: Instant) -> Severity {
    terms[clause.number].severity(
      at: instant, under: present.profile, after: marks[clause.number].lastMitigation)
  }

  /// Reports a finding of a clause; its place among the findings.
  @discardableResult
  mutating func report(_ clause: Clause, _ found: RuleFindings.Report) -> Int? {
    if let launches = terms[clause.number].pattern.launches {
      guard let launch = present.launch else {
        doubt(clause, .profileKeyMissing(.launch))
        return nil
      }
      if !launches.contains(launch) {
        check(clause)
        return nil
      }
    }

    if let wanted = terms[clause.number].pattern.roles {
      guard let role = connections?.role(found.culprit.event) else {
        doubt(clause, .attributeMissing(.role))
        return nil
      }
      if !wanted.contains(role) {
        check(clause)
        return nil
      }
    }

    var found = found
    found.message = found.message ?? terms[clause.number].pattern.message
    found.severity = found.severity ?? severity(clause, at: found.culprit.event.instant)
    return report(found, rule: clause.rule, clause: clause.number)
  }

  /// Makes a finding of what a clause, or a rule's code, reports; its place among the findings.
  @discardableResult
  mutating func report(_ found: RuleFindings.Report, rule: Int, clause: Int) -> Int? {
    tallies[rule].violations += 1
    let (culprit, opener) = (found.culprit, found.opener)
    var witnesses: [Finding.Witness] = []
    if let opener { witnesses.append(Finding.Witness(role: .opens, event: opener.event)) }
    witnesses.append(Finding.Witness(role: .culprit, event: culprit.event))
    if let closing = found.closing {
      witnesses.append(Finding.Witness(role: .closes, event: closing))
    }
    if !found.missing.isEmpty { witnesses = Finding.ordered(witnesses, missing: found.missing) }
    let description = active[rule].description
    var finding = Finding(
      rule: description.id,
      severity: active[rule].severity ?? found.severity ?? description.severity,
      subject: culprit.event.subject, message: found.message ?? "", witnesses: witnesses,
      elapsed: found.elapsed, allowed: found.allowed, profile: present.profile, occurrences: 1,
      fingerprint: "",
      ordinal: culprit.ordinal)

    finding.state = Finding.State(present.state, culprit.event.subject)
    finding.fingerprintRule = description.fingerprintID(culprit.event, vocabulary)
    finding.cause = description.cause
    if finding.cause?.cause == .misplacedCallback { finding.turn = recent.turn(of: culprit) }
    (finding.identity, finding.remedy) = (found.identity, found.remedy)
    finding.madeBefore = present.state.ordinal &+ 1
    let place = collector.add(finding, clause: clause, opener: opener?.ordinal, vocabulary)
    awaitNearestTrace(place, culprit, opener, clause: clause, rule: rule)
    return place
  }
}

extension Verb {
  /// Whether such events are turns of the app's life, which it does not choose.
  ///
  /// What had to come before one of them is missing; what the app does itself is too much.
  var isTurn: Bool {
    switch self {
    case .call, .return, .notify, .state, .suspend, .resume, .kill, .exit, .snapshotBegin,
      .taskExpire, .bgtaskExpire:
      true
    default: false
    }
  }
}
