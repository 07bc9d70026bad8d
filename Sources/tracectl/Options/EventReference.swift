import LifecycleModel
import TraceText

/// An event as reports and `dump --numbers` name it: `main#12`, or `12` for the main thread.
struct EventReference: Equatable {
  let writer: String
  let sequence: UInt64

  /// Reads a reference; `nil` when `text` is none.
  init?(_ text: some StringProtocol) {
    let mark = text.lastIndex(of: "#")
    let number = mark.map { text[text.index(after: $0)...] } ?? text[...]
    writer = mark.map { String(text[..<$0]) } ?? Vocabulary.mainWriter
    guard let sequence = UInt64(number), sequence > 0, !writer.isEmpty else { return nil }
    self.sequence = sequence
  }

  /// Whether it means `event`; gaps stand outside the count and have no number.
  func means(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    event.sequence == sequence && event.verb != .gap && vocabulary.name(of: event.writer) == writer
  }

  /// Why there is no such event, given the writer's last sequence.
  func missing(last: UInt64) -> CommandError {
    .usage(
      "there is no event \(InertText.word(writer))#\(sequence); "
        + (last == 0
          ? "\(InertText.word(writer)) recorded nothing"
          : "\(InertText.word(writer)) has events up to #\(last)"))
  }
}
