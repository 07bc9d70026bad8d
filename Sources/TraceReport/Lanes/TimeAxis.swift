import LifecycleModel

/// Where instants stand in a picture, from 0 at its left edge to 1 at its right.
package struct TimeAxis: Hashable, Sendable {
  /// An instant whose place is fixed.
  package struct Knot: Hashable, Sendable {
    /// The instant.
    package let instant: Instant
    /// Its place, from 0 to 1.
    package let position: Double
  }

  /// The axes that a picture can have.
  package enum Kind: String, CaseIterable, Sendable {
    /// Long stretches in which nothing happens are short, so that every turn has room.
    case story
    /// To scale.
    case clock
  }

  /// What a stretch has at least of the width that 100 µs have.
  private static let leastWeight = 0.25
  private static let unit = 100_000.0

  /// The fixed places, in order, never none; between two of them places are to scale.
  package let knots: [Knot]

  /// An axis on which the stretch between two neighbours of `instants` is as wide as the logarithm of its
  /// length: 20 ms and an hour both have room.
  ///
  /// Of two instants it is to scale.
  package init(story instants: some Sequence<Instant>) {
    let instants = Set(instants).sorted()
    var places: [Double] = [0]
    for (first, next) in zip(instants, instants.dropFirst()) {
      places.append(places[places.count - 1] + TimeAxis.weight(next.since(first)))
    }
    let width = places[places.count - 1]
    let knots = zip(instants, places).map {
      Knot(instant: $0, position: width > 0 ? $1 / width : 0)
    }
    self.knots = knots.isEmpty ? [Knot(instant: .origin, position: 0)] : knots
  }

  /// From the first knot to the last.
  package var extent: ClosedRange<Instant> {
    knots[0].instant...knots[knots.count - 1].instant
  }

  /// The place of an instant; those before the first knot are at 0, those behind the last at 1.
  package func position(of instant: Instant) -> Double {
    let next = knots.partition(where: { $0.instant > instant })
    guard next > 0 else { return 0 }
    let left = knots[next - 1]
    guard next < knots.count else { return left.position }
    let right = knots[next]
    let share = Double(instant.since(left.instant)) / Double(right.instant.since(left.instant))
    return left.position + (right.position - left.position) * share
  }

  /// The binary logarithm of a length in units, by straight lines between the powers of two: the same
  /// bits on every system.
  private static func weight(_ length: Nanoseconds) -> Double {
    let units = 1 + Double(max(0, length)) / unit
    return Double(units.exponent) + units.significand - 1 + leastWeight
  }
}
