import LifecycleModel

/// Reads the events of a log in order, in memory that does not grow with the log.
///
/// Damage never ends the reading: what can be read is read, and what is missing is reported by a `gap`
/// event in its place. A copy of a reader reads on where the original does; a reader belongs to one
/// thread.
///
/// ```swift
/// import LifecycleModel
/// import TraceLog
///
/// var reader = try LogReader(path: "flight.bin")
/// var events: [Event] = []
/// while try reader.read(into: &events) {
///   for event in events where event.verb == .kill {
///     print(event.instant, reader.vocabulary.attributes(event.attributes))
///   }
/// }
/// ```
public struct LogReader: EventStream {
  /// The words of the events; it grows while the log is read.
  public let vocabulary: Vocabulary
  /// How many damages are kept in ``damages``.
  public static let keptDamages = 1000

  /// The block that the last batch came from; `nil` when the batch reports losses.
  public private(set) var block: BlockHeader?
  /// How many bytes of the log and its parts were read so far.
  public var byteCount: Int { walk.byteCount }
  private(set) var walk: BlockWalk
  private let decoder: BlockDecoder
  private let filter: BlockFilter
  /// The ring beside the log, until its events were read.
  private var ring: RingJoin?
  /// The log beside which a ring may lie, until the reader has looked there for the last time.
  private var joinedLog: String?
  /// The ring beside the log, when it is that of another log, so that its events are not read.
  public private(set) var strayRing: StrayRing?
  /// What a last block that cannot be read took with it, until the ring says which of it the ring has.
  private(set) var tornGaps: [Gap] = []
  /// Whether the ring had all that a damaged last block held.
  private var ringHadLast = false
  private var visits = 0
  /// Whether the last process that was read has ended, as far as its events say.
  private var isEnded = false
  /// Whether the reading begins with a part whose predecessors are gone, and nothing was read yet.
  private var beginsLate: Bool
  /// The first block of such a part, while the batch before it is out.
  private var held: (block: BlockHeader, events: [Event])?

  /// Opens the log at `path` with all its parts, and joins it with its ring when that lies beside
  /// it: what the log does not hold yet comes last.
  ///
  /// Without `joinsRing` only what the log holds is read.
  public init(path: String, filter: BlockFilter = BlockFilter(), joinsRing: Bool = true) throws {
    try self.init(BlockWalk(path: path), filter)
    guard joinsRing else { return }
    joinedLog = path
    lookForRing(path)
  }

  /// Opens the file at `path` alone, without other parts or a ring, which `mayHoldLast` what cannot be read
  /// of the last block.
  init(
    onePartAt path: String, filter: BlockFilter, ringMayHoldLast mayHoldLast: Bool = false
  ) throws {
    try self.init(BlockWalk(LogInput(path: path)), filter)
    walk.ringMayHoldLast = mayHoldLast
  }

  /// Reads an open descriptor, such as a pipe, from where it stands.
  ///
  /// `prefix` are bytes that were read from it already. The caller closes the descriptor.
  public init(
    descriptor: Int32, path: String = "standard input", prefix: [UInt8] = [],
    filter: BlockFilter = BlockFilter()
  ) throws {
    try self.init(
      BlockWalk(LogInput(descriptor: descriptor, path: path, prefix: prefix)), filter)
  }

  /// Reads a log in memory.
  public init(bytes: [UInt8], path: String = "memory", filter: BlockFilter = BlockFilter()) throws {
    try self.init(BlockWalk(LogInput(bytes: bytes, path: path)), filter)
  }

  private init(_ walk: BlockWalk, _ filter: BlockFilter) throws {
    vocabulary = Vocabulary()
    self.filter = filter
    self.walk = walk
    beginsLate = walk.firstPart.number > 1
    decoder = BlockDecoder(inflater: try Inflater())
  }

  /// What stood in parts before the first one that is read; `nil` when that is the log's first.
  package var opening: Gap? { walk.opening }

  /// Leaves out the events that state what was true before the first part: ``opening``, ``firstPart`` and
  /// the first ``checkpoint`` state it, too.
  package mutating func leaveOutBeginning() { beginsLate = false }

  /// The places where the log is not what its writer wrote, the first thousand.
  public var damages: [LogDamage] { walk.damages }

  /// The damages that no gap reports, as far as the log was read: no event is missing there, or it lies in a
  /// part that is lost.
  package var damagesWithoutGap: [LogDamage] {
    // Nobody knows what was in a torn header; the ring has it, as a rule.
    let isUnknown = tornGaps.contains { $0.to == nil }
    return walk.damagesWithoutGap + (isUnknown || ringHadLast ? damages.suffix(1) : [])
  }

  /// How many places there are where the log is not what its writer wrote.
  public var damageCount: Int { walk.damageCount }

