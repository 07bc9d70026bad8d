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
  /// `text` as a JSON string: quoted, with ``HiddenCharacters`` escaped, and no `##` in it.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    appendQuoted(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `text` as a JSON string.
  package static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    // Most text means what it says; long text is copied at once.
    let isCopied = text.withUTF8 { utf8 in
      guard utf8.allSatisfy(isPlain) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if !isCopied { appendEscaped(text, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: "#") && byte != UInt8(ascii: ":")
  }

  private static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    var reader = HiddenCharacters.Reader()
    for scalar in text.unicodeScalars {
      let isHidden = reader.hides(scalar.value)
      switch scalar {
      case "\"", "\\":
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(ascii: scalar))
      case "\n": bytes.append(contentsOf: "\\n".utf8)
      case "\r": bytes.append(contentsOf: "\\r".utf8)
      case "\t": bytes.append(contentsOf: "\\t".utf8)
      case _ where isHidden: appendEscape(scalar.value, to: &bytes)
      default: bytes.append(contentsOf: scalar.utf8)
      }
    }
  }

  /// Appends a character as one or two units of UTF-16: `\u200b`.
  static func appendEscape(_ scalar: UInt32, to bytes: inout [UInt8]) {
    let isPair = scalar > 0xffff
    let units =
      isPair
      ? [0xd800 + (scalar - 0x1_0000) >> 10, 0xdc00 + (scalar - 0x1_0000) & 0x3ff] : [scalar]
    for unit in units {
      bytes.append(contentsOf: "\\u".utf8)
      for shift in stride(from: 12, through: 0, by: -4) {
        bytes.append(Array("0123456789abcdef".utf8)[Int(unit >> UInt32(shift)) & 15])
      }
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
