import LifecycleModel
import TraceText

/// When something happened, as reports write it.
struct ReportStamp: Hashable {
  /// Nanoseconds since 1970, in universal time where a zone stands with it.
  var nanoseconds: Nanoseconds
  /// Whether the zone is known.
  var hasZone: Bool

  /// Reads `2026-11-21 17:30:31.2041 +0100`, `2026-11-21T16:30:31.204Z` and either without a zone; `nil`
  /// for other text.
  init?(_ text: String) {
    var scanner = LineScanner(ArraySlice(text.utf8))
    scanner.skipBlanks()
    guard let days = scanner.takeDate() else { return nil }
    let isISO = scanner.take("T")
    scanner.skipBlanks()
    guard let time = scanner.takeTimeOfDay() else { return nil }
    // More digits than nanoseconds have say nothing.
    _ = scanner.takeWhile { $0.isDigit }

    let zone = isISO && scanner.take("Z") ? 0 : scanner.takeZone()
    hasZone = zone != nil
    nanoseconds =
      Nanoseconds(days) * 86_400_000_000_000 + time.nanoseconds
      - Nanoseconds(zone ?? 0) * 1_000_000_000
  }
  /// Reads the same with its zone, or seconds since 1970, as SDKs write times.
  static func nanoseconds(of text: String, orMicroseconds: Bool = false) -> Nanoseconds? {
    if let stamp = ReportStamp(text) { return stamp.hasZone ? stamp.nanoseconds : nil }
    guard let number = Double(text), number > 0, number < (orMicroseconds ? 7e15 : 7e9) else {
      return nil
    }
    return Nanoseconds(number < 7e9 ? number * 1e6 : number) * 1000
  }
}
