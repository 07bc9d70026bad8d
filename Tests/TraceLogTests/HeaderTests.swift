import LifecycleModel
import Testing
import Traces

@testable import TraceLog

/// Headers of files and blocks: what is encoded is decoded, and no damage passes for a header.
@Suite struct HeaderTests {
  /// Makes headers of all that fits into them.
  private struct Maker {
    var random: SeededGenerator

    mutating func name() -> String {
      ["main", "-", "", "näïve ☂", String(repeating: "x", count: 1024)]
        .randomElement(using: &random) ?? ""
    }

    mutating func identity() -> LogIdentity {
      LogIdentity(
        logID: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
        originWall: Int64(bitPattern: random.next()),
        originMonotonic: Int64(bitPattern: random.next()),
        originBoottime: Int64(bitPattern: random.next()),
        bootID: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    mutating func fileHeader() -> FileHeader {
      var part = LogPart()
      if random.oneIn(2) {
        part.number = UInt32.random(in: 2...LogFormat.maxPart, using: &random)
        part.eventsBefore = random.next() >> 2
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          part.writers.append(LogPart.WriterMark(name: name(), last: random.next() >> 2))
        }
      }
      return FileHeader(identity(), part)
    }

    mutating func blockHeader() -> BlockHeader {
      var header = BlockHeader()
      header.tag = UInt32(truncatingIfNeeded: random.next())
      header.number = random.next() >> 2
      header.chain = UInt32(truncatingIfNeeded: random.next())
      header.flags = random.oneIn(2) ? LogFormat.flagCheckpointOmitted : 0
      header.eventsBefore = random.next() >> 2
      header.eventCount = UInt32.random(in: 1...UInt32(LogFormat.maxEvents), using: &random)
      header.checkpointCount = UInt32.random(
        in: 0...UInt32(LogFormat.maxCheckpointEvents), using: &random)
      header.firstInstant = Instant(nanoseconds: Int64(bitPattern: random.next()))
      header.lastInstant = Instant(nanoseconds: Int64(bitPattern: random.next()))
      header.verbs = random.next()
      header.deflatedLength = UInt32.random(
        in: 0...UInt32(LogFormat.maxDeflatedBytes), using: &random)
      header.plainLength = UInt32.random(in: 0...UInt32(LogFormat.maxPlainBytes), using: &random)
      header.mantissaLength = UInt32.random(
        in: 0...UInt32(LogFormat.maxMantissaBytes), using: &random)
      header.payloadChecksum = UInt32(truncatingIfNeeded: random.next())

      for _ in 0..<Int.random(in: 0...4, using: &random) {
        header.writers.append(
          WriterSpan(
            name: name(), first: random.next() >> 2, last: random.next() >> 2,
            count: UInt32(truncatingIfNeeded: random.next())))
      }
      return header
    }
  }

  /// Sums of what a header says must not overflow: numbers that no log has are damage.
  @Test func numbersThatNoLogHasAreDamage() throws {
    let beyond = LogFormat.maxNumber + 1
    let parts = [
      LogPart(number: LogFormat.maxPart + 1), LogPart(number: 2, eventsBefore: beyond),
      LogPart(number: 2, writers: [LogPart.WriterMark(name: "main", last: beyond)]),
    ]
    for part in parts {
      let bytes = FileHeader(LogBench.identity, part).encoded()
      #expect(throws: BlockDamage.self) {
        try bytes.withUnsafeBytes { try FileHeader(decoding: $0) }
      }
    }

