import LifecycleModel

/// Reads a trace once, in order, and says what is wrong with it.
///
/// Memory is taken by what is open (calls, tasks, scenes, windows), never by the trace's length, when
/// ``forgetUnusedWords()`` is called between batches.
/// Deadlines fire by themselves: a callback that never returns is found when its time is over.
///
/// ```swift
/// import TraceAnalysis
/// import TraceLog
///
/// var reader = try LogReader(path: "flight.bin")
/// let analysis = try Analyzer.analyze(&reader)
/// for finding in analysis.findings {
///   print(finding.severity, finding.rule, finding.message)
/// }
/// ```
public struct Analyzer {
  /// What a rule concluded so far.
  struct Tally {
    /// Whether the rule is in force under the profile that holds.
    var force = RuleNeeds.Force.notApplicable("no events")
    var checks = 0
    var violations = 0
    var wasInForce = false
    /// Why the rule had nothing to judge, where that is known.
    var idleReason: String?
    /// A launch that the rule is not about.
    var otherLaunch: LaunchReason?
    var doubts: [Doubt: Int] = [:]

    mutating func doubt(_ doubt: Doubt) { doubts[doubt, default: 0] += 1 }
  }

  let active: [ActiveRule]
  /// The code of each.
  var rules: [any RuleLogic]
  var set: ClauseSet
  var tallies: [Tally]
  var collector = FindingCollector()
  var ruleFindings = RuleFindings()
  /// What the rules are shown.
  var present: Present
  /// The earliest awake time at which a limit passes; the least of all times while one is waited for by
  /// the wall clock, so that the loop asks at every event.
  var nextDeadline = Nanoseconds.max
  /// The earliest awake time alone, while the wall clock is waited for.
  var nextAwakeDeadline = Nanoseconds.max
  /// The earliest time of the wall clock at which one does.
  var nextWallDeadline = Nanoseconds.max
  /// For each rule the awake time at which it wants to be woken.
  var ruleWakes: [Nanoseconds]
  /// The earliest of them.
  var nextWake = Nanoseconds.max
  var backgroundClock = BackgroundClock()
  /// Whether the process is suspended, at hand for the loop over events.
  var isSuspended = false
  var milestones = Milestones()
  var deaths = Deaths()
  /// The process that has ended, until its end is judged.
  var ended: EndedProcess?
  /// Whether the instants come from a clock that can be set.
  var hasWallClock = false
  /// Tells by its launch callbacks where a process begins.
  var launches = LaunchWatch()
  /// The profile under which the process came into its first state.
  var processProfile: Profile?
  /// Whether steps are taken also where they find nothing: for who asks why.
  var looksAtAll = false
  /// The latest callbacks and notifications, for the nearest legal traces.
  var recent: RecentLifecycle
  private var overview = Overview()
  /// Measures how long things take, when that is asked for.
  var statistics: StatisticsCollector?
  /// What follows from profiles, shared by the analyzers of one program.
  private let tables: ProfileTables
  /// What holds where the trace does not say it.
  private var answers = Profile()

  /// Makes an analyzer for a trace whose events belong to `vocabulary`.
  ///
  /// With `statistics` the analysis says how long things took; without, measuring costs nothing.
  public init(
    _ vocabulary: Vocabulary, rules active: [ActiveRule] = RuleRegistry.all,
    statistics: Bool = false
  ) {
    self.init(vocabulary, rules: active, statistics: statistics, tables: ProfileTables())
  }

  init(
    _ vocabulary: Vocabulary, rules active: [ActiveRule], statistics: Bool = false,
    tables: ProfileTables
  ) {
    self.tables = tables
    self.statistics = statistics ? StatisticsCollector(vocabulary) : nil
    present = Present(vocabulary: vocabulary)
    self.active = active
    rules = active.map { $0.makeLogic() }
    ruleWakes = active.map { _ in .max }
    set = ClauseSet(active, vocabulary)
    recent = RecentLifecycle(active.map(\.description))
    tallies = active.map { _ in Tally() }
    adopt(Profile())
  }

  /// Turns an analyzer that has seen nothing to a trace of `vocabulary`.
  mutating func begin(_ vocabulary: Vocabulary, statistics: Bool) {
    present = Present(vocabulary: vocabulary)
    self.statistics = statistics ? StatisticsCollector(vocabulary) : nil
  }

  /// Takes what a person knows of the app: it holds where the trace's profiles do not say it.
  ///
  /// Called before the first event.
  public mutating func use(answers: Profile) {
    self.answers = answers
    if !answers.attributes.isEmpty { adopt(Profile().completed(by: answers)) }
  }

