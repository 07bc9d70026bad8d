import AnalysisTestSupport
import TestTime
import Testing
import TraceAnalysis
import TraceReport
import Traces

/// A change of the code is the first thing that a comparison tells, and no change is told where there is
/// none.
@MainActor @Suite struct PlantedChangeTests {
  private let runs = ScenarioRuns(days: 6)

  /// Two different seeds of a scenario, one after another.
  private func pair(_ number: Int, _ generator: inout SeededGenerator) -> (String, UInt64, UInt64) {
    let first = UInt64.random(in: 0..<8, using: &generator)
    let other = (first + UInt64.random(in: 1..<8, using: &generator)) % 8
    return (ScenarioRuns.names[number % ScenarioRuns.names.count], first, other)
  }

  @Test(.tags(.nightly)) func aPlantedChangeIsTheFirstDifference() throws {
    var tally: [PlantedChange.Way: (first: Int, certain: Int, all: Int)] = [:]
    var missed: [String] = []
    var generator = SeededGenerator(seed: 20)
    for number in 0..<Nightly.count(120, all: 600) {
      let (name, first, other) = pair(number, &generator)
      let way = PlantedChange.Way.allCases[number / 4 % PlantedChange.Way.allCases.count]
      let clean = try runs.trace(name, seed: other)
      guard let change = PlantedChange(way, in: clean, &generator) else { continue }
      let difference = RunDifference(
        ScenarioRuns.side([try runs.trace(name, seed: first)]), ScenarioRuns.side([change.trace]),
        ScenarioRuns.orders)

      let told = difference.differences.first
      let isFirst = change.words.contains { told?.token?.text.contains($0) ?? false }
      tally[way, default: (0, 0, 0)].all += 1
      if isFirst { tally[way]?.first += 1 }
      if isFirst, told?.isCertain ?? false { tally[way]?.certain += 1 }
      if !isFirst {
        missed.append(
          "\(name) \(first) \(other) \(way) \(change.words): \(told.map { "\($0)" } ?? "nothing")")
      }
    }

    let all = tally.values.reduce(0) { $0 + $1.all }
    let first = tally.values.reduce(0) { $0 + $1.first }
    #expect(tally.count == PlantedChange.Way.allCases.count)
    #expect(first * 100 >= all * 95, "\(first) of \(all): \(tally)\n\(missed.prefix(9))")
  }

  @Test(.tags(.nightly)) func nothingIsCertainWhereNothingChanged() throws {
    var wrong: [String] = []
    var generator = SeededGenerator(seed: 21)
    let count = Nightly.count(100, all: 600)

    for number in 0..<count {
      let (name, first, other) = pair(number, &generator)
      let difference = RunDifference(
        ScenarioRuns.side([try runs.trace(name, seed: first)]),
        ScenarioRuns.side([try runs.trace(name, seed: other)]), ScenarioRuns.orders)
      guard let told = difference.differences.first, told.isCertain else { continue }
      wrong.append("\(name) \(first) \(other): \(told)")
    }
    #expect(wrong.count * 100 <= count * 5, "\(wrong.count) of \(count): \(wrong.prefix(5))")
  }

  /// Three runs on each side are more evidence than one.
  @Test func manyAgainstManyIsTheSameTest() throws {
    var generator = SeededGenerator(seed: 5)
    let name = "launch-and-leave"
    let clean = try (0..<3).map { try runs.trace(name, seed: $0) }
    let changed = try (3..<6).map { seed in
      try #require(PlantedChange(.add, in: try runs.trace(name, seed: seed), &generator)).trace
    }
    let difference = RunDifference(
      ScenarioRuns.side(clean), ScenarioRuns.side(changed), ScenarioRuns.orders)
    #expect(difference.differences.contains { $0.isCertain && $0.token?.label == "planted" })
  }
}
