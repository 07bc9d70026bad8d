/// Makes UTF-8 of UTF-16, in which some tools of Windows redirect what they print, chunk by chunk.
public struct WideText: Sendable {
  private let isBigEndian: Bool
  /// The bytes of a character that has not come as a whole.
  private var rest: [UInt8] = []

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

  /// The next bytes as UTF-8, without byte order marks; what is damaged becomes U+FFFD.
  public mutating func utf8(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = rest + bytes
    var units = stride(from: 0, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }

    rest = Array(bytes[(2 * units.count)...])
    return Array(String(decoding: units.filter { $0 != 0xfeff }, as: UTF16.self).utf8)
  }
}
