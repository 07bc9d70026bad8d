/// The first sentence of a text.
package enum FirstSentence {
  /// Up to the first full stop with a blank behind it that ends no abbreviation.
  package static func of(_ text: String) -> String {
    var words: [Substring] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      words.append(word)
      let isEnd = word.hasSuffix(".") || word.hasSuffix("?") || word.hasSuffix("!")
      if isEnd && !["e.g.", "i.e.", "etc."].contains(word) { break }
    }
    return words.joined(separator: " ")
  }
}

/// The first part of a sentence: up to the first comma or semicolon that stands in no quotes.
enum FirstClause {
  static func of(_ text: String) -> String {
    var isQuoted = false
    let clause = text.prefix { character in
      if character == "\"" { isQuoted.toggle() }
      return isQuoted || character != "," && character != ";"
    }
    return String(clause)
  }
}
