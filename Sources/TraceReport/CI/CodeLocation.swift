/// A line of the app's code, as a recorder states it with an event: `File/Path.swift:42`.
struct CodeLocation: Hashable {
  /// The file, as the compiler names it.
  let file: String
  /// The line, from 1.
  let line: Int

  /// Reads it; `nil` for what is no file with a line.
  init?(_ text: String?) {
    guard let text, let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let line = Int(text[text.index(after: colon)...]), line > 0
    else { return nil }
    file = String(text[..<colon])
    self.line = line
  }
}
