import LifecycleModel
import TraceText

/// An event in words: it stands by itself, without the log's vocabulary.
///
/// The members have the names that they have in a line of NDJSON. Only ``line`` is inert.
package struct ReportedEvent: Hashable, Encodable, Sendable {
  package var sequence: UInt64
  package var t: Int64
  package var writer: String
  package var verb: String
  package var name: String?
  package var subject: String?
  package var label: String?
  package var value: Int64?
  package var attributes: ReportedAttributes?
  package var line: String
  package var sourceLine: Int?

  /// When it happened.
  package var instant: Instant { Instant(nanoseconds: t) }

  /// How reports name the event: `main#12`.
  package var reference: EventReference { EventReference(writer: writer, sequence: sequence) }

  /// What it is and what it is about: `task.begin beginBackgroundTask task:1 "sync"`.
  package var what: String {
    let words = [name, subject].compactMap(\.self).map(InertText.word)
    let label = label.map { ["\"\(InertText.line($0))\""] } ?? []
    return ([verb] + words + label).joined(separator: " ")
  }

  /// What it says under `key`.
  package subscript(key: AttributeKey) -> String? { attributes?.list[key] }

  /// An event that belongs to the printer's vocabulary; `lines` are those of a log that is a text.
  package init(_ event: Event, _ printer: TraceNotation.Printer, _ lines: EventLines? = nil) {
    let vocabulary = printer.vocabulary
    (sequence, t) = (event.sequence, event.instant.nanoseconds)
    writer = vocabulary.name(of: event.writer)
    verb = vocabulary.word(of: event.verb)

    let hasName = event.verb.takesName ?? !event.name.isNone
    name = hasName ? vocabulary.text(event.name) : nil
    subject = event.subjectKind == .none ? nil : event.subject.description
    label = event.label.isNone ? nil : vocabulary.text(event.label)
    value = event.value
    let said = vocabulary.attributes(event.attributes)
    attributes = event.attributes.isNone ? nil : ReportedAttributes(list: said)

    line = printer.line(event)
    sourceLine = lines?.line(of: event, in: vocabulary)
  }
}

/// An event in words that began something, and for how long that went on.
package struct TimedEvent: Hashable, Encodable, Sendable {
  /// What it began, where that explains how the process ended.
  package var kind: String?
  /// For how long that went on; `nil` where only ``time`` matters.
  package var elapsed: Nanoseconds?
  /// The limit of that time; `nil` without one.
  package var allowed: Nanoseconds?
  /// How much of the main thread's time it took, without what it called.
  package var time: Nanoseconds?
  /// The event.
  package var event: ReportedEvent
}

/// Attributes in their order; in JSON an object, which has none.
package struct ReportedAttributes: Hashable, Encodable, Sendable {
  package var list: [Attribute]

  /// Each as a word: `pid=412`.
  package var words: [String] { list.map(\.words) }

  /// Writes an object of strings.
  package func encode(to encoder: any Encoder) throws {
    try Dictionary(list.map { ($0.key, $0.value) }) { $1 }.encode(to: encoder)
  }
}

extension [Attribute] {
  /// The value of the attribute with a key that the model does not know.
  subscript(key: String) -> String? { first { $0.key == key }?.value }
}

extension Attribute {
  /// Itself as a word: `pid=412`.
  package var words: String { "\(InertText.word(key))=\(InertText.word(value))" }
}

/// A line of a file, as a recorder or a report states it with an event, and a configuration with a decision:
/// `File/Path.swift:42`.
package struct CodeLocation: Hashable {
  /// The file, as the text names it.
  package let file: String
  /// The line, from 1.
  package let line: Int

  /// Reads it; `nil` for what is no file with a line.
  package init?(_ text: String?) {
    guard let text, let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let line = Int(text[text.index(after: colon)...]), line > 0
    else { return nil }
    file = String(text[..<colon])
    self.line = line
  }
}
