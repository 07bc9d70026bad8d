import LifecycleModel

/// A row of `writers`.
struct WriterRow: TableRow {
  let writer: String
  let verb: String
  var events: UInt64 = 0
  let first: UInt64?
  var last: UInt64?

  static let meaning = "the events of one kind that one thread recorded, counted"
  static let columns: [Column<WriterRow>] = [
    Column("writer", "the thread that recorded them; main, or - for the system") { $0.writer },
    Column("verb", "what kind of events they are: call, notify, task.begin") { $0.verb },
    Column("events", "how many they are") { $0.events },
    Column("first", "the first one's place among the writer's events, from 1; NULL of gaps") {
      $0.first
    },
    Column("last", "the last one's place among the writer's events; NULL of gaps") { $0.last },
  ]

  fileprivate mutating func count(_ place: UInt64?) { (events, last) = (events + 1, place) }
}

/// The rows of `writers`, by the numbers of their threads and kinds of events.
struct WriterRows {
  private var rows: [UInt32: WriterRow] = [:]

  /// The rows, by thread, then by kind, in the order of their numbers.
  var sorted: [WriterRow] { rows.sorted { $0.key < $1.key }.map(\.value) }

  @inline(__always)
  mutating func count(_ event: Event, _ vocabulary: Vocabulary) {
    let key = UInt32(event.writer.rawValue) << 8 | UInt32(event.verb.code)
    let place = event.verb == .gap ? nil : event.sequence
    rows[
      key,
      default: WriterRow(
        writer: vocabulary.name(of: event.writer), verb: vocabulary.word(of: event.verb),
        first: place)
    ].count(place)
  }
}
