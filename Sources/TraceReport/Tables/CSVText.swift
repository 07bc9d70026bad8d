import LifecycleModel
import TraceText

/// Texts as cells of CSV, by RFC 4180, which no terminal obeys and no spreadsheet takes for formulas.
package enum CSVText {
  /// Appends a text of a table as a cell: as it is, but for formulas, for one that holds what a terminal
  /// obeys or begins with a quotation mark, which stands as a JSON string, and for an empty one, which is `""`.
  package static func append(plain text: String, to bytes: inout [UInt8]) {
    let isPlain = text.utf8.first != UInt8(ascii: "\"") && InertText.line(text) == text
    let word = isPlain ? text : InertText.word(text)
    let cell = looksLikeFormula(word) ? "'" + word : word
    let isQuoted =
      cell.isEmpty || cell.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
    bytes += (isQuoted ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell).utf8
  }

  /// Whether a program may take a cell for a formula, also behind blanks, which many drop; the system's
  /// name is no formula.
  private static func looksLikeFormula(_ text: String) -> Bool {
    if text == Vocabulary.systemWriter { return false }
    if text.hasPrefix("'") { return true }
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    return first.map("=+-@＝＋－＠".unicodeScalars.contains) ?? false
  }
}
