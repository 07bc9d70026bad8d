import Testing

@testable import TraceUIKit

/// What is taken for a pause, by a clock that is moved by hand.
@Suite struct PauseClockTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func whoWakesMuchTooLateHasStoodStill() {
    var clock = PauseClock(period: Self.second, since: 5 * Self.second)
    #expect(clock.look(6 * Self.second) == nil)
    #expect(clock.look(49 * Self.second) == 42 * Self.second)
    #expect(clock.look(50 * Self.second) == nil)
    #expect(
      PauseWatch.words(42 * Self.second) == "stood still for at least 42s, probably suspended")
  }

  @Test func whoIsALittleLateHasNot() {
    var clock = PauseClock(period: Self.second, since: 0)
    #expect(clock.look(3 * Self.second) == nil)
    #expect(clock.look(6 * Self.second + 1) != nil)
  }
}
