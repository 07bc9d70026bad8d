import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// Makes the rows of the log that is being read which follow from its events one by one: `events`, `spans`,
/// `states`, `gaps`, `processes`, `durations` and `writers`.
///
/// Memory is taken by what is open, and by some words a process.
package struct OneLogTables {
  let name: String
  let vocabulary: Vocabulary
  let window: ClosedRange<Instant>
  private let plan: TablePlan
  private let isFolding: Bool
  private let wantsEvents: Bool
  private let wantsSpans: Bool
  private let wantsDurations: Bool
  private let wantsWriters: Bool
  private var fold: LaneFold
  private var changes: [LaneChange] = []
  private var number: UInt64 = 0
  private var clocks = ProcessClocks()
  /// Of the words that have numbers.
  private var generation = -1
  private var spans: OpenSpans
  private(set) var processes = ProcessRows()
  private var writers = WriterRows()
  private var eventRows: [EventRow] = []
  /// How long things took in the process that runs.
  private var durations = Statistics()
  /// How long things took in all processes.
  private(set) var total = Statistics()

  init(
    _ plan: TablePlan, of name: String, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>
  ) {
    (self.plan, self.name, self.vocabulary, self.window) = (plan, name, vocabulary, window)
    isFolding = plan.needsFold
    (wantsEvents, wantsWriters) = (plan.wants(.events), plan.wants(.writers))
    wantsDurations = plan.wants(.durations)
    wantsSpans = wantsDurations || plan.wants(.spans)
    fold = LaneFold(vocabulary, marks: false)
    spans = OpenSpans(vocabulary)
  }

  /// Takes the next events.
  mutating func observe(_ events: ArraySlice<Event>, into rows: inout TableRows) {
    if generation != vocabulary.generation { rows.forgetNumbers() }
    generation = vocabulary.generation
    if wantsWriters { for event in events { writers.count(event, vocabulary) } }
    if isFolding {
      for event in events { observe(event, &rows) }
    } else if wantsEvents {
      for event in events {
        number += 1
        add(event, process: nil, app: nil)
      }
    }
    eventRows.withUnsafeBufferPointer { rows.add($0, to: .events) }
    eventRows.removeAll(keepingCapacity: true)
    processes.hand(isEnd: false, in: window, to: &rows)
  }

  /// Takes what is concluded of processes that are over, before words are forgotten.
  package mutating func take(_ conclusions: [ProcessConclusion]) {
    for conclusion in conclusions { processes.take(conclusion, vocabulary) }
  }

  /// Ends the log, of whose last processes this is concluded.
  mutating func finish(_ conclusions: [ProcessConclusion], into rows: inout TableRows) {
    changes.removeAll(keepingCapacity: true)
    fold.finish(into: &changes)
    for change in changes { follow(change, at: fold.now, isJudged: false, &rows) }
    take(conclusions)
    processes.hand(isEnd: true, in: window, to: &rows)
    for row in writers.sorted { rows.add(row, to: .writers) }
  }

  /// Adds the words of all that is open, which must not be forgotten.
  package func addUse(to use: inout VocabularyUse) { fold.addUse(to: &use) }

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
    if event.verb == .profile { return add(event, process: nil, app: nil) }
    let process = processes.current ?? processes.ended(at: number) ?? processBefore
    add(event, process: process, app: app)
  }

  @inline(__always)
  private mutating func add(
    _ event: Event, process: Int?, app: AppState?
  ) {
    guard window.contains(event.instant) else { return }
    eventRows.append(
      EventRow(
        vocabulary: vocabulary, event: event, number: number, process: process, app: app))
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
      guard wantsSpans else { return }
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
      guard wantsSpans,
        let row = spans.end(bar, end, at: last, clocks, fold.profile)
      else { return }
      if let key = row.key, !row.isSystemWork, row.ended == "closed" { count(row.parts.awake, key) }
      if overlaps(bar.event.instant, last) { rows.add(row, to: .spans) }
    case .state(let state):
      guard overlaps(bar.event.instant, last) else { return }
      rows.add(
        StateRow(
          isApp: fold.lanes[bar.lane].kind == .app, state: state, bar: bar, last: last, end: end,
          process: processes.current), to: .states)
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
    rows.add(
      GapRow(
        gap: gap, event: ordinal, instant: event.instant, duration: to.since(from),
        process: processes.current), to: .gaps)
  }

  // MARK: Durations

  private mutating func count(_ time: Nanoseconds, _ key: Statistics.Key) {
    if wantsDurations { durations.add(time, of: key) }
  }

  /// Adds the rows of the process that has ended.
  private mutating func takeDurations(_ rows: inout TableRows) {
    guard wantsDurations else { return }
    if plan.cohort.isEmpty {
      for row in DurationRow.rows(durations, process: processes.current) {
        rows.add(row, to: .durations)
      }
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
