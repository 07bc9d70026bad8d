/// What stands next in a log.
enum ScannedItem {
  /// A block with a valid header, whose payload comes next.
  case block(BlockHeader)
  /// Bytes that are no block, up to the next block or to the end of the log.
  case damage(LogDamage)
  /// The log is over.
  case end
}

/// A place where a log is not what its writer wrote.
public struct LogDamage: Hashable, Sendable, CustomStringConvertible {
  /// What kind of damage it is.
  public enum Kind: String, Hashable, Sendable {
    /// The log ends inside of a block: whoever wrote it died.
    case tornTail = "torn-tail"
    /// Bytes changed, or are missing in the middle.
    case corruptBlock = "corrupt-block"
    /// A block stands twice, or behind its place.
    case misplacedBlock = "misplaced-block"
    /// The file header cannot be read; the origin of time is not known.
    case fileHeader = "file-header"
    /// A part of a rotated log is missing, or its file is none of the log's.
    case lostPart = "lost-part"

    /// What the log has there, and what a whole one has, in plain words.
    package var said: (words: String, expected: String) {
      switch self {
      case .tornTail: ("an unfinished block", "a whole block")
      case .corruptBlock: ("a damaged block", "a whole block")
      case .misplacedBlock: ("a misplaced block", "the next block")
      case .fileHeader: ("a damaged file header", "an unchanged file header")
      case .lostPart: ("a missing part", "a part of the log")
      }
    }
  }

  /// What kind of damage it is.
  public var kind: Kind
  /// The part of a rotated log in which it is; `nil` when the log is one file.
  public var part: UInt32?
  /// Where it begins in the file, in bytes.
  public var offset: Int
  /// What is wrong, as the end of a sentence.
  public var reason: String
  /// The header of the block that is lost; `nil` when it is lost, too.
  public var block: BlockHeader?

  /// `a damaged block at byte 1024: the payload's checksum is wrong`; with the part, if there are several.
  public var description: String {
    "\(kind.said.words)\(part.map { " in part \($0)" } ?? "") at byte \(offset): \(reason)"
  }
}

/// Finds the blocks of a log one after another, whatever happened to its bytes.
///
/// Torn tail or corruption is decided in ``damageWithoutNextBlock(_:)``.
final class LogScanner {
  let input: LogInput
  /// What the file header says; `nil` when it is damaged.
  private(set) var identity: LogIdentity?
  /// Which part of a rotated log the file is.
  private(set) var part = LogPart()
  /// Where the item begins that ``next()`` returned last.
  private(set) var offset = 0
  /// The damage to the file header, once.
  private(set) var headerDamage: LogDamage?
  private(set) var minorVersion: UInt16?
  /// How long the file header is; `nil` when it is damaged.
  private(set) var headerLength: Int?
  private(set) var tag: UInt32?
  /// How far the bytes go that a checksum did not fit: they may be asked about again and again.
  private var suspectEnd = 0
  private var sums = WindowChecksum()
  /// A byte that is known not to be zero.
  private var liveOffset = -1

  init(_ input: LogInput) throws {
    self.input = input
    try readFileHeader()
  }

  /// Opens the file at `path` to look at its beginning; `nil` when it is not readable as a log.
  ///
  /// Throws what keeps the system from reading it: it may pass.
  static func open(_ path: String, followsLink: Bool = true) throws -> LogScanner? {
    do {
      return try LogScanner(LogInput(path: path, followsLink: followsLink))
    } catch let error as LogError where !error.isOfSystem {
      return nil
    }
  }

  /// The next block or damage.
  ///
  /// The payload of the block before must be taken or skipped.
  func next() throws -> ScannedItem {
    offset = input.offset
    guard try input.fill(1) else { return .end }
    if offset == headerLength, input.window.first == LogFormat.cutMark { return .end }
    do { return .block(try takeHeader()) } catch let damage as BlockDamage {
      return .damage(try resynchronise(damage))
    }
  }

  /// Whether the limits had removed what the file holds when it was opened; asked before anything is read.
  func beginsCut() throws -> Bool {
    try input.offset == headerLength && input.fill(1) && input.window.first == LogFormat.cutMark
  }

  /// Whether the file ended behind its header when it was opened; asked before anything is read.
  func beginsBare() throws -> Bool { try input.offset == headerLength && !input.fill(1) }

  /// Whether the limits have removed what the file holds, by now.
  var isCut: Bool { headerLength.map { input.byte(at: $0) == LogFormat.cutMark } ?? false }

  /// The payload of `header`, whose CRC is right; throws ``BlockDamage`` when it is not.
  ///
  /// The pointer holds until the next call. A payload that is cut by the end throws ``TornPayload``.
  func payload(of header: BlockHeader) throws -> UnsafeRawBufferPointer {
    let length = header.payloadLength
    guard try input.fill(length) else {
      if blockFollowsInWindow() { throw BlockDamage("bytes of the payload are missing") }
      throw TornPayload()
    }

    let payload = UnsafeRawBufferPointer(rebasing: input.window[..<length])
    guard sum(payload) == header.payloadChecksum else {
      suspectEnd = max(suspectEnd, input.offset + length)
      if try isZeroTail(of: payload) { throw TornPayload() }
      throw BlockDamage("the payload's checksum is wrong")
    }
    return payload
  }

