import LifecycleModel

/// Reads slices, parts and copies of one log as the log that they are of.
///
/// Writers count their events, so an event is known in each of them by its writer and its number: it is
/// reported once, and what one copy has lost another may have. What none has is a gap. Memory: a batch of each.
package struct SliceJoin<Source: EventStream>: EventStream {
  /// Two logs have one id, and different events of one number.
  package struct NotOneLog: Error {
    /// The place of the log among those that are joined.
    package var index: Int
  }

  /// The words of the joined log.
  package let vocabulary = Vocabulary()
  /// What the log begins with.
  package let beginning: LogBeginning
  /// How many events stand in two slices or more, and were reported once.
  package private(set) var repeatedCount = 0

  private var slices: [Slice]
  /// How far each writer is in the joined log.
  private var progress: WriterProgress<WriterID>
  /// What a slice said of the events that it lacks, by their writer.
  private var losses: [WriterID: Loss] = [:]
  private var last = Instant.distantPast
  private let batchSize = 4096

  private struct Loss {
    var cause: String
    var to: UInt64
  }

  /// Joins slices, each with what stands before it.
  package init(_ sources: [(stream: Source, beginning: LogBeginning)]) throws {
    let words = vocabulary
    slices = try sources.map { try Slice($0.stream, $0.beginning, words) }
    let beginnings = slices.map(\.beginning)
    beginning =
      beginnings.min { $0.part.eventsBefore < $1.part.eventsBefore } ?? LogBeginning()
    progress = WriterProgress(beginning.part, in: vocabulary)
  }

  package mutating func read(into events: inout [Event]) throws -> Bool {
    events.removeAll(keepingCapacity: true)
    while events.count < batchSize {
      guard let index = try next() else {
        reportLosses(&events)
        break
      }
      try take(from: index, &events)
    }
    return !events.isEmpty
  }

  /// The slices as far as they were read, in the order in which they were given.
  package var streams: [Source] { slices.map(\.stream) }

  /// Lets the vocabulary forget what no slice is about to report, when it has become large; the words of
  /// `use` stay.
  package func forgetUnusedWords(except use: VocabularyUse) {
    guard vocabulary.isLarge else { return }
    var use = use
    for slice in slices { slice.add(to: &use) }
    vocabulary.forget(except: use)
  }

  // MARK: Order

  /// The slice whose next event comes next.
  private mutating func next() throws -> Int? {
    var best: Int?
    for index in slices.indices where try slices[index].fill(vocabulary) {
      if let known = best, !comesBefore(index, known) { continue }
      best = index
    }
    return best
  }

  /// Whether the next event of a slice stands before that of another one: the other is beyond it, or has
  /// not come so far by its time.
  private func comesBefore(_ index: Int, _ other: Int) -> Bool {
    let (event, otherEvent) = (slices[index].head, slices[other].head)
    let (isPassed, isOtherPassed) = (
      slices[other].hasPassed(event), slices[index].hasPassed(otherEvent)
    )
    if isPassed != isOtherPassed { return isPassed }
    if event.instant != otherEvent.instant { return event.instant < otherEvent.instant }
    return event.writer == otherEvent.writer && event.sequence < otherEvent.sequence
  }

  // MARK: Events

  /// Reports the next event of a slice, and passes it in all that have it.
  private mutating func take(from index: Int, _ events: inout [Event]) throws {
    let event = slices[index].head
    if !slices[index].isEntered { try enter(index, before: event.instant, &events) }
    var count = 1
    for other in slices.indices where other != index {
      guard try slices[other].fill(vocabulary), slices[other].head.isSame(as: event) else {
        continue
      }
      if slices[other].head.contradicts(event) { throw NotOneLog(index: other) }
      slices[other].pass(vocabulary)
      count += 1
    }

    slices[index].pass(vocabulary)
    if count > 1 { repeatedCount += 1 }
    if event.verb == .gap {
      take(gap: event, from: index, isShared: count > 1, &events)
    } else if event.sequence == 0 || event.sequence > progress[event.writer] {
      reportHole(before: event, &events)
      report(event, &events)
    } else {
      repeatedCount += 1
    }
  }

  /// Begins a slice: what its writers had done before is in no slice if none has written it by now.
  private mutating func enter(
    _ index: Int, before instant: Instant, _ events: inout [Event]
  ) throws {
    slices[index].isEntered = true
    for mark in slices[index].beginning.part.writers {
      let writer = try vocabulary.writer(mark.name)
      let known = progress[writer]
      guard mark.last > known else { continue }
      reportGap(of: writer, from: known + 1, to: mark.last, before: instant, &events)
      progress[writer] = mark.last
    }
  }

  /// A gap that another slice may fill is kept in mind; others are reported in their place.
  private mutating func take(
    gap event: Event, from index: Int, isShared: Bool, _ events: inout [Event]
  ) {
    guard let gap = Gap(event, in: vocabulary) else { return report(event, &events) }
    let hasOthers = slices.indices.contains { other in
      other != index && slices[other].hasHead && slices[other].begins(before: progress, vocabulary)
    }
    guard let name = gap.writer, let to = gap.to, let writer = try? vocabulary.writer(name) else {
      // What no number reports is lost in this copy alone.
      if isShared || !hasOthers || !gap.isDamage { report(event, &events) }
      return
    }

    if to <= progress[writer] { return }
    if isShared || !hasOthers {
      report(event, &events)
      progress[writer] = to
    } else {
      losses[writer] = Loss(cause: gap.cause, to: max(to, losses[writer]?.to ?? 0))
    }
  }

  private mutating func report(_ event: Event, _ events: inout [Event]) {
    events.append(event)
    last = max(last, event.instant)
    if event.verb != .gap && event.sequence > 0 { progress[event.writer] = event.sequence }
  }

  /// Reports the events of a writer that are missing before its next one.
  private mutating func reportHole(before event: Event, _ events: inout [Event]) {
    let known = progress[event.writer]
    guard event.sequence > known + 1 else { return }
    reportGap(
      of: event.writer, from: known + 1, to: event.sequence - 1, before: event.instant, &events)
  }

  /// Reports what slices lost at the end of the log.
  private mutating func reportLosses(_ events: inout [Event]) {
    for (writer, loss) in losses.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where loss.to > progress[writer] {
      reportGap(of: writer, from: progress[writer] + 1, to: loss.to, before: .origin, &events)
      progress[writer] = loss.to
    }
    losses.removeAll()
  }

  private mutating func reportGap(
    of writer: WriterID, from: UInt64, to: UInt64, before instant: Instant,
    _ events: inout [Event]
  ) {
    var gap = Gap(.sourceHole, writer: vocabulary.name(of: writer), from: from, to: to)
    if let loss = losses[writer], loss.to >= from { gap.cause = loss.cause }
    events.append(gap.event(at: last == .distantPast ? instant : last, in: vocabulary))
  }

  // MARK: A slice

  /// One of the slices, and what of it waits to be reported.
  private struct Slice {
    private(set) var stream: Source
    private var translation: EventTranslation
    private var waiting: [Event] = []
    private var place = 0
    private var isOver = false
    /// Whether an event of it was written.
    var isEntered = false
    /// What stands before it.
    let beginning: LogBeginning
    /// How far each writer is in it: what it reported, or said to have lost.
    private var progress: WriterProgress<WriterID>

    init(_ stream: Source, _ beginning: LogBeginning, _ vocabulary: Vocabulary) throws {
      self.stream = stream
      translation = EventTranslation(from: stream.vocabulary, to: vocabulary, SameWords())
      self.beginning = try beginning.told(by: &translation) { $0 }
      progress = WriterProgress(beginning.part, in: vocabulary)
    }

    var hasHead: Bool { place < waiting.count }
    var head: Event { waiting[place] }

    /// Sees to it that the next event is known; false at the end.
    mutating func fill(_ vocabulary: Vocabulary) throws -> Bool {
      while !hasHead && !isOver {
        place = 0
        isOver = try !stream.read(into: &waiting)
        if isOver { waiting.removeAll() }
        for index in waiting.indices { waiting[index] = try translation.event(waiting[index]) }
        stream.vocabulary.forgetAllIfLarge()
      }
      return hasHead
    }

    /// Passes the next event.
    mutating func pass(_ vocabulary: Vocabulary) {
      let event = head
      place += 1
      if event.verb == .gap {
        progress.pass(gap: event, in: vocabulary)
      } else {
        progress.advance(event.writer, to: event.sequence)
      }
    }

    /// Whether an event stands before the next one, by the numbers of its writer.
    func hasPassed(_ event: Event) -> Bool {
      event.verb != .gap && event.sequence > 0 && event.sequence <= progress[event.writer]
    }

    /// Whether it begins before a place that writers have reached.
    func begins(before progress: WriterProgress<WriterID>, _ vocabulary: Vocabulary) -> Bool {
      beginning.part.writers.allSatisfy { mark in
        guard let writer = try? vocabulary.writer(mark.name) else { return true }
        return mark.last <= progress[writer]
      }
    }

    /// Adds the words of what waits.
    func add(to use: inout VocabularyUse) {
      for event in waiting[min(place, waiting.count)...] { use.add(event) }
      use.add(beginning.state)
    }
  }
}

/// Changes no word.
package struct SameWords: WordChange {
  package init() {}
}

extension Event {
  /// Whether both are one event of a log: by writer and number, and gaps by what they say.
  fileprivate func isSame(as other: Event) -> Bool {
    if (verb == .gap) != (other.verb == .gap) { return false }
    if verb == .gap || sequence == 0 {
      return writer == other.writer && sequence == other.sequence && instant == other.instant
        && verb == other.verb && name == other.name && value == other.value
        && attributes == other.attributes
    }
    return writer == other.writer && sequence == other.sequence
  }

  /// Whether an event of the same number is another one.
  fileprivate func contradicts(_ other: Event) -> Bool {
    instant != other.instant || verb != other.verb || subject != other.subject
      || value != other.value || name != other.name
  }
}
