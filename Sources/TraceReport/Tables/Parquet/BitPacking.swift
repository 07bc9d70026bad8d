/// Integers as Parquet packs them: of as many bits as the largest needs, the least bit first.
extension [UInt8] {
  /// Appends `count` numbers of `width` bits each, and zeros up to a whole byte, by words of 64 bits.
  @inline(__always)
  mutating func appendPacked(count: Int, width: Int, _ number: (Int) -> UInt64) {
    let end = self.count + (count * width + 7) / 8
    var place = self.count
    // The last word may be longer than what is left of it.
    append(contentsOf: repeatElement(0, count: end - place + 8))
    withUnsafeMutableBytes { bytes in
      var (word, filled) = (UInt64(0), 0)
      for index in 0..<count {
        let number = number(index)
        word |= number &<< UInt64(filled)
        filled &+= width
        if filled < 64 { continue }
        bytes.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
        place &+= 8
        filled &-= 64
        word = filled == 0 ? 0 : number &>> UInt64(width &- filled)
      }
      bytes.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
    }
    removeLast(self.count - end)
  }

  /// Appends numbers as one run: of the same number, or packed in groups of eight.
  @inline(__always)
  mutating func appendRun(count: Int, width: Int, _ number: (Int) -> UInt64) {
    let first = number(0)
    if (1..<count).allSatisfy({ number($0) == first }) {
      append(varint: UInt64(count) << 1)
      for shift in stride(from: 0, to: width, by: 8) {
        append(UInt8(truncatingIfNeeded: first >> UInt64(shift)))
      }
    } else {
      let groups = (count + 7) / 8
      append(varint: UInt64(groups) << 1 | 1)
      appendPacked(count: groups * 8, width: width) { $0 < count ? number($0) : 0 }
    }
  }

  /// Appends numbers as `DELTA_BINARY_PACKED`.
  ///
  /// It is the first, then blocks of 128 differences above the least of the block, of as many bits as the
  /// largest of 32 needs. Sums wrap around.
  mutating func appendDeltas(_ values: UnsafeBufferPointer<Int64>) {
    append(varint: 128)
    append(varint: 4)
    append(varint: UInt64(values.count))
    append(zigzag: values.first ?? 0)

    let isRegular = [UInt8].isRegular(values)
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: 128) { deltas in
      for start in stride(from: 1, to: values.count, by: 128) {
        let end = Swift.min(start + 128, values.count)
        appendBlock(values, start..<end, deltas, inBytes: isRegular)
      }
    }
  }

  /// Whether one in ten of the first differences repeats another: then whole bytes let zlib see it, which
  /// sees no repetition of bits.
  private static func isRegular(_ values: UnsafeBufferPointer<Int64>) -> Bool {
    let deltas = zip(values, values.dropFirst()).prefix(1000).map { $1 &- $0 }
    return Set(deltas).count * 10 <= deltas.count * 9
  }

  private mutating func appendBlock(
    _ values: UnsafeBufferPointer<Int64>, _ range: Range<Int>,
    _ deltas: UnsafeMutableBufferPointer<Int64>, inBytes: Bool
  ) {
    var least = Int64.max
    for index in range {
      let delta = values[index] &- values[index &- 1]
      deltas[index &- range.lowerBound] = delta
      least = Swift.min(least, delta)
    }
    for index in range.count..<128 { deltas[index] = least }

    append(zigzag: least)
    let first = count
    for part in 0..<4 {
      var bits: Int64 = 0
      for index in part * 32..<part * 32 + 32 {
        deltas[index] &-= least
        bits |= deltas[index]
      }
      let width = Int64.bitWidth - bits.leadingZeroBitCount
      append(UInt8(inBytes ? (width + 7) / 8 * 8 : width))
    }

    for part in 0..<4 where self[first + part] > 0 {
      appendPacked(count: 32, width: Int(self[first + part])) {
        UInt64(bitPattern: deltas[part &* 32 &+ $0])
      }
    }
  }
}