  /// Analyzes a whole trace by `rules`, or by the whole catalogue; its words stay known.
  ///
  /// The catalogue is made ready once: see ``RuleProgram/catalogue``.
  public static func analyze(
    _ trace: Trace, rules: [ActiveRule]? = nil, statistics: Bool = false
  ) -> Analysis {
    var analyzer = ready(trace.vocabulary, rules, statistics)
    analyzer.observe(trace.events)
    return analyzer.finish()
  }

  /// Analyzes all events of `stream` by `rules`, or by the whole catalogue.
  public static func analyze(
    _ stream: inout some EventStream, rules: [ActiveRule]? = nil, statistics: Bool = false
  ) throws -> Analysis {
    var analyzer = ready(stream.vocabulary, rules, statistics)
    var events: [Event] = []
    while try stream.read(into: &events) {
      analyzer.observe(events)
      analyzer.forgetUnusedWords()
    }
    return analyzer.finish()
  }

  private static func ready(
    _ vocabulary: Vocabulary, _ rules: [ActiveRule]?, _ statistics: Bool
  ) -> Analyzer {
    if let rules { return Analyzer(vocabulary, rules: rules, statistics: statistics) }
    return RuleProgram.catalogue.analyzer(vocabulary, statistics: statistics)
  }

  /// Takes the next events of the trace.
  public mutating func observe(_ events: [Event]) {
    for event in events { observe(event) }
    statistics?.observe(events)
  }

  @inline(__always)
  private mutating func observe(_ event: Event) {
    if overview.count(event) && hasWallClock { forgetLengths() }
    if state.lossEnd != nil { passLoss(before: event) }
    if launches.concerns(event) { noteLaunch(event) }
    if nextDeadline != .max { fireDeadlines(before: event) }
    if nextWake != .max { wakeRules(before: event) }
    if event.verb.turnsProcess && !turnProcess(event) { return }
    let range = set.table.range(event, isQuiet: !looksAtAll && isQuiet(event))
    var position = range.lowerBound
    while position < range.upperBound {
      perform(set.table.steps[position], event)
      position &+= 1
    }
    present.state.fold(event)
    if state.isAppChanged { followApp(event) }
    switch event.verb.course {
    case .routine: break
    case .ofScenes:
      if event.subjectKind == .scene { milestones.followScene(event, count: state.sceneCount) }
      noteLifecycle(event)
      if hasWallClock { noteClock(event) }
    case .rare: noteRareEvent(event)
    }
  }

  /// Counts for how long the process was suspended that a new one follows.
  mutating func noteSuspensionOfProcess() {
    overview.suspendedBefore &+= state.suspended(at: state.instant)
  }

  /// A process has begun.
  mutating func beginProcess() {
    launches.beginProcess(isRecorded: state.processStart != nil)
    present.beginning = state.processStart
    backgroundClock = BackgroundClock()
    present.launch = LaunchReason(state, vocabulary, profile)
  }

  /// Between two events of a stretch in which some were lost nothing is certain.
  private mutating func passLoss(before event: Event) {
    present.state.passLoss(before: event)
    endLifecycle()
  }

  private mutating func followApp(_ event: Event) {
    guard let app = state.appState else { return }
    if app == .active { present.wasActive = true }
    if processProfile == nil { processProfile = profile }
    milestones.followApp(app, event)
    backgroundClock.turn(app == .background, state)
  }

  private mutating func noteRareEvent(_ event: Event) {
    switch event.verb {
    case .profile:
      // Where an import found the profile is no part of it.
      let said = vocabulary.attributes(event.attributes)
      let profile = Profile(said.filter { $0.key != AttributeKey.line.rawValue })
      adopt(profile.completed(by: answers))
    case .kill, .exit: endProcess(.processEnded)
    case .gap:
      let gap = Gap(event, in: vocabulary)
      overview.count(gap)
      if let within = gap?.within {
        present.state.noteLoss(until: event.instant.advanced(by: within))
      }
    case .processStart: beginProcess()
    default: break
    }
    isSuspended = state.suspension != nil
    milestones.note(event)
    noteLifecycleTurn(event)
  }

  /// Finds out which rules are in force under a new profile.
  private mutating func adopt(_ profile: Profile) {
    present.profile = profile
    hasWallClock = profile.clock == .wall
    launches.areStartsRecorded = profile.hooks?.contains(.process) ?? false
    present.launch = LaunchReason(state, vocabulary, profile)
    countQuietSteps()
    let entry = tables.entry(profile, active) { [set] in set.makeTable(inForce: $0) }
    for (index, force) in entry.forces.enumerated() {
      tallies[index].force = force
      if force == .inForce { tallies[index].wasInForce = true }
    }
    set.adopt(entry.table, entry.hooks, profile)
  }

