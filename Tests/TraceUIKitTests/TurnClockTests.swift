import Testing

@testable import TraceUIKit

/// What is found of the turns of a run loop, by a clock that is moved by hand.
@Suite struct TurnClockTests {
  private final class Hand: @unchecked Sendable {
    // Sound because one thread uses it.
    var now: UInt64 = 1_000
  }

  private let hand = Hand()
  private var clock: TurnClock {
    let hand = hand
    return TurnClock { hand.now }
  }

  @Test func aLongTurnIsToldOnceAndWhileItLasts() {
    let clock = clock
    clock.begin()
    hand.now += 249
    #expect(clock.look(250) == .nothing)
    hand.now += 1
    #expect(clock.look(250) == .began(1))
    hand.now += 1_000
    #expect(clock.look(250) == .nothing)

    clock.end()
    #expect(clock.look(250) == .ended(1))
    #expect(clock.look(250) == .nothing)
  }

  @Test func aTurnThatFollowsAtOnceEndsTheOneBefore() {
    let clock = clock
    clock.begin()
    hand.now += 300
    #expect(clock.look(250) == .began(1))
    clock.end()
    clock.begin()
    hand.now += 300
    #expect(clock.look(250) == .ended(1))
    #expect(clock.look(250) == .began(2))
  }

  @Test func aPauseBeforeTheFirstLookAfterARestIsNoHang() {
    let clock = clock
    #expect(clock.mayRest())
    clock.begin()
    hand.now += 60_000_000_000
    #expect(clock.look(250) == .nothing)
    hand.now += 250
    #expect(clock.look(250) == .began(1))
  }

  @Test func shortTurnsAreNotTold() {
    let clock = clock
    for _ in 0..<100 {
      clock.begin()
      hand.now += 100
      #expect(clock.look(250) == .nothing)
      clock.end()
      hand.now += 100
    }
  }

  /// A loop that does not wait, as while somebody scrolls.
  @Test func manyShortIterationsAreNoLongTurn() {
    let clock = clock
    for _ in 0..<20 {
      clock.begin()
      hand.now += 100
      #expect(clock.look(250) == .nothing)
    }
  }

  @Test func aPauseOfTheProcessIsNoLongTurn() {
    let clock = clock
    clock.begin()
    hand.now += 100
    #expect(clock.look(250) == .nothing)
    hand.now += 60_000_000_000
    #expect(clock.look(250) == .nothing)

    hand.now += 249
    #expect(clock.look(250) == .nothing)
    hand.now += 1
    #expect(clock.look(250) == .began(1))
  }

  @Test func aLongTurnThatIsPausedEndsAndBeginsAnew() {
    let clock = clock
    clock.begin()
    hand.now += 300
    #expect(clock.look(250) == .began(1))
    hand.now += 60_000_000_000
    #expect(clock.look(250) == .ended(1))
    hand.now += 300
    #expect(clock.look(250) == .began(1))
  }

  @Test func whoLooksRestsWhileTheLoopWaitsAndIsWokenOnce() {
    let clock = clock
    clock.begin()
    #expect(!clock.mayRest())
    clock.end()
    #expect(clock.mayRest())
    #expect(clock.begin())
    clock.end()
    #expect(!clock.begin())
  }

  @Test func whoHasToTellTheEndDoesNotRest() {
    let clock = clock
    clock.begin()
    hand.now += 300
    #expect(clock.look(250) == .began(1))
    clock.end()
    #expect(!clock.mayRest())
    #expect(clock.look(250) == .ended(1))
    #expect(clock.mayRest())
  }
}
