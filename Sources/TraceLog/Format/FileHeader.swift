/// What the file header says of a log: which one it is, and where its time begins.
public struct LogIdentity: Hashable, Sendable {
  /// 16 bytes that no other log has.
  public var logID: [UInt8]
  /// The wall clock at the log's origin, nanoseconds since 1970; 0 when not known.
  public var originWall: Int64
  /// The awake monotonic clock at the log's origin, nanoseconds.
  public var originMonotonic: Int64
  /// The boot-time clock at the log's origin, nanoseconds.
  public var originBoottime: Int64
  /// 16 bytes that name the boot of the machine; zeros when not known.
  public var bootID: [UInt8]

  /// Makes an identity; ids of another length than 16 bytes are cut or filled with zeros.
  public init(
    logID: [UInt8], originWall: Int64, originMonotonic: Int64, originBoottime: Int64,
    bootID: [UInt8] = []
  ) {
    func sized(_ id: [UInt8]) -> [UInt8] {
      Array((id + [UInt8](repeating: 0, count: 16)).prefix(16))
    }
    self.logID = sized(logID)
    self.originWall = originWall
    self.originMonotonic = originMonotonic
    self.originBoottime = originBoottime
    self.bootID = sized(bootID)
  }

  /// The same log, which does not say in which boot of the machine it was recorded, nor how long after it.
  package var withoutBoot: LogIdentity {
    LogIdentity(logID: logID, originWall: originWall, originMonotonic: 0, originBoottime: 0)
  }

  /// An id as people read it: `0a0b…`, two digits a byte.
  package static func hex(_ id: [UInt8]) -> String {
    id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The first bytes of a log; `LogFormat.md`, "File header".
///
/// ```
/// magic 8 │ major 2 │ minor 2 │ length 4 │ log id 16 │ clocks 3 × 8 │ boot id 16 │ limits 2 × 4 │
/// of a later part: part 4 │ events before 8 │ writers 2 │ writer × writers │
/// CRC 4                                                     writer: length 2 │ name │ last 8
/// ```
package struct FileHeader: Hashable {
  package var majorVersion = LogFormat.majorVersion
  package var minorVersion = LogFormat.minorVersion
  package var identity: LogIdentity
  package var maxEvents = UInt32(LogFormat.maxEvents)
  package var maxPayloadBytes = UInt32(LogFormat.maxPayloadBytes)
  package var part = LogPart()

  package init(_ identity: LogIdentity, _ part: LogPart = LogPart()) {
    self.identity = identity
    self.part = part
  }

  /// The header's bytes; the last four are the log's tag, which every block repeats.
  package func encoded() -> [UInt8] {
    var sink = ByteSink()
    sink.put(LogFormat.magic)
    sink.put(majorVersion)
    sink.put(minorVersion)

    let ofPart = encodedPart()
    sink.put(UInt32(LogFormat.fileHeaderLength + ofPart.count))
    sink.put(identity.logID)
    sink.put(identity.originWall)
    sink.put(identity.originMonotonic)
    sink.put(identity.originBoottime)
    sink.put(identity.bootID)
    sink.put(maxEvents)
    sink.put(maxPayloadBytes)
    sink.put(ofPart)
    sink.put(checksum(sink.bytes))
    return sink.bytes
  }

  /// What a later part says of those before; writers that are too many are left out.
  private func encodedPart() -> [UInt8] {
    guard part.number > 1 else { return [] }
    var room =
      LogFormat.maxFileHeaderBytes - LogFormat.fileHeaderLength - LogFormat.partFixedLength
    let writers = part.writers.prefix(Int(UInt16.max)).prefix { writer in
      room -= LogFormat.writerMarkFixedLength + writer.name.utf8.count
      return room >= 0
    }
    var sink = ByteSink()
    sink.put(part.number)
    sink.put(part.eventsBefore)
    sink.put(UInt16(writers.count))

    for writer in writers {
      sink.put(UInt16(writer.name.utf8.count))
      sink.put(writer.name.utf8)
      sink.put(writer.last)
    }
    return sink.bytes
  }

  /// Reads what ``encoded()`` wrote; the bytes are whole and their CRC was checked.
  init(decoding bytes: UnsafeRawBufferPointer) throws(BlockDamage) {
    var source = ByteSource(bytes)
    _ = try source.take(LogFormat.magic.count)
    majorVersion = try source.get(UInt16.self)
    minorVersion = try source.get(UInt16.self)
    _ = try source.get(UInt32.self)

    let logID = Array(try source.take(16))
    identity = LogIdentity(
      logID: logID, originWall: try source.get(Int64.self),
      originMonotonic: try source.get(Int64.self), originBoottime: try source.get(Int64.self),
      bootID: Array(try source.take(16)))
    maxEvents = try source.get(UInt32.self)
    maxPayloadBytes = try source.get(UInt32.self)
    guard source.rest.count > LogFormat.checksumLength else { return }

    part.number = try source.get(UInt32.self)
    part.eventsBefore = try source.get(UInt64.self)
    for _ in 0..<(try source.get(UInt16.self)) {
      let name = try source.take(Int(try source.get(UInt16.self)))
      part.writers.append(
        LogPart.WriterMark(
          name: String(decoding: name, as: UTF8.self), last: try source.get(UInt64.self)))
    }
    // What a later version says there is its own.
    guard majorVersion <= LogFormat.majorVersion else { return }
    guard part.number > 1, part.number <= LogFormat.maxPart,
      part.eventsBefore <= LogFormat.maxNumber,
      part.writers.allSatisfy({ $0.last <= LogFormat.maxNumber })
    else { throw BlockDamage("a number of the file header is out of bounds") }
  }
}
