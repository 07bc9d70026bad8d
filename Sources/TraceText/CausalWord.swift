import LifecycleModel

/// An app's own word without what numbers an instance: `upload-123` becomes `upload-#`.
///
/// A UUID, a word of six or more hexadecimal digits with a decimal one among them, and every run of
/// decimal digits is one `#`.
package enum CausalWord {
  /// The word without its numbers.
  ///
  /// Cost: one pass over the bytes.
  package static func text(_ word: String) -> String {
    if !word.utf8.contains(where: isDigit) { return word }
    let bytes = Array(word.utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = 0

    while index < bytes.count {
      if !isAlphanumeric(bytes[index]) {
        text.append(bytes[index])
        index += 1
      } else if let end = uuidEnd(bytes, index) {
        text.append(mark)
        index = end
      } else {
        let end = run(bytes, index, isAlphanumeric)
        append(bytes[index..<end], to: &text)
        index = end
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of `symbol` without its numbers; a word of the article `Events` stays as it is.
  package static func text(_ symbol: Symbol, _ vocabulary: Vocabulary) -> String {
    WellKnownWords.text(symbol) ?? text(vocabulary.text(symbol))
  }

  private static let mark = UInt8(ascii: "#")
  /// From this many hexadecimal digits on it is an id, and no word.
  private static let idLength = 6

  /// A word of letters and digits.
  private static func append(_ word: ArraySlice<UInt8>, to text: inout [UInt8]) {
    let isPointer = word.starts(with: "0x".utf8) && word.count > 2
    let digits = isPointer ? word.dropFirst(2) : word
    if digits.allSatisfy(isHexDigit), isPointer || digits.count >= idLength,
      isPointer || digits.contains(where: isDigit)
    {
      return text.append(mark)
    }
    for byte in word where !(isDigit(byte) && text.last == mark) {
      text.append(isDigit(byte) ? mark : byte)
    }
  }

  /// The end of the UUID that begins here, 8-4-4-4-12 hexadecimal digits.
  private static func uuidEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    var index = start
    for (group, length) in [8, 4, 4, 4, 12].enumerated() {
      if group > 0 {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "-") else { return nil }
        index += 1
      }
      let end = run(bytes, index, isHexDigit)
      guard end - index == length else { return nil }
      index = end
    }

    return index < bytes.count && isAlphanumeric(bytes[index]) ? nil : index
  }

  private static func run(_ bytes: [UInt8], _ start: Int, _ holds: (UInt8) -> Bool) -> Int {
    var end = start
    while end < bytes.count, holds(bytes[end]) { end += 1 }
    return end
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
