import LifecycleModel

/// Durations, for a test of whether they have changed.
///
/// Up to ``exactLimit`` they are kept as they are. Beyond, they are counted in a histogram whose error
/// is one part in 128, far below the fifth that is told as a change: unlike a reservoir it forgets none
/// of them, needs no chance, and can be merged. Memory: 80 kB, then that of ``Durations``.
package struct DurationSample: Sendable {
  /// So many are kept as they are.
  package static let exactLimit = 10_000

  private var values: [Nanoseconds] = []
  private var histogram: Durations?

  /// Makes a sample of nothing.
  package init() {}

  /// How many there are.
  package var count: Int { histogram.map { Int(clamping: $0.count) } ?? values.count }

  /// Whether they are in a histogram.
  package var isCounted: Bool { histogram != nil }

  /// The longest duration that counts, in nanoseconds: some 36 years.
  private static let longest: Nanoseconds = 1 << 60

  /// Adds a duration; a negative one counts as 0.
  package mutating func add(_ duration: Nanoseconds) {
    let duration = min(max(0, duration), DurationSample.longest)
    if histogram != nil {
      histogram?.add(duration)
      return
    }
    values.append(duration)
    if values.count > DurationSample.exactLimit {
      histogram = counted
      values = []
    }
  }

  private var counted: Durations {
    if let histogram { return histogram }
    var durations = Durations()
    for value in values { durations.add(value) }
    return durations
  }

  /// The durations of both, as they are or both as the buckets that they fall into: a histogram is
  /// never held against exact values.
  package static func comparable(
    _ first: DurationSample, _ second: DurationSample
  ) -> (WeightedSample, WeightedSample) {
    if !first.isCounted && !second.isCounted {
      return (WeightedSample(first.values), WeightedSample(second.values))
    }
    return (first.counted.weighted, second.counted.weighted)
  }
}

extension Durations {
  fileprivate var weighted: WeightedSample {
    let counts = buckets.map { ($0.lowest, Int(clamping: $0.count)) }
    return WeightedSample(Dictionary(counts, uniquingKeysWith: +))
  }
}
