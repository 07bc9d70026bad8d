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
    rows.begin(log.name)
    var rest = events[...]
    while !rest.isEmpty {
      log.observe(rest.prefix(LogTables.eventsAtOnce), into: &rows)
      rest = rest.dropFirst(LogTables.eventsAtOnce)
      try rows.hand(to: take)
    }
  }

  /// Adds the row of a log that cannot be read.
  package mutating func add(error: String, of log: String) {
    rows.begin(log)
    rows.add(LogRow(error: error), to: .logs)
  }

  /// Ends a log, whose findings and conclusions are these; its findings are held against what is `known`.
  ///
  /// `again` reads the events of the log again, from the first on.
  package mutating func finish(
    _ log: OneLogTables, _ analysis: Analysis, _ conclusions: [ProcessConclusion],
    _ facts: LogFacts, known: Baseline? = nil,
    again: ((([Event], Vocabulary) -> Bool) throws -> Void)
  ) throws {
    var log = log
    rows.begin(log.name)
    log.finish(conclusions, into: &rows)
    let row = LogRow(facts: facts, analysis: analysis, vocabulary: log.vocabulary)
    rows.add(row, to: .logs)
    try add(analysis, log, known, again)

    let cohort = row.cohort(plan.cohort)
    if cohort.isEmpty {
      for outcome in analysis.outcomes { rows.add(RuleRow(outcome), to: .rules) }
      return
    }
    if plan.wants(.durations) { sums.add(log.total, of: cohort) }
    if plan.wants(.rules) {
      for outcome in analysis.outcomes { sums.add(outcome, of: cohort) }
    }
  }

  private mutating func add(
    _ analysis: Analysis, _ log: OneLogTables, _ known: Baseline?,
    _ again: ((([Event], Vocabulary) -> Bool) throws -> Void)
  ) throws {
    guard plan.wants(.findings) || plan.wants(.witnesses) else { return }
    var findings = FindingRows(
      AnalysisResults.findings(analysis, of: log.name, log.vocabulary, known))
    if plan.needsPlaces && findings.isLooking {
      try again { events, vocabulary in
        findings.look(at: events, vocabulary)
        return findings.isLooking
      }
    }
    findings.add(to: &rows, in: log.window) { log.processes.process(of: $0) }
  }

  /// Hands over all rows that are left.
  package mutating func handRest(to take: Take) throws { try rows.hand(left: true, to: take) }
}
