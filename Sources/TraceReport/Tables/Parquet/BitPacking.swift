/// Integers as Parquet packs them: of as many bits as the largest needs, the least bit first.
extension [UInt8] {
  /// Appends numbers of `width` bits each, and zeros up to a whole byte.
  mutating func appendPacked(_ values: [Int64], width: Int) {
    values.withUnsafeBufferPointer { values in
      appendPacked(count: values.count, width: width) { UInt64(bitPattern: values[$0]) }
    }
  }

  /// Appends `count` numbers of `width` bits each, and zeros up to a whole byte, by words of 64 bits.
  @inline(__always)
  fileprivate mutating func appendPacked(count: Int, width: Int, _ number: (Int) -> UInt64) {
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

  /// Appends a bit for each truth value, in whole bytes.
  mutating func appendBits(_ values: [Bool]) {
    values.withUnsafeBufferPointer { values in
      appendPacked(count: values.count, width: 1) { values[$0] ? 1 : 0 }
    }
  }

  /// Appends one run of the hybrid of runs and packed numbers: `count` times the same number.
  mutating func appendRun(_ value: Int64, count: Int, width: Int) {
    append(varint: UInt64(count) << 1)
    for shift in stride(from: 0, to: Int64(width), by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Appends one run of the hybrid of runs and packed numbers; the packed ones in groups of eight.
  mutating func appendRunOrPacked(_ values: [Int64], width: Int) {
    if let first = values.first, values.allSatisfy({ $0 == first }) {
      return appendRun(first, count: values.count, width: width)
    }

    let groups = (values.count + 7) / 8
    append(varint: UInt64(groups) << 1 | 1)
    let end = count + groups * width
    appendPacked(values, width: width)
    append(contentsOf: repeatElement(0, count: end - count))
  }

  /// Appends numbers as differences, `DELTA_BINARY_PACKED`.
  ///
  /// It is the first, then blocks of 128 differences above the least
  /// of the block, of as many bits as the largest of 32 needs. Sums wrap around.
  mutating func appendDeltas(_ values: [Int64]) {
    append(varint: 128)
    append(varint: 4)
    append(varint: UInt64(values.count))
    append(zigzag: values.first ?? 0)

    values.withUnsafeBufferPointer { values in
      withUnsafeTemporaryAllocation(of: Int64.self, capacity: 128) { deltas in
        for start in stride(from: 1, to: values.count, by: 128) {
          appendBlock(values, start..<Swift.min(start + 128, values.count), deltas)
        }
      }
    }
  }

  private mutating func appendBlock(
    _ values: UnsafeBufferPointer<Int64>, _ range: Range<Int>,
    _ deltas: UnsafeMutableBufferPointer<Int64>
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
      append(UInt8(Int64.bitWidth - bits.leadingZeroBitCount))
    }

    for part in 0..<4 where self[first + part] > 0 {
      appendPacked(count: 32, width: Int(self[first + part])) {
        UInt64(bitPattern: deltas[part &* 32 &+ $0])
      }
    }
  }
}
