import LifecycleModel
import Testing

@testable import TraceLog

struct CorruptionTests {
  private static func log() throws -> LogBench {
    try LogBench(
      TornTailTests.notation + "\n3s db note \"x\"\n4s main note \"y\"", eventsPerBlock: 2)
  }

  @Test func everyFlippedBitIsSeen() throws {
    let log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    let original = lines(log.written)
    for bit in 0..<8 * log.bytes.count {
      var damaged = log
      damaged.flipBit(bit)
      guard let read = try? damaged.read() else {
        Issue.record("bit \(bit): the log cannot be read at all")
        continue
      }
      let events = lines(read.withoutGaps)
      #expect(isSubsequence(events, of: original), "bit \(bit): an event is wrong")
      let isWhole = events.count == original.count
      #expect(isWhole || LogBench.gaps(read).isEmpty == false, "bit \(bit): a loss is not told")
      let report = try VerifyReport(LogReader(bytes: damaged.bytes))
      #expect(!report.isWhole, "bit \(bit): nobody saw it")
    }
  }

  private func isSubsequence(_ part: [String], of whole: [String]) -> Bool {
    var rest = whole[...]
    for line in part {
      guard let index = rest.firstIndex(of: line) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }

  /// What happens to the second of four blocks, each with an event of `main` and one of `db` that no other has.
  private static let losses: [String: @Sendable (inout LogBench) throws -> Void] = [
    "a damaged payload": { $0.flipBit(8 * (try $0.blockOffsets()[2] - 2)) },
    // The next block names both writers.
    "a damaged header": { $0.flipBit(8 * (try $0.blockOffsets()[1] + 30)) },
    "a missing block": { log in
      var blocks = try log.blocks()
      blocks.remove(at: 1)
      log.assemble(blocks)
    },
    "a block of another log": { log in
      var identity = LogBench.identity
      identity.originWall += 1
      let other = try LogBench(TornTailTests.notation, eventsPerBlock: 2, identity: identity)
      var blocks = try log.blocks()
      blocks[1] = try other.blocks()[1]
      log.assemble(blocks)
    },
    "bytes cut out of a payload": { log in
      let end = try log.blockOffsets()[2]
      log.bytes.removeSubrange(end - 9..<end - 4)
    },
  ]

  @Test(arguments: losses.keys.sorted()) func whatABlockHeldIsReportedExactly(loss: String) throws {
    var log = try CorruptionTests.log()
    try CorruptionTests.losses[loss]?(&log)
    #expect(try log.gaps() == ["corrupt-block main 2…2", "corrupt-block db 1…1"])
    #expect(try log.read().events.count == 8)
  }

  @Test func eachPlaceWhereBlocksAreMissingIsListed() throws {
    let notes = (1...8).map { "\($0)s main note \"\($0)\"" }.joined(separator: "\n")
    var log = try LogBench(notes, eventsPerBlock: 1)
    var blocks = try log.blocks()
    blocks.remove(at: 5)
    blocks.remove(at: 2)
    log.assemble(blocks)
    #expect(
      try VerifyReport(LogReader(bytes: log.bytes)).problems.map(\.found) == [
        "blocks before block 3 are missing", "blocks before block 6 are missing",
      ])
  }

  @Test func aWriterThatTheNextBlockDoesNotHaveIsNotForgotten() throws {
    var log = try LogBench(
      """
      1s main note "a"
      2s db note "lost"
      3s main note "b"
      4s db note "c"
      """, eventsPerBlock: 1)

    var blocks = try log.blocks()
    blocks.remove(at: 1)
    log.assemble(blocks)
    #expect(try log.gaps() == ["corrupt-block ?", "corrupt-block db 1…1"])
  }

  @Test func aRepeatedBlockIsReadOnce() throws {
    var log = try CorruptionTests.log()
    var blocks = try log.blocks()
    blocks.insert(blocks[1], at: 2)
    log.assemble(blocks)
    #expect(lines(try log.read()) == lines(log.written))
    #expect(try VerifyReport(LogReader(bytes: log.bytes)).problems.map(\.kind) == [.damage])
  }

  @Test func swappedBlocksAreReadInOrderOrTold() throws {
    var log = try CorruptionTests.log()
    var blocks = try log.blocks()
    blocks.swapAt(1, 2)
    log.assemble(blocks)
    let read = try log.read()
    #expect(read.withoutGaps.events.count == 6)
    #expect(LogBench.gaps(read) == ["corrupt-block main 2…2", "corrupt-block db 1…1"])
  }