    var headers = [BlockHeader(), BlockHeader(), BlockHeader()]
    headers[0].number = beyond
    headers[1].eventsBefore = beyond
    headers[2].writers = [WriterSpan(name: "main", first: beyond, last: 1, count: 1)]
    for var header in headers {
      (header.eventCount, header.codec) = (1, LogFormat.codecColumns)
      let bytes = encode(&header)
      #expect(throws: BlockDamage("a number of the block's header is out of bounds")) {
        try bytes.withUnsafeBytes { try BlockHeader(decoding: $0) }
      }
    }
  }

  private func encode(_ header: inout BlockHeader) -> [UInt8] {
    var sink = ByteSink()
    header.encode(to: &sink)
    return sink.bytes
  }

  private func decode(_ bytes: [UInt8]) throws -> BlockHeader {
    try bytes.withUnsafeBytes { try BlockHeader(decoding: $0) }
  }

  @Test(arguments: 0..<40) func headersComeBack(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = Maker(random: SeededGenerator(seed: seed))
    let file = maker.fileHeader()
    let bytes = file.encoded()
    let decoded = try bytes.withUnsafeBytes { try FileHeader(decoding: $0) }
    #expect(decoded == file, "seed \(seed)")
    #expect(checksum(bytes.dropLast(4) as [UInt8]) == bytes.suffix(4).littleEndian)
    #expect(bytes.count <= LogFormat.maxFileHeaderBytes)

    var block = maker.blockHeader()
    let blockBytes = encode(&block)
    #expect(blockBytes.count == block.headerLength)
    #expect(try decode(blockBytes) == block, "seed \(seed)")
    #expect(block.hasCheckpoint == (block.flags == 0))
    #expect(block.payloadLength == Int(block.deflatedLength) + Int(block.mantissaLength))
  }

  @Test func everyFlippedBitOfABlockHeaderIsSeen() throws {
    var maker = Maker(random: SeededGenerator(seed: 7))
    var header = maker.blockHeader()
    header.writers = [WriterSpan(name: "main", first: 1, last: 3, count: 3)]
    let bytes = encode(&header)

    for bit in 0..<8 * bytes.count {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: BlockDamage.self, "bit \(bit)") { try decode(damaged) }
    }

    for length in LogFormat.checksumLength..<bytes.count {
      #expect(throws: BlockDamage.self, "\(length) bytes") {
        try decode(Array(bytes.prefix(length)))
      }
    }
  }

  /// A header that somebody made, with a right checksum.
  @Test func whatIsOverTheLimitsIsRefused() throws {
    let changes: [(String, (inout BlockHeader) -> Void)] = [
      ("no event", { $0.eventCount = 0 }),
      ("too many events", { $0.eventCount = UInt32(LogFormat.maxEvents) + 1 }),
      ("a large checkpoint", { $0.checkpointCount = UInt32(LogFormat.maxCheckpointEvents) + 1 }),
      ("deflated", { $0.deflatedLength = UInt32(LogFormat.maxDeflatedBytes) + 1 }),
      ("plain", { $0.plainLength = UInt32(LogFormat.maxPlainBytes) + 1 }),
      ("mantissa", { $0.mantissaLength = UInt32(LogFormat.maxMantissaBytes) + 1 }),
      ("codec", { $0.codec = 2 }), ("flag", { $0.flags = 2 }),
      (
        "a long name",
        {
          $0.writers = [
            WriterSpan(name: String(repeating: "x", count: LogFormat.maxWriterNameBytes + 1))
          ]
        }
      ),
      (
        "many writers",
        { $0.writers = (0...LogFormat.maxWriters).map { WriterSpan(name: "\($0)") } }
      ),
    ]

    for (what, change) in changes {
      var maker = Maker(random: SeededGenerator(seed: 1))
      var header = maker.blockHeader()
      #expect(try decode(encode(&header)) == header)
      change(&header)
      let bytes = encode(&header)
      #expect(throws: BlockDamage.self, "\(what)") { try decode(bytes) }
    }
  }

  /// What a later minor version adds behind the writers is passed over.
  @Test func laterFieldsArePassedOver() throws {
    var maker = Maker(random: SeededGenerator(seed: 3))
    var header = maker.blockHeader()
    var bytes = encode(&header).dropLast(4) + [1, 2, 3, 4, 5]
    withUnsafeBytes(of: checksum(Array(bytes)).littleEndian) { bytes.append(contentsOf: $0) }
    let decoded = try decode(Array(bytes))
    #expect(decoded.writers == header.writers && decoded.number == header.number)
    #expect(decoded.headerLength == header.headerLength + 5)
  }

  @Test func idsAreSixteenBytes() {
    for count in [0, 3, 16, 40] {
      let identity = LogIdentity(
        logID: [UInt8](repeating: 7, count: count), originWall: 0, originMonotonic: 0,
        originBoottime: 0)
      #expect(identity.logID.count == 16 && identity.bootID == [UInt8](repeating: 0, count: 16))
      #expect(identity.logID.count { $0 == 7 } == min(count, 16))
    }
  }

  /// What does not fit into a header is left out, and the header is one all the same.
  @Test func tooManyWritersOfEarlierPartsAreLeftOut() throws {
    let part = LogPart(
      number: 2, eventsBefore: 9,
      writers: (0..<400).map {
        LogPart.WriterMark(name: String(repeating: "w", count: 1000), last: $0)
      })
    let bytes = FileHeader(LogBench.identity, part).encoded()
    #expect(bytes.count <= LogFormat.maxFileHeaderBytes)
    let decoded = try bytes.withUnsafeBytes { try FileHeader(decoding: $0) }
    #expect(decoded.part.writers == Array(part.writers.prefix(decoded.part.writers.count)))
    #expect(decoded.part.writers.count > 100 && decoded.part.eventsBefore == 9)
  }

  @Test func everyErrorSaysWhereAndWhatToDo() {
    let path = "folder/log.bin"
    let errors: [LogError] = [
      .notFound(path: path), .noPermission(path: path),
      .isDirectory(path: path), .empty(path: path), .notALog(path: path, looksLikeText: true),
      .notALog(path: path, looksLikeText: false),
      .newerVersion(found: 9, supported: 0, path: path), .exists(path: path), .notOurs(path: path),
      .inUse(path: path), .inUseHere(path: path), .removed(path: path), .diskFull(path: path),
      .closed(path: path),
      .system(operation: "read", path: path, errno: 5, reason: "Input/output error"),
    ]

    for error in errors {
      let text = error.description
      #expect(text.hasPrefix("\(path): ") && !text.contains("\n"), "\(text)")
      #expect(text.count > path.count + 12, "\(text)")
    }

    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect("\(LogError.outOfMemory(doing: "reading"))" == "out of memory while reading")
    #expect("\(LogError.impossibleRing(reason: "no lane"))".contains("no lane"))
  }
}

extension Collection<UInt8> {
  /// The number that these four bytes are.
  fileprivate var littleEndian: UInt32 {
    reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
