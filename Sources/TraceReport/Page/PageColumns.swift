import CZlib

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

  /// What of a page is faster to make than it is small: 9 would take ten times as long for 2 % of it.
  private static let level: Int32 = 5

  /// Packs the head and the columns behind it, as a page holds them.
  static func packed(_ head: [UInt8], _ columns: [PageColumns]) -> String {
    let length = UInt32(head.count)
    let size = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return Base64.text(deflated([size + head] + columns.map(\.bytes)))
  }

  /// The parts as zlib packs them, with its header and checksum, and with codes of its own for each.
  private static func deflated(_ parts: [[UInt8]]) -> [UInt8] {
    // zlib points from its inner state back to the stream, so the stream lives at a fixed address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // It fails for lack of memory alone, and without memory Swift traps.
    let status = tracectl_zlib_init(stream, level)
    precondition(status == Z_OK, "zlib cannot begin to pack a page")
    defer { deflateEnd(stream) }

    var packed: [UInt8] = []
    for (index, part) in parts.enumerated() {
      append(part, isLast: index == parts.count - 1, stream, to: &packed)
    }
    return packed
  }

  private static func append(
    _ part: [UInt8], isLast: Bool, _ stream: UnsafeMutablePointer<z_stream>,
    to packed: inout [UInt8]
  ) {
    part.withUnsafeBufferPointer { bytes in
      // zlib only reads here; its interface lacks the `const`.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
      stream.pointee.avail_in = UInt32(bytes.count)

      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { buffer in
        repeat {
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          deflate(stream, isLast ? Z_FINISH : Z_BLOCK)
          packed += buffer.prefix(buffer.count - Int(stream.pointee.avail_out))
        } while stream.pointee.avail_out == 0
      }
    }
  }
}
