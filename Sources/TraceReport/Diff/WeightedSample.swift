import LifecycleModel

/// Whole numbers with how often each came, in order.
package struct WeightedSample: Hashable, Sendable {
  /// A value, and how often it came.
  package struct Weighted: Hashable, Sendable {
    /// The value.
    package var value: Int64
    /// How often it came; positive.
    package var count: Int
  }

  /// The values, the smallest first, each once.
  package let values: [Weighted]
  /// How many there are, each as often as it came.
  package let count: Int

  /// Makes a sample of values and their counts, in any order; counts of 0 are left out.
  package init(_ counts: [Int64: Int]) {
    values = counts.filter { $0.value > 0 }.map { Weighted(value: $0.key, count: $0.value) }
      .sorted { $0.value < $1.value }
    count = values.reduce(0) { $0 + $1.count }
  }

  /// Makes a sample of single values, in any order.
  package init(_ values: [Int64]) {
    self.init(values.reduce(into: [:]) { $0[$1, default: 0] += 1 })
  }

  /// The middle value, or the mean of the two in the middle; `nil` without values.
  package var median: Int64? {
    if count == 0 { return nil }
    return WeightedSample.middle(value(at: (count - 1) / 2), value(at: count / 2))
  }

  /// The mean; 0 without values.
  package var mean: Double {
    count == 0 ? 0 : values.reduce(0) { $0 + Double($1.value) * Double($1.count) } / Double(count)
  }

  private func value(at index: Int) -> Int64 {
    var before = 0
    for one in values {
      before += one.count
      if index < before { return one.value }
    }
    return values.last?.value ?? 0
  }

  /// The mean of two values, without overflow; the same for both with other signs.
  private static func middle(_ first: Int64, _ second: Int64) -> Int64 {
    first / 2 + second / 2 + (first % 2 + second % 2) / 2
  }

  // MARK: Against another

  /// The Hodges–Lehmann estimate of how much larger the values of `other` are: the median of all
  /// differences; `nil` when one of both has no values.
  ///
  /// Values must lie between -2^61 and 2^61. Cost: at most 128 passes over the distinct values of both.
  package func shift(to other: WeightedSample) -> Int64? {
    guard let least = values.first?.value, let most = values.last?.value,
      let leastOfOther = other.values.first?.value, let mostOfOther = other.values.last?.value
    else { return nil }
    let pairs = Double(count) * Double(other.count)
    let isEven = pairs.truncatingRemainder(dividingBy: 2) == 0
    let span = (leastOfOther - most)...(mostOfOther - least)

    let upper = difference(to: other, within: span, of: (pairs / 2).rounded(.down) + 1)
    if !isEven { return upper }
    let lower = difference(to: other, within: span.lowerBound...upper, of: pairs / 2)
    return WeightedSample.middle(lower, upper)
  }

  /// The smallest difference for which so many pairs differ by no more.
  private func difference(
    to other: WeightedSample, within span: ClosedRange<Int64>, of enough: Double
  ) -> Int64 {
    (span.lowerBound..<span.upperBound).partition { pairs(to: other, differingBy: $0) >= enough }
  }

  /// How many pairs have a value of `other` that is at most so much larger.
  private func pairs(to other: WeightedSample, differingBy difference: Int64) -> Double {
    var (index, reached, pairs) = (0, 0, 0.0)
    for one in values {
      while index < other.values.count, other.values[index].value <= one.value + difference {
        reached += other.values[index].count
        index += 1
      }
      pairs += Double(one.count) * Double(reached)
    }
    return pairs
  }
}
