import LifecycleModel
import TestTime
import Testing
import Traces

@testable import TraceLog

/// Logs that were made to break a reader: all checksums are right, the contents are not.
struct HostileBytesTests {
  @Test(.tags(.nightly), arguments: Nightly.seeds(13, all: 41))
  func noPayloadTrapsTheReader(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var traces = RandomTrace(seed: seed)
    let log = try LogBench(traces.trace(60, labels: seed % 4 == 0 ? 20 : 0), eventsPerBlock: 30)
    for _ in 0..<25 {
      var blocks = try log.blocks()
      let index = Int.random(in: 0..<blocks.count, using: &random)
      blocks[index] = try HostileBytesTests.mutate(blocks[index], &random)
      var hostile = log
      hostile.assemble(blocks)
      var reader = try LogReader(bytes: hostile.bytes)
      let read = try reader.readAll()
      let summary = try LogSummary(bytes: hostile.bytes)
      let report = try VerifyReport(LogReader(bytes: hostile.bytes))
      // All ways to read it are through with the same bytes, and those who decode agree on the blocks.
      #expect(reader.byteCount == hostile.bytes.count, "seed \(seed)")
      #expect(summary.byteCount == hostile.bytes.count, "seed \(seed)")
      #expect(report.eventCount <= UInt64(read.events.count), "seed \(seed)")
      #expect(report.isWhole || report.problemCount > 0)
    }
  }

  @Test(arguments: UInt64(1)...20)
  func noBytesTrapTheReader(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    for _ in 0..<20 {
      let index = Int.random(in: 0..<log.bytes.count, using: &random)
      log.bytes[index] = UInt8.random(in: .min ... .max, using: &random)
      guard var reader = try? LogReader(bytes: log.bytes) else { continue }
      let read = try reader.readAll()
      #expect(reader.byteCount == log.bytes.count, "seed \(seed)")
      #expect(reader.damageCount > 0 || lines(read.withoutGaps) == lines(log.written))
    }
  }

  /// A device such as `/dev/zero` has no end.
  @Test func aLogIsNotLookedForBehindEndlessZeros() throws {
    let log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    let near = [UInt8](repeating: 0, count: LogFormat.maxSearchBytes / 2) + log.bytes
    var reader = try LogReader(bytes: near)
    #expect(try !reader.readAll().events.isEmpty)
    let far = [UInt8](repeating: 0, count: 2 * LogFormat.maxSearchBytes) + log.bytes
    #expect(throws: LogError.notALog(path: "memory", looksLikeText: false)) {
      _ = try LogReader(bytes: far)
    }
  }

  @Test func aColumnThatIsTooLongIsDamage() throws {
    var header = BlockHeader()
    header.writers = [WriterSpan(name: "main", first: 1, last: 1, count: 1)]
    header.eventCount = 1
    // No words; one shape, a call; the row of shape 0 with the time class 0, and a list too much.
    let plain: [UInt8] = [0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    let block = try HostileBytesTests.seal(header, plain, [])
    let length = Int(block.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self) })
    header = try block[..<length].withUnsafeBytes { try BlockHeader(decoding: $0) }

    let decoder = BlockDecoder(inflater: try Inflater())
    var events = [Event(instant: .origin, writer: .system, verb: .note)]
    #expect(throws: BlockDamage("the columns do not match the rows")) {
      try block.withUnsafeBytes { block in
        let payload = UnsafeRawBufferPointer(rebasing: block[length...])
        try events.withUnsafeMutableBufferPointer {
          try decoder.decode(header, payload, to: $0, in: Vocabulary())
        }
      }
    }
  }

  /// Changes some plain bytes, mantissas or header fields of a block and sets its checksums right.
  static func mutate(
    _ block: [UInt8], _ random: inout SeededGenerator
  ) throws -> [UInt8] {
    let length = Int(block.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt32.self) })
    var header = try block[..<length].withUnsafeBytes { try BlockHeader(decoding: $0) }
    let deflated = Array(block[length..<length + Int(header.deflatedLength)])
    var mantissas = Array(block[(length + Int(header.deflatedLength))...])
    var plain = [UInt8](repeating: 0, count: Int(header.plainLength))
    try deflated.withUnsafeBytes { source in
      try plain.withUnsafeMutableBytes { try Inflater().inflate(source, to: $0) }
    }

    for _ in 0..<Int.random(in: 1...6, using: &random) {
      switch Int.random(in: 0...9, using: &random) {
      case 0: header.eventCount = UInt32.random(in: 1...16_384, using: &random)
      case 1: header.checkpointCount = UInt32.random(in: 0...16_384, using: &random)
      case 2 where !mantissas.isEmpty: mantissas.removeLast()
      case 3: mantissas.append(.random(in: .min ... .max, using: &random))
      case 4: header.writers = []
      case 5: plain.removeLast(min(plain.count - 1, Int.random(in: 1...9, using: &random)))
      default:
        let index = Int.random(in: 0..<plain.count, using: &random)
        plain[index] = .random(in: .min ... .max, using: &random)
      }
    }
    return try seal(header, plain, mantissas)
  }

  private static func seal(
    _ original: BlockHeader, _ plain: [UInt8], _ mantissas: [UInt8]
  ) throws -> [UInt8] {
    var header = original
    let deflater = try Deflater(level: 6)
    var deflated = [UInt8](repeating: 0, count: deflater.bound(plain.count, parts: 1))
    let count = plain.withUnsafeBytes { plain in
      deflated.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map { deflater.deflate([plain], to: $0) } ?? 0
      }
    }

    deflated.removeLast(deflated.count - count)
    header.plainLength = UInt32(plain.count)
    header.deflatedLength = UInt32(count)
    header.mantissaLength = UInt32(mantissas.count)
    header.payloadChecksum = checksum(deflated + mantissas)
    var sink = ByteSink()
    header.encode(to: &sink)
    return sink.bytes + deflated + mantissas
  }
}

