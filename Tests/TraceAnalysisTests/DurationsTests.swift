import LifecycleModel
import Testing
import Traces

@testable import TraceAnalysis

@Suite struct DurationsTests {
  private func durations(_ times: [Nanoseconds]) -> Durations {
    times.reduce(into: Durations()) { $0.add($1) }
  }

  /// What takes exactly the budget is over it, so that the budget is always longer.
  @Test(
    arguments: [
      (0, 1), (9, 10), (98, 99), (99, 100), (100, 110), (109, 110), (110, 120),
      (98_500_000, 99_000_000), (99_000_000, 100_000_000), (5_000_000_000, 5_100_000_000),
      (4_999_999_999, 5_000_000_000), (.max - 1, .max), (.max, .max),
    ] as [(Nanoseconds, Nanoseconds)])
  func theBudgetIsTheNextNumberOfTwoDigits(longest: Nanoseconds, budget: Nanoseconds) {
    #expect(durations([longest]).budget() == budget)
  }

  @Test func ninetyNineOfAHundredKeepATighterBudget() throws {
    // The rank of the 99th percentile of a hundred is 99: still 100 ns, exactly.
    let times = durations(Array(repeating: 100, count: 99) + [5000])
    #expect(times.percentile(50) == 100 && times.percentile(99) == 100)
    #expect(times.budget(keptBy: 99) == 110)
    #expect(times.longest == 5000 && times.budget() == 5100)
  }

  /// The nearest rank of a sorted list, which is right and slow.
  @Test(arguments: 0..<40) func percentilesAreThoseOfTheSortedList(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let times = (0..<Int.random(in: 1...300, using: &generator)).map { _ in
      Nanoseconds.random(
        in: 0...(1 << Int64.random(in: 0...62, using: &generator)), using: &generator)
    }
    let sorted = times.sorted()
    let measured = durations(times)
    #expect(measured.count == UInt64(times.count) && measured.longest == sorted.last)

    for percent in [1, 50, 95, 99, 100] as [UInt64] {
      let rank = max(1, (sorted.count * Int(percent) + 99) / 100)
      let exact = sorted[rank - 1]
      let read = measured.percentile(percent)
      #expect(read >= exact && read - exact <= exact / 128, "seed \(seed), \(percent)")
    }
  }

  @Test func noDurationsHaveNoBudget() {
    #expect(Durations().budget() == nil && Durations().percentile(50) == 0)
    #expect(Durations().buckets.isEmpty)
  }

  @Test func whatRunsBackwardsCountsAsNothing() {
    #expect(durations([-5]).longest == 0 && durations([-5]).count == 1)
  }

  /// A histogram of the longest times of all, many times over, never traps.
  @Test func hugeTimesAreCounted() {
    let times = durations(Array(repeating: .max, count: 1000))
    #expect(times.percentile(50) == .max && times.buckets.count == 1)
    var twice = times
    twice.merge(times)
    #expect(twice.count == 2000)
  }
}
