/// Reads JSON from left to right, and makes values only of what is asked for.
///
/// It is the one reader of JSON in the package: traces, captures and baselines go through it. Bytes
/// are looked at eight at a time where a string is searched for its end.
///
/// Cost: what is read, and no allocation unless a string is asked for as text.
package struct JSONReader {
  /// How deep values may be nested; deeper input is an error, never a full stack.
  static let maximumDepth = 64

  /// A string in the input, without its quotation marks.
  package struct RawString {
    package let range: Range<Int>
    /// Whether it has to be decoded: it holds a backslash.
    package let hasEscapes: Bool
  }

  package let bytes: UnsafeBufferPointer<UInt8>
  /// Where the next byte lies.
  package var index: Int

  package init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int = 0) {
    self.bytes = bytes
    self.index = index
  }

  @inline(__always)
  package var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  @inline(__always)
  package mutating func skipBlanks() {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        index += 1
      default: return
      }
    }
  }

  /// Takes `byte` when it comes next.
  @inline(__always)
  package mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  // MARK: Objects

  /// Takes the opening brace of an object that must come next.
  package mutating func beginObject() throws(SyntaxError) {
    skipBlanks()
    guard take(UInt8(ascii: "{")) else { throw error(expected: "a JSON object") }
  }

  /// Takes the key of the next member and its colon; `nil` after the closing brace.
  ///
  /// The value comes next and must be taken. `isFirst` is true before the first call.
  @inline(__always)
  package mutating func nextKey(_ isFirst: inout Bool) throws(SyntaxError) -> RawString? {
    skipBlanks()
    if take(UInt8(ascii: "}")) { return nil }
    if !isFirst {
      guard take(UInt8(ascii: ",")) else { throw error(expected: "',' or '}'") }
      skipBlanks()
    }

    isFirst = false
    let key = try string()
    skipBlanks()
    guard take(UInt8(ascii: ":")) else { throw error(expected: "':'") }
    skipBlanks()
    return key
  }

  /// Takes blanks up to the end of the input.
  package mutating func end() throws(SyntaxError) {
    skipBlanks()
    if index < bytes.count { throw error(expected: "the end of the line after the object") }
  }

  // MARK: Values

  /// Takes a string, from its opening to its closing quotation mark.
  @inline(__always)
  package mutating func string() throws(SyntaxError) -> RawString {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      throw error(expected: "a quoted string")
    }
    guard let string = string(at: index) else {
      throw error(expected: "a closing quotation mark")
    }
    index = string.range.upperBound + 1
    return string
  }

  /// The string whose opening quotation mark stands at `start`; `nil` when it does not end.
  @inline(__always)
  private func string(at start: Int) -> RawString? {
    var place = start + 1
    var hasEscapes = false
    while true {
      place = bytes.index(ofQuoteOrBackslashFrom: place)
      guard place < bytes.count else { return nil }
      if bytes[place] == UInt8(ascii: "\"") { break }
      hasEscapes = true
      place += 2
    }
    return RawString(range: start + 1..<place, hasEscapes: hasEscapes)
  }

  /// Takes a whole number of 64 bits; `nil`, and nothing is taken, when another value comes next.
  @inline(__always)
  package mutating func integer() -> Int64? {
    var place = index
    let isNegative = place < bytes.count && bytes[place] == UInt8(ascii: "-")
    if isNegative { place += 1 }
    let start = place
    var number: UInt64 = 0

    while place < bytes.count, case let digit = bytes[place] &- 0x30, digit <= 9 {
      // Eighteen digits cannot overflow.
      if place - start >= 18 {
        let (product, overflow) = number.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
        if overflow || carry { return nil }
        number = sum
      } else {
        number = number &* 10 &+ UInt64(digit)
      }
      place += 1
    }

    guard place > start else { return nil }
    if place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "),
        UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        break
      default: return nil
      }
    }

    guard number <= UInt64(Int64.max) + (isNegative ? 1 : 0) else { return nil }
    index = place
    return isNegative ? 0 &- Int64(truncatingIfNeeded: number) : Int64(number)
  }

  /// Takes `null` when it comes next.
  @inline(__always)
  package mutating func takeNull() -> Bool {
    guard next == UInt8(ascii: "n"), index + 4 <= bytes.count,
      bytes[index + 1] == UInt8(ascii: "u"), bytes[index + 2] == UInt8(ascii: "l"),
      bytes[index + 3] == UInt8(ascii: "l")
    else { return false }
    index += 4
    return true
  }

  /// Takes a value of any kind, and returns where it lies.
  package mutating func value(depth: Int = 0) throws(SyntaxError) -> Range<Int> {
    guard depth <= JSONReader.maximumDepth else {
      throw error(expected: "at most \(JSONReader.maximumDepth) nested values")
    }

    skipBlanks()
    let start = index
    switch next {
    case UInt8(ascii: "\""):
      let text = try string()
      if text.hasEscapes { _ = try self.text(text) }
    case UInt8(ascii: "{"):
      index += 1
      var isFirst = true
      while let key = try nextKey(&isFirst) {
        if key.hasEscapes { _ = try text(key) }
        _ = try value(depth: depth + 1)
      }
    case UInt8(ascii: "["):
      index += 1
      skipBlanks()
      if take(UInt8(ascii: "]")) { break }
      while true {
        _ = try value(depth: depth + 1)
        skipBlanks()
        if take(UInt8(ascii: "]")) { break }
        guard take(UInt8(ascii: ",")) else { throw error(expected: "',' or ']'") }
      }
    default:
      while let byte = next, JSONReader.isScalarByte(byte) { index += 1 }
      guard isScalar(start..<index) else { throw error(at: start, expected: "a JSON value") }
    }
    return start..<index
  }

  private func isScalar(_ range: Range<Int>) -> Bool {
    let digits = range.dropFirst(bytes[range].first == UInt8(ascii: "-") ? 1 : 0)
    if digits.allSatisfy({ bytes[$0] &- 0x30 <= 9 }) { return !digits.isEmpty }
    let text = String(decoding: bytes[range], as: UTF8.self)
    if text == "null" || text == "true" || text == "false" { return true }
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
    else { return false }
    return Double(text) != nil
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

  // MARK: Text

  /// A string of the input as text; throws at a bad escape, and at what is not UTF-8.
  package func text(_ string: RawString) throws(SyntaxError) -> String {
    let text =
      string.hasEscapes
      ? try unescaped(string).withUnsafeBufferPointer { $0.utf8Text }
      : UnsafeBufferPointer(rebasing: bytes[string.range]).utf8Text
    if let text { return text }
    throw error(at: string.range.lowerBound - 1, expected: "valid UTF-8 in the string")
  }

  /// The bytes that a string of the input stands for, which may be no UTF-8.
  package func unescaped(_ string: RawString) throws(SyntaxError) -> [UInt8] {
    guard string.hasEscapes else { return Array(bytes[string.range]) }
    var result: [UInt8] = []
    result.reserveCapacity(string.range.count)
    var place = string.range.lowerBound

    while place < string.range.upperBound {
      if bytes[place] == UInt8(ascii: "\\") {
        try appendUnescaped(&place, string.range.upperBound, to: &result)
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return result
  }

  private func appendUnescaped(
    _ place: inout Int, _ end: Int, to result: inout [UInt8]
  ) throws(SyntaxError) {
    let start = place + 1
    guard start < end else { throw error(at: start, expected: "an escaped character") }

    place += 2
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(bytes[start])
    case UInt8(ascii: "n"): result.append(0x0a)
    case UInt8(ascii: "r"): result.append(0x0d)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0c)
    case UInt8(ascii: "u"):
      let scalar = try unicodeScalar(&place, end)
      result.append(contentsOf: String(Character(scalar)).utf8)
    default:
      throw error(at: start, expected: "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
  }

  private func unicodeScalar(
    _ place: inout Int, _ end: Int
  ) throws(SyntaxError) -> Unicode.Scalar {
    let start = place
    let first = try hexUnit(&place, end)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, place + 1 < end, bytes[place] == UInt8(ascii: "\\"),
      bytes[place + 1] == UInt8(ascii: "u")
    else { throw error(at: start, expected: "a surrogate pair") }

    place += 2
    let second = try hexUnit(&place, end)
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
    else { throw error(at: start, expected: "a surrogate pair") }
    return scalar
  }

  private func hexUnit(_ place: inout Int, _ end: Int) throws(SyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for offset in 0..<4 {
      guard place + offset < end,
        let digit = Character(Unicode.Scalar(bytes[place + offset])).hexDigitValue
      else { throw error(at: place, expected: "four hexadecimal digits") }
      unit = unit << 4 | UInt16(digit)
    }
    place += 4
    return unit
  }

  // MARK: Errors

  /// An error at the next byte.
  package func error(expected: String) -> SyntaxError { error(at: index, expected: expected) }

  /// An error at `place`, which shows the string or the word that stands there.
  package func error(at place: Int, expected: String) -> SyntaxError {
    let place = min(place, bytes.count)
    var error = LineScanner(ArraySlice(bytes)).error(at: place, expected: expected)
    let isString = place < bytes.count && bytes[place] == UInt8(ascii: "\"")
    let shown =
      isString
      ? string(at: place)?.range ?? place..<place
      : place..<(bytes[place...].firstIndex { !JSONReader.isScalarByte($0) } ?? bytes.count)

    if !shown.isEmpty {
      let text = String(decoding: bytes[shown].prefix(40), as: UTF8.self)
      error.found = JSONText.quoted(String(text.prefix(32)))
    }
    return error
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Where the first quotation mark or backslash lies from `start` on, or the end.
  @inline(__always)
  fileprivate func index(ofQuoteOrBackslashFrom start: Int) -> Int {
    var place = start
    while place + 8 <= count {
      let word = word(at: place)
      let found = word.zeroBytes(xor: 0x22) | word.zeroBytes(xor: 0x5c)
      if found != 0 { return place + found.trailingZeroBitCount >> 3 }
      place += 8
    }
    while place < count, self[place] != 0x22, self[place] != 0x5c { place += 1 }
    return place
  }

  /// Where the first byte that equals `byte` lies from `start` on; `nil` when there is none.
  @inline(__always)
  package func index(of byte: UInt8, from start: Int) -> Int? {
    var place = start
    while place + 8 <= count {
      let found = word(at: place).zeroBytes(xor: byte)
      if found != 0 { return place + found.trailingZeroBitCount >> 3 }
      place += 8
    }

    while place < count {
      if self[place] == byte { return place }
      place += 1
    }
    return nil
  }

  /// The bytes as text; `nil` when they are no UTF-8.
  package var utf8Text: String? {
    var text = String(decoding: self, as: UTF8.self)
    // What is no UTF-8 is repaired, and so is no longer what it was.
    return isASCII || text.withUTF8 { $0.isEqual(to: self) } ? text : nil
  }

  private func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    while place + 8 <= count {
      if word(at: place) != other.word(at: place) { return false }
      place += 8
    }
    return word(of: place..<count) == other.word(of: place..<count)
  }

  /// Whether all bytes are ASCII.
  package var isASCII: Bool {
    var place = 0
    var bits: UInt64 = 0
    while place + 8 <= count {
      bits |= word(at: place)
      place += 8
    }

    while place < count {
      bits |= UInt64(self[place])
      place += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// The first eight bytes of a range, the first one lowest, with zeros after its end.
  @inline(__always)
  package func word(of range: Range<Int>) -> UInt64 {
    let missing = range.lowerBound + 8 - range.upperBound
    if missing <= 0 { return word(at: range.lowerBound) }
    // What lies before a short one is shifted out.
    if range.upperBound >= 8 { return word(at: range.upperBound - 8) >> UInt64(8 * missing) }
    var word: UInt64 = 0
    for place in range.reversed() { word = word << 8 | UInt64(self[place]) }
    return word
  }

  /// The eight bytes from `place` on, the first one lowest.
  @inline(__always)
  package func word(at place: Int) -> UInt64 {
    UInt64(
      littleEndian: UnsafeRawPointer(baseAddress.unsafelyUnwrapped)
        .loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }
}

extension UInt64 {
  /// A bit at the top of the lowest byte that equals `byte`; above it there may be others.
  @inline(__always)
  fileprivate func zeroBytes(xor byte: UInt8) -> UInt64 {
    let difference = self ^ (0x0101_0101_0101_0101 &* UInt64(byte))
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
  }
}
