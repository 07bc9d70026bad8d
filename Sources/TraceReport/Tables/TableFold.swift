import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// Makes the rows of a log that follow from its events one by one: `events`, `spans`, `states`, `gaps`,
/// `processes` and `durations`.
///
/// Memory is taken by what is open, and by some words a process.
struct TableFold {
  private let log: String
  private let vocabulary: Vocabulary
  private let plan: TablePlan
  private let isFolding: Bool
  private let wantsEvents: Bool
  private let wantsSpans: Bool
  private let wantsStates: Bool
  private let wantsDurations: Bool
  private let window: ClosedRange<Instant>
  private var fold: LaneFold
  private var changes: [LaneChange] = []
  private var number: UInt64 = 0
  private var clocks = ProcessClocks()
  private var eventRows: EventRows
  private var spans: OpenSpanRows
  var processes: ProcessRows
  /// How long things took in the process that runs.
  private var durations = Statistics()
  /// The same of all processes.
  private(set) var total = Statistics()

  init(_ plan: TablePlan, of log: String, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>)
  {
    (self.plan, self.log, self.vocabulary, self.window) = (plan, log, vocabulary, window)
    isFolding = plan.needsFold
    (wantsEvents, wantsSpans) = (plan.wants(.events), plan.wants(.spans))
    (wantsStates, wantsDurations) = (plan.wants(.states), plan.wants(.durations))
    fold = LaneFold(vocabulary, marks: false)
    eventRows = EventRows(vocabulary, of: log)
    spans = OpenSpanRows(log, vocabulary)
    processes = ProcessRows(log)
  }

  /// Takes the next events.
  mutating func observe(_ events: ArraySlice<Event>, into rows: inout TableRows) {
    if isFolding {
      for event in events { observe(event, &rows) }
    } else if wantsEvents {
      for event in events {
        number += 1
        add(event, process: nil, app: nil, &rows)
      }
    }
  }

  /// Ends the log.
  mutating func finish(into rows: inout TableRows) {
    changes.removeAll(keepingCapacity: true)
    fold.finish(into: &changes)
    for change in changes { follow(change, at: fold.now, isJudged: false, &rows) }
  }

  /// Adds the words of all that is open, which must not be forgotten.
  func addUse(to use: inout VocabularyUse) { fold.addUse(to: &use) }

  // MARK: Events

  @inline(__always)
  private mutating func observe(_ event: Event, _ rows: inout TableRows) {
    number += 1
    let app = processes.current == nil ? nil : fold.appState
    let (wasSuspended, before) = (fold.isSuspended, fold.now)
    let deaths = fold.deathCount
    let processBefore = processes.current

    changes.removeAll(keepingCapacity: true)
    fold.observe(event, into: &changes)
    if processBefore != nil, !wasSuspended {
      clocks.advance(fold.now.since(before), app)
    }
    spans.appBefore = app

    for change in changes {
      follow(change, at: event.instant, isJudged: fold.deathCount > deaths, &rows)
    }

    guard wantsEvents else { return }
    // A profile may be that of the next process.
    if event.verb == .profile { return add(event, process: nil, app: nil, &rows) }
    let process = processes.current ?? processes.ended(at: number) ?? processBefore
    add(event, process: process, app: app, &rows)
  }

  @inline(__always)
  private mutating func add(
    _ event: Event, process: Int?, app: AppState?, _ rows: inout TableRows
  ) {
    guard window.contains(event.instant) else { return }
    eventRows.add(event, number: number, process: process, app: app, to: &rows.events)
  }

  // MARK: Changes

  private mutating func follow(
    _ change: LaneChange, at instant: Instant, isJudged: Bool, _ rows: inout TableRows
  ) {
    switch change {
    case .begin(let bar): begin(bar)
    case .end(let bar, let end): finish(bar, end, at: instant, isJudged: isJudged, &rows)
    case .gap(let event, let ordinal, let from, let to):
      add(gap: event, ordinal, from, to, &rows)
    case .death(_, _, let instant):
      processes.noteDeath(at: instant, number, fold.deathCount)
    case .mark, .value: break
    }
  }

