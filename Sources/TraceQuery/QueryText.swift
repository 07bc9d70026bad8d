import TraceText

/// The SQL of a query, and the places in it.
struct QueryText {
  let bytes: [UInt8]
  private let name: String

  init(_ sql: String, named name: String) { (bytes, self.name) = (Array(sql.utf8), name) }

  /// An error at a place: its line and column, and the line with a mark below the place.
  func error(_ message: String, at offset: Int) -> QueryError {
    let offset = min(max(0, offset), bytes.count)
    let newLine = UInt8(ascii: "\n")
    let before = bytes[..<offset]
    let start = before.lastIndex(of: newLine).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: newLine) ?? bytes.count
    let number = before.count { $0 == newLine } + 1

    let left = String(decoding: bytes[start..<offset], as: UTF8.self)
    let right = String(decoding: bytes[offset..<end], as: UTF8.self)
    // Of a long line the part around the place.
    let shownLeft = left.count > 60 ? "…" + left.suffix(59) : left
    let shownRight = right.count > 60 ? right.prefix(59) + "…" : right
    let (head, tail) = (InertText.line(shownLeft), InertText.line(shownRight))
    let mark = String(repeating: " ", count: head.count) + "^"
    return QueryError(
      "\(name):\(number):\(left.count + 1): \(InertText.line(message))\n  \(head)\(tail)\n  \(mark)"
    )
  }

  /// The place of the first statement at or behind `offset`: blanks, comments and `;` are none.
  func statement(from offset: Int) -> Int {
    var index = offset
    while index < bytes.count {
      if bytes[index...].starts(with: "--".utf8) {
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if bytes[index...].starts(with: "/*".utf8) {
        index += 2
        while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
        index = min(index + 2, bytes.count)
      } else if " \t\r\n\u{c};".utf8.contains(bytes[index]) {
        index += 1
      } else {
        return index
      }
    }
    return index
  }

  /// The word at a place.
  func word(at offset: Int) -> String {
    let word = bytes[offset...].prefix(while: isOfWord)
    return String(decoding: word, as: UTF8.self)
  }

  /// Where a name stands from a place on; `nil` when it does not.
  func place(of name: String, from offset: Int) -> Int? {
    bytes[offset...].indices.first { start in
      bytes[start...].starts(with: name.utf8) && word(at: start) == name
        && (start == offset || !isOfWord(bytes[start - 1]))
    }
  }

  /// The words of the SQL in lower case, whatever they are.
  var words: Set<String> {
    let words = bytes.split { !isOfWord($0) }
    return Set(words.map { String(decoding: $0, as: UTF8.self).lowercased() })
  }

  private func isOfWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
