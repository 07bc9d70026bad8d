import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// What is open while a wall clock is set has no known length.
@Suite struct WallClockTests {
  private static let rule = "budget-did-enter-background"

  private func trace(_ clock: String, _ meanwhile: String = "") throws -> Trace {
    try TraceNotation.parse(
      """
      0s - profile mode=app platform=ios os=18.2 clock=\(clock) hooks=app-delegate,app-notifications
      1s main call applicationDidEnterBackground app
      \(meanwhile)
      30s main note "before"
      31s main return applicationDidEnterBackground app
      """)
  }

  private func verdict(_ trace: Trace) throws -> Outcome {
    let outcomes = Analyzer.analyze(trace).outcomes
    return try #require(outcomes.first { $0.rule.id == Self.rule }).outcome
  }

  @Test func aSpanAcrossASignificantTimeChangeHasNoKnownLength() throws {
    let change = "2s main notify UIApplication.significantTimeChangeNotification app"
    #expect(try verdict(trace("wall", change)) == .cannotTell([.clockSet]))
    #expect(try verdict(trace("monotonic", change)) == .violated)
    #expect(try verdict(trace("wall")) == .violated)
  }

  @Test func soHasOneDuringWhichTheClockWentBack() throws {
    var trace = try trace("wall")
    // The clock is set back while the callback runs, before its time is over.
    trace.events[2].instant = Instant(nanoseconds: .milliseconds(500))
    trace.events[3].instant = Instant(nanoseconds: .seconds(20))
    #expect(try verdict(trace) == .cannotTell([.clockSet]))
  }

  @Test func aJumpThatIsAnnouncedBehindItMakesNoFinding() throws {
    func findings(_ clock: String, _ announced: String) throws -> [String] {
      let trace = try TraceNotation.parse(
        """
        0s - profile mode=app platform=ios os=18.2 clock=\(clock) hooks=app-delegate,app-notifications
        1s main call applicationDidEnterBackground app
        3601s main return applicationDidEnterBackground app
        3601.5s main note "after"
        \(announced) main notify UIApplication.significantTimeChangeNotification app
        """)
      return Analyzer.analyze(trace).findings.map(\.rule)
    }

    #expect(try findings("wall", "3601.6s") == [])
    #expect(try findings("monotonic", "3601.6s") == [Self.rule])
    // Long after the jump the announcement is about another one.
    #expect(try findings("wall", "3700s") == [Self.rule])
  }

  @Test func whatTookTooLongBeforeTheJumpStays() throws {
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=app platform=ios os=18.2 clock=wall hooks=app-delegate,app-notifications
      1s main call applicationDidEnterBackground app
      8s main note "before"
      3601s main return applicationDidEnterBackground app
      3601.1s main notify UIApplication.significantTimeChangeNotification app
      """)
    #expect(Analyzer.analyze(trace).findings.map(\.rule) == [Self.rule])
  }
}
