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
    let blanks = /[ \t]*/
    var words: [Word] = []
    var rest = text.trimmingPrefix(blanks)
    while let first = rest.first {
      let isJoined = words.last?.isQuoted == true && rest.prefixMatch(of: /\|[ \t]*"/) != nil
      if first == "\"" || isJoined {
        let label = rest.prefixMatch(of: /(?:\|[ \t]*)?"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/)
        guard let label else { return nil }
        words.append(Word(text: plain(label.1), isQuoted: true, isAlternative: isJoined))
        rest = rest[label.range.upperBound...]
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        words.append(Word(text: String(word), isQuoted: false))
        rest = rest[word.endIndex...]
      }
      rest.trimPrefix(blanks)
    }
    return words
  }

  /// What a label in quotes means: behind a backslash any character stands for itself, but for `n` and `t`.
  private static func plain(_ label: Substring) -> String {
    String(label).replacing(/\\([\s\S])/) { $0.1 == "n" ? "\n" : $0.1 == "t" ? "\t" : $0.1 }
  }
}
