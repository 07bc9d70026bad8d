import CZlib

/// Unpacks what ``Deflater`` wrote; one is used again for every block.
///
/// libdeflate does it in half the time of zlib where the system has it. Loading it takes as long as
/// unpacking a small log, so that zlib does those, and the beginning of a stream of unknown length.
package final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>
  /// How many bytes were unpacked, with those that are expected.
  private var byteCount: Int
  private var fast: LibdeflateInflater?

  /// Makes one for a log of at least so many bytes.
  package init(expecting byteCount: Int = 0) throws {
    self.byteCount = byteCount
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard tracectl_inflate_init(stream) == Z_OK else {
      stream.deallocate()
      throw LogError.outOfMemory(doing: "reading a block")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Fills `target` exactly from `source`, which must end with the stream.
  package func inflate(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer
  ) throws(BlockDamage) {
    byteCount += target.count
    if fast == nil { fast = Libdeflate.library(after: byteCount).flatMap(LibdeflateInflater.init) }
    // What libdeflate refuses, zlib judges. What zlib alone would refuse are codes that no compressor
    // makes, such as one for a distance that there is not; the bytes stay within the target.
    if let fast, fast.inflate(source, to: target) { return }
    try inflateByZlib(source, to: target)
  }

  /// The same without libdeflate.
  func inflateByZlib(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer
  ) throws(BlockDamage) {
    inflateReset(stream)
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: source.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(source.count)
    stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(target.count)
    guard CZlib.inflate(stream, Z_FINISH) == Z_STREAM_END, stream.pointee.avail_in == 0,
      stream.pointee.avail_out == 0
    else { throw BlockDamage("the compressed columns do not unpack to their length") }
  }
}
