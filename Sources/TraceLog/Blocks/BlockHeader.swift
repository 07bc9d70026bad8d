import LifecycleModel

/// What a block's header says of one writer.
public struct WriterSpan: Hashable, Sendable {
  /// The writer's name.
  public var name: String
  /// The sequence of its first event in the block; 0 when it has none.
  public var first: UInt64
  /// The sequence of its last event in the block; 0 when it has none.
  public var last: UInt64
  /// How many events it has in the block, `gap`s and the checkpoint not counted.
  public var count: UInt32

  /// Makes a span.
  public init(name: String, first: UInt64 = 0, last: UInt64 = 0, count: UInt32 = 0) {
    self.name = name
    self.first = first
    self.last = last
    self.count = count
  }
}

/// What can be known of a block without its payload; `LogFormat.md`, "Block header".
///
/// ```
/// marker 8 │ length 4 │ tag 4 │ number 8 │ chain 4 │ codec 1 │ flags 1 │ writers 2 │ events before 8
/// events 4 │ checkpoint 4 │ first 8 │ last 8 │ verbs 8 │ deflated 4 │ plain 4 │ mantissa 4
/// payload CRC 4 │ writer × writers │ CRC 4        writer: length 2 │ name │ first 8 │ last 8 │ count 4
/// ```
public struct BlockHeader: Hashable, Sendable {
  /// The CRC of the file header, the same in all blocks of a log.
  var tag: UInt32 = 0
  /// The block's number, dense from 0.
  public internal(set) var number: UInt64 = 0
  /// The CRC of the header of the block before; of the file header in the first block.
  var chain: UInt32 = 0
  var codec = LogFormat.codecColumns
  var flags: UInt8 = 0
  /// How many events the blocks before hold.
  public internal(set) var eventsBefore: UInt64 = 0
  /// How many events the block holds.
  public internal(set) var eventCount: UInt32 = 0
  /// How many events rebuild the state before the block's first event.
  public internal(set) var checkpointCount: UInt32 = 0
  /// The smallest instant of the block's events.
  public internal(set) var firstInstant = Instant.origin
  /// The largest instant of the block's events.
  public internal(set) var lastInstant = Instant.origin
  /// A bit for each known verb's code; bit 0 for any verb that is not known.
  public internal(set) var verbs: UInt64 = 0
  var deflatedLength: UInt32 = 0
  var plainLength: UInt32 = 0
  var mantissaLength: UInt32 = 0
  var payloadChecksum: UInt32 = 0
  /// The writers, in the order of their numbers in the block.
  public internal(set) var writers: [WriterSpan] = []
  /// The CRC of this header; not set before it was encoded or decoded.
  var checksumOfSelf: UInt32 = 0
  /// How many bytes the header takes in the log.
  public internal(set) var headerLength = 0

  /// Whether the block carries the state before its first event.
  public var hasCheckpoint: Bool { flags & LogFormat.flagCheckpointOmitted == 0 }

  /// How many bytes follow the header.
  public var payloadLength: Int { Int(deflatedLength) + Int(mantissaLength) }
}

