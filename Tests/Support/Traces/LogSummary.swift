import LifecycleModel
import TraceLog

/// What a log holds, block by block, as its reader finds it: so much of it as tests compare with what was written.
package struct LogSummary: Equatable {
  /// One writer of a log.
  package struct Writer: Equatable {
    /// The writer's name.
    package var name: String
    /// The sequence of its first event.
    package var first: UInt64
    /// The sequence of its last event.
    package var last: UInt64
    /// How many events it has.
    package var count: UInt64
  }

  /// Which log it is; `nil` when the file header is damaged.
  package let identity: LogIdentity?
  /// How many blocks can be read.
  package private(set) var blockCount = 0
  /// How many events those blocks hold.
  package private(set) var eventCount: UInt64 = 0
  /// The writers in the order of their first block.
  package private(set) var writers: [Writer] = []
  /// The instants of the first and the last event; `nil` without events.
  package private(set) var instants: ClosedRange<Instant>?
  /// The known verbs that occur, in the order of their codes.
  package var verbs: [Verb] { Verb.known.filter { bits & 1 << UInt64($0.code) != 0 } }
  /// Whether verbs occur that this version does not know.
  package var hasUnknownVerbs: Bool { bits & 1 != 0 }
  /// What is missing; gaps that the recorder wrote are events and not here.
  package private(set) var losses: [Gap] = []
  /// Where the log is not what its writer wrote, the first thousand places.
  package private(set) var damages: [LogDamage] = []
  /// How many bytes the log has, with all its parts.
  package private(set) var byteCount = 0
  /// The numbers of the first and the last part that were read.
  package private(set) var parts: ClosedRange<UInt32> = 1...1
  /// How many events stood in older parts that the log's limits removed.
  package private(set) var removedEvents: UInt64 = 0
  /// How many events the ring holds that the log does not hold yet.
  package private(set) var ringEvents = 0
  private var bits: UInt64 = 0

  /// Whether nothing is wrong with the log.
  package var isWhole: Bool { damages.isEmpty }

  /// Whether the log ends in the middle of a block.
  package var isTorn: Bool { damages.contains { $0.kind == .tornTail } }

  /// Summarizes the log at `path` with all its parts, and its ring.
  package init(path: String) throws {
    try self.init(LogReader(path: path, joinsRing: false))
    ringEvents = try VerifyReport(path: path).ringEventCount
  }

  /// Summarizes a log in memory.
  package init(bytes: [UInt8]) throws { try self.init(LogReader(bytes: bytes)) }

  private init(_ reader: LogReader) throws {
    var reader = reader
    identity = reader.identity
    let opening = reader.opening
    reader.leaveOutBeginning()
    var events: [Event] = []
    while try reader.read(into: &events) {
      if let block = reader.block {
        add(block)
      } else {
        losses += events.compactMap { Gap($0, in: reader.vocabulary) }
      }
    }

    damages = reader.damages
    byteCount = reader.byteCount
    parts = reader.firstPart.number...max(reader.firstPart.number, reader.part.number)
    guard let opening else { return }
    if opening.cause == GapCause.rotated.rawValue {
      removedEvents = reader.firstPart.eventsBefore
    } else {
      losses.insert(opening, at: 0)
    }
  }

  private mutating func add(_ header: BlockHeader) {
    blockCount += 1
    eventCount += UInt64(header.eventCount)
    bits |= header.verbs
    let first = min(instants?.lowerBound ?? header.firstInstant, header.firstInstant)
    let last = max(instants?.upperBound ?? header.lastInstant, header.lastInstant)
    instants = first <= last ? first...last : nil

    for span in header.writers where span.count > 0 {
      if let index = writers.firstIndex(where: { $0.name == span.name }) {
        writers[index].last = span.last
        writers[index].count += UInt64(span.count)
      } else {
        writers.append(
          Writer(
            name: span.name, first: span.first, last: span.last, count: UInt64(span.count)))
      }
    }
  }
}
