import LifecycleModel
import TraceAnalysis

/// Durations and conclusions of rules, summed over the logs of each cohort.
///
/// Associative and commutative. Memory is taken by what is different, not by the number of logs.
package struct TableSums: Sendable {
  private struct Sums {
    var durations = Statistics()
    var rules: [RuleRow: Int] = [:]
  }

  private var sums: [[String?]: Sums] = [:]

  /// Sums of nothing.
  package init() {}

  /// Adds the durations of a log of a cohort.
  mutating func add(_ durations: Statistics, of cohort: [String?]) {
    sums[cohort, default: Sums()].durations.merge(durations)
  }

  /// Adds what a rule concluded about a log of a cohort.
  mutating func add(_ outcome: RuleOutcome, of cohort: [String?]) {
    var row = RuleRow(outcome)
    (row.reason, row.checks) = (nil, 0)
    sums[cohort, default: Sums()].rules[row, default: 0] += 1
  }

  /// Adds other sums.
  package mutating func merge(_ other: TableSums) {
    for (cohort, sum) in other.sums {
      sums[cohort, default: Sums()].durations.merge(sum.durations)
      sums[cohort]?.rules.merge(sum.rules, uniquingKeysWith: +)
    }
  }

  /// The rows of the tables that are summed, in the order of the cohorts.
  package func chunks(_ plan: TablePlan) -> [TableChunk] {
    var durations = plan.chunk(of: .durations)
    var rules = plan.chunk(of: .rules)
    let (ofDurations, ofRules) = (
      DurationRow.summed(by: plan.cohort), RuleRow.summed(by: plan.cohort)
    )
    for (cohort, sum) in sums.sorted(by: { TableSums.comesFirst($0.key, $1.key) }) {
      DurationRow.rows(sum.durations).map { CohortRow(cohort: cohort, row: $0) }
        .withUnsafeBufferPointer { durations.add($0, ofDurations) }
      sum.rules.sorted { $0.key < $1.key }
        .map { CohortRow(cohort: cohort, row: $0.key, logs: $0.value) }
        .withUnsafeBufferPointer { rules.add($0, ofRules) }
    }
    return [durations, rules].filter { plan.wants($0.table) }
  }

  private static func comesFirst(_ first: [String?], _ second: [String?]) -> Bool {
    for (one, other) in zip(first, second) where one != other {
      guard let one, let other else { return one == nil }
      return one < other
    }
    return false
  }
}

/// A row that is summed over the logs of a cohort.
struct CohortRow<Row: TableRow> {
  let cohort: [String?]
  let row: Row
  var logs = 0

  fileprivate static func columns(
    _ cohort: [TableColumn], _ own: ArraySlice<Column<Row>>
  ) -> [Column<CohortRow>] {
    let places = cohort.enumerated().map { place, column in
      Column<CohortRow>(column.name, column.meaning) { $0.cohort[place] }
    }
    return places + own.map { $0.inside { $0.row } }
  }
}

extension DurationRow {
  /// The columns of the table that is summed by columns of `logs`.
  static func summed(by cohort: [TableColumn]) -> [Column<CohortRow<DurationRow>>] {
    CohortRow.columns(cohort, columns.dropFirst())
  }
}

extension RuleRow {
  /// The columns of the table that is summed by columns of `logs`.
  static func summed(by cohort: [TableColumn]) -> [Column<CohortRow<RuleRow>>] {
    CohortRow.columns(cohort, columns[...2])
      + [Column("logs", "in how many logs") { $0.logs }]
  }
}