  /// Goes behind a damaged payload when a block or the end of the log is there; else stays, so that
  /// the next block is looked for from here.
  func leavePayload(of header: BlockHeader) throws {
    let length = header.payloadLength
    guard try input.fill(length) else { return }
    let isAtEnd = try !input.fill(length + 1)
    _ = try input.fill(length + LogFormat.marker.count)
    guard isAtEnd || input.window.dropFirst(length).starts(with: LogFormat.marker) else { return }
    try skipPayload(of: header)
  }

  /// Whether the log ends with the payload of `header`, which comes next.
  func isLast(_ header: BlockHeader) throws -> Bool {
    try input.fill(header.payloadLength) && !input.fill(header.payloadLength + 1)
  }

  /// Whether a marker is in what is left of the log, which the window holds.
  private func blockFollowsInWindow() -> Bool {
    let window = input.window
    let marker = LogFormat.marker
    return window.indices.contains {
      window[$0] == marker[0] && window[$0...].starts(with: marker)
    }
  }

  /// Whether the payload's last bytes are zeros and nothing but zeros follows: after a power loss
  /// the file may have its length, but not its bytes.
  private func isZeroTail(of payload: UnsafeRawBufferPointer) throws -> Bool {
    let length = payload.count
    guard payload.suffix(16).allSatisfy({ $0 == 0 }) else { return false }
    if liveOffset >= input.offset + length { return false }
    guard try input.fill(length + 1) else { return true }
    guard let live = input.window[length...].firstIndex(where: { $0 != 0 }) else { return true }
    liveOffset = input.offset + live
    return false
  }

  /// The CRC of bytes that stand at the window's start.
  private func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    input.offset < suspectEnd ? sums.checksum(bytes, at: input.offset) : checksum(bytes)
  }

  /// Passes over a payload; throws ``TornPayload`` when the log ends in it.
  func skipPayload(of header: BlockHeader) throws {
    let length = header.payloadLength
    guard try input.skip(length) == length else { throw TornPayload() }
  }

  private func takeHeader() throws -> BlockHeader {
    let header = try peekHeader()
    _ = try input.skip(header.headerLength)
    return header
  }

  /// Decodes the header at the window's start; throws ``BlockDamage`` when there is none.
  private func peekHeader() throws -> BlockHeader {
    guard try input.fill(LogFormat.blockHeaderFixedLength) else {
      throw BlockDamage("the log ends in a block header")
    }
    guard input.window.starts(with: LogFormat.marker) else {
      throw BlockDamage("no block begins at the expected place")
    }

    let length = Int(input.window.loadUnaligned(fromByteOffset: 8, as: UInt32.self).littleEndian)
    guard length >= LogFormat.blockHeaderFixedLength + LogFormat.checksumLength,
      length <= LogFormat.maxBlockHeaderBytes
    else { throw BlockDamage("the block header's length is out of bounds") }
    guard try input.fill(length) else { throw BlockDamage("the log ends in a block header") }

    let bytes = UnsafeRawBufferPointer(rebasing: input.window[..<length])
    let header: BlockHeader
    do throws(BlockDamage) { header = try BlockHeader(decoding: bytes, checksum: sum) } catch {
      suspectEnd = max(suspectEnd, input.offset + length)
      throw error
    }

    if let tag, header.tag != tag { throw BlockDamage("the block belongs to another log") }
    tag = header.tag
    return header
  }

  /// Looks for the next block behind the window's start and says what the bytes before it are.
  private func resynchronise(_ damage: BlockDamage) throws -> LogDamage {
    var tail = TailShape(input.window)
    while try input.fill(1) {
      let passed = try skipToMarker(&tail)
      guard passed else { break }
      if (try? peekHeader()) != nil {
        return LogDamage(kind: .corruptBlock, offset: offset, reason: damage.description)
      }
      tail.pass(input.window.first ?? 0)
      _ = try input.skip(1)
    }

    return damageWithoutNextBlock(tail)
  }

  /// Moves the window to the next place where a marker may begin, at least one byte on from the
  /// damage's start; false at the end of the log, or when `limit` bytes of it are passed.
  private func skipToMarker(_ tail: inout TailShape, limit: Int = .max) throws -> Bool {
    if input.offset == offset {
      tail.pass(input.window.first ?? 0)
      _ = try input.skip(1)
    }

    while input.offset < limit, try input.fill(1) {
      let window = input.window
      let found = window.firstIndex(of: LogFormat.marker[0]) ?? window.count
      for byte in window[..<found] { tail.pass(byte) }
      _ = try input.skip(found)
      guard found == window.count else {
        if try !input.fill(LogFormat.marker.count) { return true }
        if input.window.starts(with: LogFormat.marker) { return true }
        tail.pass(LogFormat.marker[0])
        _ = try input.skip(1)
        continue
      }
    }
    return false
  }

  /// Torn tail or corruption, when no block follows any more.
  ///
  /// | the bytes from where a block should begin to the end of the log | are |
  /// |---|---|
  /// | all zero | a torn tail: after a power loss a file may have its length, but not its bytes |
  /// | the start of a block header, as far as they go | a torn tail: the writer died |
  /// | anything else | corrupt |
  private func damageWithoutNextBlock(_ tail: TailShape) -> LogDamage {
    if tail.isZero {
      return LogDamage(kind: .tornTail, offset: offset, reason: "the log ends in zeros")
    }
    if tail.isHeaderStart {
      return LogDamage(kind: .tornTail, offset: offset, reason: "the log ends in a block header")
    }
    let reason =
      tail.isLog
      ? "another log begins here, and a file holds one log" : "the remaining bytes are not a block"
    return LogDamage(kind: .corruptBlock, offset: offset, reason: reason)
  }
}

