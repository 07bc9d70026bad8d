/// A JSON value as far as lines need it: what is nested is kept as text.
package enum JSONValue: Hashable {
  case string(String)
  /// A number, a literal, an array or an object, as its text.
  case text(String)
  case null
}

/// A member of a JSON object.
package struct JSONMember: Hashable {
  package let key: String
  package let value: JSONValue
}

/// JSON strings and objects, printed and parsed.
package enum JSONText {
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

  /// Escapes a character that ends here and is invisible, breaks the line or turns the direction of what
  /// follows: U+061C, U+200B, U+FEFF, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
  private static func escapeDirection(
    at index: Int, of utf8: UnsafeBufferPointer<UInt8>, in bytes: inout [UInt8]
  ) {
    if index > 0, utf8[index - 1] == 0xd8, utf8[index] == 0x9c {
      bytes.removeLast(2)
      return appendEscape(0x061c, to: &bytes)
    }

    if index > 1, utf8[index - 2] == 0xef, utf8[index - 1] == 0xbb, utf8[index] == 0xbf {
      bytes.removeLast(3)
      return appendEscape(0xfeff, to: &bytes)
    }

    guard index > 1, utf8[index - 2] == 0xe2 else { return }
    let unit: UInt16
    switch (utf8[index - 1], utf8[index]) {
    case (0x80, 0x8b), (0x80, 0x8e...0x8f), (0x80, 0xa8...0xae):
      unit = 0x2000 + UInt16(utf8[index] & 0x3f)
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
    try line.withUnsafeBufferPointer { bytes throws(SyntaxError) -> [JSONMember] in
      var reader = JSONReader(bytes)
      try reader.beginObject()
      let members = try members(&reader)
      try reader.end()
      return members
    }
  }

  private static func members(_ reader: inout JSONReader) throws(SyntaxError) -> [JSONMember] {
    var members: [JSONMember] = []
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      members.append(JSONMember(key: try reader.text(key), value: try value(&reader)))
    }
    return members
  }

  private static func value(_ reader: inout JSONReader) throws(SyntaxError) -> JSONValue {
    switch reader.next {
    case UInt8(ascii: "\""): return .string(try reader.text(try reader.string()))
    default:
      let range = try reader.value()
      let text = String(decoding: reader.bytes[range], as: UTF8.self)
      return text == "null" ? .null : .text(text)
    }
  }

  /// Reads a JSON string, from its opening to its closing quotation mark.
  package static func string(_ scanner: inout LineScanner) throws(SyntaxError) -> String {
    let start = scanner.bytes.startIndex
    var index = scanner.index
    defer { scanner.index = index }
    return try scanner.bytes.withUnsafeBufferPointer { bytes throws(SyntaxError) -> String in
      var reader = JSONReader(bytes, at: index - start)
      let text = try reader.text(try reader.string())
      index = start + reader.index
      return text
    }
  }
}
