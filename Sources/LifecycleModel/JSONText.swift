/// A JSON value as far as trace lines need it: what is nested is kept as text.
package enum JSONValue: Hashable {
  case string(String)
  /// A number, a literal or an array, as its text.
  case text(String)
  /// An object: its members in their order, and its text.
  case object([JSONMember], text: String)
  case null

  /// A string as it is, anything else as its JSON text.
  package var plainText: String {
    switch self {
    case .string(let string): string
    case .text(let text), .object(_, let text): text
    case .null: "null"
    }
  }
}

/// A member of a JSON object.
package struct JSONMember: Hashable {
  package let key: String
  package let value: JSONValue
}

/// JSON strings and objects, printed and parsed.
package enum JSONText {
  /// How deep values may be nested; deeper input is an error, never a full stack.
  static let maximumDepth = 64

  /// `text` as a JSON string: quoted, with control characters escaped and what turns the direction of
  /// text, and no `##` in it.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    appendQuoted(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `text` as a JSON string.
  package static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // Most text means what it says; long text is copied at once.
      if utf8.allSatisfy(isPlain) { return bytes.append(contentsOf: utf8) }
      for (index, byte) in utf8.enumerated() {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20, 0x7f: appendEscape(UInt16(byte), to: &bytes)
        case UInt8(ascii: "#") where index > 0 && utf8[index - 1] == UInt8(ascii: "#"):
          // `##[` and `##vso[` are commands to some build servers, wherever they stand in a line.
          appendEscape(UInt16(byte), to: &bytes)
        case 0x80...0x9f where index > 0 && utf8[index - 1] == 0xc2:
          // A control character of Latin-1: terminals act on them, so they never go out as they are.
          bytes.removeLast()
          appendEscape(UInt16(byte), to: &bytes)
        case 0x80...:
          bytes.append(byte)
          escapeDirection(at: index, of: utf8, in: &bytes)
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: "#")
  }

  /// Escapes a character that ends here and breaks the line or turns the direction of what follows:
  /// U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
  private static func escapeDirection(
    at index: Int, of utf8: UnsafeBufferPointer<UInt8>, in bytes: inout [UInt8]
  ) {
    if index > 0, utf8[index - 1] == 0xd8, utf8[index] == 0x9c {
      bytes.removeLast(2)
      return appendEscape(0x061c, to: &bytes)
    }
    guard index > 1, utf8[index - 2] == 0xe2 else { return }
    let unit: UInt16
    switch (utf8[index - 1], utf8[index]) {
    case (0x80, 0x8e...0x8f), (0x80, 0xa8...0xae): unit = 0x2000 + UInt16(utf8[index] & 0x3f)
    case (0x81, 0xa6...0xa9): unit = 0x2040 + UInt16(utf8[index] & 0x3f)
    default: return
    }
    bytes.removeLast(3)
    appendEscape(unit, to: &bytes)
  }

  private static func appendEscape(_ unit: UInt16, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\\u".utf8)
    for shift in stride(from: 12, through: 0, by: -4) {
      bytes.append(Array("0123456789abcdef".utf8)[Int(unit >> UInt16(shift)) & 15])
    }
  }

  /// Reads a whole line that must hold one JSON object.
  package static func object(_ line: ArraySlice<UInt8>) throws(SyntaxError) -> [JSONMember] {
    var scanner = LineScanner(line)
    scanner.skipBlanks()
    guard scanner.next == UInt8(ascii: "{") else {
      throw scanner.error(expected: "a JSON object")
    }
    let members = try members(&scanner, depth: 0)
    scanner.skipBlanks()
    guard scanner.isAtEnd else {
      throw scanner.error(expected: "the end of the line after the object")
    }
    return members
  }

  private static func members(
    _ scanner: inout LineScanner, depth: Int
  ) throws(SyntaxError) -> [JSONMember] {
    var members: [JSONMember] = []
    scanner.index += 1
    scanner.skipBlanks()
    if scanner.take(UInt8(ascii: "}")) { return members }
    while true {
      scanner.skipBlanks()
      let key = try string(&scanner)
      scanner.skipBlanks()
      guard scanner.take(UInt8(ascii: ":")) else { throw scanner.error(expected: "':'") }
      members.append(JSONMember(key: key, value: try value(&scanner, depth: depth + 1)))
      scanner.skipBlanks()
      if scanner.take(UInt8(ascii: "}")) { return members }
      guard scanner.take(UInt8(ascii: ",")) else { throw scanner.error(expected: "',' or '}'") }
    }
  }

  private static func value(
    _ scanner: inout LineScanner, depth: Int
  ) throws(SyntaxError) -> JSONValue {
    guard depth <= maximumDepth else {
      throw scanner.error(expected: "at most \(maximumDepth) nested values")
    }
    scanner.skipBlanks()
    let start = scanner.index
    func text() -> String { String(decoding: scanner.bytes[start..<scanner.index], as: UTF8.self) }
    switch scanner.next {
    case UInt8(ascii: "\""):
      return .string(try string(&scanner))
    case UInt8(ascii: "{"):
      let members = try members(&scanner, depth: depth)
      return .object(members, text: text())
    case UInt8(ascii: "["):
      try skipArray(&scanner, depth: depth)
      return .text(text())
    default:
      _ = scanner.takeWhile(isScalarByte)
      let text = text()
      if text == "null" { return .null }
      guard text == "true" || text == "false" || isNumber(text) else {
        throw scanner.error(at: start, expected: "a JSON value")
      }
      return .text(text)
    }
  }

  private static func skipArray(
    _ scanner: inout LineScanner, depth: Int
  ) throws(SyntaxError) {
    scanner.index += 1
    scanner.skipBlanks()
    if scanner.take(UInt8(ascii: "]")) { return }
    while true {
      _ = try value(&scanner, depth: depth + 1)
      scanner.skipBlanks()
      if scanner.take(UInt8(ascii: "]")) { return }
      guard scanner.take(UInt8(ascii: ",")) else { throw scanner.error(expected: "',' or ']'") }
    }
  }

  private static func isScalarByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
    else { return false }
    return Double(text) != nil
  }

  /// Reads a JSON string, from its opening to its closing quotation mark.
  package static func string(_ scanner: inout LineScanner) throws(SyntaxError) -> String {
    let start = scanner.index
    guard scanner.take(UInt8(ascii: "\"")) else {
      throw scanner.error(expected: "a string in quotation marks")
    }
    var bytes: [UInt8] = []
    while let byte = scanner.next {
      switch byte {
      case UInt8(ascii: "\""):
        scanner.index += 1
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw scanner.error(at: start, expected: "a string in UTF-8")
        }
        return text
      case UInt8(ascii: "\\"):
        scanner.index += 1
        try appendUnescaped(&scanner, to: &bytes)
      default:
        bytes.append(byte)
        scanner.index += 1
      }
    }
    throw scanner.error(at: start, expected: "a string that ends in a quotation mark")
  }

  private static func appendUnescaped(
    _ scanner: inout LineScanner, to bytes: inout [UInt8]
  ) throws(SyntaxError) {
    let start = scanner.index
    guard let letter = scanner.next else {
      throw scanner.error(expected: "an escaped character")
    }
    scanner.index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter)
    case UInt8(ascii: "n"): bytes.append(0x0a)
    case UInt8(ascii: "r"): bytes.append(0x0d)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0c)
    case UInt8(ascii: "u"):
      let scalar = try unicodeScalar(&scanner)
      bytes.append(contentsOf: String(Character(scalar)).utf8)
    default:
      throw scanner.error(
        at: start, expected: "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
  }

  private static func unicodeScalar(
    _ scanner: inout LineScanner
  ) throws(SyntaxError) -> Unicode.Scalar {
    let start = scanner.index
    let first = try hexUnit(&scanner)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, scanner.take(UInt8(ascii: "\\")), scanner.take(UInt8(ascii: "u")) else {
      throw scanner.error(at: start, expected: "a surrogate pair")
    }
    let second = try hexUnit(&scanner)
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
    else { throw scanner.error(at: start, expected: "a surrogate pair") }
    return scalar
  }

  private static func hexUnit(_ scanner: inout LineScanner) throws(SyntaxError) -> UInt16 {
    let digits = scanner.bytes[scanner.index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ isHexDigit($0) }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw scanner.error(expected: "four hexadecimal digits") }
    scanner.index += 4
    return unit
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}
