/// Numbers in the forms that several formats have.
extension [UInt8] {
  /// Appends a number, seven bits a byte, the least first.
  @inline(__always)
  mutating func append(varint number: some BinaryInteger) {
    var rest = UInt64(number)
    while rest > 127 {
      append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends the bytes of a number, the least first.
  @inline(__always)
  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends the digits of a number, with its sign.
  mutating func append(decimal number: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number.magnitude
      var first = digits.count
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0

      if number < 0 {
        first -= 1
        digits[first] = UInt8(ascii: "-")
      }
      append(contentsOf: digits[first...])
    }
  }
}

extension Int64 {
  /// The number as one without a sign: 0, -1, 1, -2 become 0, 1, 2, 3.
  var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }
}