extension BlockHeader {
  /// Appends the header to `sink` and notes its length and CRC.
  mutating func encode(to sink: inout ByteSink) {
    let start = sink.bytes.count
    headerLength =
      LogFormat.blockHeaderFixedLength + LogFormat.checksumLength
      + writers.reduce(0) { $0 + LogFormat.writerSpanFixedLength + $1.name.utf8.count }
    sink.put(LogFormat.marker)
    sink.put(UInt32(headerLength))
    sink.put(tag)
    sink.put(number)
    sink.put(chain)
    sink.put(codec)
    sink.put(flags)
    sink.put(UInt16(writers.count))
    sink.put(eventsBefore)
    sink.put(eventCount)
    sink.put(checkpointCount)
    sink.put(firstInstant.nanoseconds)
    sink.put(lastInstant.nanoseconds)
    sink.put(verbs)
    sink.put(deflatedLength)
    sink.put(plainLength)
    sink.put(mantissaLength)
    sink.put(payloadChecksum)

    for writer in writers {
      sink.put(UInt16(writer.name.utf8.count))
      sink.put(writer.name.utf8)
      sink.put(writer.first)
      sink.put(writer.last)
      sink.put(writer.count)
    }

    checksumOfSelf = sink.bytes.withUnsafeBytes {
      TraceLog.checksum(UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    sink.put(checksumOfSelf)
  }

  /// Reads what ``encode(to:)`` wrote from `bytes`, which are the header and nothing else.
  ///
  /// Bytes between the last writer and the CRC belong to a later minor version and are passed over.
  init(
    decoding bytes: UnsafeRawBufferPointer,
    checksum: (UnsafeRawBufferPointer) -> UInt32 = TraceLog.checksum
  ) throws(BlockDamage) {
    let covered = UnsafeRawBufferPointer(rebasing: bytes.dropLast(LogFormat.checksumLength))
    var end = ByteSource(UnsafeRawBufferPointer(rebasing: bytes[covered.count...]))
    checksumOfSelf = try end.get(UInt32.self)
    guard checksum(covered) == checksumOfSelf else {
      throw BlockDamage("the block header's checksum is wrong")
    }

    headerLength = bytes.count
    var source = ByteSource(covered)
    _ = try source.take(LogFormat.marker.count + 4)
    tag = try source.get(UInt32.self)
    number = try source.get(UInt64.self)
    chain = try source.get(UInt32.self)
    codec = try source.get(UInt8.self)
    flags = try source.get(UInt8.self)

    let writerCount = Int(try source.get(UInt16.self))
    eventsBefore = try source.get(UInt64.self)
    eventCount = try source.get(UInt32.self)
    checkpointCount = try source.get(UInt32.self)
    firstInstant = Instant(nanoseconds: try source.get(Int64.self))
    lastInstant = Instant(nanoseconds: try source.get(Int64.self))
    verbs = try source.get(UInt64.self)
    deflatedLength = try source.get(UInt32.self)
    plainLength = try source.get(UInt32.self)
    mantissaLength = try source.get(UInt32.self)
    payloadChecksum = try source.get(UInt32.self)
    guard writerCount <= LogFormat.maxWriters else { throw BlockDamage("too many writers") }

    for _ in 0..<writerCount {
      let length = Int(try source.get(UInt16.self))
      guard length <= LogFormat.maxWriterNameBytes else {
        throw BlockDamage("a writer's name exceeds the limit")
      }
      writers.append(
        WriterSpan(
          name: String(decoding: try source.take(length), as: UTF8.self),
          first: try source.get(UInt64.self), last: try source.get(UInt64.self),
          count: try source.get(UInt32.self)))
    }
    try checkLimits()
  }

  private func checkLimits() throws(BlockDamage) {
    guard eventCount >= 1, eventCount <= LogFormat.maxEvents,
      checkpointCount <= LogFormat.maxCheckpointEvents
    else { throw BlockDamage("the block's event counts are out of bounds") }
    guard deflatedLength <= LogFormat.maxDeflatedBytes, plainLength <= LogFormat.maxPlainBytes,
      mantissaLength <= LogFormat.maxMantissaBytes
    else { throw BlockDamage("the block's lengths are out of bounds") }
    guard number <= LogFormat.maxNumber, eventsBefore <= LogFormat.maxNumber,
      writers.allSatisfy({ max($0.first, $0.last) <= LogFormat.maxNumber })
    else { throw BlockDamage("a number of the block's header is out of bounds") }
    guard codec == LogFormat.codecColumns else { throw BlockDamage("the codec is unknown") }
    guard flags & LogFormat.reservedFlags == 0 else { throw BlockDamage("a reserved flag is set") }
  }
}
