import LifecycleModel
import Testing
import TraceText

@testable import TraceSources

/// When things happen: midnight, zones, inversions, repetitions, clocks that are set.
struct ClockTests {
  /// The instants of stamps `hh:mm:ss[.f][±zone]`.
  private func instants(_ stamps: String...) -> [String] {
    var clock = ConsoleClock(firstDay: nil)
    return stamps.map { text in
      var scanner = LineScanner(ArraySlice(text.utf8))
      guard let time = scanner.takeTimeOfDay() else { return "no time" }
      let stamp = ConsoleStamp(
        day: .unknown, timeOfDay: time.nanoseconds, zoneSeconds: scanner.takeZone(),
        resolution: time.resolution)
      return InstantText.print(clock.instant(of: stamp, at: clock.point(of: stamp)).nanoseconds)
    }
  }

  @Test func midnightIsNoStepBack() {
    #expect(instants("23:59:59.5", "00:00:00.25", "00:00:01") == ["0s", "750ms", "1.5s"])
  }

  @Test func anInversionAtMidnightIsSmall() {
    #expect(instants("00:00:00.1", "23:59:59.9", "00:00:00.2") == ["0s", "-200ms", "100ms"])
  }

  @Test func aZoneChangeIsNoJump() {
    #expect(instants("10:00:00+0200", "09:00:01+0100", "13:30:02 +0530") == ["0s", "1s", "2s"])
  }

  @Test func aClockThatIsSetBackGoesOnWhereItWas() {
    #expect(
      instants("10:00:00", "10:00:20", "09:00:00", "09:00:05") == ["0s", "20s", "20s", "25s"])
  }

  @Test func daysAreCountedByTheCalendar() {
    #expect(ConsoleStamp.days(year: 1970, month: 1, day: 1) == 0)
    #expect(ConsoleStamp.days(year: 2000, month: 3, day: 1) == 11_017)
    #expect(ConsoleStamp.days(year: 2026, month: 11, day: 21) == 20_778)
  }

  @Test func aLeapDayCountsInTheYearOfTheDate() throws {
    let text = """
      Feb 28 12:00:00 phone Notes[4] <Notice>: Deactivation reason added: 0; deactivation reasons: 0 -> 1;
      Mar  1 12:00:00 phone Notes[4] <Notice>: Deactivation reason removed: 0; deactivation reasons: 1 -> 0;
      """
    let options = ConsoleSource.Options(date: .init(year: 2023, month: 2, day: 28))
    #expect(
      try notation(of: text.utf8, ConsoleSource(options: options)).hasSuffix(
        "86400s    -     state         inactive->active app line=2"))
  }

}
