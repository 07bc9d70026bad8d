import Testing
import TraceReport
import Traces

/// The tests of chance, against values that are published or counted out.
@Suite struct ExactTestsTests {
  private func isNear(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) <= 1e-9 + 1e-6 * expected
  }

  // MARK: Fisher

  /// Fisher's tea and twins, a table of students, and all against none.
  @Test(arguments: [
    (3, 4, 1, 4, 0.4857142857142857), (1, 12, 9, 12, 0.0027594561852200836),
    (10, 13, 2, 17, 0.0005367241191434358), (0, 11, 11, 11, 2.835142154027603e-06),
    (5, 50, 20, 60, 0.005451987241221237), (0, 6, 6, 6, 2.0 / 924),
  ])
  func sharesAreTestedAsFisherDid(first: Int, n: Int, second: Int, m: Int, p: Double) {
    let result = ExactTests.fisher(first, of: n, second, of: m)
    #expect(isNear(result.p, p), "\(result.p)")
    #expect(result == ExactTests.fisher(second, of: m, first, of: n))
    #expect(result.least <= result.p)
  }

  @Test func whatAllOrNoneHaveTellsNothing() {
    for (first, second) in [(0, 0), (5, 7)] {
      #expect(ExactTests.fisher(first, of: 5, second, of: 7) == .nothing)
    }
    #expect(ExactTests.fisher(0, of: 0, 3, of: 4) == .nothing)
  }

  @Test func theLeastOfSharesIsThatOfAllAgainstNone() {
    #expect(isNear(ExactTests.fisher(3, of: 6, 3, of: 6).least, 2.0 / 924))
    // Three of six have it: even the largest difference is one of 20 ways in each direction.
    #expect(isNear(ExactTests.fisher(1, of: 3, 2, of: 3).least, 0.1))
  }

  @Test func manyEpisodesAreNoTrouble() {
    let result = ExactTests.fisher(20_000, of: 100_000, 30_000, of: 100_000)
    #expect(result.p < 1e-99)
    #expect(ExactTests.fisher(20_000, of: 100_000, 20_100, of: 100_000).p > 0.5)
  }

  // MARK: Mann and Whitney

  /// Hollander and Wolfe's placentas, Mann and Whitney's tortoises and hares, small tables, and ties
  /// counted out over all ways to choose.
  @Test(
    arguments: [
      (
        [800, 830, 1890, 1040, 1450, 1380, 1910, 1640, 730, 1460], [1150, 880, 900, 740, 1210],
        0.2544122544122544
      ),
      ([1, 7, 8, 9, 10, 11], [2, 3, 4, 5, 6, 12], 0.30952380952380953),
      ([1, 2, 3], [4, 5, 6], 0.1), ([1, 2, 3, 5, 6], [4, 7, 8, 9, 10], 0.031746031746031744),
      ([1, 1, 2, 2, 3], [2, 3, 3, 4, 4, 4], 0.02813852813852814),
      ([1, 1, 1, 1], [1, 1, 2, 2], 0.42857142857142855),
    ] as [([Int64], [Int64], Double)])
  func fewValuesAreTestedExactly(first: [Int64], second: [Int64], p: Double) {
    let (one, other) = (WeightedSample(first), WeightedSample(second))
    let result = ExactTests.mannWhitney(one, other)
    #expect(isNear(result.p, p), "\(result.p)")
    #expect(result == ExactTests.mannWhitney(other, one))
  }

  /// z is 0.495 with many ties, and 2.210 with few: the corrected formula, worked out by hand.
  @Test func manyValuesAreTestedByTheNormalApproximation() {
    let tied = WeightedSample((0..<30).map { Int64($0 % 7) })
    let more = WeightedSample((0..<25).map { (n: Int64) in n % 7 + (n % 3 == 0 ? 1 : 0) })
    #expect(isNear(ExactTests.mannWhitney(tied, more).p, 0.62046612464761))
    let low = WeightedSample((0..<30).map { Int64(2 * $0) })
    let high = WeightedSample((0..<30).map { Int64(2 * $0 + 11) })
    #expect(isNear(ExactTests.mannWhitney(low, high).p, 0.02708631838829596))
  }

  @Test func equalOrNoValuesTellNothing() {
    let same = WeightedSample([4, 4, 4])
    #expect(ExactTests.mannWhitney(same, same) == .nothing)
    #expect(ExactTests.mannWhitney(same, WeightedSample([Int64]())) == .nothing)
  }

  // MARK: Hodges and Lehmann

  @Test func theShiftIsTheMedianOfAllDifferences() throws {
    let placentas = WeightedSample([800, 830, 1890, 1040, 1450, 1380, 1910, 1640, 730, 1460])
    let later = WeightedSample([1150, 880, 900, 740, 1210])
    #expect(placentas.shift(to: later) == -305)
    #expect(later.shift(to: placentas) == 305)
    #expect(WeightedSample([1, 2, 3]).shift(to: WeightedSample([11, 12, 13])) == 10)
    #expect(WeightedSample([Int64]()).shift(to: later) == nil)
    // Weights count: nine of ten pairs differ by 5.
    let many = WeightedSample([0: 9, 100: 1])
    #expect(many.shift(to: WeightedSample([5: 4])) == 5)
  }

  /// Against all differences, sorted.
  @Test(arguments: 0..<40) func theShiftIsThatOfAllPairs(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func values() -> [Int64] {
      let count = Int.random(in: 1...12, using: &generator)
      let span: ClosedRange<Int64> = generator.oneIn(2) ? 0...9 : 0...1_000_000_000_000
      return (0..<count).map { _ in Int64.random(in: span, using: &generator) }
    }
    let (ones, others) = (values(), values())
    let all = ones.flatMap { one in others.map { $0 - one } }
    let shift = WeightedSample(ones).shift(to: WeightedSample(others))
    #expect(shift == WeightedSample(all).median)
  }

  @Test func theMedianIsTheMiddle() {
    #expect(WeightedSample([3, 1, 2]).median == 2)
    #expect(WeightedSample([4, 1, 2, 3]).median == 2)
    #expect(WeightedSample([-3, -2]).median == -2)
    #expect(WeightedSample([Int64]()).median == nil)
    #expect(WeightedSample([1, 1, 4]).mean == 2)
  }

  // MARK: Holm

  @Test func manyTestsAreAdjustedAsHolmDoes() {
    #expect(
      zip(ExactTests.holm([0.01, 0.04, 0.03, 0.005], of: 4), [0.03, 0.06, 0.06, 0.02])
        .allSatisfy { isNear($0, $1) })
    // Those that are not told count, too.
    #expect(zip(ExactTests.holm([0.01], of: 4), [0.04]).allSatisfy { isNear($0, $1) })
    #expect(ExactTests.holm([0.6, 0.7], of: 2) == [1, 1])
    #expect(ExactTests.holm([], of: 3) == [])
  }

  // MARK: Samples of durations

  @Test func longSamplesAreCountedInAHistogram() throws {
    var (exact, long) = (DurationSample(), DurationSample())
    for index in 0..<DurationSample.exactLimit { exact.add(Int64(index) * 1000) }
    #expect(!exact.isCounted)
    long = exact
    long.add(7_000_000)
    #expect(long.isCounted && long.count == DurationSample.exactLimit + 1)

    let (one, other) = DurationSample.comparable(exact, long)
    #expect(one.count == DurationSample.exactLimit && other.count == long.count)
    let shift = try #require(one.shift(to: other))
    #expect(abs(shift) <= 5_000_000 / 128)
    // Both in buckets: what is equal stays equal.
    #expect(ExactTests.mannWhitney(one, other).p > 0.9)
  }
}
