import LifecycleModel

/// Where the events of an episode lie in a run.
package struct EpisodeExtent: Hashable, Sendable {
  /// The places of its first event and its last, among those that are counted or not, from 1.
  package var events: ClosedRange<UInt64>
  /// When they came.
  package var times: ClosedRange<Instant>

  /// The extent of one event.
  init(_ event: UInt64, _ instant: Instant) {
    (events, times) = (event...event, instant...instant)
  }

  /// How long it is.
  package var length: Nanoseconds { times.upperBound.since(times.lowerBound) }

  /// Reaches to an event behind it.
  mutating func reach(_ event: UInt64, _ instant: Instant) {
    events = events.lowerBound...event
    if instant > times.upperBound { times = times.lowerBound...instant }
  }

  /// Both, of which the other one lies behind this one.
  func joined(_ other: EpisodeExtent) -> EpisodeExtent {
    var both = self
    both.reach(other.events.upperBound, other.times.upperBound)
    return both
  }
}

/// Where the episodes of each kind lie, for who wants to look at one of them.
package struct EpisodePlaces: Sendable {
  /// So many of a kind are kept, the first that came.
  private static let kept = 10_000

  /// An episode of some run.
  package struct Place: Hashable, Sendable {
    /// The run, from 0.
    package let run: Int
    /// Where it lies in the run.
    package let extent: EpisodeExtent
  }

  private var places: [String: [Place]] = [:]

  /// Makes a list of nothing.
  package init() {}

  mutating func add(_ extent: EpisodeExtent, of kind: String, inRun run: Int) {
    if places[kind, default: []].count >= EpisodePlaces.kept { return }
    places[kind, default: []].append(Place(run: run, extent: extent))
  }

  /// The episode of a kind that is longer than half of the others; `nil` when there is none.
  ///
  /// Of an even number it is the shorter one in the middle.
  package func median(of kind: String) -> Place? {
    guard let places = places[kind] else { return nil }
    let order = places.indices.sorted {
      (places[$0].extent.length, $0) < (places[$1].extent.length, $1)
    }
    return places[order[(order.count - 1) / 2]]
  }
}
