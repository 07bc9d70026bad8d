import Foundation
import LifecycleModel
import Testing
import TraceLog
import TraceTestSupport

@testable import TraceRecorder

/// A ring may be damaged in any way: it is read to its end, and never past it.
@Suite struct HostileRingTests {
  @Test(arguments: 0..<60) func damagedRingsAreReadToTheEnd(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = try RecordingBench { $0.threads = 3 }
    for number in 0..<200 {
      bench.recorder.call(.sceneDidBecomeActive, .scene(UInt32(number)))
      bench.recorder.sample(.memory, Int64(number))
      bench.recorder.taskBegins(UInt32(number), "task \(number)", hasHandler: true)
    }
    let ring = bench.drain.ring
    // The sizes are checked when the ring is opened; everything behind them may be anything.
    for _ in 0..<Int.random(in: 1...400, using: &random) {
      let region = Int.random(in: 0..<3, using: &random)
      let start = [RingFormat.Header.wordsHead, RingFormat.page, RingFormat.page + (1 << 20)][
        region]
      let span = [3992, 12_000, 3 * (RingFormat.page + 16 * 1024)][region]
      let place = start + Int.random(in: 0..<(span / 8), using: &random) * 8
      let value: UInt64 =
        random.oneIn(3) ? .max : random.next() >> UInt64.random(in: 0..<64, using: &random)
      ring.base.storeBytes(of: value, toByteOffset: place & ~7, as: UInt64.self)
    }
    var reader = try LogReader(path: bench.log)
    let trace = try reader.readAll()
    #expect(trace.events.count <= 4 * 3 * 1024, "seed \(seed)")
    #expect(!TraceNotation.print(trace).contains("\u{0}"), "seed \(seed)")
  }

  @Test func aRingThatCannotBeReadIsToldAsAGap() throws {
    let bench = try RecordingBench()
    bench.recorder.note("kept in the ring")
    let copy = bench.log + ".copy"
    try FileManager.default.copyItem(atPath: bench.log, toPath: copy)
    try FileManager.default.copyItem(atPath: bench.drain.ringPath, toPath: copy + ".ring")
    var whole = try LogReader(path: copy)
    #expect(try whole.readAll().events.count == 1)
    let handle = try #require(FileHandle(forUpdatingAtPath: copy + ".ring"))
    try handle.truncate(atOffset: 5000)
    var cut = try LogReader(path: copy)
    let trace = try cut.readAll()
    #expect(trace.events.compactMap { Gap($0, in: trace.vocabulary)?.cause } == ["source-hole"])
  }

  @Test func theRingOfAnotherLogIsNotJoined() throws {
    let first = try RecordingBench()
    first.recorder.note("of the first")
    let second = try RecordingBench()
    try FileManager.default.removeItem(atPath: second.drain.ringPath)
    try FileManager.default.copyItem(atPath: first.drain.ringPath, toPath: second.drain.ringPath)
    #expect(try second.read() == [])
  }
}
