import LifecycleModel

/// The ring beside a log, whose events the log does not hold yet: of an app that runs, or that died.
struct RingJoin {
  /// `nil` for a ring that is there and cannot be read.
  private var reader: RingReader?
  /// Whether the file was never a ring, or lost all that it held.
  private let isEmpty: Bool
  private let vocabulary: Vocabulary
  /// The log beside which the ring lies.
  let logPath: String

  /// What lies beside a log where its ring would be.
  enum Finding {
    case none
    /// One of another log, or of one that is not known.
    case stray(StrayRing)
    /// A file that was never a ring, or lost all that it held.
    case empty(RingJoin)
    /// It may hold events, which cannot be read, for this reason.
    case unreadable(String)
    case ring(RingJoin)
  }

  /// Looks what lies beside the log at `path`.
  static func lookUp(
    log path: String, _ identity: LogIdentity?, _ vocabulary: Vocabulary
  ) -> Finding {
    do {
      let ring = try RingMapping.open(path: path + RingFormat.pathEnding, isWritable: false)
      let reader = RingReader(ring, vocabulary: vocabulary)

      guard let identity, reader.logID == identity.logID else {
        return .stray(
          StrayRing(log: path, logID: identity?.logID, ownerID: reader.logID))
      }
      return .ring(
        RingJoin(reader: reader, isEmpty: false, vocabulary: vocabulary, logPath: path))
    } catch LogError.notFound {
      guard SystemCalls.nameKind(path + RingFormat.pathEnding) != nil else { return .none }
      return .empty(RingJoin(reader: nil, isEmpty: true, vocabulary: vocabulary, logPath: path))
    } catch {
      return .unreadable(error.isOfSystem ? "\(error)" : "unreadable data")
    }
  }
}

extension RingJoin {
  /// The ring of the log at `path`; `nil` when there is none, or one of another log, which `stray` gets.
  init?(
    log path: String, _ identity: LogIdentity?, _ vocabulary: Vocabulary,
    stray: (StrayRing) -> Void = { _ in }
  ) {
    switch RingJoin.lookUp(log: path, identity, vocabulary) {
    case .none: return nil
    case .stray(let ring):
      stray(ring)
      return nil
    case .unreadable:
      self.init(reader: nil, isEmpty: false, vocabulary: vocabulary, logPath: path)
    case .empty(let join), .ring(let join): self = join
    }
  }

  /// The events behind those of the log.
  ///
  /// An event that stands in both is reported once. What neither has is reported by a gap. With `isOvertaken`
  /// or `hasHole` a drain may be at work, so that the log holds by now what is missing here.
  mutating func events(
    behind end: LogEnd
  ) -> (events: [Event], isOvertaken: Bool, hasHole: Bool) {
    if isEmpty, !end.partHasBlocks || SystemCalls.isFileLocked(logPath) {
      // Who was making the ring has died before anything was recorded into it, or is making it now.
      return (RingReader.unseen([], behind: end, vocabulary).events, false, false)
    }
    let lost = [Gap(.sourceHole).event(at: end.instant, in: vocabulary)]
    if isEmpty {
      // It may have become a ring since, and be gone again.
      guard case .empty = RingJoin.lookUp(log: logPath, nil, vocabulary) else {
        return (lost, true, false)
      }
      return (lost, false, true)
    }
    do { try reader?.ring.reload() } catch { reader = nil }
    guard let unseen = reader?.events(behind: end) else { return (lost, false, false) }
    if reader?.isOvertaken ?? true { return (lost, true, false) }
    return (unseen.events, false, unseen.hasHole)
  }

  /// Whether a process that records into the ring is there.
  var isWritten: Bool { reader.map { $0.ring.process != nil && !$0.ring.isAbandoned } ?? false }

  /// The end of the process that recorded, when it is gone and nobody is there to say how it ended;
  /// `last` is the last sequence of the system's writer.
  func unseenEnd(after last: UInt64, at instant: Instant) -> Event? {
    // Who writes the log, such as `tracectl record`, is about to say it.
    guard let reader, reader.ring.isAbandoned, !SystemCalls.isFileLocked(logPath) else {
      return nil
    }
    let end = UnseenEnd(
      process: reader.ring.process?.number, openCallbacks: reader.openCalls().map(\.name))
    return end.event(sequence: last &+ 1, at: instant, in: vocabulary)
  }
}

