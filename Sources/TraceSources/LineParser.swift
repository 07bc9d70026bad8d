import LifecycleModel
import TraceText

/// Parses the lines of a text form.
struct LineParser {
  let vocabulary: Vocabulary
  private let form: TextSource.Form
  private let notation: TraceNotation.Parser
  private var ndjson: NDJSON.Parser

  init(_ form: TextSource.Form, _ vocabulary: Vocabulary) {
    (self.form, self.vocabulary) = (form, vocabulary)
    notation = TraceNotation.Parser(vocabulary: vocabulary)
    ndjson = NDJSON.Parser(vocabulary: vocabulary)
  }

  /// The event of a line; one that says no time has that of the line before it.
  mutating func event(
    line: ArraySlice<UInt8>, after instant: Instant
  ) throws(SyntaxError) -> Event? {
    switch form {
    case .notation: try notation.event(line: line)
    case .ndjson: try ndjson.event(line: line, after: instant)
    }
  }
}
