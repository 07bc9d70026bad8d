import LifecycleModel
import LifecycleRules
import TestTime
import Testing
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

@Suite struct TimeAxisTests {
  private func seconds(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64(seconds * 1e9))
  }

  @Test func anHourAndTwentyMillisecondsBothHaveRoom() {
    let axis = TimeAxis(story: [seconds(0), seconds(0.02), seconds(3600), seconds(3600.02)])
    let widths = zip(axis.knots, axis.knots.dropFirst()).map { $1.position - $0.position }
    #expect(widths.allSatisfy { $0 > 0.15 })
    #expect(widths[1] > widths[0] && abs(widths[0] - widths[2]) < 1e-9)
  }

  @Test func anAxisOfTwoInstantsIsToScale() {
    let axis = TimeAxis(story: [seconds(10), seconds(20)])
    #expect(axis.position(of: seconds(15)) == 0.5)
    #expect(axis.position(of: seconds(5)) == 0 && axis.position(of: seconds(25)) == 1)
  }

  @Test func oneInstantAloneHasAPlace() {
    #expect(TimeAxis(story: [seconds(1)]).position(of: seconds(1)) == 0)
    #expect(TimeAxis(story: []).position(of: seconds(1)) == 0)
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(50, all: 1000))
  func placesNeverGoBack(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let instants = (0..<Int.random(in: 1...200, using: &random)).map { _ in
      Instant(nanoseconds: Int64.random(in: -(1 << 40)...(1 << 50), using: &random))
    }
    let axis = TimeAxis(story: instants)
    let places = (0..<500).map { _ in
      Instant(nanoseconds: Int64.random(in: -(1 << 41)...(1 << 51), using: &random))
    }.sorted().map(axis.position)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(places.allSatisfy { (0...1).contains($0) })
  }

  @Test func aLongRunKeepsItsTurnsAndItsWidestStretches() throws {
    var lines = ["0s - process.start app pid=7", "1s main call applicationDidBecomeActive app"]
    for index in 0..<2000 { lines.append("\(2000 + index)ms main work timer app") }
    lines.append("100s main call applicationWillResignActive app")
    lines.append("100.5s - kill app")
    let trace = try TraceNotation.parse(lines.joined(separator: "\n"))
    var instants = StoryInstants()
    instants.observe(trace.events)
    let chosen = instants.chosen(Analyzer.analyze(trace))

    #expect(chosen.count <= StoryInstants.limit)
    for instant in [0, 1, 3.999, 100, 100.5] { #expect(chosen.contains(seconds(instant))) }
  }
}
