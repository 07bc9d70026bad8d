/// Takes the text of an event apart.
enum EventScanner {
  struct Word {
    var text: String
    var isQuoted: Bool
    /// Whether it is a label that a bar joins to the one before.
    var isAlternative = false

    /// Whether it is neither a label nor a `key=value`.
    var isBare: Bool { !isQuoted && !text.contains("=") }
  }

  /// The words and the quoted labels; `nil` when a label does not end.
  static func words(_ text: String) -> [Word]? {
    var words: [Word] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard let first = rest.first else { return words }
      let behindBar = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let isJoined = first == "|" && words.last?.isQuoted ?? false && behindBar.first == "\""

      if first == "\"" || isJoined {
        guard let (label, after) = label((isJoined ? behindBar : rest).dropFirst()) else {
          return nil
        }
        words.append(Word(text: label, isQuoted: true, isAlternative: isJoined))
        rest = after
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        words.append(Word(text: String(word), isQuoted: false))
        rest = rest[word.endIndex...]
      }
    }
  }

  private static func label(_ text: Substring) -> (label: String, rest: Substring)? {
    var label = ""
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        label.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return (label, text[text.index(after: index)...])
      } else {
        label.append(character)
      }
    }
    return nil
  }
}
