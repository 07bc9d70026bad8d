/// Appends bit fields to memory, the lowest bit first.
///
/// The owner of the memory sees to it that eight bytes beyond the last bit may be written: at most
/// 16 bytes a row are used, and that is what is allocated.
struct MantissaWriter {
  private let base: UnsafeMutableRawPointer
  private var byte = 0
  private var held: UInt64 = 0
  private var heldBits: UInt64 = 0

  init(_ base: UnsafeMutableRawPointer) { self.base = base }

  /// Appends the low `width` bits of `value`, at most 56.
  @inline(__always)
  mutating func put(_ value: UInt64, _ width: UInt64) {
    held |= (value & ((1 &<< width) &- 1)) &<< heldBits
    heldBits &+= width
    base.storeBytes(of: held.littleEndian, toByteOffset: byte, as: UInt64.self)
    byte &+= Int(truncatingIfNeeded: heldBits &>> 3)
    held = heldBits >= 64 ? 0 : held &>> (heldBits & ~7)
    heldBits &= 7
  }

  /// Appends the low `width` bits of `value`, at most 64.
  @inline(__always)
  mutating func putWide(_ value: UInt64, _ width: UInt64) {
    guard width > 56 else { return put(value, width) }
    put(value, 32)
    put(value &>> 32, width &- 32)
  }

  /// How many bytes are in use, the last one filled up with zeros.
  var byteCount: Int { byte + (heldBits > 0 ? 1 : 0) }
}

/// Reads what ``MantissaWriter`` wrote.
///
/// It does not check where it reads: the decoder allocates 16 bytes for every row, more than any
/// classes can ask for, and compares ``byteCount`` with the header at the end.
struct MantissaReader {
  private let base: UnsafeRawPointer
  /// The next bit.
  private(set) var bit: UInt64

  init(_ base: UnsafeRawPointer, bit: UInt64 = 0) { (self.base, self.bit) = (base, bit) }

  /// Takes the next `width` bits, at most 56.
  @inline(__always)
  mutating func take(_ width: UInt64) -> UInt64 {
    let word = UInt64(
      littleEndian: base.loadUnaligned(
        fromByteOffset: Int(truncatingIfNeeded: bit &>> 3), as: UInt64.self))
    let field = (word &>> (bit & 7)) & ((1 &<< width) &- 1)
    bit &+= width
    return field
  }

  /// Takes the next mantissa of a class, which has at most 56 bits.
  @inline(__always)
  mutating func take(_ size: UnsafePointer<SizeClass>) -> UInt64 {
    let word = UInt64(
      littleEndian: base.loadUnaligned(
        fromByteOffset: Int(truncatingIfNeeded: bit &>> 3), as: UInt64.self))
    let field = (word &>> (bit & 7)) & size.pointee.mask
    bit &+= size.pointee.width
    return field
  }

  /// Takes the next `width` bits, at most 64.
  @inline(__always)
  mutating func takeWide(_ width: UInt64) -> UInt64 {
    guard width > 56 else { return take(width) }
    let low = take(32)
    return low | take(width &- 32) &<< 32
  }

  /// Passes over `width` bits.
  @inline(__always)
  mutating func skip(_ width: UInt64) { bit &+= width }

  /// How many bytes were touched.
  var byteCount: Int { Int((bit + 7) >> 3) }
}
