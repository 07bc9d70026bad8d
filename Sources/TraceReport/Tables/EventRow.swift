import LifecycleModel
import TraceText

/// A row of `events`; the words of a log are looked up once in a chunk, and not for each row.
struct EventRow: TableRow {
  let vocabulary: Vocabulary
  let event: Event
  let number: UInt64
  let process: Int?
  let app: AppState?

  static let meaning = "an event"
  static let columns: [Column<EventRow>] = [
    Column("event", "its place in the log, from 1") { $0.number },
    Column("ts", "when it happened") { $0.event.instant.nanoseconds },
    Column(
      "writer", "the thread that recorded it; main, or - for the system",
      by: { UInt64($0.event.writer.rawValue) }, { $0.vocabulary.name(of: $0.event.writer) }),
    Column("sequence", "its place among those of its writer, from 1") {
      $0.event.verb == .gap ? nil : $0.event.sequence
    },
    Column(
      "verb", "what kind of event it is: call, notify, task.begin",
      by: { UInt64($0.event.verb.code) }, { $0.vocabulary.word(of: $0.event.verb) }),
    Column(
      "name", "the callback, notification or category", by: { $0.event.name.number },
      { $0.vocabulary.text($0.event.name) }),
    Column(
      "subject", "what it is about: app, scene:1, task:2",
      by: { $0.event.subjectKind == .none ? nil : $0.event.subject.key },
      { $0.event.subject.description }),
    Column(
      "label", "the app's own word", by: { $0.event.label.number },
      { $0.vocabulary.text($0.event.label) }),
    Column("value", "its number; the verb says of what") { $0.event.value },
    Column(
      TableColumn(name: "attributes", kind: .text, meaning: "further facts, as JSON"),
      addOne: { $0.addAttributes(to: &$1) }),
    .process { $0.process },
    Column("app", "the app's state before it") { $0.app?.rawValue },
  ]

  private func addAttributes(to column: inout TableChunk.Column) {
    let id = event.attributes
    func text() -> String { vocabulary.attributes(id).json }
    // There are as many lines as events.
    if id.line != nil { return column.add(text()) }
    column.add(id.isNone ? nil : UInt64(id.rawValue), text)
  }
}

extension Symbol {
  /// Its number; `nil` of the empty word.
  fileprivate var number: UInt64? { isNone ? nil : UInt64(rawValue) }
}

extension [Attribute] {
  /// All of them as a JSON object.
  var json: String {
    "{" + map { JSONText.quoted($0.key) + ":" + JSONText.quoted($0.value) }.joined(separator: ",")
      + "}"
  }
}
