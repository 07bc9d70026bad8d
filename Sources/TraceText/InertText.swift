import LifecycleModel

/// Text from a log, made harmless for a terminal.
package enum InertText {
  /// As it is when it is printable, else as a JSON string.
  package static func word(_ text: String) -> String {
    let quoted = JSONText.quoted(text)
    return quoted.utf8.count == text.utf8.count + 2 ? text : quoted
  }

  /// One line, in which ``HiddenCharacters`` and the marks of workflow commands stand as `\u001b`.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) && !isOfCommand($0) }) {
      return text
    }
    var line: [UInt8] = []
    var reader = HiddenCharacters.Reader()

    for scalar in text.unicodeScalars {
      if reader.hides(scalar.value) {
        JSONText.appendEscape(scalar.value, to: &line)
      } else {
        line.append(contentsOf: String(scalar).utf8)
      }
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Whether commands of build servers begin with it.
  private static func isOfCommand(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "#") || byte == UInt8(ascii: ":")
  }

  /// The text of a word: the other way round.
  package static func plain(_ word: String) -> String {
    guard word.hasPrefix("\"") else { return word }
    var scanner = LineScanner(ArraySlice(word.utf8))
    return (try? JSONText.string(&scanner)) ?? word
  }

  /// Whether it holds none of ``HiddenCharacters``.
  package static func isInert(_ text: String) -> Bool {
    var reader = HiddenCharacters.Reader()
    return text.unicodeScalars.allSatisfy { !reader.hides($0.value) || $0 == "#" || $0 == ":" }
  }
}

extension InertText {
  /// Why events are missing, in plain words; a cause that is not known as the log has it.
  package static func cause(of gap: Gap) -> String {
    GapCause(rawValue: gap.cause)?.words ?? word(gap.cause)
  }
}
