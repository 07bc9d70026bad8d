import Foundation
import LifecycleModel
import Platform
import TestTime
import Testing

@testable import TraceLog
@testable import TraceRecorder

/// How long a drain waits, and what wakes it.
@Suite struct WaitingTests {
  /// Has so much time pass for the drain, as if it waited; how often it looked.
  @discardableResult
  private func pass(_ span: Nanoseconds, _ bench: RecordingBench) -> [Drain.Pause] {
    var pauses = [bench.drain.look()]
    var left = span
    while left > 0 {
      let next = pauses[pauses.count - 1].nanoseconds
      left -= max(1, next)
      pauses.append(bench.drain.look(after: next))
    }
    return pauses
  }

  private func ring(_ bench: RecordingBench) -> Data {
    Data(bytes: bench.drain.ring.base, count: bench.drain.ring.size.bytes)
  }

  @Test(arguments: [SyncPolicy.none, .interval(100_000_000), .everyBlock])
  func aDrainOfASilentAppWakesTwiceAMinuteAndChangesNoByte(sync: SyncPolicy) throws {
    let bench = try RecordingBench { $0.sync = sync }
    for _ in 0..<10 { bench.recorder.work(.timer) }
    // A drain leaves what is no older than two.
    letTimePass(milliseconds: 4)
    pass(15_000_000_000, bench)
    #expect(bench.drain.eventCount == 10)

    let (before, bytes) = (ring(bench), bench.drain.byteCount)
    let pauses = pass(60_000_000_000, bench)
    #expect(pauses.count <= 4 && pauses.last?.nanoseconds == 30_000_000_000)
    #expect(ring(bench) == before && bench.drain.byteCount == bytes)
  }

  @Test func theFirstFactAfterARestWakesTheDrainAndIsSyncedAnIntervalLater() throws {
    let bench = try RecordingBench()
    bench.recorder.work(.timer)
    pass(15_000_000_000, bench)
    let rest = bench.drain.look()
    #expect(!rest.isRung)
    bench.recorder.work(.timer)
    #expect(rest.isRung)
    bench.recorder.work(.timer)

    let pause = bench.drain.look()
    #expect(!pause.isRung && pause.nanoseconds <= 100_000_000)
    // Others of the same time do not ring.
    bench.recorder.work(.timer)
    #expect(!pause.isRung)
  }

  @Test func aThreadThatWaitsIsWoken() throws {
    let bench = try RecordingBench()
    pass(15_000_000_000, bench)
    let rest = bench.drain.look()
    let done = DispatchSemaphore(value: 0)
    Thread {
      #expect(rest.wait() == 0)
      done.signal()
    }.start()
    letTimePass(milliseconds: 20)
    bench.recorder.work(.timer)
    // Half a minute would be its end by itself.
    #expect(done.wait(timeout: .now() + 25) == .success)
  }

  @Test func aPauseThatIsOverSaysHowLongItWas() throws {
    let bench = try RecordingBench()
    let pause = bench.drain.look()
    #expect(pause.wait(atMost: 3_000_000) == 3_000_000)
    bench.drain.wake()
    #expect(pause.wait() == 0)
  }

  /// As many facts as fill half of a lane, also behind what was drained before.
  @Test func aLaneThatIsHalfFullWakesTheDrain() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 64 }
    for round in 0..<4 {
      pass(200_000_000, bench)
      let pause = bench.drain.look()
      for _ in 0..<32 { bench.recorder.work(.timer) }
      #expect(!pause.isRung, "\(round)")
      bench.recorder.work(.timer)
      #expect(pause.isRung, "\(round)")
      for _ in 0..<31 { bench.recorder.work(.timer) }

      letTimePass(milliseconds: 4)
      bench.drain.look()
      #expect(bench.drain.eventCount == UInt64(64 * (round + 1)))
    }
    let trace = try bench.trace()
    #expect(!trace.events.contains { $0.verb == .gap })
  }

  /// Facts of several records may pass the middle without meeting it.
  @Test func factsOfSeveralRecordsWakeTheDrainToo() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 64 }
    pass(200_000_000, bench)
    let pause = bench.drain.look()
    for number in 0..<9 { bench.recorder.note("a text of some records \(number)", .app) }
    #expect(!pause.isRung)
    for number in 0..<3 { bench.recorder.note("a text of some records \(number)", .app) }
    #expect(pause.isRung)
  }

  /// Who cannot be helped is not called: the drain looks by itself until it can write.
  @Test func nobodyRingsForADrainThatCannotWrite() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 16 }
    for _ in 0..<40 { bench.recorder.work(.timer) }
    // Nothing of it is old enough to be taken, once.
    let pause = bench.drain.look()
    let rings = bench.drain.ring.bell.rings
    #expect(pause.nanoseconds <= 20_000_000)
    for _ in 0..<40 { bench.recorder.work(.timer) }
    #expect(bench.drain.ring.bell.rings == rings || bench.drain.eventCount > 0)
  }

  @Test func aThreadThatIsGoneLeavesItsLaneWithoutAWrite() throws {
    let bench = try RecordingBench { $0.threads = 2 }
    let recorder = bench.recorder
    for round in 1...3 {
      let thread = Thread { recorder.work(.timer) }
      thread.start()
      try wait("a thread") { thread.isFinished }
      bench.drain.drain()
      let owner = bench.drain.ring.lane(1)
      try wait("a free lane") {
        bench.drain.look()
        return owner.load(as: UInt64.self) == RingFormat.Owner.free
      }
      #expect(bench.drain.eventCount == UInt64(round))
    }
  }
}
