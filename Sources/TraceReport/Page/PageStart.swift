import LifecycleModel

/// Finds where the page of a log begins: at its first event, or in a log that is too long for a page, so
/// late that the rest has room.
package struct PageStart {
  private var places: [(ordinal: UInt64, instant: Instant)] = []
  private var count: UInt64 = 0
  private var latest = Instant.distantPast

  /// Makes the start of the page of an empty log.
  package init() {}

  /// Takes the next events.
  package mutating func observe(_ events: [Event]) {
    for event in events {
      count += 1
      latest = max(latest, event.instant)
      // A page begins with one of these events: a thousandth of it is lost at the most.
      if count % 1024 == 0 { places.append((count, latest)) }
    }
  }

  /// How many events stand before the page, and the instant of the last of them; `nil` when there are
  /// none.
  package var skipped: (count: UInt64, until: Instant)? {
    guard count > PageDrawing.eventLimit else { return nil }
    let first = count - PageDrawing.eventLimit
    return places.first { $0.ordinal >= first }.map { ($0.ordinal, $0.instant) }
  }
}
