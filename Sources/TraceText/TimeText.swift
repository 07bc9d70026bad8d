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
    return InstantText.rounded(nanoseconds, below: 1000)
  }
}
