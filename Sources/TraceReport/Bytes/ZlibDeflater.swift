import CZlib

/// Packs bytes with zlib, one stream after the other.
///
/// zlib points from its inner state back to the stream, so the stream lives at a fixed address.
final class ZlibDeflater {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Makes a packer; levels go from 1, the fastest, to 9, the smallest.
  init(level: Int) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // It fails for lack of memory alone, and without memory Swift traps.
    let status = tracectl_zlib_init(stream, Int32(level))
    precondition(status == Z_OK, "zlib cannot begin to pack")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Appends a part of a stream, with codes of its own; what follows the last part is a new stream.
  ///
  /// A part has less than 4 GiB.
  func append(_ part: [UInt8], isLast: Bool = true, to packed: inout [UInt8]) {
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
    if isLast { deflateReset(stream) }
  }
}
