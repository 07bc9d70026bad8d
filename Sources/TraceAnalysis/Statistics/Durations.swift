import Histogram
import LifecycleModel

/// How long many things took: a histogram whose error is at most one part in 128.
///
/// Memory: 8 KiB up to 16 µs, 14 KiB up to a millisecond, 20 KiB up to 67 ms, 28 KiB up to 17 s.
public struct Durations: Sendable {
  /// At most this many can be read back: what JSON's numbers hold exactly.
  static let countLimit: UInt64 = 1 << 53

  /// Empty histograms, each large enough for durations of some number of bits.
  ///
  /// To grow into a copy of one of them is much cheaper than to let a histogram resize itself.
  private static let sizes: [Histogram<UInt64>] = [14, 20, 26, 34, 44, 63].map { bits in
    Histogram(highestTrackableValue: (1 << bits) - 1, numberOfSignificantValueDigits: .two)
  }

  private var histogram = Durations.sizes[0]
  /// The longest duration, exactly; 0 without any.
  public private(set) var longest: Nanoseconds = 0

  /// How many durations there are.
  public var count: UInt64 { histogram.totalCount }

  /// Makes a histogram of nothing.
  public init() {}

  /// Counts a duration; a negative one counts as 0.
  ///
  /// Cost: some nanoseconds, and an allocation for a duration much longer than all before.
  @inline(__always)
  mutating func add(_ duration: Nanoseconds) {
    let duration = max(0, duration)
    record(UInt64(duration), 1)
    if duration > longest { longest = duration }
  }

  @inline(__always)
  private mutating func record(_ value: UInt64, _ count: UInt64) {
    if histogram.record(value, count: count) { return }
    grow(toHold: value)
    histogram.record(value, count: count)
  }

  @inline(never)
  private mutating func grow(toHold value: UInt64) {
    guard let size = Durations.sizes.first(where: { value <= $0.highestTrackableValue }) else {
      return
    }
    var larger = size
    larger.add(histogram)
    histogram = larger
  }

  /// Counts all durations of `other` too.
  mutating func merge(_ other: Durations) {
    let longestOfOther = UInt64(other.longest)
    if longestOfOther > histogram.highestTrackableValue { grow(toHold: longestOfOther) }
    histogram.add(other.histogram)
    longest = max(longest, other.longest)
  }

  /// The duration that this percentage of all does not exceed; 0 without any.
  ///
  /// It is up to one part in 128 too long, and never longer than ``longest``.
  public func percentile(_ percent: UInt64) -> Nanoseconds {
    // Rounded up without overflow: the rank of a duration, from 1.
    let rank = max(1, count / 100 * percent + (count % 100 * percent + 99) / 100)
    var seen: UInt64 = 0
    for bucket in buckets {
      seen &+= bucket.count
      guard seen >= rank else { continue }
      let highest = histogram.highestEquivalentForValue(UInt64(bucket.lowest))
      return min(longest, Nanoseconds(clamping: highest))
    }
    return longest
  }

  /// The tightest budget in two digits that this percentage of all keeps; `nil` without durations.
  ///
  /// A budget is kept by what takes less than it.
  public func budget(keptBy percent: UInt64 = 100) -> Nanoseconds? {
    if count == 0 { return nil }
    let longest = percent >= 100 ? longest : percentile(percent)
    if longest == .max { return .max }
    var scale: Nanoseconds = 1
    while (longest + 1) / scale >= 100 { scale *= 10 }
    let (quotient, remainder) = (longest + 1).quotientAndRemainder(dividingBy: scale)
    let (budget, overflow) = (quotient + (remainder > 0 ? 1 : 0))
      .multipliedReportingOverflow(by: scale)
    return overflow ? .max : budget
  }

  /// The buckets that are not empty, by the shortest duration that falls into each, in order.
  package var buckets: [(lowest: Nanoseconds, count: UInt64)] {
    if count == 0 { return [] }
    var buckets: [(lowest: Nanoseconds, count: UInt64)] = []
    var lowest: UInt64 = 0
    while lowest <= UInt64(longest) {
      let count = histogram.countForValue(lowest)
      if count > 0 { buckets.append((Nanoseconds(lowest), count)) }
      lowest = histogram.nextNonEquivalentForValue(lowest)
    }
    return buckets
  }
}

extension Durations: Equatable {
  /// Whether both hold the same counts and the same longest duration.
  public static func == (lhs: Durations, rhs: Durations) -> Bool {
    lhs.longest == rhs.longest && lhs.buckets.elementsEqual(rhs.buckets, by: ==)
  }
}
