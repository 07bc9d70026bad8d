import LifecycleModel
import TraceAnalysis

/// A row of `durations`.
struct DurationRow: TableRow {
  let process: Int?
  let key: Statistics.Key
  let bucket: Nanoseconds
  let count: UInt64

  static let meaning = "how often something took this long"
  static let columns: [Column<DurationRow>] = [
    .process { $0.process },
    Column("kind", "as in spans") { $0.key.kind.rawValue },
    // Those that have no row of their own are no callback with an empty name.
    Column("name", "as in spans") { $0.key.isOthers ? "others" : $0.key.name.unlessEmpty },
    Column("label", "as in spans") { $0.key.label.unlessEmpty },
    Column("bucket", "the shortest awake time of the bucket") { $0.bucket },
    Column("count", "how many spans that closed fall into it") { $0.count },
  ]
  /// The columns behind those of the cohort, where it is summed over logs.
  static let summed = Array(columns.dropFirst())

  /// A row for each bucket.
  static func rows(_ durations: Statistics, process: Int? = nil) -> [DurationRow] {
    durations.rows.flatMap { row in
      row.durations.buckets.map { bucket in
        DurationRow(process: process, key: row.key, bucket: bucket.lowest, count: bucket.count)
      }
    }
  }
}
