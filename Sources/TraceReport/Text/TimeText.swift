import LifecycleModel

/// Times as a person reads them.
package enum TimeText {
  /// A span in three digits, and in whole units from a minute on: `233ms`, `4.2s`, `3min 5s`,
  /// `2h 14min`.
  package static func span(_ nanoseconds: Nanoseconds) -> String {
    let magnitude = nanoseconds.magnitude
    let sign = nanoseconds < 0 ? "-" : ""
    let seconds = magnitude / 1_000_000_000
    if seconds >= 3600 { return "\(sign)\(seconds / 3600)h \(seconds % 3600 / 60)min" }
    if seconds >= 60 { return "\(sign)\(seconds / 60)min \(seconds % 60)s" }
    return sign + InstantText.print(rounded(magnitude))
  }

  /// An instant in four digits; what is nearer to the origin than a microsecond is at it.
  static func instant(_ instant: Instant) -> String {
    instant.nanoseconds.magnitude < 1000 ? "0s" : InstantText.rounded(instant.nanoseconds)
  }

  /// An event in notation, its instant in few digits: `12.6s     main  task.begin    task:1`.
  static func line(_ notation: String, at instant: Instant) -> String {
    let exact = InstantText.print(instant.nanoseconds)
    guard notation.hasPrefix(exact) else { return notation }
    return pad(self.instant(instant), 10) + notation.dropFirst(exact.count).drop { $0 == " " }
  }

  /// Rounded to three digits.
  private static func rounded(_ magnitude: UInt64) -> Nanoseconds {
    var unit: UInt64 = 1
    while magnitude / unit >= 1000 { unit *= 10 }
    return Nanoseconds((magnitude + unit / 2) / unit * unit)
  }
}
