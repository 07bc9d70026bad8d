import LifecycleModel
import TraceAnalysis

/// Durations and conclusions of rules, summed over the logs of each cohort.
///
/// Associative and commutative. Memory is taken by what is different, not by the number of logs.
package struct TableSums: Sendable {
  private struct Rule: Hashable, Comparable {
    let rule, severity, verdict: String

    static func < (lhs: Rule, rhs: Rule) -> Bool {
      (lhs.rule, lhs.verdict, lhs.severity) < (rhs.rule, rhs.verdict, rhs.severity)
    }
  }

  private struct Sums {
    var durations = Statistics()
    var rules: [Rule: Int] = [:]
  }

  private var sums: [[String?]: Sums] = [:]

  /// Sums of nothing.
  package init() {}

  /// Adds the durations of a log of a cohort.
  mutating func add(_ durations: Statistics, of cohort: [String?]) {
    sums[cohort, default: Sums()].durations.merge(durations)
  }

  /// Adds what a rule concluded about a log of a cohort.
  mutating func add(rule: String, severity: String, verdict: String, of cohort: [String?]) {
    let rule = Rule(rule: rule, severity: severity, verdict: verdict)
    sums[cohort, default: Sums()].rules[rule, default: 0] += 1
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
      let place = cohort.map(TableValue.of)
      TableSums.add(sum.durations, behind: place, to: &durations)
      for (rule, logs) in sum.rules.sorted(by: { $0.key < $1.key }) {
        rules.add(
          place + [.text(rule.rule), .text(rule.severity), .text(rule.verdict), .of(logs)])
      }
    }
    return [durations, rules].filter { plan.wants($0.table) }
  }

  /// Adds a row for each bucket, behind the values that say whose they are.
  static func add(_ durations: Statistics, behind place: [TableValue], to chunk: inout TableChunk) {
    for row in durations.rows {
      // Those that have no row of their own are no callback with an empty name.
      let name: TableValue = row.key.isOthers ? .text("others") : .word(row.key.name)
      let key = [.text(row.key.kind.rawValue), name, .word(row.key.label)]
      for bucket in row.durations.buckets {
        chunk.add(place + key + [.integer(bucket.lowest), .of(bucket.count)])
      }
    }
  }

  private static func comesFirst(_ first: [String?], _ second: [String?]) -> Bool {
    for (one, other) in zip(first, second) where one != other {
      guard let one, let other else { return one == nil }
      return one < other
    }
    return false
  }
}
