import LifecycleModel

/// Durations, for a test of whether they have changed.
///
/// Up to ``exactLimit`` they are kept as they are. Beyond, they are counted in buckets whose width is one part in
/// 128, far below the fifth that is reported as a change: unlike a reservoir they forget no duration and need no
/// chance.
package struct DurationSample: Sendable {
  /// At most this many are kept as they are.
  package static let exactLimit = 10_000
  /// The longest duration that counts, in nanoseconds: some 36 years.
  private static let longest: Nanoseconds = 1 << 60

  /// Those that are in no bucket yet.
  private var values: [Nanoseconds] = []
  /// How many fell into a bucket, by the shortest duration of it.
  private var buckets: [Nanoseconds: Int] = [:]

  /// Makes a sample of nothing.
  package init() {}

  /// How many there are.
  package var count: Int { buckets.values.reduce(values.count, +) }

  /// Whether they are in buckets.
  package var isCounted: Bool { !buckets.isEmpty }

  /// Adds a duration; a negative one counts as 0.
  package mutating func add(_ duration: Nanoseconds) {
    values.append(min(max(0, duration), DurationSample.longest))
    if values.count > DurationSample.exactLimit {
      buckets = counted
      values.removeAll(keepingCapacity: true)
    }
  }

  /// The buckets with all that are in none yet: of a duration the first eight bits count.
  private var counted: [Nanoseconds: Int] {
    values.reduce(into: buckets) { buckets, value in
      let width = max(0, Nanoseconds.bitWidth - value.leadingZeroBitCount - 8)
      buckets[(value >> width) << width, default: 0] += 1
    }
  }

  /// The durations of both, as they are or both as the buckets that they fall into: a histogram is
  /// never compared with exact values.
  package static func comparable(
    _ first: DurationSample, _ second: DurationSample
  ) -> (WeightedSample, WeightedSample) {
    if !first.isCounted && !second.isCounted {
      return (WeightedSample(first.values), WeightedSample(second.values))
    }
    return (WeightedSample(first.counted), WeightedSample(second.counted))
  }
}
