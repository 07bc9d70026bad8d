import LifecycleModel

/// Follows a log that is being written: hands over what was recorded since the last look.
///
/// It reads what the recorder has published, in the log and in the ring beside it, and writes nothing. Each
/// event is handed over once.
package struct LogFollower {
  /// The words of the events; it grows while the log is followed.
  package var vocabulary: Vocabulary { reader.vocabulary }
  private let path: String
  private var reader: LogReader
  /// The last event of each writer that was handed over.
  private var progress = WriterProgress<String>()
  private var latest = Instant.distantPast
  private var isEnded = false

  /// Opens the log at `path`.
  package init(path: String) throws {
    self.path = path
    reader = try LogReader(path: path, joinsRing: false)
  }

  /// The wall clock at the log's origin, in nanoseconds since 1970; `nil` when it is not known.
  package var wallOrigin: Int64? {
    reader.identity.flatMap { $0.originWall == 0 ? nil : $0.originWall }
  }

  /// The damages that no gap in the events reports, as far as the log was read.
  package var damagesWithoutGap: [LogDamage] { reader.damagesWithoutGap }

  /// Hands over what is new, in batches; whether more may come.
  ///
  /// Words of earlier batches may be forgotten between two of them. Cost: the headers of the log's blocks,
  /// and what is new.
  package mutating func look(_ take: ([Event]) throws -> Void) throws -> Bool {
    // Asked first: what is written until then is read.
    let isLocked = SystemCalls.isFileLocked(path)
    let ring = RingJoin(log: path, reader.identity, vocabulary)
    var isWritten = isLocked || ring?.isWritten ?? false
    // Also the first time: it may have been rotated since it was opened.
    try reader.lookAgain()

    var batch: [Event] = []
    while try reader.read(into: &batch) {
      // The end of a block that is being written is none of a torn one.
      if batch.allSatisfy(isTorn), isWritten || reader.isBeingWritten(path) {
        isWritten = true
        continue
      }
      try hand(over: batch, take)
    }
    guard var ring else { return isWritten }

    var end = LogEnd(
      progress.lasts, at: max(latest, .origin), eventCount: reader.walk.logEnd.eventCount)
    end.hasProcessEnded = isEnded
    let joined = ring.events(behind: end)
    // A drain is at work: the log holds by the next look what is missing here.
    if isWritten && (joined.isOvertaken || joined.hasHole) { return true }
    try hand(over: joined.events, take)
    if !isWritten, !isEnded,
      let end = ring.unseenEnd(after: progress[Vocabulary.systemWriter], at: latest)
    {
      try hand(over: [end], take)
    }
    return isWritten
  }

  private mutating func hand(over batch: [Event], _ take: ([Event]) throws -> Void) rethrows {
    let new = batch.compactMap(new)
    if new.isEmpty { return }
    for event in new {
      latest = max(latest, event.instant)
      if let gap = Gap(event, in: vocabulary) {
        progress.pass(gap)
      } else {
        progress.advance(vocabulary.name(of: event.writer), to: event.sequence)
      }
    }
    isEnded = UnseenEnd.isStated(by: new) ?? isEnded
    try take(new)
  }

  /// The event, or what a gap reports beyond what was handed over; `nil` when it is nothing.
  private func new(_ event: Event) -> Event? {
    guard event.verb == .gap else {
      return event.sequence > progress[vocabulary.name(of: event.writer)] ? event : nil
    }
    guard let gap = Gap(event, in: vocabulary), let writer = gap.writer, let to = gap.to else {
      return event
    }
    guard to > progress[writer], let rest = gap.rest(behind: progress[writer]) else { return nil }
    return rest == gap ? event : rest.event(at: event.instant, in: vocabulary)
  }

  private func isTorn(_ event: Event) -> Bool {
    event.verb == .gap && event.name == GapCause.tornTail.symbol
  }
}
