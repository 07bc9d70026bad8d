/// An instant or a span as the notation writes it: a decimal number and the largest unit that keeps
/// it at 1 or more; exact to the nanosecond.
package enum InstantText {
  private static let units: [(name: String, digits: Int)] = [
    ("s", 9), ("ms", 6), ("us", 3), ("ns", 0),
  ]

  /// `4.1004s`, `12ms`, `0s`.
  package static func print(_ nanoseconds: Nanoseconds) -> String {
    var bytes: [UInt8] = []
    append(nanoseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same for people, rounded so that its digits make a number below `limit`, or to whole seconds where they
  /// are more: `1.784s`, `939.8ms`, `86441s`.
  package static func rounded(_ nanoseconds: Nanoseconds, below limit: UInt64 = 10_000) -> String {
    let magnitude = nanoseconds.magnitude
    var unit: UInt64 = 1
    while magnitude / unit >= limit && unit < 1_000_000_000 { unit *= 10 }
    let half = unit / 2
    // What is that close to the end of 64 bits is cut and not rounded.
    let sum = magnitude > UInt64(Int64.max) - half ? magnitude : magnitude + half
    let rounded = Int64(clamping: sum / unit * unit)
    return print(nanoseconds < 0 ? -rounded : rounded)
  }

  /// Appends the text of `nanoseconds`.
  package static func append(_ nanoseconds: Nanoseconds, to bytes: inout [UInt8]) {
    if nanoseconds == 0 { return bytes.append(contentsOf: "0s".utf8) }
    if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    let unit = units.first { magnitude >= powerOfTen($0.digits) } ?? units[3]
    let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: powerOfTen(unit.digits))
    bytes.append(contentsOf: String(whole).utf8)

    if fraction != 0 {
      var digits = Array(String(fraction).utf8)
      digits.insert(
        contentsOf: repeatElement(UInt8(ascii: "0"), count: unit.digits - digits.count), at: 0)
      while digits.last == UInt8(ascii: "0") { digits.removeLast() }
      bytes.append(UInt8(ascii: "."))
      bytes.append(contentsOf: digits)
    }
    bytes.append(contentsOf: unit.name.utf8)
  }

  /// Reads `4.1004s`; `nil` for another form, a part of a nanosecond, or more than 64 bits hold.
  package static func parse(_ bytes: ArraySlice<UInt8>) -> Nanoseconds? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var rest = isNegative ? bytes.dropFirst() : bytes
    let whole = rest.prefix(while: isDigit)
    rest = rest[whole.endIndex...]
    var fraction: ArraySlice<UInt8> = []

    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: isDigit)
      if fraction.isEmpty { return nil }
      rest = rest[fraction.endIndex...]
    }

    let name = String(decoding: rest, as: UTF8.self)
    guard !whole.isEmpty, let unit = units.first(where: { $0.name == name }) else { return nil }

    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    guard fraction.count <= unit.digits else { return nil }

    var magnitude: UInt64 = 0
    let padding = repeatElement(UInt8(ascii: "0"), count: unit.digits - fraction.count)
    for digit in [whole, fraction, ArraySlice(padding)].joined() {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
      if overflow || carry { return nil }
      magnitude = sum
    }

    if isNegative {
      return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
    }
    return Int64(exactly: magnitude)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
