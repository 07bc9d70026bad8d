import LifecycleModel

/// Which events of a log a page has, and where they stand among each other: the first has place 0.
///
/// Memory: sixteen bytes for each of them.
struct PagePlaces {
  /// An event of the page.
  struct Found {
    let place: Int
    /// When it is, if it is not the one that was looked for.
    let instant: Instant?
  }

  /// Where the events stand in the log, and when they are.
  private var ordinals: [UInt64] = []
  private var instants: [Instant] = []

  /// How many events the page has.
  var count: Int { ordinals.count }

  /// Adds an event, which stands in the log behind all others of the page.
  mutating func add(_ ordinal: UInt64, at instant: Instant) {
    ordinals.append(ordinal)
    instants.append(instant)
  }

  /// The place of an event; `nil` when the page has it not.
  func place(of ordinal: UInt64) -> Int? {
    first(from: ordinal).flatMap { $0.instant == nil ? $0.place : nil }
  }

  /// The event, or else the first one of the page behind it.
  func first(from ordinal: UInt64) -> Found? {
    found(ordinal, at: countBefore(ordinal))
  }

  /// The event, or else the last one of the page before it.
  func last(upTo ordinal: UInt64) -> Found? {
    found(ordinal, at: countBefore(ordinal + 1) - 1)
  }

  private func found(_ ordinal: UInt64, at place: Int) -> Found? {
    guard ordinals.indices.contains(place) else { return nil }
    return Found(place: place, instant: ordinals[place] == ordinal ? nil : instants[place])
  }

  /// How many events of the page stand before a place in the log.
  private func countBefore(_ ordinal: UInt64) -> Int {
    // Most of what is asked for is the last one, or stands behind it.
    guard let last = ordinals.last, ordinal <= last else { return count }
    return ordinal == last ? count - 1 : ordinals.partition { $0 >= ordinal }
  }
}
