/// Which words of a log somebody means: all words in one place, or those that look like something.
///
/// `label` means all labels, `label=notes*` those that begin with "notes", `bundle` the attribute of
/// that name, `*=com.example.*` words wherever they stand.
package struct ScrubPattern: Hashable, Sendable {
  /// The places that are no attributes.
  package static let places = ["label", "name", "writer", "verb"]

  /// The pattern as somebody wrote it.
  package let text: String
  /// Where the word stands: a place, the key of an attribute, or `*`.
  package let place: String
  private let glob: [Character]

  /// Reads a pattern; `nil` when no place is named.
  package init?(_ text: String) {
    self.text = text
    let equals = text.firstIndex(of: "=")
    place = String(text[..<(equals ?? text.endIndex)])
    if place.isEmpty { return nil }
    glob = equals.map { Array(text[text.index(after: $0)...]) } ?? ["*"]
  }

  /// Whether it means `word` in a place.
  func means(_ word: String, at place: String) -> Bool {
    (self.place == "*" || self.place == place) && ScrubPattern.fits(Array(word), glob)
  }

  /// Whether a glob of `*` and `?` fits a word; cost: their product at the most.
  package static func fits(_ word: [Character], _ glob: [Character]) -> Bool {
    var (at, inGlob) = (0, 0)
    var star: (glob: Int, word: Int)?

    while at < word.count {
      if inGlob < glob.count, glob[inGlob] == "*" {
        star = (inGlob, at)
        inGlob += 1
      } else if inGlob < glob.count, glob[inGlob] == "?" || glob[inGlob] == word[at] {
        (at, inGlob) = (at + 1, inGlob + 1)
      } else if let last = star {
        // The star takes one character more.
        (at, inGlob) = (last.word + 1, last.glob + 1)
        star = (last.glob, at)
      } else {
        return false
      }
    }
    return glob[inGlob...].allSatisfy { $0 == "*" }
  }
}
