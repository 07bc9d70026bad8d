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
    for (cohort, sum) in sums.sorted(by: { TableSums.comesFirst($0.key, $1.key) }) {
      DurationRow.rows(sum.durations).withUnsafeBufferPointer {
        durations.add($0, DurationRow.summed, behind: cohort)
      }
      for (var row, logs) in sum.rules.sorted(by: { $0.key < $1.key }) {
        row.logs = logs
        withUnsafePointer(to: row) {
          rules.add(UnsafeBufferPointer(start: $0, count: 1), RuleRow.summed, behind: cohort)
        }
      }
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