  private mutating func begin(_ bar: LaneBar) {
    switch bar.content {
    case .process: processes.begin(bar, clocks, fold.profile, vocabulary)
    case .span, .suspension:
      guard wantsSpans || wantsDurations else { return }
      let isSystems = bar.event.isSystemWork(
        openSnapshots: fold.state.open.count(.snapshot), vocabulary)
      spans.begin(bar, clocks, process: processes.current, isSystemWork: isSystems)
    case .state: break
    }
  }

  private mutating func finish(
    _ bar: LaneBar, _ end: LaneEnd, at instant: Instant, isJudged: Bool,
    _ rows: inout TableRows
  ) {
    let last = end.cause == .closed ? instant : end.instant
    switch bar.content {
    case .span, .suspension:
      guard wantsSpans || wantsDurations,
        let row = spans.end(bar, end, at: last, clocks)
      else { return }
      if let key = row.key, !row.isSystemWork, row.ended == "closed" { count(row.awake, key) }
      guard wantsSpans, overlaps(bar.event.instant, last) else { return }
      rows.spans.add(spans.values(row, bar, end, fold.profile))
    case .state(let state):
      guard wantsStates, overlaps(bar.event.instant, last) else { return }
      let subject =
        fold.lanes[bar.lane].kind == .app ? "app" : bar.event.subject.description
      rows.states.add([
        .text(log), .text(subject), .text(state), .integer(bar.event.instant.nanoseconds),
        .integer(max(0, last.since(bar.event.instant))), .text(end.word),
        .integer(Int64(clamping: bar.ordinal)), .of(processes.current),
      ])
    case .process:
      takeDurations(&rows)
      let verdict = isJudged ? fold.deathCount : nil
      processes.end(bar, end, clocks, fold.profile, verdict: verdict)
    }
  }

  private func overlaps(_ first: Instant, _ last: Instant) -> Bool {
    first <= window.upperBound && max(first, last) >= window.lowerBound
  }

  private mutating func add(
    gap event: Event, _ ordinal: UInt64, _ from: Instant, _ to: Instant, _ rows: inout TableRows
  ) {
    guard plan.wants(.gaps), overlaps(from, to), let gap = Gap(event, in: vocabulary) else {
      return
    }
    rows.gaps.add([
      .text(log), .integer(Int64(clamping: ordinal)), .integer(event.instant.nanoseconds),
      .integer(max(0, to.since(from))), .text(gap.cause), .of(gap.count), .of(gap.writer),
      .of(processes.current),
    ])
  }

  // MARK: Durations

  private mutating func count(_ time: Nanoseconds, _ key: Statistics.Key) {
    if wantsDurations { durations.add(time, of: key) }
  }

  /// Adds the rows of the process that has ended.
  private mutating func takeDurations(_ rows: inout TableRows) {
    guard wantsDurations else { return }
    if plan.cohort.isEmpty {
      let place: [TableValue] = [.text(log), .of(processes.current)]
      TableSums.add(durations, behind: place, to: &rows.durations)
    } else {
      total.merge(durations)
    }
    durations = Statistics()
  }
}

extension LaneEnd {
  /// How something ended, in the tables' word.
  var word: String {
    switch cause {
    case .closed: "closed"
    case .died, .replaced: "process-ended"
    case .endOfLog: "end-of-log"
    case .givenUp: "gap"
    }
  }
}

/// For how long processes were awake, and in which state, up to now.
struct ProcessClocks {
  private(set) var awake: Nanoseconds = 0
  private(set) var foreground: Nanoseconds = 0
  private(set) var background: Nanoseconds = 0
  private(set) var inactive: Nanoseconds = 0

  /// Goes on by a time in which the process was awake and the app in this state.
  @inline(__always)
  mutating func advance(_ time: Nanoseconds, _ app: AppState?) {
    guard time > 0, time < .max / 4 else { return }
    awake &+= time
    if app != .active { inactive &+= time }
    switch app {
    case .active, .inactive: foreground &+= time
    case .background, .suspended: background &+= time
    case .notRunning, nil: break
    }
  }

  /// The times since other readings.
  func since(_ other: ProcessClocks) -> ProcessClocks {
    var part = ProcessClocks()
    part.awake = awake &- other.awake
    part.foreground = foreground &- other.foreground
    part.background = background &- other.background
    part.inactive = inactive &- other.inactive
    return part
  }
}
