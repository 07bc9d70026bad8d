import Foundation
import LifecycleModel
import Testing
import TraceText

@testable import TraceUIKit

/// The trace that the guide reads is what the adapter records of such a life.
@MainActor
@Suite(.serialized)
struct SampleTests {
  private static let path = "samples/ios-app/flight.trace"
  private static let heading = """
    # An app that says nothing itself, recorded by the one line: it leaves the screen with a task that it never gives back.

    """

  /// What differs from one run of the tests to the next.
  private static let said = ["pid": "412"]

  private static func settled(_ event: Event, _ vocabulary: Vocabulary) -> Event {
    var event = event
    let attributes = vocabulary.attributes(event.attributes)
    event.attributes = vocabulary.attributes(
      attributes.map { Attribute($0.key, said[$0.key] ?? $0.value) })
    return event
  }

  @Test func theSampleIsWhatTheAdapterRecords() throws {
    var bench = LifeBench(.scene, seed: 0)
    bench.forgets = true
    var trace = try bench.recorded { driver in
      driver.launch()
      driver.run(for: 10)
      driver.goHome()
      driver.run(for: 60)
    }

    trace.events = trace.events.map { Self.settled($0, trace.vocabulary) }
    let text = Self.heading + TraceNotation.print(trace)

    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] != nil {
      try text.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == text)
  }
}
