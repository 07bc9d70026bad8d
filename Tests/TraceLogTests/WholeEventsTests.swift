import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces
import Workloads

@testable import TraceLog

/// What can be read of a damaged log is a whole log, once it is written anew.
@Suite struct WholeEventsTests {
  /// A log of small blocks of which some bytes are changed, and the rest is cut off now and then.
  private func spoiled(_ seed: UInt64) throws -> LogBench {
    var random = SeededGenerator(seed: seed)
    var workload = AppWorkload(count: 240, seed: seed)
    var log = try LogBench(workload.readAll(), eventsPerBlock: 12)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var blocks = try log.blocks().filter { !$0.isEmpty }
      guard blocks.count > 2 else { break }
      let place = Int.random(in: 0..<blocks.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: blocks.remove(at: place)
      case 1: blocks.swapAt(place, Int.random(in: 0..<blocks.count, using: &random))
      case 2: blocks[place][blocks[place].count / 2] ^= 4
      default: blocks[blocks.count - 1].removeLast(blocks[blocks.count - 1].count / 2)
      }
      log.assemble(blocks)
    }
    return log
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(20, all: 60))
  func whatIsReadOfADamagedLogIsWhole(seed: UInt64) throws {
    print("seed \(seed)")
    let log = try spoiled(seed)
    let read = try log.read()
    let repaired = try DerivedBench.write(read.events, read.vocabulary)
    #expect(try VerifyReport(LogReader(bytes: repaired)).problems == [], "seed \(seed)")
    #expect(try difference(Trace(log: repaired), read) == nil, "seed \(seed)")
  }

  /// Whatever stands in a log: the result is whole, and events of a whole log stay as they are.
  @Test(.tags(.nightly), arguments: Nightly.seeds(20, all: 60))
  func anythingBecomesWhole(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = RandomTrace(seed: seed)
    let wild = try LogBench(maker.trace(120), eventsPerBlock: 20)
    let read = try wild.read()
    let repaired = try DerivedBench.write(read.events, read.vocabulary)
    #expect(try VerifyReport(LogReader(bytes: repaired)).problems == [], "seed \(seed)")

    let calm = try maker.trace(120, isWild: false)
    var whole = WholeEvents(calm.vocabulary)
    #expect(whole.take(calm.events) == calm.events, "seed \(seed)")
    #expect(whole.holeCount == 0 && whole.raisedCount == 0)
  }

  @Test func aHoleThatNobodyToldIsToldAndTimesDoNotGoBack() throws {
    var trace = try TraceNotation.parse(
      """
      1s main note "a"
      2s main note "b"
      3s main note "c"
      """)
    trace.events[1].sequence = 5
    trace.events[2].sequence = 6
    trace.events[2].instant = Instant(nanoseconds: .milliseconds(500))
    var whole = WholeEvents(trace.vocabulary)
    let events = whole.take(trace.events)
    let printed = TraceNotation.print(Trace(vocabulary: trace.vocabulary, events: events))
    #expect(
      printed.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
        "1s main note \"a\"", "1s - gap source-hole 3 writer=main from=2 to=4",
        "2s main note \"b\"",
        "2s main note \"c\"",
      ])
    #expect(whole.holeCount == 1 && whole.raisedCount == 1)
  }
}
