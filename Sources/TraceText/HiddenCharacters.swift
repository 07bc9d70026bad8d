/// The characters of which no output has any as it is: SECURITY.md shows this table.
///
/// A terminal, a browser or an editor acts on them, or shows nothing where they stand.
package enum HiddenCharacters {
  /// What a character does.
  package enum Kind: String, CaseIterable {
    case control
    case direction
    case separator
    case invisible
    case joiner
    case noncharacter

    /// What it is, in words.
    package var meaning: String {
      switch self {
      case .control: "control characters, escape sequences among them"
      case .direction: "marks, embeddings and isolates that turn the direction of text"
      case .separator: "ends of lines and paragraphs"
      case .invisible: "what takes no room: zero-width spaces, soft hyphens, fillers, tags"
      case .joiner: "joiners and variation selectors"
      case .noncharacter: "noncharacters"
      }
    }
  }

  /// All of them, in order.
  ///
  /// The noncharacters at the end of each plane belong to them, too.
  package static let table: [(characters: ClosedRange<UInt32>, kind: Kind)] = [
    (0x0000...0x001f, .control), (0x007f...0x009f, .control), (0x00ad...0x00ad, .invisible),
    (0x034f...0x034f, .invisible), (0x061c...0x061c, .direction), (0x115f...0x1160, .invisible),
    (0x17b4...0x17b5, .invisible), (0x180b...0x180f, .joiner), (0x200b...0x200b, .invisible),
    (0x200c...0x200d, .joiner), (0x200e...0x200f, .direction), (0x2028...0x2029, .separator),
    (0x202a...0x202e, .direction), (0x2060...0x2065, .invisible), (0x2066...0x2069, .direction),
    (0x206a...0x206f, .invisible), (0x3164...0x3164, .invisible), (0xfdd0...0xfdef, .noncharacter),
    (0xfe00...0xfe0f, .joiner), (0xfeff...0xfeff, .invisible), (0xffa0...0xffa0, .invisible),
    (0xfff0...0xfffb, .invisible), (0x1_bca0...0x1_bca3, .invisible),
    (0x1_d173...0x1_d17a, .invisible), (0xe_0000...0xe_0fff, .invisible),
  ]

  /// What a character does; `nil` for one that is shown.
  package static func kind(of scalar: UInt32) -> Kind? {
    if scalar < 0x80 { return scalar < 0x20 || scalar == 0x7f ? .control : nil }
    if scalar & 0xfffe == 0xfffe { return .noncharacter }
    let index = table.partition { scalar <= $0.characters.upperBound }
    guard index < table.count, table[index].characters.contains(scalar) else { return nil }
    return table[index].kind
  }

  /// Reads a text character by character, and tells which of them must not go out as they are.
  struct Reader {
    private var (previous, before): (UInt32, UInt32) = (0, 0)

    /// Whether the next character is to be escaped.
    ///
    /// A joiner or a variation selector belongs to the word or the emoji before it, where it stands behind a
    /// character that is no ASCII. The second of two `#` is escaped, too, and of two `:` that begin a word: `##[`
    /// and `##vso[` are commands to some build servers, wherever they stand in a line, and `::error::` where it
    /// begins one.
    mutating func hides(_ scalar: UInt32) -> Bool {
      defer { (before, previous) = (previous, scalar) }
      if scalar == 0x23 { return previous == 0x23 }
      if scalar == 0x3a { return previous == 0x3a && before <= 0x20 }
      switch kind(of: scalar) {
      case nil: return false
      case .joiner: return !belongs(scalar)
      default: return true
      }
    }

    private func belongs(_ joiner: UInt32) -> Bool {
      if previous < 0x80 { return false }
      switch kind(of: previous) {
      case nil: return true
      // An emoji may have a selector before its joiner.
      case .joiner: return previous >= 0xfe00 && joiner < 0xfe00
      default: return false
      }
    }
  }
}
