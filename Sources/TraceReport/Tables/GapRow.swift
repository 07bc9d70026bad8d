import LifecycleModel

/// A row of `gaps`.
struct GapRow: TableRow {
  let gap: Gap
  let event: UInt64
  let instant: Instant
  let duration: Nanoseconds
  let process: Int?

  static let meaning = "a place where events are missing"
  static let columns: [Column<GapRow>] = [
    Column("event", "its place in the log, from 1") { $0.event },
    Column("ts", "when it begins") { $0.instant.nanoseconds },
    Column("dur", "the time until events come again") { max(0, $0.duration) },
    Column("cause", "why events are missing") { $0.gap.cause },
    Column("missing", "how many; NULL when that is not known") { $0.gap.count },
    Column("writer", "whose events; NULL when that is not known") { $0.gap.writer },
    .process { $0.process },
  ]
}
