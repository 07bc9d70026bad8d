import ArgumentParser
import LifecycleModel

/// A size or a time, as an option takes it: `64M`, `64MB`, `1.5G`, `90s`, `1h30m`.
enum Quantity: Hashable {
  case bytes(Int)
  case time(Nanoseconds)

  private static let bytes = [
    "B": 1.0, "K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30,
    "KB": 1e3, "kB": 1e3, "MB": 1e6, "GB": 1e9,
  ]
  private static let nanoseconds = [
    "us": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9, "m": 60e9, "min": 60e9, "h": 3600e9,
    "d": 86_400e9,
  ]

  /// Reads a positive number and its unit, or a time in several parts such as `1h30m`.
  ///
  /// `K`, `M`, `G` and those with `iB` count in 1024, `KB`, `MB` and `GB` in 1000.
  init?(argument: String) {
    var rest = argument[...]
    var sizes: [Double] = []
    var times: [Double] = []
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let unit = String(rest.prefix { $0.isLetter })
      rest = rest.dropFirst(unit.count)
      guard let number = Double(digits), number >= 0 else { return nil }
      if let factor = Quantity.bytes[unit] {
        sizes.append(number * factor)
      } else if let factor = Quantity.nanoseconds[unit] {
        times.append(number * factor)
      } else {
        return nil
      }
    }

    if sizes.count == 1, times.isEmpty, let count = Int(exactly: sizes[0].rounded()), count > 0 {
      self = .bytes(count)
    } else if sizes.isEmpty, let time = Nanoseconds(exactly: times.reduce(0, +).rounded()), time > 0
    {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// Reads the value of an option that takes a size alone: `k`, `m` and `g` count as `K`, `M` and `G` do.
  static func readSize(_ text: String) throws -> Int {
    let unit = text.last.map(String.init) ?? ""
    let isSmall = text.dropLast().last?.isNumber ?? false && ["k", "m", "g"].contains(unit)
    let quantity = Quantity(argument: isSmall ? text.dropLast() + unit.uppercased() : text)
    if let bytes = quantity?.bytes { return bytes }
    throw ValidationError(sizeForm)
  }

  /// Reads the value of an option that takes a time alone.
  static func readTime(_ text: String) throws -> Nanoseconds {
    if let time = Quantity(argument: text)?.time { return time }
    throw ValidationError(timeForm)
  }

  /// Reads an option's value, or says in which form it is.
  static func read(_ text: String) throws -> Quantity {
    if let quantity = Quantity(argument: text) { return quantity }
    throw ValidationError(form)
  }

  /// The form of a size.
  static let sizeForm = "a size is a positive number with a unit, such as 64K, 64M or 1.5G"
  /// The form of a time.
  static let timeForm = "a time is a positive number with a unit, such as 100ms, 90s, 10m or 1h"
  private static let form = "\(sizeForm); \(timeForm)"

  var bytes: Int? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  var time: Nanoseconds? {
    if case .time(let time) = self { time } else { nil }
  }
}

/// A number of things, as an option takes it.
enum WholeNumber {
  /// Reads an option's value, or says in which form it is.
  static func read(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw ValidationError("it takes a whole number, such as 4")
    }
    return number
  }
}
