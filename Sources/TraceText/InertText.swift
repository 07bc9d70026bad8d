import LifecycleModel

/// Text from a log, made harmless for a terminal.
package enum InertText {
  /// As it is when it is printable, else as a JSON string.
  package static func word(_ text: String) -> String {
    let quoted = JSONText.quoted(text)
    return quoted.utf8.count == text.utf8.count + 2 ? text : quoted
  }

  /// One line: what is not shown, or turns the direction of the text, as `\u001b`.
  ///
  /// The second of two `#` is written so, too: `##[` is a command to some build servers.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "#") }) {
      return text
    }
    var line = ""

    for scalar in text.unicodeScalars {
      let isSecond = scalar == "#" && line.unicodeScalars.last == "#"
      if isSecond || isHidden(scalar) {
        line += escape(scalar)
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl || scalar.value & 0xfffe == 0xfffe
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// The text of a word: the other way round.
  package static func plain(_ word: String) -> String {
    guard word.hasPrefix("\"") else { return word }
    var scanner = LineScanner(ArraySlice(word.utf8))
    return (try? JSONText.string(&scanner)) ?? word
  }

  /// Whether it holds nothing that a terminal acts on.
  package static func isInert(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

extension InertText {
  /// Why events are missing, in plain words; a cause that is not known as the log has it.
  package static func cause(of gap: Gap) -> String {
    GapCause(rawValue: gap.cause)?.words ?? word(gap.cause)
  }
}
