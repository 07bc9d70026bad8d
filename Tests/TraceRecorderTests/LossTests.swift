import Foundation
import LifecycleModel
import Platform
import TestTime
import Testing
import TraceLog
import TraceText

@testable import TraceRecorder

/// What a ring cannot take, and how a ring is read that nobody follows any more.
@Suite struct LossTests {
  @Test func aLossBeginsAtTheLastEventBeforeIt() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 16 }
    for _ in 0..<20 { bench.recorder.work(.timer) }
    letTimePass(milliseconds: 20)
    bench.drain.drain()
    for _ in 0..<3 { bench.recorder.work(.timer) }
    let trace = try bench.trace()
    let place = try #require(trace.events.firstIndex { $0.verb == .gap })
    let gap = try #require(Gap(trace.events[place], in: trace.vocabulary))
    #expect(trace.events[place].instant == trace.events[place - 1].instant)
    #expect((gap.from, gap.to, gap.count) == (17, 20, 4))
    #expect((gap.within ?? 0) > 20_000_000)
    #expect(trace.events[place + 1].sequence == 21)
    #expect(trace.events.filter { $0.verb == .gap }.count == 1)
  }

  /// A ring that is new has no event behind which a loss could stand; the log has.
  @Test func aLossBeforeTheFirstEventIsToldBehindTheRunBefore() throws {
    let bench = try RecordingBench()
    bench.recorder.note("before")
    letTimePass(milliseconds: 2)
    bench.recorder.note("the last")
    try bench.drain.finish()

    let next = try Drain(continuing: bench.log, options: Drain.Options())
    next.ring.store(RingFormat.Header.homeless, 2)
    next.drain()
    let trace = try bench.trace()
    #expect(trace.events.contains { Gap($0, in: trace.vocabulary)?.count == 2 })
    #expect(try VerifyReport(path: bench.log).problems == [])
  }

  @Test func aLossThatTheNextEventTellsEndsThere() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 16 }
    for _ in 0..<14 { bench.recorder.work(.timer) }
    // Two records are left, and a fact with a value and attributes takes three.
    bench.recorder.taskBegins(1, "large", hasHandler: true)
    let trace = try bench.trace()
    let gaps = trace.events.compactMap { Gap($0, in: trace.vocabulary) }
    #expect(gaps.count <= 1)
    #expect(try VerifyReport(LogReader(path: bench.log)).problems == [])
  }

  @Test func aTrailingLossIsToldOnceByDrainAndReader() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 16 }
    for round in 0..<3 {
      for _ in 0..<20 { bench.recorder.work(.timer) }
      if round < 2 { bench.drain.drain() }
    }

    let trace = try bench.trace()
    let gaps = trace.events.compactMap { Gap($0, in: trace.vocabulary) }
    #expect(gaps.map(\.cause) == ["ring-full", "ring-full", "ring-full"])

    // In the second round a record says what was refused in the first, and 15 are left for events.
    #expect(gaps.map(\.from) == [17, 36, 56])
    try bench.drain.finish()
    #expect(try VerifyReport(LogReader(path: bench.log)).problems == [])
  }

  @Test func aPartBehindALossIsWholeByItself() throws {
    let bench = try RecordingBench {
      $0.recordsPerThread = 16
      $0.limits = LogLimits(maxPartBytes: 1)
    }

    for _ in 0..<3 {
      for _ in 0..<20 { bench.recorder.work(.timer) }
      bench.drain.drain()
    }

    try bench.drain.finish()
    #expect(try VerifyReport(LogReader(path: bench.log)).problems == [])
    var newest = try LogReader(path: bench.log)
    let trace = try newest.readAll()
    let causes = trace.events.compactMap { Gap($0, in: trace.vocabulary)?.cause }
    #expect(causes == ["ring-full", "ring-full", "ring-full"])
  }

  @Test(arguments: [true, false]) func aDeadRingIsReadAlike(isDrained: Bool) throws {
    let bench = try RecordingBench { $0.recordsPerThread = 64 }
    for _ in 0..<50 { bench.recorder.work(.timer) }
    if isDrained { bench.drain.drain() }
    letTimePass(milliseconds: 5)
    for _ in 0..<100 { bench.recorder.work(.timer) }

    // A copy has no process that records into it.
    let dead = bench.log + ".dead"
    try FileManager.default.copyItem(atPath: bench.log, toPath: dead)
    try FileManager.default.copyItem(atPath: bench.drain.ringPath, toPath: dead + ".ring")
    func text() throws -> String {
      var reader = try LogReader(path: dead)
      return TraceNotation.print(try reader.readAll())
    }

    let first = try text()
    letTimePass(milliseconds: 50)
    #expect(try text() == first)
    var reader = try LogReader(path: dead)
    let events = try reader.readAll().events
    let span = try #require(events.last).instant.since(try #require(events.first).instant)
    #expect(span > 5_000_000 && span < 60_000_000_000)

    // Who ends the recording later ends it where it ended.
    try Drain(attachingTo: dead).finish { instant, vocabulary in
      [Event(instant: instant, writer: .system, verb: .exit, subject: .app)]
    }
    var ended = try LogReader(path: dead)
    #expect(TraceNotation.print(try ended.readAll()).hasPrefix(first))
    #expect(try ended.readAll().events.isEmpty)
  }

  @Test func manyThreadsAreInOrder() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 1 << 14 }
    let isOver = Lock(false)
    let recorder = bench.recorder
    let group = DispatchGroup()

    for _ in 0..<8 {
      group.enter()
      Thread {
        // So many at the most: a drain that is slower would never be through.
        for _ in 0..<300 where !isOver.withLock({ $0 }) {
          for _ in 0..<50 { recorder.work(.timer) }
          letTimePass(milliseconds: 0.3)
        }
        group.leave()
      }.start()
    }

    for _ in 0..<60 {
      letTimePass(milliseconds: 2)
      bench.drain.drain()
      bench.drain.look()
    }

    isOver.withLock { $0 = true }
    group.wait()
    let trace = try bench.trace()
    let falls = zip(trace.events, trace.events.dropFirst()).count { $1.instant < $0.instant }
    #expect(falls == 0 && trace.events.count > 1_000)
    try bench.drain.finish()
    #expect(try VerifyReport(LogReader(path: bench.log)).problems == [])
  }

  @Test func aDamagedLaneIsTold() throws {
    let bench = try RecordingBench()
    bench.recorder.work(.timer)
    for lane in 0..<2 {
      let head = bench.drain.ring.lane(lane) + RingFormat.Lane.head
      head.storeBytes(of: UInt64.max / 2, as: UInt64.self)
    }
    let trace = try bench.trace()
    let causes = trace.events.compactMap { Gap($0, in: trace.vocabulary)?.cause }
    #expect(causes.contains("corrupt-block"))
  }
}