  /// The findings that were made after the first `count`, as they are now, in the order in which they
  /// were made.
  ///
  /// More may become of them up to ``finish()``: a count, an end, a nearest legal trace, dependents.
  /// Cost: the findings that are returned.
  public func findings(after count: Int) -> [Finding] {
    collector.findings(after: count, vocabulary)
  }

  /// Ends the analysis.
  ///
  /// What was still open at the end of the trace cannot be told.
  public mutating func finish() -> Analysis {
    endProcess(.endOfLog)
    judgeEnd()
    countQuietSteps()
    endLifecycle()
    let outcomes = zip(active, tallies).map { rule, tally in
      RuleOutcome(
        rule: rule.description, verdict: tally.verdict(overview), checks: tally.checks,
        doubts: tally.orderedDoubts)
    }
    return Analysis(
      findings: LegalAdvice.added(
        to: collector.finish(vocabulary), active.map(\.description), vocabulary),
      findingsLeftOut: collector.leftOut,
      outcomes: outcomes, milestones: milestones, eventCount: overview.events,
      extent: overview.extent,
      awake: overview.awakeTotal(state), gaps: (overview.gaps, overview.lostEvents),
      deaths: deaths,
      disorder: overview.disorder, profile: profile, state: state,
      statistics: statistics?.finish())
  }
}

extension Verb {
  /// Whether it may be the first of a new process: its instant then says nothing of the one before.
  @inline(__always)
  var mayBeginProcess: Bool { self == .profile || self == .processStart }

  /// Whether it begins or ends a process, or says what is known of it.
  @inline(__always)
  fileprivate var turnsProcess: Bool {
    // Of all events: two comparisons instead of four.
    code <= Verb.processStart.code || code | 1 == Verb.exit.code
  }

  /// What the analyzer has to do at an event, beside what the rules want.
  fileprivate enum Course {
    case routine, ofScenes, rare
  }

  @inline(__always)
  fileprivate var course: Course {
    switch self {
    case .work, .workBegin, .workEnd, .observe, .observed, .return: .routine
    case .call, .notify, .state: .ofScenes
    case .profile, .kill, .exit, .gap, .processStart, .suspend, .resume, .snapshotBegin, .note:
      .rare
    default: .routine
    }
  }
}

extension Analyzer.Tally {
  /// Reasons for not knowing, most frequent first.
  var orderedDoubts: [(doubt: Doubt, count: Int)] {
    doubts.map { (doubt: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.doubt.order) < ($0.count, $1.doubt.order) }
  }

  fileprivate func verdict(_ overview: Overview) -> Verdict {
    if violations > 0 { return .violated }
    if !wasInForce {
      switch force {
      case .inForce: break
      case .doubt(let doubt): return .cannotTell([doubt])
      case .notApplicable(let reason): return .notApplicable(reason)
      }
    }
    if !doubts.isEmpty { return .cannotTell(orderedDoubts.map(\.doubt)) }
    if checks > 0 { return .satisfied }
    if let idleReason { return .notApplicable(idleReason) }
    return .notApplicable(
      otherLaunch.map { "not for a launch with launch=\($0.rawValue)" } ?? Verdict.nothingHappened)
  }
}

/// How much was looked at.
private struct Overview {
  private(set) var events: UInt64 = 0
  private(set) var gaps = 0
  private(set) var lostEvents: Int64 = 0
  private(set) var disorder = 0
  private var first = Instant.origin
  private var latest = Instant.distantPast
  /// For how long the processes before the last one were suspended.
  var suspendedBefore: Nanoseconds = 0

  /// Counts an event; whether it stands behind a later instant.
  @inline(__always)
  mutating func count(_ event: Event) -> Bool {
    if events == 0 { first = event.instant }
    events &+= 1
    if event.instant >= latest {
      latest = event.instant
      return false
    }
    disorder &+= 1
    return true
  }

  mutating func count(_ gap: Gap?) {
    gaps += 1
    lostEvents = lostEvents.addingReportingOverflow(gap?.count ?? 0).partialValue
  }

  var extent: ClosedRange<Instant>? { events == 0 ? nil : min(first, latest)...latest }

  func awakeTotal(_ state: LifecycleState) -> Nanoseconds {
    events == 0
      ? 0 : max(0, latest.since(first) &- suspendedBefore &- state.suspended(at: latest))
  }
}