  @Test func aDamagedFileHeaderLosesNoBlock() throws {
    for index in 0..<LogFormat.fileHeaderLength {
      var log = try CorruptionTests.log()
      log.bytes[index] ^= 0xFF
      var reader = try LogReader(bytes: log.bytes)
      #expect(reader.identity == nil)
      #expect(reader.damages.map(\.kind) == [.fileHeader])
      #expect(lines(try reader.readAll()) == lines(log.written), "byte \(index)")
    }
  }

  @Test func aLogWithoutItsFileHeaderLosesNoBlock() throws {
    var log = try CorruptionTests.log()
    log.bytes.removeFirst(LogFormat.fileHeaderLength)
    var reader = try LogReader(bytes: log.bytes)
    #expect(reader.identity == nil)
    #expect(reader.damages.map(\.kind) == [.fileHeader])
    #expect(lines(try reader.readAll()) == lines(log.written))
  }

  /// Where nothing is missing no gap tells of the damage, and whoever reads the log tells it.
  @Test func damageThatNoGapTellsIsKnown() throws {
    func untold(_ spoil: (inout LogBench) throws -> Void) throws -> [LogDamage.Kind] {
      var log = try CorruptionTests.log()
      try spoil(&log)
      var reader = try LogReader(bytes: log.bytes)
      #expect(lines(try reader.readAll()) == lines(log.written))
      return reader.damagesWithoutGap.map(\.kind)
    }
    #expect(try untold { _ in } == [])
    #expect(try untold { $0.bytes[20] ^= 1 } == [.fileHeader])
    #expect(try untold { $0.bytes.insert(0, at: try $0.blockOffsets()[1]) } == [.corruptBlock])
    #expect(
      try untold { log in
        let blocks = try log.blocks()
        log.assemble([blocks[0]] + blocks)
      } == [.misplacedBlock])

    var lost = try CorruptionTests.log()
    lost.flipBit(8 * (try lost.blockOffsets()[1] + 30))
    var reader = try LogReader(bytes: lost.bytes)
    #expect(try reader.readAll().events.contains { $0.verb == .gap })
    #expect(reader.damagesWithoutGap.isEmpty)
  }

  /// As where a log went on twice behind the same block, and the disk has a part of each.
  @Test func aBlockThatWasWrittenBehindAnotherIsTold() throws {
    func log(_ second: String) throws -> LogBench {
      try LogBench(
        "1s main note \"a\"\n2s main note \"\(second)\"\n3s main note \"c\"", eventsPerBlock: 1)
    }
    var mixed = try log("b")
    mixed.assemble(Array(try mixed.blocks()[...1]) + [try log("other").blocks()[2]])
    #expect(try mixed.gaps() == ["corrupt-block ?"])
    #expect(try !VerifyReport(LogReader(bytes: mixed.bytes)).isWhole)
  }

  @Test func joinedLogsAreToldApart() throws {
    var log = try CorruptionTests.log()
    let written = log.written
    var other = LogBench.identity
    other.originWall += 1
    log.bytes += try LogBench(TornTailTests.notation, identity: other).bytes
    var reader = try LogReader(bytes: log.bytes)
    #expect(lines(try reader.readAll().withoutGaps) == lines(written))
    #expect(
      reader.damages.map(\.reason) == ["another log begins here, and a file holds one log"])
  }

  @Test func anyBlockStandsAlone() throws {
    var log = try CorruptionTests.log()
    let blocks = try log.blocks()
    for first in 1..<blocks.count {
      log.assemble(Array(blocks[first...]))
      var reader = try LogReader(bytes: log.bytes)
      var events: [Event] = []
      while try reader.read(into: &events), reader.block == nil {}
      let rebuilt = LifecycleState(checkpoint: try #require(reader.checkpoint))
      var expected = LifecycleState()
      for event in log.written.events[..<(2 * first)] { expected.fold(event) }
      let words = reader.vocabulary
      let found = Trace(vocabulary: words, events: rebuilt.checkpoint())
      #expect(
        lines(found)
          == lines(Trace(vocabulary: log.written.vocabulary, events: expected.checkpoint())))
    }
  }
}
