/// Takes the text of an event apart.
enum EventScanner {
  struct Word {
    var text: String
    var isQuoted: Bool
  }

  /// The words and the quoted labels; `nil` when a label does not end.
  ///
  /// A bar between labels is as good as a blank.
  static func words(_ text: String) -> [Word]? {
    var words: [Word] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard let first = rest.first else { return words }
      if first == "\"" {
        guard let (label, after) = label(rest.dropFirst()) else { return nil }
        words.append(Word(text: label, isQuoted: true))
        rest = after.first == "|" ? after.dropFirst() : after
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
