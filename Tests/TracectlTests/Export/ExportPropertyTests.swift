import Foundation
import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

/// What holds of the export of any trace, sensible or not.
@Suite struct ExportPropertyTests {
  private func trace(_ seed: UInt64) -> Trace {
    var generator = ArbitraryTrace(seed: seed)
    return generator.trace(count: 250)
  }

  /// A part of a trace, or all of it.
  private func window(_ trace: Trace, _ seed: UInt64) -> ClosedRange<Instant>? {
    guard seed % 2 == 1, let first = trace.events.first, let last = trace.events.last else {
      return nil
    }
    var random = SeededGenerator(seed: seed)
    let range = first.instant.nanoseconds...last.instant.nanoseconds
    let ends = [Int64.random(in: range, using: &random), Int64.random(in: range, using: &random)]
    return Instant(nanoseconds: ends.min() ?? 0)...Instant(nanoseconds: ends.max() ?? 0)
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(30, all: 1000))
  func perfettoHasNothingToComplainAbout(seed: UInt64) {
    let trace = trace(seed)
    let window = window(trace, seed)
    let bytes = ExportBench.bytes(trace, in: window)
    #expect(bytes == ExportBench.bytes(trace, in: window), "not the same bytes")
    let read = PerfettoTrace(bytes)
    #expect(read.complaints == [])
    #expect(read.events.allSatisfy { $0.time >= 0 })
    for track in read.tracks where track.kind == "values" {
      #expect(read.events(on: track.name).allSatisfy { $0.value != nil })
    }
  }

  /// Every bar of the lanes is a bar, a state, or an instant that says that there is no room for it.
  @Test(.tags(.nightly), arguments: Nightly.seeds(30, all: 1000))
  func nothingThatTheLanesShowIsLeftOut(seed: UInt64) {
    let trace = trace(seed)
    var fold = LaneFold(trace.vocabulary)
    var changes: [LaneChange] = []
    for event in trace.events { changes += fold.observe(event) }
    changes += fold.finish()
    var (bars, states, marks, values, deaths) = (0, 0, 0, 0, 0)
    for change in changes {
      switch change {
      case .begin(let bar): if case .state = bar.content { states += 1 } else { bars += 1 }
      case .mark: marks += 1
      case .value: values += 1
      case .death: deaths += 1
      case .end, .gap: break
      }
    }

    let read = PerfettoTrace(ExportBench.bytes(trace))
    let others: Set = ["Missing events", "Findings", "Evidence", "Ends of processes"]
    let events = read.events.filter { !others.contains($0.track) }
    let begun = events.count { $0.kind == .begin && !$0.track.hasSuffix("(overlapping)") }
    let without = events.count { $0.details["no bar"] != nil }
    #expect(begun + without == bars)
    #expect(events.count { $0.kind == .state && $0.name != nil } == states)
    #expect(events.count { $0.kind == .value } == values)
    let instants = events.count { $0.kind == .instant && $0.category != "open" }
    #expect(instants - without == marks)
    #expect(read.events(on: "Ends of processes").count == deaths)
  }
}
