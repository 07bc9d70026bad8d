import LifecycleModel

/// What a log holds, as its block headers alone say: no payload is read.
public struct LogSummary: Hashable, Sendable {
  /// Which log it is; `nil` when the file header is damaged.
  public private(set) var identity: LogIdentity?
  /// How many blocks are whole, as far as their headers say.
  public private(set) var blockCount = 0
  /// How many events those blocks hold.
  public private(set) var eventCount: UInt64 = 0
  /// The writers in the order of their first block, each with its first and last sequence.
  public private(set) var writers: [WriterSummary] = []
  /// The instants of the first and the last event; `nil` without events.
  public private(set) var instants: ClosedRange<Instant>?
  /// The known verbs that occur, in the order of their codes.
  public private(set) var verbs: [Verb] = []
  /// Whether verbs occur that this version does not know.
  public private(set) var hasUnknownVerbs = false
  /// What is missing, as far as headers say; gaps that the recorder wrote are events and not here.
  public private(set) var losses: [Gap] = []
  /// Where the log is not what its writer wrote, the first thousand places.
  public private(set) var damages: [LogDamage] = []
  /// How many bytes the log has, with all its parts.
  public private(set) var byteCount = 0
  /// The numbers of the first and the last part that were read; 1 and 1 of a log that is one file.
  public private(set) var parts: ClosedRange<UInt32> = 1...1
  /// How many events stood in older parts that are gone.
  public private(set) var removedEvents: UInt64 = 0
  /// How many events the ring holds that the log does not hold yet.
  public private(set) var ringEvents = 0

  /// One writer of a log.
  public struct WriterSummary: Hashable, Sendable {
    /// The writer's name.
    public var name: String
    /// The sequence of its first event.
    public var first: UInt64
    /// The sequence of its last event.
    public var last: UInt64
    /// How many events it has.
    public var count: UInt64
  }

  /// Whether nothing is wrong with the log, as far as headers say.
  public var isWhole: Bool { damages.isEmpty }

  /// Whether the log ends in the middle of a block.
  public var isTorn: Bool { damages.contains { $0.kind == .tornTail } }

  /// Summarizes the log at `path` with all its parts, and its ring, whose events are decoded.
  public init(path: String) throws {
    var walk = try BlockWalk(path: path)
    var ring = RingJoin(log: path, walk.scanner.identity, Vocabulary())
    try self.init(&walk)
    let waiting = ring?.events(behind: walk.logEnd).events ?? []
    ringEvents = waiting.count { $0.verb != .gap }
  }

  /// Summarizes what an open descriptor gives, such as a pipe.
  public init(descriptor: Int32, path: String = "standard input") throws {
    var walk = try BlockWalk(LogInput(descriptor: descriptor, path: path))
    try self.init(&walk)
  }

  /// Summarizes a log in memory.
  public init(bytes: [UInt8], path: String = "memory") throws {
    var walk = try BlockWalk(LogInput(bytes: bytes, path: path))
    try self.init(&walk)
  }

  private init(_ walk: inout BlockWalk) throws {
    identity = walk.scanner.identity
    var bits: UInt64 = 0
    while let header = try walk.nextHeader({ losses += $0 }) {
      add(header)
      bits |= header.verbs
    }

    verbs = Verb.known.filter { bits & 1 << UInt64($0.code) != 0 }
    hasUnknownVerbs = bits & 1 != 0
    damages = walk.damages
    byteCount = walk.byteCount
    parts = walk.firstPart.number...max(walk.firstPart.number, walk.scanner.part.number)
    guard let opening = walk.opening else { return }

    if opening.cause == GapCause.rotated.rawValue {
      removedEvents = walk.firstPart.eventsBefore
    } else {
      losses.insert(opening, at: 0)
    }
  }

  private mutating func add(_ header: BlockHeader) {
    blockCount += 1
    eventCount += UInt64(header.eventCount)
    let first = min(instants?.lowerBound ?? header.firstInstant, header.firstInstant)
    let last = max(instants?.upperBound ?? header.lastInstant, header.lastInstant)
    instants = first <= last ? first...last : nil

    for span in header.writers where span.count > 0 {
      if let index = writers.firstIndex(where: { $0.name == span.name }) {
        writers[index].last = span.last
        writers[index].count += UInt64(span.count)
      } else {
        writers.append(
          WriterSummary(
            name: span.name, first: span.first, last: span.last, count: UInt64(span.count)))
      }
    }
  }
}
