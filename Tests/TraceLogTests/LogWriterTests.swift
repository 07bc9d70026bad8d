import LifecycleModel
import Testing
import Workloads

@testable import TraceLog

struct LogWriterTests {
  /// A disk that is full for some writes.
  private final class FullDisk: LogSink {
    let path = "disk"
    var bytes: [UInt8] = []
    var writes = 0
    var syncs = 0
    var failing: Set<Int> = []

    func write(_ bytes: UnsafeRawBufferPointer) throws {
      writes += 1
      if failing.contains(writes) { throw LogError.diskFull(path: path) }
      self.bytes.append(contentsOf: bytes)
    }

    func sync() { syncs += 1 }
    func close() {}
  }

  private func events(_ count: Int, from first: Int = 0) -> [Event] {
    (first..<first + count).map {
      Event(
        sequence: UInt64($0 + 1), instant: Instant(nanoseconds: Int64($0) * 1_000), writer: .main,
        verb: .note)
    }
  }

  private func options(_ sync: SyncPolicy = .none) -> LogWriter.Options {
    var options = LogWriter.Options()
    options.eventsPerBlock = 10
    options.sync = sync
    return options
  }

  @Test func whatADiskHadNoRoomForWaits() throws {
    let disk = FullDisk()
    disk.failing = [3, 4]
    let writer = try LogWriter(to: disk, vocabulary: Vocabulary(), options: options())
    try writer.append(events(10))
    #expect(throws: LogError.diskFull(path: "disk")) { try writer.append(events(10, from: 10)) }
    #expect(throws: LogError.diskFull(path: "disk")) { try writer.append(events(10, from: 20)) }
    #expect(writer.eventCount == 10)
    try writer.append(events(10, from: 30))
    try writer.close()
    var reader = try LogReader(bytes: disk.bytes)
    #expect(try reader.readAll().events == events(40))
    #expect(try VerifyReport(LogReader(bytes: disk.bytes)).problems.isEmpty)
  }

  @Test(arguments: [
    (SyncPolicy.none, 0), (.everyBlock, 4), (.interval(20), 2), (.interval(1_000), 1),
  ])
  func aPolicySaysWhenToSync(policy: SyncPolicy, syncs: Int) throws {
    let disk = FullDisk()
    var time: Int64 = 0
    let writer = try LogWriter(
      to: disk, vocabulary: Vocabulary(), identity: LogBench.identity, options: options(policy),
      after: LogBeginning()
    ) {
      time += 10
      return time
    }

    for block in 0..<3 { try writer.append(events(10, from: 10 * block)) }
    try writer.close()
    #expect(disk.syncs == syncs)
  }

  @Test func flushWritesASmallBlock() throws {
    let sink = MemoryLogSink()
    let writer = try LogWriter(to: sink, vocabulary: Vocabulary(), options: options())
    try writer.append(events(3))
    #expect(writer.blockCount == 0)
    try writer.flush()
    #expect(writer.blockCount == 1)
    #expect(writer.byteCount == sink.bytes.count)
    var reader = try LogReader(bytes: sink.bytes)
    #expect(try reader.readAll().events == events(3))
  }

  @Test func aClosedWriterTakesNothing() throws {
    let writer = try LogWriter(to: MemoryLogSink(path: "x"), vocabulary: Vocabulary())
    try writer.close()
    try writer.close()
    #expect(throws: LogError.closed(path: "x")) { try writer.append(events(1)) }
  }

  @Test func sameEventsGiveTheSameBytes() throws {
    var first = AppWorkload(count: 3_000, seed: 3)
    var second = AppWorkload(count: 3_000, seed: 3)
    let one = try LogBench(first.readAll())
    let two = try LogBench(second.readAll())
    #expect(one.bytes == two.bytes)
  }
}
