import LifecycleModel
import Platform

/// Tests of whether chance explains a difference between two groups.
///
/// Each is two-sided, and gives the same for the groups the other way round, to the bit.
package enum ExactTests {
  /// A probability, and the least that groups of these sizes could have had.
  package struct Result: Hashable, Sendable {
    /// How probable a difference like this one, or a larger one, is by chance alone, from 0 to 1.
    package var p: Double
    /// The same for the largest difference that could have been seen.
    package var least: Double

    /// Nothing could have been seen.
    package static let nothing = Result(p: 1, least: 1)
  }

  /// So many pairs of values are looked at exactly; beyond them the normal approximation holds.
  static let exactPairs = 400

  /// What differs by less is equal: sums in another order differ in their last digits.
  private static let tolerance = 1 + 1e-7

  // MARK: Shares

  /// Fisher's exact test: `first` of `ofFirst` have it, and `second` of `ofSecond`.
  ///
  /// All outcomes that are no more probable than this one count. Cost: the smaller group.
  package static func fisher(
    _ first: Int, of ofFirst: Int, _ second: Int, of ofSecond: Int
  ) -> Result {
    if (ofSecond, second) < (ofFirst, first) {
      return fisher(second, of: ofSecond, first, of: ofFirst)
    }
    let having = first + second
    let (low, high) = (max(0, having - ofSecond), min(ofFirst, having))
    if low >= high { return .nothing }

    let (lowest, weights) = weights(low...high, having, ofFirst, ofSecond)
    let total = weights.reduce(0, +)
    func p(_ count: Int) -> Double {
      let weight = weights.indices.contains(count - lowest) ? weights[count - lowest] : 0
      return min(1, weights.reduce(0) { $1 <= weight * tolerance ? $0 + $1 : $0 } / total)
    }
    return Result(p: p(first), least: min(p(low), p(high)))
  }

  /// How probable each count in the first group is, relative to the most probable one, from the lowest count on
  /// that is not 0.
  ///
  /// Only products and quotients of whole numbers: the same on every machine. What is less probable than
  /// a number can be is 0, and takes no time.
  private static func weights(
    _ all: ClosedRange<Int>, _ having: Int, _ ofFirst: Int, _ ofSecond: Int
  ) -> (lowest: Int, weights: [Double]) {
    /// How many times as probable the next count is as this one.
    func ratio(_ count: Int) -> Double {
      Double(having - count) * Double(ofFirst - count)
        / (Double(count + 1) * Double(ofSecond - having + count + 1))
    }

    let mode = (all.lowerBound..<all.upperBound).partition { ratio($0) <= 1 }

    /// The weights from the most probable count to an end, as long as they are not 0.
    func walk(_ counts: some Sequence<Int>, _ next: (Double, Int) -> Double) -> [Double] {
      var weights = [1.0]
      for count in counts {
        weights.append(next(weights[weights.count - 1], count))
        if weights.last == 0 { return Array(weights.dropFirst().dropLast()) }
      }
      return Array(weights.dropFirst())
    }
    let below = walk((all.lowerBound..<mode).reversed()) { $0 / ratio($1) }
    let above = walk(mode..<all.upperBound) { $0 * ratio($1) }
    return (mode - below.count, below.reversed() + [1] + above)
  }

  // MARK: Values

  /// The Mann–Whitney test of whether values of one group are larger than those of the other.
  ///
  /// Exact, with ties or without, up to 400 pairs of values; beyond, the normal approximation with
  /// the corrections for ties and continuity.
  package static func mannWhitney(_ first: WeightedSample, _ second: WeightedSample) -> Result {
    let (n, m) = (first.count, second.count)
    if n == 0 || m == 0 { return .nothing }
    let ranking = Ranking(first, second)
    if ranking.groups.count < 2 { return .nothing }
    let deviation = abs(ranking.doubledSum - n * (n + m + 1))

    let (pairs, overflow) = n.multipliedReportingOverflow(by: m)
    if !overflow, pairs <= exactPairs {
      return Result(
        p: exact(ranking, choosing: min(n, m), deviation), least: leastExact(n, m))
    }
    return Result(p: normal(ranking, n, m, deviation), least: 0)
  }

  /// The probability of the largest difference among values that are all different.
  static func leastExact(_ n: Int, _ m: Int) -> Double {
    var ways = 1.0
    for index in 0..<min(n, m) { ways *= Double(n + m - index) / Double(index + 1) }
    return min(1, 2 / ways)
  }

  /// Counts the ways to choose a group by the sum of its doubled ranks.
  private static func exact(_ ranking: Ranking, choosing size: Int, _ deviation: Int) -> Double {
    let ranks = ranking.doubledRanks
    let largest = ranks.suffix(size).reduce(0, +)
    var ways = [[Double]](
      repeating: [Double](repeating: 0, count: largest + 1), count: size + 1)
    ways[0][0] = 1
    var reach = 0

    for (index, rank) in ranks.enumerated() {
      reach = min(largest, reach + rank)
      for chosen in stride(from: min(size, index + 1), to: 0, by: -1) where rank <= reach {
        for sum in rank...reach where ways[chosen - 1][sum - rank] > 0 {
          ways[chosen][sum] += ways[chosen - 1][sum - rank]
        }
      }
    }

    let middle = size * (ranks.count + 1)
    var (all, extreme) = (0.0, 0.0)
    for (sum, count) in ways[size].enumerated() {
      all += count
      if abs(sum - middle) >= deviation { extreme += count }
    }
    return min(1, extreme / all)
  }

  private static func normal(
    _ ranking: Ranking, _ n: Int, _ m: Int, _ doubledDeviation: Int
  ) -> Double {
    let (first, second, all) = (Double(n), Double(m), Double(n) + Double(m))
    let ties = ranking.groups.reduce(0) { sum, group in
      sum + Double(group) * (Double(group) * Double(group) - 1)
    }
    let variance = first * second / 12 * (all + 1 - ties / (all * (all - 1)))
    if variance <= 0 { return 1 }
    let deviation = max(0, Double(doubledDeviation) / 2 - 0.5)
    return min(1, erfc(deviation / (2 * variance).squareRoot()))
  }

  // MARK: Many tests

  /// Holm's adjustment of probabilities, of which more may have been looked at than are given: what is
  /// below 0.05 is so with all of them in view.
  package static func holm(_ probabilities: [Double], of tests: Int) -> [Double] {
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    var adjusted = probabilities
    var floor = 0.0
    for (rank, index) in order.enumerated() {
      floor = max(floor, probabilities[index] * Double(max(1, tests - rank)))
      adjusted[index] = min(1, floor)
    }
    return adjusted
  }
}

/// Values of two groups in one row: the ranks of the first group, and how many values are equal.
private struct Ranking {
  /// Twice the sum of the first group's ranks: equal values share theirs.
  private(set) var doubledSum = 0
  /// How many values are equal, value by value.
  private(set) var groups: [Int] = []

  init(_ first: WeightedSample, _ second: WeightedSample) {
    var counts: [Int64: (first: Int, second: Int)] = [:]
    for one in first.values { counts[one.value, default: (0, 0)].first = one.count }
    for one in second.values { counts[one.value, default: (0, 0)].second = one.count }
    var before = 0
    for (_, count) in counts.sorted(by: { $0.key < $1.key }) {
      let all = count.first + count.second
      doubledSum += count.first * (2 * before + all + 1)
      groups.append(all)
      before += all
    }
  }

  /// Twice the rank of each value, in order.
  var doubledRanks: [Int] {
    groups.reduce(into: []) { ranks, group in
      ranks += repeatElement(2 * ranks.count + group + 1, count: group)
    }
  }
}
