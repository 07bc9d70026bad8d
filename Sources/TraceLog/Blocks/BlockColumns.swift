/// The columns of a block in memory that is allocated once for the most rows a block can have.
///
/// ```
/// shape ids   u8, or two byte planes from 257 shapes on     a row each
/// time classes  u8, group after group                        a row each
/// value classes u8                                           a row each with a value
/// numbers       zigzag varint                                a row each with a numbered subject
/// jumps         varint row delta, zigzag varint              a break of a writer's sequence each
/// sequences     varint                                       a checkpoint row each
/// lists         varint                                       a row each with an attribute list
/// lines         zigzag varint                                a row each with `line=N` alone
/// mantissas     bits                                         outside of the deflate stream
/// ```
///
/// Whoever holds the columns writes through the pointers: a row takes at most the bytes that
/// ``init(rows:in:)`` reserves for it, so no write is checked. They belong to one encoder.
struct BlockColumns {
  let shapes: UnsafeMutablePointer<UInt16>
  let shapeBytes: UnsafeMutablePointer<UInt8>
  /// The time class of each row, which is written in groups.
  let timeClasses: UnsafeMutablePointer<UInt8>
  let groupedTimes: UnsafeMutablePointer<UInt8>
  let valueClasses: UnsafeMutablePointer<UInt8>
  let numbers: UnsafeMutablePointer<UInt8>
  let jumps: UnsafeMutablePointer<UInt8>
  let sequences: UnsafeMutablePointer<UInt8>
  let lists: UnsafeMutablePointer<UInt8>
  let lines: UnsafeMutablePointer<UInt8>
  let mantissas: UnsafeMutablePointer<UInt8>

  init(rows: Int, in memory: OwnedMemory) {
    shapes = memory.allocate(rows)
    shapeBytes = memory.allocate(2 * rows)
    timeClasses = memory.allocate(rows)
    groupedTimes = memory.allocate(rows)
    valueClasses = memory.allocate(rows)
    numbers = memory.allocate(5 * rows)
    jumps = memory.allocate(13 * rows)
    sequences = memory.allocate(10 * rows)
    lists = memory.allocate(3 * rows)
    lines = memory.allocate(5 * rows)
    mantissas = memory.allocate(16 * rows + 16)
  }
}

/// Writes one column of varints.
struct VarintColumn {
  private let base: UnsafeMutablePointer<UInt8>
  private(set) var byteCount = 0

  init(_ base: UnsafeMutablePointer<UInt8>) { self.base = base }

  @inline(__always)
  mutating func put(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      base[byteCount] = UInt8(truncatingIfNeeded: rest) | 0x80
      byteCount &+= 1
      rest &>>= 7
    }
    base[byteCount] = UInt8(truncatingIfNeeded: rest)
    byteCount &+= 1
  }

  @inline(__always)
  mutating func putZigzag(_ value: Int64) { put(zigzag(value)) }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: byteCount) }
}
