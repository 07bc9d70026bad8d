/// The bytes of a page's data; the article `PageFormat` describes them.
struct PageColumns {
  private(set) var bytes: [UInt8] = []

  /// A number, seven bits a byte, the least first.
  mutating func put(_ number: UInt64) { bytes.append(varint: number) }

  mutating func put(_ number: Int) { put(UInt64(number)) }

  /// A number with a sign: 0, -1, 1, -2 become 0, 1, 2, 3.
  mutating func put(signed number: Int64) { bytes.append(zigzag: number) }

  mutating func append(_ other: PageColumns) { bytes += other.bytes }

  /// What of a page is faster to make than it is small: 9 would take ten times as long for 2 % of it.
  private static let level = 5

  /// Packs the head and the columns behind it, as a page holds them.
  static func packed(_ head: [UInt8], _ columns: [PageColumns]) -> String {
    let length = UInt32(head.count)
    let size = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return Base64.text(deflated([size + head] + columns.map(\.bytes)))
  }

  /// The parts as zlib packs them, with its header and checksum, and with codes of its own for each.
  private static func deflated(_ parts: [[UInt8]]) -> [UInt8] {
    let deflater = ZlibDeflater(level: level)
    var packed: [UInt8] = []
    for (index, part) in parts.enumerated() {
      deflater.append(part, isLast: index == parts.count - 1, to: &packed)
    }
    return packed
  }
}

/// Bytes as text.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes, three in four characters; what is missing at the end is `=`.
  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
      for index in 0..<4 {
        let digit = digits[Int(group >> UInt32(18 - 6 * index) & 0x3f)]
        text.append(index <= count ? digit : UInt8(ascii: "="))
      }
    }

    return String(decoding: text, as: UTF8.self)
  }
}
