import CZlib
import TraceText

/// The bytes of a page's data; the article `PageFormat` describes them.
struct PageColumns {
  private(set) var bytes: [UInt8] = []

  /// A number, seven bits a byte, the least first.
  mutating func put(_ number: UInt64) {
    var rest = number
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func put(_ number: Int) { put(UInt64(number)) }

  /// A number with a sign: 0, -1, 1, -2 become 0, 1, 2, 3.
  mutating func put(signed number: Int64) { put(UInt64(bitPattern: number << 1 ^ number >> 63)) }

  mutating func append(_ other: PageColumns) { bytes += other.bytes }

  /// Packs the head and the columns behind it, as a page holds them.
  static func packed(_ head: String, _ columns: PageColumns) -> String {
    let head = Array(head.utf8)
    let length = UInt32(head.count)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + head + columns.bytes
    return Base64.text(deflated(bytes))
  }

  /// The bytes as zlib packs them, with its header and checksum.
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(UInt(bytes.count))
    let packed = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      // It fails for lack of room or memory alone: there is room, and without memory Swift traps.
      let status = compress2(buffer.baseAddress, &length, bytes, UInt(bytes.count), 9)
      precondition(status == Z_OK, "zlib cannot pack \(bytes.count) bytes")
      count = Int(length)
    }
    return packed
  }
}
