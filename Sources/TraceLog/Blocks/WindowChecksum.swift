import CZlib

/// Checksums of many ranges of one log, in time that grows with the bytes and not with the ranges.
///
/// Damaged bytes may hold a header at every few of them, each of which says that megabytes belong to it.
///
/// ```
///        base      C   …   D              a sum of all from `base` to each mark
///          a ├─────┤       ├──┤ b         the ends are summed, what is between follows from two marks
/// ```
struct WindowChecksum {
  /// How many bytes lie between two marks.
  private static let step = 512
  /// How many marks are kept; a new base is cheap.
  private static let maxMarks = 1 << 16

  private var base = 0
  /// The CRC of the bytes from the base to each mark.
  private var sums: [UInt32] = []

  /// The CRC-32 of `bytes`, which stand at `offset` of the log.
  mutating func checksum(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    let step = WindowChecksum.step
    let first = (offset + step - 1) / step * step
    let last = (offset + bytes.count) / step * step
    guard first < last else { return TraceLog.checksum(bytes) }

    if sums.isEmpty || first < base || first > reached || sums.count > WindowChecksum.maxMarks {
      base = first
      sums = [0]
    }

    while reached < last {
      let start = reached - offset
      let next = UnsafeRawBufferPointer(rebasing: bytes[start..<start + step])
      sums.append(sums[sums.count - 1].continued(over: next))
    }

    let (from, to) = (sums[(first - base) / step], sums[(last - base) / step])
    // The checksum of A and B is that of A, moved on by the length of B, xor that of B.
    let middle = to ^ WindowChecksum.join(from, 0, last - first)
    let head = TraceLog.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<(first - offset)]))
    let tail = TraceLog.checksum(UnsafeRawBufferPointer(rebasing: bytes[(last - offset)...]))
    let joined = WindowChecksum.join(head, middle, last - first)
    return WindowChecksum.join(joined, tail, offset + bytes.count - last)
  }

  private var reached: Int { base + (sums.count - 1) * WindowChecksum.step }

  private static func join(_ first: UInt32, _ second: UInt32, _ length: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32_combine(UInt(first), UInt(second), numericCast(length)))
  }
}
