import CZlib

/// Writes raw deflate streams by zlib, one for each block.
///
/// The caller says what zlib cannot know: where columns end, so that each gets codes of its own, and which
/// of them are noise, where a search for repetitions takes time and finds nothing but runs of one byte.
package final class Deflater {
  // zlib points from its inner state back to the stream, so that the stream lives at a fixed address.
  private let stream: UnsafeMutablePointer<z_stream>
  private let level: Int32
  private var strategy = Z_DEFAULT_STRATEGY

  /// A part with fewer bytes shares the codes of the one before: codes are not free.
  private static let short = 48

  /// Makes one that takes more time to find repetitions, the higher the level, 1…9.
  package init(level: Int) throws {
    self.level = Int32(max(1, min(level, 9)))
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard tracectl_deflate_init(stream, self.level) == Z_OK else {
      stream.deallocate()
      throw LogError.outOfMemory(doing: "making a block")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// The most bytes that `count` bytes in `parts` parts can become.
  package func bound(_ count: Int, parts: Int) -> Int {
    Int(deflateBound(stream, UInt(count))) + 16 * parts
  }

  /// Writes `parts` as one finished stream to `target`, which has room for ``bound(_:parts:)``; returns
  /// its length.
  ///
  /// Between two parts a deflate block ends, unless one of them is short. Of the parts `noise` only runs of
  /// one byte are shortened.
  package func deflate(
    _ parts: [UnsafeRawBufferPointer], noise: Range<Int> = 0..<0,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let room = bound(parts.reduce(0) { $0 + $1.count }, parts: parts.count)
    deflateReset(stream)
    stream.pointee.next_out = target
    stream.pointee.avail_out = UInt32(room)
    stream.pointee.avail_in = 0

    var held = 0
    for (index, part) in parts.enumerated() where !part.isEmpty {
      if min(held, part.count) >= Deflater.short {
        CZlib.deflate(stream, Z_BLOCK)
        held = 0
      }
      if part.count >= Deflater.short {
        search(noise.contains(index) ? Z_RLE : Z_DEFAULT_STRATEGY)
      }

      // zlib only reads here; its interface lacks the `const`.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: part.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(part.count)
      CZlib.deflate(stream, Z_NO_FLUSH)
      held += part.count
    }
    CZlib.deflate(stream, Z_FINISH)
    return room - Int(stream.pointee.avail_out)
  }

  /// Changes how zlib looks for repetitions in what follows; a deflate block ends then.
  private func search(_ strategy: Int32) {
    guard strategy != self.strategy else { return }
    self.strategy = strategy
    deflateParams(stream, level, strategy)
  }
}
