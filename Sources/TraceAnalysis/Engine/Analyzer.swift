import LifecycleModel
import Run

/// Reads a trace once, in order, and says what is wrong with it.
///
/// Memory is taken by what is open (calls, tasks, scenes, windows), never by the trace's length, when
/// ``forgetUnusedWords()`` is called between batches.
/// Deadlines fire by themselves: a callback that never returns is found when its time is over.
///
/// ```swift
/// import LifecycleRules
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
  /// What the clauses of the rules look at, and what they remember.
  var set: ClauseSet
  /// What is known of the process, and what the rules concluded.
  var ledger: Ledger
  var milestones = Milestones()
  package internal(set) var deaths = Deaths()
  /// What is concluded of each process, when somebody asks for that.
  var conclusions: ProcessConclusions?
  /// The process that has ended, until its end is judged.
  var ended: EndedProcess?
  /// The findings of the launches in a row that ended at the same place.
  var loop: [Int] = []
  /// Whether the instants come from a clock that can be set.
  var hasWallClock = false
  /// Where a wall clock may have been set.
  var clockLeap = ClockLeap()
  /// Finds where a process begins whose start is not recorded.
  var watch = ProcessWatch()
  /// The profile under which the process came into its first state.
  var processProfile: Profile?
  /// Whether steps are taken also where they find nothing: for who asks why.
  var looksAtAll = false
  var overview = Overview()
  /// Who has the places that change; a copy of the analyzer shares them until one of both goes on.
  private var owner = Owner()
  /// Measures how long things take: one collector when that is asked for, none otherwise.
  var statistics = Slab<StatisticsCollector>([])
  /// What follows from profiles, shared by the analyzers of one program.
  private let tables: ProfileTables
  /// What holds where the trace does not say it.
  private var answers = Profile()

  /// What is true after the events so far.
  package var state: LifecycleState {
    _read { yield ledger.present.state }
  }
  var vocabulary: Vocabulary { ledger.present.vocabulary }
  /// What is known of the app by now.
  package var profile: Profile {
    _read { yield ledger.present.profile }
  }

  /// From now on keeps what is concluded of each process, see ``takeConclusions()``.
  ///
  /// Called before the first event. Cost: some microseconds a process.
  package mutating func keepConclusions() {
    conclusions = ProcessConclusions(ruleCount: ledger.tallies.count)
  }

  /// The conclusions of processes that are over and were not taken yet, in the order of their ends; after
  /// ``finish()`` also of the one that is there at the end.
  ///
  /// Call it before ``forgetUnusedWords()``.
  package mutating func takeConclusions() -> [ProcessConclusion] { conclusions?.take() ?? [] }

  /// Makes an analyzer for a trace whose events belong to `vocabulary`.
  ///
  /// With `statistics` the analysis says how long things took; without, measuring costs nothing.
  public init(
    _ vocabulary: Vocabulary, _ catalogue: Catalogue, statistics: Bool = false
  ) {
    self.init(vocabulary, catalogue, statistics: statistics, tables: ProfileTables())
  }

  init(
    _ vocabulary: Vocabulary, _ catalogue: Catalogue, statistics: Bool = false,
    tables: ProfileTables
  ) {
    let active = catalogue.rules
    self.tables = tables
    let patterns = NumberedPattern.all(of: active.map(\.description))
    ledger = Ledger(catalogue, patterns, vocabulary)

    if let excess = RuleLimits.excess(active, patterns, ledger.recent.automata) {
      preconditionFailure("\(excess.rule): \(excess)")
    }
    // Tests hold the catalogue to it.
    for rule in active where !rule.isOfCatalogue {
      if let problem = rule.description.patterns.lazy.flatMap(\.scopeProblems).first {
        preconditionFailure("\(rule.description.id): \(problem)")
      }
    }
    set = ClauseSet(active, patterns, vocabulary)
    if statistics { measure(vocabulary, catalogue.system) }
    adopt(Profile())
  }

  /// Turns an analyzer that has seen nothing to a trace of `vocabulary`.
  mutating func begin(_ vocabulary: Vocabulary, statistics: Bool) {
    ledger.present = Present(vocabulary: vocabulary)
    if statistics { measure(vocabulary, ledger.system) }
  }

  private mutating func measure(_ vocabulary: Vocabulary, _ system: any SystemKnowledge) {
    statistics = Slab([StatisticsCollector(vocabulary, system)])
  }

  /// Takes what a person knows of the app: it holds where the trace's profiles do not say it.
  ///
  /// Called before the first event.
  public mutating func use(answers: Profile) {
    own()
    self.answers = answers
    if !answers.attributes.isEmpty { adopt(Profile().completed(by: answers)) }
  }

  /// Analyzes all of a trace; its words stay known.
  public mutating func analyze(_ trace: Trace) -> Analysis {
    observe(trace.events)
    return finish()
  }

  /// Analyzes all events of `stream`.
  public mutating func analyze(_ stream: inout some EventStream) throws -> Analysis {
    var events: [Event] = []
    while try stream.read(into: &events) {
      observe(events)
      forgetUnusedWords()
    }
    return finish()
  }

  /// Takes the next events of the trace.
  public mutating func observe(_ events: [Event]) {
    own()
    for event in events { observe(event) }
  }

  private final class Owner {}

  /// Takes a place of its own for what changes, where a copy has the same.
  mutating func own() {
    if isKnownUniquelyReferenced(&owner) { return }
    set.separate()
    ledger.rules.separate()
    ledger.tallies.separate()
    statistics.separate()
    // Last: from now on the others may take the places that were shared.
    owner = Owner()
  }

  @inline(__always)
  private mutating func observe(_ event: Event) {
    let isBehind = overview.count(event)
    if hasWallClock {
      if isBehind { forgetLengths() }
      clockLeap.note(
        event, after: ledger.present.state.instant, at: ledger.present.state.ordinal &+ 1)
    }
    if ledger.present.state.lossEnd != nil { passLoss(before: event) }
    if ledger.present.state.isFull { giveUpOldest(before: event) }
    take(event)
    if !statistics.isEmpty { statistics[0].observe(event) }
  }

  /// Takes the loss of what was given up as if the trace stated it.
  @inline(never)
  private mutating func giveUpOldest(before event: Event) {
    if let loss = ledger.present.state.loss(before: event) { take(loss) }
  }

  @inline(__always)
  private mutating func take(_ event: Event) {
    if watch.concerns(event) { noteLaunch(event) }
    if ledger.deadlines.next != .max { passDeadlines(before: event) }
    ledger.wakeRules(before: event)
    if event.verb.turnsProcess && !turnProcess(event) { return }
    let range = set.table.range(event, looksAtAll ? .none : ledger.calm(event))
    let kind = EventKinds(event)
    var position = range.lowerBound

    while position < range.upperBound {
      let step = set.table.steps[position]
      if step.events.contains(kind) {
        set.perform(step, event, &ledger)
      } else {
        set.forms.passOver(step, event, &ledger)
      }
      position &+= 1
    }

    ledger.present.state.fold(event)
    if event.writer == .main {
      ledger.present.lastOnMain = (ledger.present.state.ordinal, event.instant)
    }
    if ledger.present.state.isAppChanged { followApp(event) }
    switch event.verb.course {
    case .routine: break
    case .ofScenes:
      if event.subjectKind == .scene {
        milestones.followScene(event, count: ledger.present.state.sceneCount)
      }
      ledger.noteLifecycle(event)
      if hasWallClock { noteClock(event) }
    case .rare: noteRareEvent(event)
    }
  }

  /// Counts what the steps found that were left out because all was quiet.
  mutating func countQuietSteps() {
    for (step, count) in set.table.takeLeftOut() {
      ledger.tallies[set.clauses[Int(step.clause)].rule].checks += count
    }
  }

  /// The process has ended, or the log: what is open now is never closed.
  mutating func endProcess(_ reason: Doubt) {
    ledger.deadlines = Deadlines()
    ledger.connections?.removeAll()
    for index in ledger.marks.indices {
      (ledger.marks[index].isOverfull, ledger.marks[index].lastStray) = (false, 0)
      ledger.marks[index].strayDoubt = nil
    }
    var ending = ProcessEnding(reason: reason)
    set.forms.visit(&ending, &ledger)
    ledger.endRules(reason)
    ledger.endLifecycle()
  }

  /// A process has begun.
  mutating func beginProcess() {
    ledger.present.beginning = ledger.present.state.processStart
    ledger.backgroundClock = BackgroundClock()
    ledger.present.launch = LaunchReason(state, vocabulary, profile)
  }

  /// Between two events of a stretch in which some were lost nothing is certain.
  private mutating func passLoss(before event: Event) {
    ledger.present.state.passLoss(before: event)
    stopBackgroundClock()
    ledger.endLifecycle()
  }

  /// The app may have left the background unseen: from here on its time there is not known.
  private mutating func stopBackgroundClock() {
    ledger.backgroundClock.turn(false, at: ledger.present.state.awakeNow)
  }

  private mutating func followApp(_ event: Event) {
    guard let app = ledger.present.state.appState else { return }
    if app == .active { ledger.present.wasActive = true }
    if processProfile == nil { processProfile = profile }
    milestones.followApp(app, event)
    ledger.backgroundClock.turn(app == .background, at: ledger.present.state.awakeNow)
  }

  private mutating func noteRareEvent(_ event: Event) {
    switch event.verb {
    case .profile:
      adopt(Profile(statedBy: event, in: vocabulary).completed(by: answers))
    case .kill, .exit: endProcess(.processEnded)
    case .gap:
      watch.note(event)
      let gap = Gap(event, in: vocabulary)
      overview.count(gap)
      stopBackgroundClock()
      if let within = gap?.within {
        ledger.present.state.noteLoss(until: event.instant.advanced(by: within))
      }
    case .processStart:
      watch.note(event)
      beginProcess()
    default: break
    }

    ledger.isSuspended = ledger.present.state.suspension != nil
    milestones.note(event)
    ledger.noteLifecycleTurn(event)
  }

  /// Finds out which rules are in force under a new profile.
  private mutating func adopt(_ profile: Profile) {
    ledger.present.profile = profile
    hasWallClock = profile.clock == .wall
    watch.adopt(profile)
    ledger.present.launch = LaunchReason(state, vocabulary, profile)
    countQuietSteps()

    let entry = tables.entry(profile, ledger.active) { [set] in set.makeTable($0) }
    for (index, force) in entry.forces.enumerated() {
      ledger.tallies[index].force = force.rule
      ledger.tallies[index].doubtOfPart = force.doubt
      if force.rule == .inForce { ledger.tallies[index].wasInForce = true }
    }
    ledger.clausesInForce = entry.forces.flatMap(\.patterns)
    set.adopt(entry.table, entry.hooks, profile, &ledger)
  }

  /// The findings that were made after the first `count`, as they are now, in the order in which they
  /// were made.
  ///
  /// More may become of them up to ``finish()``: a count, an end, a nearest legal trace, dependents.
  /// Cost: the findings that are returned.
  public func findings(after count: Int) -> [Finding] {
    ledger.collector.findings(after: count, vocabulary)
  }

  /// Ends the analysis.
  ///
  /// What was still open at the end of the trace is not judged.
  public mutating func finish() -> Analysis {
    own()
    endProcess(.endOfLog)
    judgeEnd()
    countQuietSteps()
    if ledger.present.state.isRunning { conclusions?.add(nil, ledger.tallies) }
    ledger.endLifecycle()
    let outcomes = zip(ledger.active, ledger.tallies).map { rule, tally in
      RuleOutcome(
        rule: rule.description, outcome: tally.outcome(overview), checks: tally.checks,
        doubts: tally.orderedDoubts)
    }

    let rules = ledger.active.map(\.description)
    return Analysis(
      findings: Finding.advised(ledger.collector.finish(vocabulary), rules, vocabulary),
      findingsLeftOut: ledger.collector.leftOut,
      outcomes: outcomes, milestones: milestones, eventCount: overview.events,
      extent: overview.extent,
      awake: overview.awakeTotal(state), gaps: (overview.gaps, overview.lostEvents),
      deaths: deaths,
      disorder: overview.disorder, profile: profile, state: state,
      statistics: statistics.indices.first.map { statistics[$0].finish() })
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
