import Foundation
import LifecycleModel
import TestTime
import Testing
import TraceLog
import Traces
import Workloads

@testable import TraceReport
@testable import TraceResults

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
      if let checkpoint = reader.checkpoint { finder.skip(to: checkpoint, before: events) }
      finder.observe(events)
    }
    return (finder.finish(), blocks)
  }

  /// A checkpoint behind a loss says what was true there, not what was before it.
  @Test func beforeALossTheCheckpointBehindItSaysNothing() throws {
    let vocabulary = Vocabulary()
    func event(_ sequence: UInt64, _ instant: Int64, _ verb: Verb, _ name: String) -> Event {
      Event(
        sequence: sequence, instant: Instant(nanoseconds: instant), writer: .main, verb: verb,
        name: vocabulary.symbol(name), subject: .app)
    }
    let before = event(1, 10, .acquire, "lock")
    let lost = Gap(.corruptBlock, writer: "main", from: 2, to: 5)
      .event(at: Instant(nanoseconds: 10), in: vocabulary)
    let opened = event(5, 30, .call, "applicationDidBecomeActive")
    let after = event(6, 40, .return, "applicationDidBecomeActive")

    for (instant, open) in [(20, ["acquire"]), (40, ["acquire"]), (45, ["acquire"])]
      as [(Int64, [String])]
    {
      var finder = MomentFinder(.instant(Instant(nanoseconds: instant)), vocabulary)
      finder.observe([before])
      finder.observe([lost])
      finder.skip(to: [before, opened], before: [after])
      finder.observe([after])
      let moment = try #require(finder.finish())
      #expect(moment.open.map(\.event.verb) == open, "at \(instant)")
      #expect(moment.open.allSatisfy { $0.uncertain } == (instant < 40))
      #expect(moment.gaps.map(\.verb) == (instant < 40 ? ["gap"] : []), "at \(instant)")
    }
  }
}
