import TraceText

/// What the readers of console text and reports look for in bytes.
extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isLetter: Bool { (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }

  /// Whether the byte is this character of ASCII.
  static func == (byte: UInt8, character: Unicode.Scalar) -> Bool {
    byte == UInt8(ascii: character)
  }

  static func != (byte: UInt8, character: Unicode.Scalar) -> Bool {
    byte != UInt8(ascii: character)
  }

  static func ~= (character: Unicode.Scalar, byte: UInt8) -> Bool {
    byte == UInt8(ascii: character)
  }
}

extension UInt8? {
  static func == (byte: UInt8?, character: Unicode.Scalar) -> Bool {
    byte == UInt8(ascii: character)
  }

  static func != (byte: UInt8?, character: Unicode.Scalar) -> Bool {
    byte != UInt8(ascii: character)
  }
}

extension LineScanner {
  /// Takes a character of ASCII when it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool { take(UInt8(ascii: character)) }
}

extension ArraySlice<UInt8> {
  /// The bytes as text, with what is not UTF-8 replaced.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// Where `needle` lies for the first time.
  ///
  /// Cost: linear but for pathological input.
  func firstRange(of needle: [UInt8]) -> Range<Int>? {
    guard let first = needle.first, count >= needle.count else { return nil }
    return withUnsafeBufferPointer { hay -> Range<Int>? in
      let last = hay.count - needle.count
      var at = 0
      while at <= last {
        if hay[at] == first {
          var matched = 1
          while matched < needle.count, hay[at + matched] == needle[matched] { matched += 1 }
          if matched == needle.count {
            return startIndex + at..<startIndex + at + needle.count
          }
        }
        at += 1
      }
      return nil
    }
  }

  /// Where these words stand for the first time.
  func firstRange(of words: String) -> Range<Int>? { firstRange(of: Array(words.utf8)) }

  /// What stands behind the first of these words; `nil` without them.
  func behind(_ words: String) -> ArraySlice<UInt8>? {
    firstRange(of: words).map { self[$0.upperBound...] }
  }

  /// What stands before the first of these words; everything without them.
  func before(_ words: String) -> ArraySlice<UInt8> {
    firstRange(of: words).map { self[..<$0.lowerBound] } ?? self
  }

  /// Whether these words stand somewhere.
  func contains(_ words: String) -> Bool { firstRange(of: words) != nil }

  /// Whether the bytes begin with these words.
  func starts(with words: String) -> Bool { starts(with: words.utf8) }

  /// The bytes after `prefix`; `nil` when they do not begin with it.
  func dropping(prefix: [UInt8]) -> ArraySlice<UInt8>? {
    starts(with: prefix) ? dropFirst(prefix.count) : nil
  }

  /// The bytes after `prefix`; `nil` when they do not begin with it.
  func dropping(prefix: String) -> ArraySlice<UInt8>? {
    starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
  }

  /// Where a character of ASCII stands for the first time.
  func firstIndex(of character: Unicode.Scalar) -> Int? { firstIndex(of: UInt8(ascii: character)) }

  /// Where a character of ASCII stands for the last time.
  func lastIndex(of character: Unicode.Scalar) -> Int? { lastIndex(of: UInt8(ascii: character)) }

  /// The parts between these characters of ASCII, without empty ones.
  func split(separator: Unicode.Scalar) -> [ArraySlice<UInt8>] {
    split(separator: UInt8(ascii: separator))
  }

  /// What stands before the first line feed.
  var line: ArraySlice<UInt8> { prefix { $0 != 0x0a } }

  /// The digits that begin the text.
  var digits: ArraySlice<UInt8> { prefix { $0.isDigit } }

  /// The text without the blanks and controls at its end.
  var trimmedEnd: ArraySlice<UInt8> { droppingEnd { $0 <= 0x20 } }

  /// Whether the bytes can be a bundle identifier.
  var isIdentifier: Bool { !isEmpty && count <= 255 && allSatisfy(\.isOfIdentifier) }

  /// The bytes as a bundle identifier; `nil` when they can be none.
  var identifier: String? { isIdentifier ? text : nil }

  /// The word behind a key, of letters and dashes if nothing else is said; `nil` without one.
  func word(
    behind key: String, while isPart: (UInt8) -> Bool = { $0.isLetter || $0 == "-" }
  ) -> String? {
    let word = behind(key)?.prefix(64).prefix(while: isPart)
    return word?.isEmpty == false ? word?.text : nil
  }

  /// The bytes as the number of a process; `nil` for what is no positive number.
  var processNumber: Int32? { Int32(text).flatMap { $0 > 0 ? $0 : nil } }
}

extension UInt8 {
  /// Whether the byte can stand in a bundle identifier.
  var isOfIdentifier: Bool {
    isDigit || isLetter || self >= 0x80 || self == "." || self == "-" || self == "_"
  }
}

extension BidirectionalCollection {
  /// The elements without those at the end that satisfy a condition.
  func droppingEnd(while isDropped: (Element) -> Bool) -> SubSequence {
    self[..<(lastIndex { !isDropped($0) }.map(index(after:)) ?? startIndex)]
  }
}

extension String {
  /// The bytes of the text.
  var slice: ArraySlice<UInt8> { Array(utf8)[...] }

  /// The text without the blanks at its beginning.
  var trimmedStart: String { String(drop { $0 == " " || $0 == "\t" }) }

  /// The text without the blanks at its end.
  var trimmedEnd: String { String(droppingEnd { $0 == " " || $0 == "\t" }) }

  /// What stands before and behind the first colon, without the blanks before them; `nil` without one.
  var keyAndValue: (key: String, value: String)? {
    firstIndex(of: ":").map { colon in
      (String(self[..<colon]).trimmedStart, String(self[index(after: colon)...]).trimmedStart)
    }
  }

  /// The last key of a path whose keys `/` separates; empty without one.
  var lastKey: String { split(separator: "/").last.map(String.init) ?? "" }

  /// The text behind a prefix, or the whole text.
  func withoutPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
