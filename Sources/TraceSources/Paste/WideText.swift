/// Makes UTF-8 of UTF-16, in which some tools of Windows redirect what they print, chunk by chunk.
public struct WideText: Sendable {
  private let isBigEndian: Bool
  /// The first byte of a unit whose second one has not come.
  private var half: UInt8?
  /// The first unit of a character that takes two.
  private var lead: UInt16?

  /// Makes a decoder for a text that begins with `bytes`; `nil` where that is no UTF-16: it has neither a byte
  /// order mark, nor a zero in every second place of its first characters.
  public init?(startingWith bytes: ArraySlice<UInt8>) {
    let first = Array(bytes.prefix(8))
    func hasZeros(at offset: Int) -> Bool {
      first.count >= 4 && first.indices.allSatisfy { (first[$0] == 0) == ($0 % 2 == offset) }
    }
    if first.starts(with: [0xff, 0xfe]) || hasZeros(at: 1) {
      isBigEndian = false
    } else if first.starts(with: [0xfe, 0xff]) || hasZeros(at: 0) {
      isBigEndian = true
    } else {
      return nil
    }
  }

  /// The next bytes as UTF-8; what is damaged becomes U+FFFD.
  public mutating func utf8(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2 + 4)
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }

      half = nil
      let (high, low) = isBigEndian ? (first, byte) : (byte, first)
      take(UInt16(high) << 8 | UInt16(low), into: &text)
    }
    return text
  }

  private mutating func take(_ unit: UInt16, into text: inout [UInt8]) {
    if let first = lead {
      lead = nil
      if UTF16.isTrailSurrogate(unit) {
        let offset = UInt32(first - 0xd800) << 10 | UInt32(unit - 0xdc00)
        return append(0x10000 + offset, to: &text)
      }
      append(0xfffd, to: &text)
    }

    if UTF16.isLeadSurrogate(unit) {
      lead = unit
    } else if unit != 0xfeff {
      append(UTF16.isTrailSurrogate(unit) ? 0xfffd : UInt32(unit), to: &text)
    }
  }

  private func append(_ scalar: UInt32, to text: inout [UInt8]) {
    text += Array(String(Character(Unicode.Scalar(scalar) ?? "\u{fffd}")).utf8)
  }
}
