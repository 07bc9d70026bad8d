import Foundation
import LifecycleModel
import TestTime
import Testing
import Traces

@testable import TraceLog

/// What is decoded on another thread is told as if it were not.
struct ReadAheadTests {
  /// What a reader says, batch after batch.
  private static func account(_ open: () throws -> LogReader, ahead: Bool) -> [String] {
    var account: [String] = []
    do {
      var reader = try open()
      if ahead { reader.readAhead(from: 0) }
      var events: [Event] = []
      while try reader.read(into: &events) { account += batch(reader, events) }
      account += batch(reader, events)
      account.append("\(reader.lastSequences.sorted { $0.key < $1.key })")
    } catch {
      account.append("\(error)")
    }
    return account
  }

  private static func batch(_ reader: LogReader, _ events: [Event]) -> [String] {
    let words = reader.vocabulary
    let checkpoint = reader.checkpoint.map { lines(Trace(vocabulary: words, events: $0)) }
    let block = reader.block.map { "block \($0.number) of \($0.eventCount)" } ?? "no block"
    return [
      "\(block) at \(reader.offset), \(reader.byteCount) bytes, part \(reader.part.number)",
      "\(reader.damageCount) \(reader.damages)", "\(checkpoint ?? [])",
    ] + lines(Trace(vocabulary: words, events: events))
  }

  private func expectSame(_ what: String, _ open: () throws -> LogReader) {
    let expected = ReadAheadTests.account(open, ahead: false)
    let found = ReadAheadTests.account(open, ahead: true)
    let different = zip(expected, found).first { $0 != $1 }
    #expect(
      different == nil && expected.count == found.count,
      "\(what): \(String(describing: different).prefix(600))")
  }

  /// Damage of the rows of one block is not told of the next one.
  @Test func damageIsThatOfItsBlockAlone() throws {
    var header = BlockHeader()
    header.writers = [WriterSpan(name: "main", first: 1, last: 1, count: 1)]
    header.eventCount = 1
    var plain = ByteSink()
    // No words; one shape, a call; the row of shape 0 with the time class 0, and a list too much.
    plain.put([0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0] as [UInt8])
    header.plainLength = UInt32(plain.bytes.count)
    var packed = [UInt8](repeating: 0, count: 200)
    header.deflatedLength = UInt32(
      plain.bytes.withUnsafeBytes { plain in
        packed.withUnsafeMutableBufferPointer { target in
          target.baseAddress.map { Deflater(level: 6).deflate([plain], to: $0) } ?? 0
        }
      })

    let decoder = BlockDecoder(inflater: try Inflater())
    let words = Vocabulary()
    var events = [Event(instant: .origin, writer: .system, verb: .note)]
    try packed.withUnsafeBytes { payload in
      let payload = UnsafeRawBufferPointer(rebasing: payload[..<header.payloadLength])
      try events.withUnsafeMutableBufferPointer {
        try decoder.decodeUnnamed(header, payload, to: $0)
      }
      #expect(throws: BlockDamage("the columns do not match the rows")) {
        try events.withUnsafeMutableBufferPointer { try decoder.name($0, header, in: words) }
      }
      let none = UnsafeMutableBufferPointer<Event>(start: nil, count: 0)
      try decoder.decodeUnnamed(header, payload, to: none)
      try decoder.name(none, header, in: words)
    }
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(10, all: 31))
  func damagedLogsAreReadTheSame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var traces = RandomTrace(seed: seed)
    let log = try LogBench(traces.trace(90, labels: seed % 4 == 0 ? 20 : 0), eventsPerBlock: 15)
    expectSame("seed \(seed)") { try LogReader(bytes: log.bytes) }

    for round in 0..<15 {
      var damaged = log
      switch round % 5 {
      case 0: damaged.flipBit(Int.random(in: 0..<8 * log.bytes.count, using: &random))
      case 1: damaged.truncate(to: Int.random(in: 1..<log.bytes.count, using: &random))
      case 2:
        let start = Int.random(in: 0..<log.bytes.count, using: &random)
        damaged.bytes.removeSubrange(start..<min(start + 40, log.bytes.count))
      case 3:
        let zeros = Int.random(in: 1..<log.bytes.count, using: &random)
        damaged.truncate(to: zeros)
        damaged.bytes += [UInt8](repeating: 0, count: log.bytes.count - zeros)
      default:
        var blocks = try log.blocks()
        let index = Int.random(in: 0..<blocks.count, using: &random)
        blocks[index] = try HostileBytesTests.mutate(blocks[index], &random)
        damaged.assemble(blocks)
      }
      expectSame("seed \(seed), round \(round)") { try LogReader(bytes: damaged.bytes) }
    }
  }

  @Test func aFilterPassesTheSameBlocks() throws {
    let trace = try RandomTrace.plain(300)
    let log = try LogBench(trace, eventsPerBlock: 10)
    let instants = trace.events.map(\.instant).sorted()
    expectSame("from … to") {
      try LogReader(bytes: log.bytes, filter: BlockFilter(from: instants[90], to: instants[200]))
    }
    expectSame("verbs") {
      try LogReader(bytes: log.bytes, filter: BlockFilter(verbs: [.kill, .exit]))
    }
  }

  @Test func partsAndALostOneAreReadTheSame() throws {
    let folder = try LogFolder()
    let path = folder.file("log.bin")
    let trace = try RandomTrace.plain(900)
    var options = LogWriter.Options()
    options.eventsPerBlock = 50
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: LogBench.identity,
      options: options, limits: LogLimits(maxPartBytes: 2_000))
    for start in stride(from: 0, to: 900, by: 50) {
      try log.append(trace.events[start..<start + 50])
    }
    try log.close()

    expectSame("all parts") { try LogReader(path: path) }
    try FileManager.default.removeItem(atPath: LogPart.path(path, 2))
    expectSame("without the second part") { try LogReader(path: path) }
    try FileManager.default.removeItem(atPath: LogPart.path(path, 1))
    expectSame("without the first parts") { try LogReader(path: path) }
  }

  /// The thread may be at work when nobody wants the block any more.
  @Test func aReaderMayBeLeftInTheMiddle() throws {
    let log = try LogBench(RandomTrace.plain(400), eventsPerBlock: 20)
    for batches in 0..<20 {
      var reader = try LogReader(bytes: log.bytes)
      reader.readAhead(from: 0)
      var events: [Event] = []
      for _ in 0..<batches { #expect(try reader.read(into: &events)) }
    }
  }

  /// What the caller forgets between two batches is none of the words of the next one.
  @Test func wordsMayBeForgottenBetweenBatches() throws {
    var traces = RandomTrace(seed: 3)
    let log = try LogBench(traces.trace(300, labels: 100), eventsPerBlock: 10)
    var reader = try LogReader(bytes: log.bytes)
    reader.readAhead(from: 0)
    var events: [Event] = []
    var found: [String] = []
    while try reader.read(into: &events) {
      found += lines(Trace(vocabulary: reader.vocabulary, events: events))
      reader.vocabulary.forget(except: VocabularyUse())
    }
    #expect(found == lines(log.written))
  }
}

extension RandomTrace {
  /// A trace without edge values.
  fileprivate static func plain(_ count: Int) throws -> Trace {
    var traces = RandomTrace(seed: 11)
    return try traces.trace(count, isWild: false)
  }
}
