/// Text from a log, made harmless for a terminal.
package enum InertText {
  /// As it is when it is printable, else as a JSON string.
  package static func word(_ text: String) -> String {
    let quoted = JSONText.quoted(text)
    return quoted.utf8.count == text.utf8.count + 2 ? text : quoted
  }

  /// As it is, with each control character as a blank.
  package static func line(_ text: String) -> String {
    if isInert(text) { return text }
    let scalars = text.unicodeScalars.map { isInert(String($0)) ? $0 : " " }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Whether it holds nothing that a terminal acts on.
  package static func isInert(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
