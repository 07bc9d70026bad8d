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
}
