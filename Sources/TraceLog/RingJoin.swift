import LifecycleModel

/// The ring beside a log, whose events the log does not hold yet: of an app that runs, or that died.
struct RingJoin {
  private var reader: RingReader

  /// The ring of the log at `path`; `nil` when there is none, or one of another log.
  init?(log path: String, _ identity: LogIdentity?, _ vocabulary: Vocabulary) {
    guard let identity,
      let ring = try? RingMapping.open(path: path + RingFormat.pathEnding, isWritable: false)
    else {
      return nil
    }
    reader = RingReader(ring, vocabulary: vocabulary)
    guard reader.logID == identity.logID else { return nil }
  }

  /// The events behind those of the log, whose last sequences are `last`.
  ///
  /// An event that stands in both is told once. What neither has is told by a gap.
  mutating func events(after last: [String: UInt64], at instant: Instant) -> [Event] {
    var all: [Event] = []
    reader.read(into: &all, isFinal: true)
    let vocabulary = reader.vocabulary
    if reader.isOvertaken {
      // The app runs, and its events went into the log behind the place where it was read to.
      return [Gap(.sourceHole).event(at: instant, in: vocabulary)]
    }
    var lasts = last
    var events: [Event] = []
    for event in all {
      let gap = Gap(event, in: vocabulary)
      let writer = gap?.writer ?? vocabulary.name(of: event.writer)
      if gap != nil && gap?.to == nil {
        events.append(event)
        continue
      }
      let sequence = gap?.to ?? event.sequence
      let next = (lasts[writer] ?? 0) &+ 1
      guard sequence >= next else { continue }
      let first = gap?.from ?? sequence
      if first > next {
        let hole = Gap(.corruptBlock, writer: writer, from: next, to: first - 1)
        events.append(hole.event(at: instant, in: vocabulary))
      }
      lasts[writer] = sequence
      events.append(event)
    }
    return events
  }
}
