/// Some cases of a small enumeration, without hashing.
struct Bits<Element: RawRepresentable<UInt8> & Sendable>: Sendable {
  private var bits: UInt64 = 0

  /// Whether `element` was taken in.
  func contains(_ element: Element) -> Bool { bits & 1 << element.rawValue != 0 }

  /// Takes one in, whose number is below 64.
  mutating func insert(_ element: Element) { bits |= 1 << element.rawValue }
}
