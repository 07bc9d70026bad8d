import LifecycleModel

// What lines of the notation are made of, beside strings, which are those of JSON.
extension JSONReader {
  /// Takes spaces and tabs.
  @inline(__always)
  mutating func skipSpaces() {
    while index < bytes.count,
      bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t")
    {
      index += 1
    }
  }

  /// Takes a word of the notation, which may be empty.
  @inline(__always)
  mutating func takeWord() -> Range<Int> {
    let start = index
    while index < bytes.count, TraceNotation.isWordByte(bytes[index]) { index += 1 }
    return start..<index
  }

  /// The instant that a word says; `nil` when it says none.
  func instant(_ word: Range<Int>) -> Instant? {
    (shortTime(word) ?? InstantText.parse(ArraySlice(bytes[word])))
      .map { Instant(nanoseconds: $0) }
  }

  /// A time that is not negative, as nearly all are, in a few steps a digit.
  ///
  /// `nil` when it has more than eighteen digits down to the nanosecond, or is none.
  private func shortTime(_ word: Range<Int>) -> Nanoseconds? {
    var place = word.lowerBound
    var number: Int64 = 0
    var point: Int?
    while place < word.upperBound {
      let digit = bytes[place] &- 0x30
      if digit <= 9 {
        number = number &* 10 &+ Int64(digit)
      } else if bytes[place] == UInt8(ascii: "."), point == nil, place > word.lowerBound {
        point = place
      } else {
        break
      }
      place += 1
    }

    let unit: Int
    switch (word.upperBound - place, bytes.word(of: place..<word.upperBound)) {
    case (1, 0x73): unit = 9
    case (2, 0x73_6d): unit = 6
    case (2, 0x73_75): unit = 3
    case (2, 0x73_6e): unit = 0
    default: return nil
    }

    let fraction = point.map { place - $0 - 1 } ?? 0
    let missing = unit - fraction
    guard place > word.lowerBound, point == nil || fraction > 0, missing >= 0,
      place - word.lowerBound + missing <= 18
    else { return nil }
    for _ in 0..<missing { number &*= 10 }
    return number
  }
}
