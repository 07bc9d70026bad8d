import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// Makes the rows of logs, one log after another.
///
/// The events of a log are taken in batches, once for the rules and all rows that follow from them; where
/// the rows of findings say which events they mean, the events are looked at again. Rows are handed over
/// 25,000 at a time. Memory is taken by those, by what is open and by what was found.
package struct LogTables {
  /// Hands over rows.
  package typealias Take = (TableChunk) throws -> Void

  private static let eventsAtOnce = 512

  private let plan: TablePlan
  private var rows: TableRows
  /// What is summed over logs.
  package private(set) var sums = TableSums()

  /// Makes rows as a plan asks for them.
  package init(_ plan: TablePlan) {
    self.plan = plan
    rows = TableRows(plan)
  }

  /// Begins a log, of whose rows those in `window` are wanted.
  package func begin(
    _ log: String, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>
  ) -> OneLogTables {
    OneLogTables(plan, of: log, vocabulary, in: window)
  }

  /// Takes the next events of a log.
  package mutating func observe(_ events: [Event], of log: inout OneLogTables, _ take: Take) throws
  {
    // The rows of a whole batch may have long texts each.
    var rest = events[...]
    while !rest.isEmpty {
      log.observe(rest.prefix(LogTables.eventsAtOnce), &rows)
      rest = rest.dropFirst(LogTables.eventsAtOnce)
      try rows.hand(to: take)
    }
  }

  /// Adds the row of a log that cannot be read.
  package mutating func add(error: String, of log: String) {
    if plan.wants(.logs) { LogRows.add(error: error, of: log, to: &rows.logs) }
  }

  /// Ends a log, whose findings and conclusions are these.
  ///
  /// `again` reads the events of the log again, from the first on.
  package mutating func finish(
    _ log: OneLogTables, _ analysis: Analysis, _ conclusions: [ProcessConclusion],
    _ facts: LogFacts,
    again: ((([Event], Vocabulary) -> Bool) throws -> Void)
  ) throws {
    var log = log
    log.finish(conclusions, &rows)
    if plan.wants(.logs) {
      LogRows.add(analysis, of: log.name, log.vocabulary, facts, to: &rows.logs)
    }
    try add(analysis, log, again)

    let cohort = LogRows.cohort(plan.cohort, analysis, log.vocabulary)
    if cohort.isEmpty {
      if plan.wants(.rules) { LogRows.add(analysis.outcomes, of: log.name, to: &rows.rules) }
      return
    }
    if plan.wants(.durations) { sums.add(log.durations, of: cohort) }
    guard plan.wants(.rules) else { return }
    for outcome in analysis.outcomes {
      sums.add(
        rule: outcome.rule.id, severity: outcome.rule.severity.rawValue,
        verdict: outcome.outcome.word, of: cohort)
    }
  }

  private mutating func add(
    _ analysis: Analysis, _ log: OneLogTables,
    _ again: ((([Event], Vocabulary) -> Bool) throws -> Void)
  ) throws {
    guard plan.wants(.findings) || plan.wants(.witnesses) else { return }
    var findings = FindingRows(analysis, of: log.name, log.vocabulary)
    if plan.needsPlaces && findings.isLooking {
      try again { events, vocabulary in
        findings.look(at: events, vocabulary)
        return findings.isLooking
      }
    }
    findings.add(to: &rows, in: log.window) { log.process(of: $0) }
  }

  /// Hands over all rows that are left.
  package mutating func handRest(to take: Take) throws { try rows.hand(left: true, to: take) }
}

/// The rows of the log that is being read.
package struct OneLogTables {
  let name: String
  let vocabulary: Vocabulary
  let window: ClosedRange<Instant>
  private let plan: TablePlan
  private var fold: TableFold
  /// How long things took, in all processes.
  var durations: Statistics { fold.total }

  init(
    _ plan: TablePlan, of name: String, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>
  ) {
    (self.plan, self.name, self.vocabulary, self.window) = (plan, name, vocabulary, window)
    fold = TableFold(plan, of: name, vocabulary, in: window)
  }

  /// Takes what is concluded of processes that are over, before words are forgotten.
  package mutating func take(_ conclusions: [ProcessConclusion]) {
    for conclusion in conclusions { fold.processes.take(conclusion, vocabulary) }
  }

  mutating func observe(_ events: ArraySlice<Event>, _ rows: inout TableRows) {
    fold.observe(events, into: &rows)
    if plan.wants(.processes) {
      fold.processes.hand(isEnd: false, in: window, to: &rows.processes)
    }
  }

  mutating func finish(_ conclusions: [ProcessConclusion], _ rows: inout TableRows) {
    fold.finish(into: &rows)
    take(conclusions)
    if plan.wants(.processes) {
      fold.processes.hand(isEnd: true, in: window, to: &rows.processes)
    }
  }

  func process(of event: UInt64) -> Int? { fold.processes.process(of: event) }

  /// Adds the words of all that is open, which must not be forgotten.
  package func addUse(to use: inout VocabularyUse) { fold.addUse(to: &use) }
}
