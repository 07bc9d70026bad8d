import CZlib

/// A raw deflate stream that is used again for every block.
///
/// zlib points from its inner state back to the stream, so the stream lives at a fixed address.
final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let level: Int32

  init(level: Int) throws {
    self.level = Int32(level)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard tracectl_deflate_init(stream, Int32(level)) == Z_OK else {
      stream.deallocate()
      throw LogError.outOfMemory(doing: "compressing a block")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The most bytes that `count` bytes in `parts` parts can become.
  func bound(_ count: Int, parts: Int) -> Int {
    Int(deflateBound(stream, UInt(count))) + 64 * (parts + 1)
  }

  /// Writes `parts` as one finished stream to `target`, which has room for ``bound(_:parts:)``.
  ///
  /// Between two parts a deflate block ends, so that each part gets Huffman codes of its own. The
  /// parts `noise` repeat nothing: a search for repetitions would cost time and bytes there.
  func deflate(
    _ parts: [UnsafeRawBufferPointer], noise: Range<Int> = 0..<0,
    to target: UnsafeMutablePointer<UInt8>, capacity: Int
  ) -> Int {
    deflateReset(stream)
    stream.pointee.next_out = target
    stream.pointee.avail_out = UInt32(capacity)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard isLast || !part.isEmpty else { continue }
      // zlib only reads here; its interface lacks the `const`.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: part.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = 0
      let isNoise = noise.contains(index)
      deflateParams(stream, level, isNoise ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY)
      stream.pointee.avail_in = UInt32(part.count)
      _ = CZlib.deflate(stream, isLast ? Z_FINISH : Z_BLOCK)
    }
    return capacity - Int(stream.pointee.avail_out)
  }
}

/// The CRC-32 of zlib.
func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  UInt32(0).continued(over: bytes)
}

/// The CRC-32 of zlib, by another library that has it.
func checksum(_ bytes: UnsafeRawBufferPointer, _ library: Libdeflate?) -> UInt32 {
  library.map { $0.checksum(0, bytes.baseAddress, bytes.count) } ?? checksum(bytes)
}

/// The CRC-32 of zlib.
func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum($0) } }

extension UInt32 {
  /// The CRC-32 of what this is the CRC of, followed by `bytes`.
  func continued(over bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard !bytes.isEmpty else { return self }
    return UInt32(
      truncatingIfNeeded: crc32(
        UInt(self), bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count)))
  }
}
