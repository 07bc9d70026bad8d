/// A line of text that could not be read: where, what was expected, and what stood there.
public struct SyntaxError: Error, Hashable, Sendable {
  /// The line, from 1; 0 when it is not known.
  public var line: Int
  /// The character in the line, from 1.
  public var column: Int
  /// What would have been right.
  public var expected: String
  /// What stood there instead.
  public var found: String

  /// Makes an error.
  public init(line: Int = 0, column: Int, expected: String, found: String) {
    self.line = line
    self.column = column
    self.expected = expected
    self.found = found
  }
}

extension SyntaxError: CustomStringConvertible {
  /// `12:8: expected a verb, found "cal"`.
  public var description: String {
    "\(line):\(column): expected \(expected), found \(found)"
  }
}

/// Reads one line of bytes from left to right.
package struct LineScanner {
  package let bytes: ArraySlice<UInt8>
  package var index: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    self.index = bytes.startIndex
  }

  package var isAtEnd: Bool { index >= bytes.endIndex }

  package var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  package mutating func skipBlanks() {
    while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
  }

  /// Takes `byte` when it comes next.
  package mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  /// Takes bytes while they fulfil `condition`.
  package mutating func takeWhile(_ condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    while let byte = next, condition(byte) { index += 1 }
    return bytes[start..<index]
  }

  /// An error at `position`, which shows what stands there up to the next blank.
  package func error(at position: Int, expected: String) -> SyntaxError {
    let before = String(decoding: bytes[bytes.startIndex..<position], as: UTF8.self)
    let rest = bytes[position...].prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    let shown = String(String(decoding: rest.prefix(40), as: UTF8.self).prefix(32))
    return SyntaxError(
      column: before.unicodeScalars.count + 1, expected: expected,
      found: rest.isEmpty
        ? (position >= bytes.endIndex ? "the end of the line" : "a blank")
        : JSONText.quoted(shown))
  }

  /// An error at the next byte.
  package func error(expected: String) -> SyntaxError {
    error(at: index, expected: expected)
  }
}
