import LifecycleModel
import TraceText

@testable import TraceLog

/// A log in memory, and verbs to write it, damage it and read it.
struct LogBench {
  var bytes: [UInt8] = []
  /// What was written.
  private(set) var written: Trace
  private let eventsPerBlock: Int

  static let identity = LogIdentity(
    logID: Array(1...16), originWall: 1_700_000_000_000_000_000, originMonotonic: 5_000_000_000,
    originBoottime: 6_000_000_000, bootID: Array(0xB0...0xBF))

  init(_ trace: Trace, eventsPerBlock: Int = 16_384, identity: LogIdentity = LogBench.identity)
    throws
  {
    written = trace
    self.eventsPerBlock = eventsPerBlock
    let sink = MemoryLogSink()
    var options = LogWriter.Options()
    options.eventsPerBlock = eventsPerBlock
    let writer = try LogWriter(
      to: sink, vocabulary: trace.vocabulary, identity: identity, options: options)
    try writer.append(trace.events)
    try writer.close()
    bytes = sink.bytes
  }

  /// Writes a trace in trace notation.
  init(_ notation: String, eventsPerBlock: Int = 16_384, identity: LogIdentity = LogBench.identity)
    throws
  {
    try self.init(
      TraceNotation.parse(notation), eventsPerBlock: eventsPerBlock, identity: identity)
  }

  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  mutating func flipBit(_ bit: Int) { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }

  /// Reads all of the log.
  func read() throws -> Trace {
    var reader = try LogReader(bytes: bytes)
    return try reader.readAll()
  }

  /// Reads the log and gives its gaps as `cause writer from…to`.
  func gaps() throws -> [String] { try LogBench.gaps(read()) }

  static func gaps(_ trace: Trace) -> [String] {
    trace.events.compactMap { Gap($0, in: trace.vocabulary) }.map { gap in
      guard let writer = gap.writer, let from = gap.from, let to = gap.to else {
        return "\(gap.cause) \(gap.count.map(String.init) ?? "?")"
      }
      return "\(gap.cause) \(writer) \(from)…\(to)"
    }
  }

  /// Where each block begins, and where the last one ends.
  func blockOffsets() throws -> [Int] {
    var reader = try LogReader(bytes: bytes)
    var offsets: [Int] = []
    var events: [Event] = []
    while try reader.read(into: &events) { offsets.append(reader.offset) }
    return offsets + [bytes.count]
  }

  /// The bytes of each block.
  func blocks() throws -> [[UInt8]] {
    let offsets = try blockOffsets()
    return zip(offsets, offsets.dropFirst()).map { Array(bytes[$0..<$1]) }
  }

  /// The log made of its file header and these blocks.
  mutating func assemble(_ blocks: [[UInt8]]) {
    bytes = Array(bytes.prefix(LogFormat.fileHeaderLength)) + blocks.flatMap { $0 }
  }
}

/// The events of a trace as lines that can be compared, each with its writer and sequence.
func lines(_ trace: Trace) -> [String] {
  trace.events.map { event in
    let words = trace.vocabulary
    let attributes = words.attributes(event.attributes).map { "\($0.key)=\($0.value)" }
    return [
      "\(event.sequence)", "\(event.instant.nanoseconds)", words.name(of: event.writer),
      words.word(of: event.verb), words.text(event.name), event.subject.description,
      words.text(event.label), event.value.map(String.init) ?? "-",
    ].joined(separator: " ") + " " + attributes.joined(separator: ",")
  }
}

extension Trace {
  /// The events that are not `gap`s.
  var withoutGaps: Trace {
    Trace(vocabulary: vocabulary, events: events.filter { $0.verb != .gap })
  }
}