/// A payload that the end of the log cuts.
struct TornPayload: Error {}

/// What bytes look like that no block follows.
private struct TailShape {
  private(set) var isZero = true
  /// Whether they begin as a log does: files were joined that are logs of their own.
  let isLog: Bool
  private let announced: Int?
  private let startsLikeMarker: Bool
  private var count = 0

  init(_ window: UnsafeRawBufferPointer) {
    let marker = LogFormat.marker
    isLog = window.starts(with: LogFormat.magic)
    startsLikeMarker = window.prefix(marker.count).elementsEqual(marker.prefix(window.count))
    announced =
      window.count >= 12
      ? Int(window.loadUnaligned(fromByteOffset: 8, as: UInt32.self).littleEndian) : nil
  }

  mutating func pass(_ byte: UInt8) {
    if byte != 0 { isZero = false }
    count += 1
  }

  /// Whether the bytes are shorter than the header that they begin.
  var isHeaderStart: Bool {
    guard startsLikeMarker else { return false }
    guard let announced else { return true }
    return count < announced && announced <= LogFormat.maxBlockHeaderBytes
  }
}

extension LogScanner {
  /// Reads the file header, or finds the first block without it.
  private func readFileHeader() throws {
    guard try input.fill(1) else { throw LogError.empty(path: input.path) }
    _ = try input.fill(LogFormat.fileHeaderLength)
    let magic = LogFormat.magic
    guard input.window.prefix(magic.count).elementsEqual(magic.prefix(input.window.count)) else {
      return try searchFirstBlock(mustBeNear: true)
    }
    guard input.window.count >= LogFormat.fileHeaderLength else {
      headerDamage = LogDamage(
        kind: .tornTail, offset: 0, reason: "the log ends in its file header")
      _ = try input.skip(input.window.count)
      return
    }

    let length = Int(input.window.loadUnaligned(fromByteOffset: 12, as: UInt32.self).littleEndian)
    guard length >= LogFormat.fileHeaderLength, length <= LogFormat.maxFileHeaderBytes,
      try input.fill(length)
    else { return try searchFirstBlock(mustBeNear: false) }

    let bytes = UnsafeRawBufferPointer(rebasing: input.window[..<length])
    let covered = length - LogFormat.checksumLength
    let stored = bytes.loadUnaligned(fromByteOffset: covered, as: UInt32.self).littleEndian
    guard checksum(UnsafeRawBufferPointer(rebasing: bytes[..<covered])) == stored else {
      return try searchFirstBlock(mustBeNear: false)
    }
    guard let header = try? FileHeader(decoding: bytes) else {
      return try searchFirstBlock(mustBeNear: false)
    }
    guard header.majorVersion <= LogFormat.majorVersion else {
      throw LogError.newerVersion(
        found: header.majorVersion, supported: LogFormat.majorVersion, path: input.path)
    }

    identity = header.identity
    part = header.part
    minorVersion = header.minorVersion
    tag = stored
    headerLength = length
    _ = try input.skip(length)
  }

  /// Moves to the first block of a log whose file header is damaged.
  ///
  /// Without the magic number the file may be anything, so that a block must be near.
  private func searchFirstBlock(mustBeNear: Bool) throws {
    let looksLikeText = input.window.prefix(64).allSatisfy {
      $0 >= 0x20 || [9, 10, 13].contains($0)
    }
    var tail = TailShape(input.window)
    let limit = mustBeNear ? LogFormat.maxSearchBytes : .max

    repeat {
      if (try? peekHeader()) != nil {
        headerDamage = LogDamage(
          kind: .fileHeader, offset: 0, reason: "the origin of time is not known")
        return
      }
      _ = try input.skip(1)
    } while try input.offset < limit && skipToMarker(&tail, limit: limit)

    guard !mustBeNear else {
      throw LogError.notALog(path: input.path, looksLikeText: looksLikeText)
    }
    headerDamage = LogDamage(
      kind: .corruptBlock, offset: 0, reason: "the file header is damaged and no block follows")
  }
}
