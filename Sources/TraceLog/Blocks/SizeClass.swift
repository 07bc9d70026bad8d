// A number is split into a class byte, which deflate packs well, and mantissa bits, which are noise
// and stay outside of the deflate stream.
//
//   time delta   1 L n n m m m …      L: bit length, stated by the class
//                    ╰┬╯ ╰──┬──…      n: the next two bits, stated by the class
//                   class  mantissa   m: the other L - 3 bits, raw
//
//   value        the class is the bit length of the magnitude, all bits but the top one are mantissa, and the
//                sign is the class's top bit

/// The classes of time deltas: 0…247 for a delta that is not negative, 248 for an absolute instant.
enum TimeClass {
  static let absolute: UInt8 = 248
  /// The first class with a mantissa of more than 56 bits.
  static let firstWide: UInt8 = 232

  @inline(__always)
  static func of(_ delta: UInt64) -> UInt8 {
    guard delta >= 4 else { return UInt8(truncatingIfNeeded: delta) }
    let bits = 64 - delta.leadingZeroBitCount
    return UInt8(truncatingIfNeeded: UInt64(bits - 2) << 2 | (delta >> UInt64(bits - 3)) & 3)
  }

  /// How many mantissa bits a delta of this class has.
  @inline(__always)
  static func width(_ class: UInt8) -> UInt64 {
    if `class` >= absolute { return 64 }
    return `class` < 8 ? 0 : UInt64(`class` >> 2) - 1
  }

  /// The smallest delta of this class.
  @inline(__always)
  static func base(_ class: UInt8) -> UInt64 {
    if `class` < 4 { return UInt64(`class`) }
    return `class` >= absolute ? 0 : UInt64(4 | `class` & 3) << width(`class`)
  }
}

/// The classes of value differences: the sign in the top bit, the magnitude's bit length below it.
enum ValueClass {
  /// The class of the largest magnitude, 2^63.
  static let largest: UInt8 = 64
  static let sign: UInt8 = 0x80

  @inline(__always)
  static func of(_ magnitude: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: 64 &- magnitude.leadingZeroBitCount)
  }

  @inline(__always)
  static func width(_ class: UInt8) -> UInt64 {
    UInt64(max(1, `class` & ~sign)) - 1
  }

  @inline(__always)
  static func base(_ class: UInt8) -> UInt64 {
    `class` & ~sign == 0 ? 0 : 1 << width(`class`)
  }
}

/// What the decoder's loop needs of a class.
struct SizeClass {
  /// The smallest number of the class.
  let base: UInt64
  /// How many mantissa bits it has.
  let width: UInt64
  /// Ones where the mantissa is.
  let mask: UInt64
  /// Ones if its numbers are negative.
  let sign: UInt64

  init(base: UInt64, width: UInt64, isNegative: Bool = false) {
    self.base = base
    self.width = width
    mask = 1 << width &- 1
    sign = isNegative ? .max : 0
  }
}

/// All classes side by side, for the decoder's loop.
enum ClassTable {
  /// Where the classes of values begin, behind those of times.
  static var values: Int { 256 }

  /// Makes the table.
  static func make(in memory: OwnedMemory) -> UnsafeMutablePointer<SizeClass> {
    let classes: UnsafeMutablePointer<SizeClass> = memory.allocate(2 * values)
    for code in UInt8.min ... .max {
      (classes + Int(code)).initialize(
        to: SizeClass(base: TimeClass.base(code), width: TimeClass.width(code)))
      (classes + values + Int(code)).initialize(
        to: SizeClass(
          base: ValueClass.base(code), width: ValueClass.width(code),
          isNegative: code & ValueClass.sign != 0))
    }
    return classes
  }
}
