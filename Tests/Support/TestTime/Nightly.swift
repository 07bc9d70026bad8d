import Platform
import Testing

/// Tests that take long run with few cases each day, and with all of them each night: in continuous
/// integration, and by `tools/test --nightly`.
package enum Nightly {
  /// Whether all cases are wanted: `TRACECTL_NIGHTLY` is set.
  package static let isOn = getenv("TRACECTL_NIGHTLY") != nil

  /// How many cases there are: `daily`, or at night `all`; a number in the environment variable
  /// `variable` goes before both.
  package static func count(_ daily: Int, all: Int, variable: String? = nil) -> Int {
    if let variable, let value = getenv(variable), let count = Int(String(cString: value)) {
      return count
    }
    return isOn ? all : daily
  }

  /// The seeds of a test: as many as ``count(_:all:variable:)`` says.
  package static func seeds(_ daily: Int, all: Int, variable: String? = nil) -> Range<UInt64> {
    0..<UInt64(count(daily, all: all, variable: variable))
  }
}

extension Tag {
  /// What has more cases, or larger ones, at night.
  @Tag package static var nightly: Self
}
