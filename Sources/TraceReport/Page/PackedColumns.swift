import CZlib

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The data of a page as it holds them; the article `PageFormat` describes their bytes.
enum PackedColumns {
  /// What of a page is faster to make than it is small: 9 would take ten times as long for 2 % of it.
  private static let level: Int32 = 5

  /// Packs the head and the columns behind it.
  static func text(_ head: [UInt8], _ columns: [[UInt8]]) -> String {
    var size: [UInt8] = []
    size.append(littleEndian: UInt32(head.count))
    return Data(deflated([size + head] + columns)).base64EncodedString()
  }

  /// The parts as zlib packs them, with its header and checksum, and with codes of its own for each; a part has
  /// less than 4 GiB.
  private static func deflated(_ parts: [[UInt8]]) -> [UInt8] {
    var packed: [UInt8] = []
    var state = z_stream()

    // zlib points from its inner state back to the stream, which stays at one address.
    withUnsafeMutablePointer(to: &state) { stream in
      // It fails for lack of memory alone, and without memory Swift traps.
      precondition(tracectl_zlib_init(stream, level) == Z_OK, "zlib cannot begin to pack")
      defer { deflateEnd(stream) }
      for (index, part) in parts.enumerated() {
        append(part, isLast: index == parts.count - 1, of: stream, to: &packed)
      }
    }
    return packed
  }

  private static func append(
    _ part: [UInt8], isLast: Bool, of stream: z_streamp, to packed: inout [UInt8]
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