extension HostileBytesTests {
  /// A header at every few bytes, each of which says that 160 KB belong to it: 600 times the bytes, if
  /// each is summed up for itself.
  @Test func overlappingHeadersAreReadInTheTimeOfTheirBytes() throws {
    let log = try LogBench("0s main work timer app\n1s main work timer app", eventsPerBlock: 1)
    let blocks = try log.blocks()
    var false12 = LogFormat.marker
    withUnsafeBytes(of: UInt32(LogFormat.maxBlockHeaderBytes).littleEndian) {
      false12 += Array($0)
    }

    var hostile = log
    let damage = (0..<100_000).flatMap { _ in false12 }
    hostile.assemble([blocks[0], damage, blocks[1]])
    var reader = try LogReader(bytes: hostile.bytes)
    let trace = try reader.readAll()
    #expect(trace.events.filter { $0.verb == .work }.count == 2)
    #expect(reader.damageCount == 1)
  }

  @Test(arguments: 0..<40) func checksumsOfRangesAreThoseOfTheirBytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<20_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    var sums = WindowChecksum()
    var offset = 0
    bytes.withUnsafeBytes { bytes in
      while offset < bytes.count {
        let end = Int.random(in: offset...bytes.count, using: &random)
        let range = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
        #expect(sums.checksum(range, at: offset + 77) == checksum(range))
        offset += Int.random(in: 1...1500, using: &random)
      }
    }
  }

  @Test func ofAKeyThatAListRepeatsTheFirstHolds() throws {
    var trace = Trace()
    let list = [Attribute("a", "1"), Attribute("b", "2"), Attribute("a", "3")]
    trace.events = [
      Event(
        sequence: 1, instant: .origin, writer: .main, verb: .note,
        attributes: trace.vocabulary.attributes(list))
    ]
    let read = try LogBench(trace).read()
    #expect(read.vocabulary.attributes(read.events[0].attributes) == Array(list.prefix(2)))
  }

  @Test func aHeaderThatHidesItsVerbsHidesNoEvent() throws {
    let log = try LogBench("0s main work timer app\n1s main call sceneWillConnect scene:1")
    var reader = try LogReader(bytes: log.bytes)
    var events: [Event] = []
    while try reader.read(into: &events), reader.block == nil {}
    var header = try #require(reader.block)
    header.verbs = 0
    header.writers[0].count = 7

    var sink = ByteSink()
    let length = header.headerLength
    header.encode(to: &sink)
    var hostile = log
    hostile.bytes.replaceSubrange(
      LogFormat.fileHeaderLength..<LogFormat.fileHeaderLength + length, with: sink.bytes)
    #expect(try hostile.read().events.count == 2)

    let report = try VerifyReport(LogReader(bytes: hostile.bytes))
    #expect(
      report.problems.map(\.description) == [
        "header at byte 84: writer main: expected 2 events, 1 to 2, found 7 events, 1 to 2",
        "header at byte 84: verbs: expected 0x208, found 0x0",
      ])
  }
}
