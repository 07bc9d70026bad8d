import LifecycleModel

/// Holds sightings for a second of the input's time, so that they leave in order and once.
///
/// Memory: `maximumCount` sightings.
struct ReorderWindow {
  /// How far apart two lines can be that stand in the wrong order.
  static let length: Nanoseconds = .seconds(1)
  /// Within this time the same message is a repetition by the tool.
  static let repetition: Nanoseconds = .milliseconds(1)
  /// A repetition stands among this many neighbours.
  static let neighbours = 256
  /// More sightings are not held: the oldest leave before their time.
  static let maximumCount = 8192

  private var sightings: [ConsoleSighting] = []
  private var head = 0
  private var lastOut = Instant.distantPast

  /// How many sightings are held.
  var count: Int { sightings.count - head }
  /// The oldest sighting.
  var first: ConsoleSighting? { count > 0 ? sightings[head] : nil }
  /// All sightings in order.
  var all: ArraySlice<ConsoleSighting> { sightings[head...] }

  /// Puts a sighting in its place, or drops it.
  ///
  /// Stamps that are coarser than a millisecond cannot show whether a message is a repetition.
  mutating func insert(
    _ sighting: ConsoleSighting, resolution: Nanoseconds, _ tally: inout SourceTally
  ) {
    var sighting = sighting
    if sighting.instant < lastOut {
      sighting.instant = lastOut
      if sighting.fact != .printed { tally.late += 1 }
    }

    // Behind those of the same instant.
    let place = sightings[head...].partition { $0.instant > sighting.instant }
    if resolution <= Self.repetition, isRepetition(sighting, at: place) {
      return tally.duplicates += 1
    }
    sightings.insert(sighting, at: place)
  }

  /// Takes the oldest sighting out.
  mutating func pop() -> ConsoleSighting? {
    guard let first else { return nil }
    head += 1
    if head > 64, head * 2 > sightings.count {
      sightings.removeSubrange(..<head)
      head = 0
    }
    lastOut = max(lastOut, first.instant)
    return first
  }

  private func isRepetition(_ sighting: ConsoleSighting, at place: Int) -> Bool {
    // An app may begin the same task twice in a millisecond; a repeated announcement does no harm.
    if case .willBeginTask = sighting.fact { return false }
    if case .printed = sighting.fact { return false }
    func isRepeated(_ neighbours: some Sequence<Int>) -> Bool {
      for index in neighbours {
        let distance = sighting.instant.since(sightings[index].instant)
        guard distance.magnitude < Self.repetition.magnitude else { return false }
        if sightings[index].repeats(sighting) { return true }
      }
      return false
    }
    return isRepeated((max(head, place - Self.neighbours)..<place).reversed())
      || isRepeated(place..<min(sightings.count, place + Self.neighbours))
  }
}
