import LifecycleModel

/// Makes events fit for a whole log: the sequences of each writer are dense, or a gap says what is
/// missing, and no instant goes back.
///
/// Events of a whole log stay as they are.
package struct WholeEvents {
  /// How far a writer is in the log that is read, and in the one that is written.
  private struct Mark {
    var read: UInt64 = 0
    var written: UInt64 = 0
  }

  private let vocabulary: Vocabulary
  private var marks: [String: Mark] = [:]
  private var known: [WriterID: String] = [:]
  /// The instant of the last event.
  package private(set) var last = Instant.distantPast
  /// How many events had an instant before that of the event before them.
  package private(set) var raisedCount = 0
  /// How many holes no gap reported.
  package private(set) var holeCount = 0

  /// Makes events fit for a log that begins behind what `part` says.
  package init(_ vocabulary: Vocabulary, after part: LogPart = LogPart()) {
    self.vocabulary = vocabulary
    for mark in part.writers { marks[mark.name] = Mark(read: mark.last, written: mark.last) }
  }

  /// The events as they are written.
  package mutating func take(_ events: [Event]) -> [Event] {
    var whole: [Event] = []
    whole.reserveCapacity(events.count)
    for var event in events {
      if event.verb == .gap { event = numbered(gap: event) } else { number(&event, &whole) }
      if event.instant < last {
        event.instant = last
        raisedCount += 1
      }
      last = event.instant
      whole.append(event)
    }
    return whole
  }

  private mutating func number(_ event: inout Event, _ whole: inout [Event]) {
    let name = name(of: event.writer)
    var mark = marks[name] ?? Mark()
    let expected = mark.read &+ 1
    if event.sequence > expected {
      let missing = event.sequence - expected
      let hole = Gap(
        .sourceHole, writer: name, from: mark.written &+ 1, to: mark.written &+ missing)
      let instant = last == .distantPast ? event.instant : last
      whole.append(hole.event(at: instant, in: vocabulary))
      mark.written &+= missing
      holeCount += 1
    }

    mark.written &+= 1
    // What a state is rebuilt with may have no sequence, and moves nobody on.
    if event.sequence > 0 { mark.read = max(mark.read, event.sequence) }
    event.sequence = mark.written
    marks[name] = mark
  }

  /// A gap that says which sequences are missing, by those of the log that is written.
  private mutating func numbered(gap event: Event) -> Event {
    guard var gap = Gap(event, in: vocabulary), let name = gap.writer, let to = gap.to else {
      return event
    }
    var mark = marks[name] ?? Mark()
    guard to > mark.read else { return event }

    let missing = to - mark.read
    let isSame = mark.written == mark.read
    mark.read = to
    mark.written &+= missing
    marks[name] = mark
    if isSame { return event }
    gap.from = mark.written &- missing &+ 1
    gap.to = mark.written
    return gap.event(at: event.instant, in: vocabulary)
  }

  private mutating func name(of writer: WriterID) -> String {
    if let name = known[writer] { return name }
    let name = vocabulary.name(of: writer)
    known[writer] = name
    return name
  }
}