/// How far a log goes: what its ring holds comes behind it.
package struct LogEnd: Hashable, Sendable {
  /// The last sequence of each writer.
  package var lastSequences: [String: UInt64] = [:]
  /// What a last block that cannot be read took with it.
  package var lost: [Gap] = []
  /// The last sequence of each writer that a drain has moved into the log, as the ring says.
  package var drained: [String: UInt64] = [:]
  /// The last instant.
  package var instant = Instant.origin
  /// How many events the log has.
  package var eventCount: UInt64 = 0
  /// Whether the log says that its last process has ended.
  package var hasProcessEnded = false
  /// Whether the newest part has a block: no process writes one before its ring is there.
  package private(set) var partHasBlocks = false

  /// The end of a log that holds nothing.
  package init() {}

  init(
    _ lastSequences: [String: UInt64], at instant: Instant, eventCount: UInt64,
    partHasBlocks: Bool = false
  ) {
    (self.lastSequences, self.instant, self.eventCount) = (lastSequences, instant, eventCount)
    self.partHasBlocks = partHasBlocks
  }
}

extension RingReader {
  /// Reads what the ring holds, and the log, which ends there, does not.
  package mutating func events(behind end: LogEnd) -> (events: [Event], hasHole: Bool) {
    var end = end
    end.drained = drainedSequences
    begin(after: end.instant)
    passHomeless(in: end.eventCount)
    var all: [Event] = []
    read(into: &all)
    return RingReader.unseen(all, behind: end, vocabulary)
  }

  /// Leaves out what the log holds already, and reports by a gap what neither has: behind the writer's last
  /// event, or where the log ends.
  ///
  /// When the log says that the process has ended, and has all of its events, it has its losses, too: they
  /// stand before the end.
  package static func unseen(
    _ all: [Event], behind end: LogEnd, _ vocabulary: Vocabulary
  ) -> (events: [Event], hasHole: Bool) {
    var progress = WriterProgress(end.lastSequences)
    var lastInstants: [String: Instant] = [:]
    var hasHole = false
    var events: [Event] = []

    for event in all {
      let gap = Gap(event, in: vocabulary)
      let writer = gap?.writer ?? vocabulary.name(of: event.writer)
      if gap != nil && gap?.to == nil {
        events.append(event)
        continue
      }

      let sequence = gap?.to ?? event.sequence
      let next = progress[writer] &+ 1
      guard sequence >= next else { continue }
      let first = gap?.from ?? sequence
      if first > next {
        hasHole = true
        let hole = Gap(.corruptBlock, writer: writer, from: next, to: first - 1)
        events.append(hole.event(at: lastInstants[writer] ?? end.instant, in: vocabulary))
      }

      progress[writer] = sequence
      lastInstants[writer] = event.instant
      // Of a loss that goes on, the log may report the beginning.
      let rest = first < next ? gap?.rest(behind: next - 1) : nil
      events.append(rest?.event(at: event.instant, in: vocabulary) ?? event)
    }
    if end.hasProcessEnded, events.allSatisfy({ $0.verb == .gap }) {
      events.removeAll { Gap($0, in: vocabulary)?.isOfHomeless == true }
    }

    let moved = end.drained.sorted { $0.key < $1.key }
      .map { Gap(.corruptBlock, writer: $0.key, from: 1, to: $0.value) }
    for gap in end.lost + moved {
      guard let writer = gap.writer, let to = gap.to, to > progress[writer] else { continue }
      hasHole = true
      let rest = gap.beginning(at: progress[writer] &+ 1)
      progress[writer] = to
      events.append(rest.event(at: lastInstants[writer] ?? end.instant, in: vocabulary))
    }
    if hasHole { sort(&events, from: 0) }
    return (events, hasHole)
  }
}

extension Gap {
  /// The gap without the events before this sequence, which is one of those that are missing.
  fileprivate func beginning(at sequence: UInt64) -> Gap {
    var gap = self
    gap.from = sequence
    gap.count = to.map { Int64(clamping: $0 &- sequence &+ 1) }
    return gap
  }
}
