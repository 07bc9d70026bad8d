#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
    return Data(deflated([size + head] + columns.map(\.bytes))).base64EncodedString()
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
