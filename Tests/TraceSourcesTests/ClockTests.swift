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

  @Test func aYearEndsWithoutAYearInTheStamp() throws {
    let text = """
      Dec 31 23:59:59 phone Notes[4] <Notice>: Deactivation reason added: 0; deactivation reasons: 0 -> 1;
      Jan  1 00:00:01 phone Notes[4] <Notice>: Deactivation reason removed: 0; deactivation reasons: 1 -> 0;
      """
    #expect(
      try notation(of: text).hasSuffix("2s        -     state         inactive->active app line=2"))
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

  @Test func linesInTheWrongOrderArePutRight() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes +10 0>1024
      10:00:00.7 Notes -10 1024>0
      10:00:00.5 Notes sceneOfRecord: sceneID: sceneID:com.example.notes-default
      10:00:01.2 Notes +12 1>4097
      10:00:01.1 Notes +0 0>1
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     process.start app launch=unknown bundle=com.example.notes line=1
        0s        -     state         notRunning->inactive app line=1
        700ms     -     state         inactive->active app line=2
        1.1s      -     state         active->inactive app line=5
        """)
    #expect(try tally(of: text).inversions == 2)
  }

  @Test func aLineThatComesTooLateIsToldBehindTheOthers() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes -5 32>0
      10:00:03 Notes +0 0>1
      10:00:07 Notes -0 1>0
      10:00:01 Notes Performing snapshot request 0x1 (type 1)
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        3s        -     state         active->inactive app line=2
        3s        -     snapshot.begin app line=4
        7s        -     state         inactive->active app line=3
        """))
    #expect(try tally(of: text).late == 1)
  }

  @Test func repetitionsWithinAMillisecondAreDropped() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes -5 32>0
      10:00:00.000007 Notes -5 32>0
      10:00:03 Notes +0 0>1
      10:00:03.000010 Notes +12 1>4097
      10:00:03.000012 Notes +0 0>1
      10:00:03.000019 Notes +12 1>4097
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     state         inactive->active app line=1
        3s        -     state         active->inactive app line=3
        """)
    #expect(try tally(of: text).duplicates == 3)
  }

  @Test func stampsOfWholeSecondsCannotShowARepetition() throws {
    let text = ConsoleText.syslog(
      """
      10:00:00 Notes +0 0>1
      10:00:00 Notes -0 1>0
      10:00:00 Notes +0 0>1
      10:00:00 Notes -0 1>0
      """)
    #expect(try tally(of: text).gaps == 1)
    #expect(try tally(of: text).duplicates == 0)
  }
}
