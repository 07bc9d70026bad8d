import LifecycleModel
import Run
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
  private let wantsDurations: Bool
  private let wantsWriters: Bool
  private var fold: RunFold
  private var number: UInt64 = 0
  /// Of the words that have numbers.
  private var generation = -1
  private(set) var processes = ProcessRows()
  private var writers = WriterRows()
  private var eventRows: [EventRow] = []
  /// How long things took in the process that runs.
  private var durations = Statistics()
  /// How long things took in all processes.
  private(set) var total = Statistics()

  /// Begins a log, of whose rows those in `window` are wanted.
  package init(
    _ plan: TablePlan, of name: String, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>
  ) {
    (self.plan, self.name, self.vocabulary, self.window) = (plan, name, vocabulary, window)
    isFolding = plan.needsFold
    (wantsEvents, wantsWriters) = (plan.wants(.events), plan.wants(.writers))
    wantsDurations = plan.wants(.durations)
    fold = RunFold(vocabulary)
  }

  /// Takes the next events.
  mutating func observe(_ events: ArraySlice<Event>, into rows: inout LogTables) {
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
  mutating func finish(_ conclusions: [ProcessConclusion], into rows: inout LogTables) {
    fold.finish()
    for change in fold.changes { follow(change, at: fold.now, isJudged: false, &rows) }
    take(conclusions)
    processes.hand(isEnd: true, in: window, to: &rows)
    for row in writers.sorted { rows.add(row, to: .writers) }
  }

  /// Adds the words of all that is open, which must not be forgotten.
  package func addUse(to use: inout VocabularyUse) { fold.addUse(to: &use) }

  // MARK: Events

  @inline(__always)
  private mutating func observe(_ event: Event, _ rows: inout LogTables) {
    number += 1
    let judged = fold.judgedEnds
    fold.observe(event)
    for change in fold.changes {
      follow(change, at: event.instant, isJudged: fold.judgedEnds > judged, &rows)
    }

    guard wantsEvents else { return }
    // A profile may be that of the next process.
    if event.verb == .profile { return add(event, process: nil, app: nil) }
    add(event, process: fold.processOfEvent, app: fold.appBefore)
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
    _ change: RunChange, at instant: Instant, isJudged: Bool, _ rows: inout LogTables
  ) {
    switch change {
    case .begin(let bar):
      if bar.content == .process { processes.begin(bar, fold.profile, vocabulary) }
    case .end(let bar, let end):
      finish(bar, end, at: end.cause == .closed ? instant : end.instant, isJudged, &rows)
    case .gap(let event, let ordinal, let from, let to, let process):
      guard plan.wants(.gaps), overlaps(from, to), let gap = Gap(event, in: vocabulary) else {
        return
      }
      rows.add(
        GapRow(
          gap: gap, event: ordinal, instant: event.instant, duration: to.since(from),
          process: process), to: .gaps)
    case .death(_, let ordinal, let instant, let process):
      processes.noteDeath(of: process, at: instant, ordinal, fold.judgedEnds)
    }
  }

  private mutating func finish(
    _ bar: RunBar, _ end: RunEnd, at last: Instant, _ isJudged: Bool, _ rows: inout LogTables
  ) {
    switch bar.content {
    case .span, .suspension:
      guard wantsDurations || plan.wants(.spans) else { return }
      let row = SpanRow(bar, end, at: last, fold.profile, vocabulary)
      if wantsDurations, let key = row.key, !bar.isSystemWork, row.ended == "closed" {
        durations.add(end.times.awake, of: key)
      }
      if overlaps(bar.event.instant, last) { rows.add(row, to: .spans) }
    case .state(let state):
      guard overlaps(bar.event.instant, last) else { return }
      rows.add(StateRow(state: state, bar: bar, end: end, last: last), to: .states)
    case .process:
      if wantsDurations { takeDurations(bar.process, &rows) }
      processes.end(end, fold.profile, verdict: isJudged ? fold.judgedEnds : nil)
    }
  }

  private func overlaps(_ first: Instant, _ last: Instant) -> Bool {
    first <= window.upperBound && max(first, last) >= window.lowerBound
  }

  /// Adds the rows of the process that has ended.
  private mutating func takeDurations(_ process: Int?, _ rows: inout LogTables) {
    if plan.cohort.isEmpty {
      for row in DurationRow.rows(durations, process: process) {
        rows.add(row, to: .durations)
      }
    } else {
      total.merge(durations)
    }
    durations = Statistics()
  }
}

extension RunEnd {
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
