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
  private static let tables = LogTable.allCases

  private let plan: TablePlan
  /// The rows that are being made, in the order of the tables; `nil` for those that are not asked for.
  private var chunks: [TableChunk?]
  /// The first column of all rows that are added: the name of their log.
  private var name: [String?] = [""]
  /// What is summed over logs.
  package private(set) var sums = TableSums()

  /// Makes rows as a plan asks for them.
  package init(_ plan: TablePlan) {
    self.plan = plan
    chunks = LogTables.tables.map { plan.wants($0) ? plan.chunk(of: $0) : nil }
  }

  /// Takes the next events of a log.
  package mutating func observe(_ events: [Event], of log: inout OneLogTables, _ take: Take) throws
  {
    // The rows of a whole batch may have long texts each.
    name = [log.name]
    var rest = events[...]
    while !rest.isEmpty {
      log.observe(rest.prefix(LogTables.eventsAtOnce), into: &self)
      rest = rest.dropFirst(LogTables.eventsAtOnce)
      try hand(to: take)
    }
  }

  /// Adds the row of a log that cannot be read.
  package mutating func add(error: String, of log: String) {
    name = [log]
    add(LogRow(error: error), to: .logs)
  }

  /// Ends a log, whose findings and conclusions are these; its findings are held against what is `known`.
  ///
  /// `id` is the log's own, in hexadecimal digits, and `origin` the wall clock at its origin, in nanoseconds since
  /// 1970: `nil` where there is none.
  ///
  /// `again` reads the events of the log again, from the first on.
  package mutating func finish(
    _ log: OneLogTables, _ analysis: Analysis, _ conclusions: [ProcessConclusion],
    id: String?, origin: Int64?, known: Baseline? = nil,
    again: ((([Event], Vocabulary) -> Bool) throws -> Void)
  ) throws {
    var log = log
    name = [log.name]
    log.finish(conclusions, into: &self)
    let row = LogRow(id: id, origin: origin, analysis: analysis, vocabulary: log.vocabulary)
    add(row, to: .logs)
    try add(analysis, log, known, again)

    let cohort = row.cohort(plan.cohort)
    if cohort.isEmpty {
      for outcome in analysis.outcomes { add(RuleRow(outcome), to: .rules) }
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
    findings.add(to: &self, in: log.window) { log.processes.process(of: $0) }
  }

  /// Hands over all rows that are left.
  package mutating func handRest(to take: Take) throws { try hand(left: true, to: take) }

  // MARK: Rows

  /// Adds rows to their table, if that is asked for: column by column, which is a third faster than row by
  /// row.
  mutating func add<Row: TableRow>(_ rows: UnsafeBufferPointer<Row>, to table: LogTable) {
    guard let place = LogTables.tables.firstIndex(of: table) else { return }
    chunks[place]?.add(rows, Row.columns, behind: name)
  }

  /// Adds a row to its table, if that is asked for.
  mutating func add<Row: TableRow>(_ row: Row, to table: LogTable) {
    withUnsafePointer(to: row) { add(UnsafeBufferPointer(start: $0, count: 1), to: table) }
  }

  /// Forgets by which numbers words are known: numbers change their meaning.
  mutating func forgetNumbers() {
    for place in chunks.indices { chunks[place]?.forgetNumbers() }
  }

  /// Hands over the rows of each table that has enough of them, or all that are `left`, and forgets them.
  private mutating func hand(left: Bool = false, to take: Take) throws {
    for place in chunks.indices {
      do {
        guard let chunk = chunks[place], left ? chunk.rowCount > 0 : chunk.isFull else { continue }
        try take(chunk)
      }
      // Nobody else holds it by now, so that it keeps its memory.
      chunks[place]?.removeAll()
    }
  }
}
