import ArgumentParser
import LifecycleModel

/// A size or a time, as an option takes it: `64M`, `1.5G`, `90s`, `10m`.
enum Quantity: ExpressibleByArgument, Hashable {
  case bytes(Int)
  case time(Nanoseconds)

  private static let bytes = ["B": 1.0, "K": 0x1p10, "M": 0x1p20, "G": 0x1p30]
  private static let nanoseconds = [
    "ms": 1e6, "s": 1e9, "m": 60e9, "h": 3600e9, "d": 86_400e9,
  ]

  /// Reads a positive number and its unit; sizes count in 1024.
  init?(argument: String) {
    let digits = argument.prefix { $0.isNumber || $0 == "." }
    let unit = String(argument.dropFirst(digits.count))
    guard let number = Double(digits), number > 0 else { return nil }
    if let factor = Quantity.bytes[unit], let count = Int(exactly: (number * factor).rounded()) {
      self = .bytes(count)
    } else if let factor = Quantity.nanoseconds[unit],
      let time = Nanoseconds(exactly: (number * factor).rounded())
    {
      self = .time(time)
    } else {
      return nil
    }
  }

  var bytes: Int? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  var time: Nanoseconds? {
    if case .time(let time) = self { time } else { nil }
  }
}
