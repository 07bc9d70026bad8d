import CZlib

/// Unpacks what ``Deflater`` wrote; one is used again for every block.
package final class Inflater {
  private let stream: UnsafeMutablePointer<z_stream>

  package init() throws {
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
