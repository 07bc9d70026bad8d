import LifecycleModel
import TraceText

/// The events of a run as lines of a table, for programs: CSV or NDJSON.
package struct EventTable {
  private static let columns = [
    "t", "writer", "sequence", "verb", "name", "subject", "label", "value", "attributes",
  ]

  private let vocabulary: Vocabulary
  /// Prints NDJSON; `nil` for CSV.
  private let ndjson: NDJSON.Printer?
  private var bytes: [UInt8] = []

  /// A table of events that belong to `vocabulary`: of NDJSON, or else CSV with a line that names the
  /// columns.
  package init(_ vocabulary: Vocabulary, isNDJSON: Bool) {
    self.vocabulary = vocabulary
    ndjson = isNDJSON ? NDJSON.Printer(vocabulary: vocabulary) : nil
    if !isNDJSON { bytes += EventTable.columns.joined(separator: ",").utf8 + Array("\r\n".utf8) }
  }

  /// Whether what was written takes more memory than some events.
  package var isLong: Bool { bytes.count >= 1 << 16 }

  /// What was written since the last call.
  package mutating func takeBytes() -> [UInt8] {
    bytes.takeAll()
  }

  /// Writes the line of an event.
  package mutating func add(_ event: Event) {
    if let ndjson { return ndjson.appendNumbered(event, to: &bytes) }
    add(String(event.instant.nanoseconds))
    addText(vocabulary.name(of: event.writer))
    add(String(event.sequence))
    addText(vocabulary.word(of: event.verb))
    addText(vocabulary.text(event.name))
    addText(event.subject.description)
    addText(event.label.isNone ? "" : vocabulary.text(event.label))
    add(event.value.map(String.init) ?? "")
    if !event.attributes.isNone {
      let attributes = vocabulary.attributes(event.attributes)
      CSVText.append(plain: TableText.json(attributes), to: &bytes)
    }
    bytes += "\r\n".utf8
  }

  // MARK: Cells of CSV

  private mutating func addText(_ text: String) {
    CSVText.append(text, to: &bytes)
    bytes.append(UInt8(ascii: ","))
  }

  /// Writes what needs no care, such as a number.
  private mutating func add(_ cell: String) {
    bytes += cell.utf8
    bytes.append(UInt8(ascii: ","))
  }
}
