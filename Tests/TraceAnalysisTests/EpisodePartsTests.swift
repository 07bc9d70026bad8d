import LifecycleModel
import Testing
import TraceText
import Traces

@testable import TraceAnalysis

/// What counts the events of episodes.
@Suite struct EpisodePartsTests {
  /// Against a dictionary of what is open.
  @Test(arguments: 0..<20) func whatIsOpenIsFound(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var things = OpenThings()
    var open: [UInt64: Int32] = [:]
    for ordinal in UInt64(1)...2000 {
      if generator.oneIn(2) || open.isEmpty {
        things.begin(Int32(ordinal % 7), at: ordinal, in: .nowhere)
        open[ordinal] = Int32(ordinal % 7)
      } else {
        let asked = UInt64.random(in: 1..<ordinal, using: &generator)
        #expect(things.end(asked)?.token == open.removeValue(forKey: asked))
      }
    }

    for (ordinal, token) in open { #expect(things.end(ordinal)?.token == token) }
    #expect(things.end(1) == nil)
  }

  /// Only what began in the burst is settled with it.
  @Test func aBurstSettlesItsOwn() throws {
    var things = OpenThings()
    things.begin(1, at: 1, in: .kind(5))
    things.begin(2, at: 2, in: .burst)
    things.begin(3, at: 3, in: .burst)
    things.begin(4, at: 4, in: .burst)
    #expect(things.end(3) != nil)
    things.settleBurst(in: .kind(9))

    let kinds = [UInt64(1), 2, 4].map { ordinal -> Int32? in
      if case .kind(let kind) = things.end(ordinal)?.place { kind } else { nil }
    }
    #expect(kinds == [5, 9, 9])
  }

  /// Keys of which many fall into one place.
  private struct Key: RecentKey {
    let number: UInt64
    var bits: UInt64 { number % 3 }
  }

  @Test func numbersAreFoundAlsoWhereKeysFallIntoOnePlace() {
    var numbers = RecentNumbers<Key>()
    for number in 0..<100 { numbers.set(Key(number: UInt64(number)), Int32(number)) }
    for number in (0..<100).shuffled() {
      #expect(numbers.number(of: Key(number: UInt64(number))) == Int32(number))
    }
    #expect(numbers.number(of: Key(number: 100)) == nil && numbers.count == 100)
    numbers.removeAll()
    #expect(numbers.number(of: Key(number: 5)) == nil)
  }

  @Test func aTallyThatIsClearedCountsAnew() {
    var tally = EpisodeTally()
    tally.add(40, at: 7)
    tally.add(2, 3)
    tally.add(40, at: 9)
    #expect(tally.came == [40, 2])
    #expect(tally[40].count == 2 && tally[40].place == 9 && tally[2].count == 3)
    tally.clear()
    #expect(tally.came.isEmpty && tally[40].count == 0 && tally[1000].count == 0)
    tally.add(40)
    #expect(tally.came == [40] && tally[40].count == 1)
  }
}