  /// Whether a file that begins with these bytes, eight or more, is a log.
  public static func isLog(_ firstBytes: some Collection<UInt8>) -> Bool {
    firstBytes.starts(with: LogFormat.magic)
  }

  /// Whether the file at `path` begins as a log does, as far as it goes, or with zeros, as a log may
  /// after a power failure.
  package static func beginsLikeLog(_ path: String) -> Bool {
    guard let input = try? LogInput(path: path) else { return false }
    _ = try? input.fill(LogFormat.magic.count)
    let bytes = input.window.prefix(LogFormat.magic.count)
    return beginsLikeLog(bytes) || !bytes.isEmpty && bytes.allSatisfy { $0 == 0 }
  }

  /// Whether these are the first bytes of a log, which may be cut behind them.
  package static func beginsLikeLog(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && LogFormat.magic.starts(with: bytes.prefix(LogFormat.magic.count))
  }

  /// Where the block or the damage begins that was read last, in bytes of its file.
  public var offset: Int { walk.scanner.offset }

  /// The part of a rotated log with which the reading begins.
  public var firstPart: LogPart { walk.firstPart }

  /// The part that was read last.
  public var part: LogPart { walk.scanner.part }

  /// Which log it is; `nil` when the file header is damaged, so that instants have no origin.
  public var identity: LogIdentity? { walk.identity }

  /// The events that rebuild the state before the first event of the last batch; `nil` when the
  /// batch reports losses, or its block has no checkpoint.
  public var checkpoint: [Event]? {
    guard let block, block.hasCheckpoint else { return nil }
    return decoder.namedCheckpoint(Int(block.checkpointCount), in: vocabulary)
  }

  /// Replaces the contents of `events` by those of the next block, or by the `gap`s that report what
  /// is missing before it; false at the end.
  public mutating func read(into events: inout [Event]) throws -> Bool {
    block = nil
    if let held {
      self.held = nil
      block = held.block
      events = held.events
      return true
    }

    while true {
      switch try walk.next() {
      case .end:
        if try join(into: &events) { continue }
        if beginsLate, walk.hasNoBlock { stateEmptyBeginning(into: &events) }
        return !events.isEmpty
      case .gaps(let gaps):
        // The ring has what a torn block took with it, or says what is missing.
        if mayHaveTornEnd, gaps.allSatisfy({ $0.cause == GapCause.tornTail.rawValue }) {
          tornGaps = gaps
          continue
        }
        report(gaps, at: walk.lastInstant, into: &events)
        return true
      case .lost(let gaps):
        report(gaps, at: walk.lastInstant, into: &events)
        if beginsLate { stateBeginning(into: &events) }
        return true
      case .block(let header):
        guard try read(header, into: &events) else { continue }
        if beginsLate { stateBeginning(into: &events) }
        return true
      }
    }
  }

  /// Looks at the log again, which may have grown: what comes next is what was not read yet.
  mutating func lookAgain() throws {
    tornGaps = []
    try walk.revisit()
  }

  /// Puts a batch before the first one that states what was true then, and how much came before.
  private mutating func stateBeginning(into events: inout [Event]) {
    beginsLate = false
    guard let gap = walk.opening else { return }

    // A loss before is one of the parts before.
    var opening = (checkpoint ?? []).filter { $0.verb != .gap }
    opening.insert(
      opening: gap, before: events.first?.instant ?? walk.lastInstant, in: vocabulary)
    guard let block else {
      events.insert(contentsOf: opening, at: 0)
      return
    }

    held = (block, events)
    events = opening
    self.block = nil
  }

  /// Reports how much came before a log whose parts hold no block.
  private mutating func stateEmptyBeginning(into events: inout [Event]) {
    beginsLate = false
    guard let gap = walk.opening else { return }
    events.insert(gap.event(at: walk.lastInstant, in: vocabulary), at: 0)
  }

  /// Reads the payload of `header`; false when the filter does not ask for it.
  private mutating func read(_ header: BlockHeader, into events: inout [Event]) throws -> Bool {
    do {
      // The first block states what a part that is not the first begins with.
      guard beginsLate || filter.passes(header) else {
        try walk.scanner.skipPayload(of: header)
        walk.pass(header)
        noteEnd(header)
        return false
      }
      try decode(header, into: &events)
      try walk.scanner.skipPayload(of: header)
      walk.pass(header)
      isEnded = UnseenEnd.isStated(by: events) ?? false
      if decoder.hasEvent(.gap) { walk.passGaps(events, in: vocabulary) }
      block = header
    } catch is TornPayload {
      let gaps = walk.tear(header)
      if mayHaveTornEnd {
        tornGaps = gaps
        return false
      }
      report(gaps, at: walk.lastInstant, into: &events)
    } catch let damage as BlockDamage {
      let gaps = try walk.lose(header, damage)
      guard walk.isTorn else { return false }
      tornGaps = gaps
      if ring != nil { return false }
      report(gaps, at: walk.lastInstant, into: &events)
    }

    return true
  }

