import LifecycleModel

/// How reports and `dump --numbers` name an event: `main#12`.
package struct EventReference: Hashable, Encodable, Sendable {
  /// The name of the event's writer.
  package let writer: String
  /// Its sequence number; 0 of a gap, which stands outside the count.
  package let sequence: UInt64

  /// Makes the reference of an event with this writer and number.
  package init(writer: String, sequence: UInt64) {
    (self.writer, self.sequence) = (writer, sequence)
  }

  /// Makes the reference of `event`.
  package init(_ event: Event, _ vocabulary: Vocabulary) {
    writer = vocabulary.name(of: event.writer)
    sequence = event.verb == .gap ? 0 : event.sequence
  }

  /// Reads `main#12`, or `12` of the main thread; `nil` when `text` names no event.
  package init?(_ text: some StringProtocol) {
    let mark = text.lastIndex(of: "#")
    let number = mark.map { text[text.index(after: $0)...] } ?? text[...]
    writer = mark.map { String(text[..<$0]) } ?? Vocabulary.mainWriter
    guard let sequence = UInt64(number), sequence > 0, !writer.isEmpty else { return nil }
    self.sequence = sequence
  }

  /// Whether it names one event: gaps cannot be named.
  package var isUnique: Bool { sequence > 0 }

  /// `main#12`, inert; `gap` of a gap.
  package var text: String { isUnique ? "\(InertText.word(writer))#\(sequence)" : "gap" }

  /// Whether it means `event`.
  package func means(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    event.sequence == sequence && event.verb != .gap && vocabulary.name(of: event.writer) == writer
  }
}
