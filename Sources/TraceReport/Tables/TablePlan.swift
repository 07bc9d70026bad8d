import LifecycleModel

/// Which tables and columns are asked for: nothing else is worked out.
package struct TablePlan: Sendable {
  /// The places of the columns that are asked for, of each table that is.
  package let wanted: [LogTable: Set<Int>]
  /// The columns of `logs` by which `durations` and `rules` are summed over all logs; empty when they have
  /// rows for each log.
  package let cohort: [TableColumn]

  /// A plan for these columns of these tables, by their places.
  package init(_ wanted: [LogTable: Set<Int>]) { (self.wanted, cohort) = (wanted, []) }

  /// A plan for all columns of these tables, summed by these columns of `logs`.
  package init(_ tables: some Sequence<LogTable>, by cohort: [TableColumn] = []) {
    var wanted: [LogTable: Set<Int>] = [:]
    for table in tables { wanted[table] = Set(table.columns.indices) }
    (self.wanted, self.cohort) = (wanted, cohort)
  }

  /// Whether a table is asked for.
  package func wants(_ table: LogTable) -> Bool { wanted[table] != nil }

  /// Whether any of these columns of a table is asked for.
  func wants(_ table: LogTable, _ columns: String...) -> Bool {
    guard let places = wanted[table] else { return false }
    return columns.contains { table.place(of: $0).map(places.contains) ?? false }
  }

  /// Whether the rules have to judge.
  package var needsRules: Bool {
    if wants(.findings) || wants(.witnesses) || wants(.rules) { return true }
    if wants(.logs, "findings_left_out") { return true }
    let known = ["log", "process", "ts", "dur", "awake", "foreground", "background", "ended"]
    let places = Set(known.compactMap { LogTable.processes.place(of: $0) })
    return !(wanted[.processes] ?? []).subtracting(places).isEmpty
  }

  /// Whether it has to be followed what is open, and which process runs.
  var needsFold: Bool {
    let tables: [LogTable] = [.processes, .spans, .states, .gaps, .durations]
    return tables.contains(where: wants) || wants(.events, "process", "app") || needsPlaces
  }

  /// Whether the events of findings have to be found in the log's order.
  var needsPlaces: Bool {
    wants(.findings, "event", "process") || wants(.witnesses, "event")
  }

  /// What the columns of a table are.
  package func schema(of table: LogTable) -> [TableColumn] {
    if cohort.isEmpty { return table.columns }
    switch table {
    case .durations: return cohort + DurationRow.summed.map(\.schema)
    case .rules: return cohort + RuleRow.summed.map(\.schema)
    default: return table.columns
    }
  }

  /// No rows of a table that is asked for.
  package func chunk(of table: LogTable) -> TableChunk {
    let schema = schema(of: table)
    return TableChunk(table, schema: schema, wanted: schema == table.columns ? wanted[table] : nil)
  }
}
