import LifecycleModel
import Run

/// A row of `states`.
struct StateRow: TableRow {
  let state: String
  let bar: RunBar
  let end: RunEnd
  let last: Instant

  static let meaning = "a stretch of time in one state, of the app or of a scene"
  static let columns: [Column<StateRow>] = [
    Column("subject", "app, or a scene such as scene:1") {
      $0.bar.scene.map { Subject.scene($0).description } ?? "app"
    },
    Column("state", "the state's name in UIKit") { $0.state },
    Column("ts", "when it began") { $0.bar.event.instant.nanoseconds },
    Column("dur", "the time until the next state, or the end of process or log") {
      max(0, $0.last.since($0.bar.event.instant))
    },
    Column("ended", "closed, process-ended, end-of-log or gap (too much is open to follow it)") {
      $0.end.word
    },
    Column("event", "the event that brought it about") { $0.bar.ordinal },
    .process { $0.end.process },
  ]
}