  private mutating func decode(_ header: BlockHeader, into events: inout [Event]) throws {
    let payload = try walk.scanner.payload(of: header)
    events.resize(to: Int(header.eventCount))
    try events.withUnsafeMutableBufferPointer {
      try decoder.decode(header, payload, to: $0, in: vocabulary)
    }
  }

  /// Reads the events of the ring; returns whether the reader has to look at the log again instead, because a
  /// drain moves them into it at the same time.
  private mutating func join(into events: inout [Event]) throws -> Bool {
    events.removeAll(keepingCapacity: true)
    guard var ring else {
      // Who has rotated the log since it was opened, and ended, has taken the ring away.
      guard let joinedLog,
        !tornGaps.isEmpty || visits == 0 && walk.isBehindNewest
      else { return false }
      try rejoin(joinedLog)
      return true
    }

    var end = walk.logEnd
    (end.lost, end.hasProcessEnded) = (tornGaps, isEnded)
    let joined = ring.events(behind: end)
    let isChanging = joined.isOvertaken || walk.isTorn && isBeingWritten(ring.logPath)
    let limit = isChanging ? LogReader.mostVisitsToRing : joined.hasHole ? 1 : 0
    if visits < limit {
      try rejoin(ring.logPath)
      return true
    }

    (self.ring, joinedLog) = (nil, nil)
    // A drain that is faster is not chased: nothing is missing of what was there when the reading began.
    if joined.isOvertaken { return false }
    ringHadLast = !tornGaps.isEmpty && !joined.hasHole && damages.last?.kind == .corruptBlock
    events = joined.events
    reportUnseenEnd(ring, into: &events)
    return false
  }

  /// Whether what a torn block took with it may be in the ring, or is being written.
  private var mayHaveTornEnd: Bool {
    guard ring == nil else { return true }
    guard let joinedLog, visits < LogReader.maxVisits else { return false }
    return isBeingWritten(joinedLog)
  }

  /// Whether somebody writes the log at `path`, or has since the end of the newest part was read.
  func isBeingWritten(_ path: String) -> Bool {
    SystemCalls.isFileLocked(path) || walk.isBehind
  }

  /// Looks at the log and its ring again, which a recorder has changed since.
  private mutating func rejoin(_ path: String) throws {
    visits += 1
    // The ring first: what a drain has taken out of it is in the log that is read then.
    lookForRing(path)
    try lookAgain()
  }

  private mutating func lookForRing(_ path: String) {
    ring = RingJoin(log: path, identity, vocabulary) { strayRing = $0 }
    walk.ringMayHoldLast = ring != nil
  }

  /// Notes whether a block that is not decoded ends a process, or begins one.
  private mutating func noteEnd(_ header: BlockHeader) {
    let ends: UInt64 = 1 << UInt64(Verb.kill.code) | 1 << UInt64(Verb.exit.code)
    if header.verbs & ends != 0 {
      isEnded = true
    } else if header.verbs & (1 << UInt64(Verb.processStart.code)) != 0 {
      isEnded = false
    }
  }

  /// Says behind the events of a ring that their process is gone.
  private func reportUnseenEnd(_ ring: RingJoin, into events: inout [Event]) {
    let isEnded = UnseenEnd.isStated(by: events) ?? (events.isEmpty && self.isEnded)
    let last = events.last { $0.writer == .system && $0.verb != .gap }?.sequence
    let lost = tornGaps.first { $0.writer == Vocabulary.systemWriter }?.to
    let end = ring.unseenEnd(
      after: last ?? lost ?? walk.lastSequences[Vocabulary.systemWriter] ?? 0,
      at: max(walk.lastInstant, events.last?.instant ?? .distantPast))
    if let end, !isEnded { events.append(end) }
  }

  /// How often a log without a ring is looked at again that ends in a block that is being written.
  private static let maxVisits = 20
  /// How often a log and its ring are: a drain that was seen at work twice has moved all into the log that was in the
  /// ring at first.
  private static let mostVisitsToRing = 2

  private func report(_ gaps: [Gap], at instant: Instant, into events: inout [Event]) {
    events.removeAll(keepingCapacity: true)
    for gap in gaps { events.append(gap.event(at: instant, in: vocabulary)) }
  }
}

extension [Event] {
  /// Makes the array this long without giving up its memory; the contents are of no meaning.
  fileprivate mutating func resize(to count: Int) {
    if self.count > count { removeLast(self.count - count) }
    if self.count < count {
      append(
        contentsOf: repeatElement(
          Event(instant: .origin, writer: .system, verb: .note), count: count - self.count))
    }
  }
}
