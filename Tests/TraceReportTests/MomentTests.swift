import Foundation
import LifecycleModel
import TestTime
import Testing
import TraceLog
import Traces
import Workloads

@testable import TraceReport

/// What `replay --at` shows is the fold of all events up to then, and takes a few blocks of the log.
@Suite struct MomentTests {
  private static let count = Nightly.count(150_000, all: 5_000_000)
  private static let moments = Nightly.count(60, all: 1_000)

  private let path = NSTemporaryDirectory() + "tracectl-moments-\(UUID().uuidString).bin"

  /// What is true at an instant, by the fold of every event before.
  private struct Expected {
    let instant: Instant
    let moment: RunMoment
  }

  @Test func randomInstantsAreTheFoldOfAllEventsBefore() throws {
    defer { unlink(path) }
    let extent = try write()
    var random = SeededGenerator(seed: 7)
    let instants = (0..<Self.moments).map { _ in
      Instant(nanoseconds: Int64.random(in: extent, using: &random))
    }
    let expected = try fold(to: instants.sorted())

    var mostBlocks = 0
    for expected in expected {
      let (found, blocks) = try find(expected.instant)
      var moment = try #require(found)
      (moment.last, moment.next) = ([], [])
      #expect(moment == expected.moment, "at \(expected.instant)")
      mostBlocks = max(mostBlocks, blocks)
    }
    // The block of the instant, and those behind it in which each writer comes next.
    #expect(mostBlocks <= 1 + 20_000 / 4_096 + 1)
  }

  /// Writes the log; returns its first and its last instant.
  private func write() throws -> ClosedRange<Int64> {
    var workload = AppWorkload(count: Self.count, seed: 3)
    let writer = try LogWriter(
      to: FileLogSink(path: path, .replace), vocabulary: workload.vocabulary)
    var (events, last): ([Event], Int64) = ([], 0)
    while workload.read(into: &events) {
      try writer.append(events)
      last = max(last, events.last?.instant.nanoseconds ?? 0)
    }
    try writer.close()
    return 0...last
  }

  private func fold(to instants: [Instant]) throws -> [Expected] {
    var reader = try LogReader(path: path)
    var state = LifecycleState()
    var expected: [Expected] = []
    var events: [Event] = []
    func note() {
      let instant = instants[expected.count]
      let moment = RunMoment(
        at: instant, nil, state, last: [], next: [], reader.vocabulary)
      expected.append(Expected(instant: instant, moment: moment))
    }

    while try reader.read(into: &events) {
      for event in events {
        while expected.count < instants.count, event.instant > instants[expected.count] { note() }
        state.fold(event)
      }
    }
    while expected.count < instants.count { note() }
    return expected
  }

  private func find(_ instant: Instant) throws -> (moment: RunMoment?, blocks: Int) {
    var reader = try LogReader(path: path, filter: BlockFilter(from: instant))
    var finder = MomentFinder(.instant(instant), reader.vocabulary)
    var events: [Event] = []
    var blocks = 0
    while !finder.isComplete, try reader.read(into: &events) {
      blocks += 1
      if let checkpoint = reader.checkpoint { finder.skip(to: checkpoint) }
      finder.observe(events)
    }
    return (finder.finish(), blocks)
  }
}
