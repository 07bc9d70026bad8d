import LifecycleModel
import TraceAnalysis

extension JSONWriter {
  /// The member `statistics`; the article `JSONReportFormat` describes it, and `Statistics` reads it back.
  mutating func statistics(_ statistics: Statistics) {
    array("statistics", statistics.rows) { writer, row in
      writer.object { $0.members(row) }
    }
  }

  private mutating func members(_ row: Statistics.Row) {
    string("kind", row.key.kind.rawValue)
    if row.key.isOthers { raw("others", "true") }
    if !row.key.name.isEmpty { string("name", row.key.name) }
    if !row.key.label.isEmpty { string("label", row.key.label) }
    number("count", row.durations.count)
    if row.durations.count > 0 {
      for percent in [50, 95, 99] as [UInt64] {
        number("p\(percent)", row.durations.percentile(percent))
      }
      number("max", row.durations.longest)
      number("budget", row.durations.budget())
      number("budget99", row.durations.budget(keptBy: 99))
      let pairs = row.durations.buckets.map { "[\($0.lowest), \($0.count)]" }
      raw("buckets", "[\(pairs.joined(separator: ", "))]")
    }
    if !row.allowances.isEmpty {
      array("allowances", row.allowances) { writer, use in
        writer.object { writer in
          writer.number("allowed", use.allowed)
          writer.number("used", use.used)
          writer.number("permille", use.permille)
        }
      }
    }
    if row.omissions.isEmpty { return }
    object("notCounted") { writer in
      for reason in Statistics.Omission.allCases {
        writer.number(reason.rawValue, row.omissions[reason])
      }
    }
  }
}
