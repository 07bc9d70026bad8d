import LifecycleModel

/// Puts logs behind one another into one: processes of one app, parts and slices of one log.
///
/// Between two logs stands a gap, since nobody knows what happened there, and the profile of the one
/// does not hold in the other. Scenes, sessions and tasks of different logs have different numbers. The
/// main thread and the system go on counting; another writer whose name an earlier log has, too, gets
/// the name of its log before its own. Slices of one log are joined where they belong, and what stands
/// in two of them is told once.
package struct LogMerger {
  /// Two logs have one id, and different events of one number.
  package struct NotOneLog: Error {}

  /// The words of the merged log.
  package let vocabulary: Vocabulary
  /// What the merged log begins with; `nil` before the first log.
  package private(set) var beginning: LogBeginning?
  /// How many events stood in two slices, and were told once.
  package private(set) var repeatedCount = 0
  /// How many events are missing between slices, as far as it is known.
  package private(set) var missingCount: UInt64 = 0
  private var whole: WholeEvents
  private var current: Current?
  /// The writers of the merged log, by name.
  private var writers: Set<String> = []
  private var greatest = SubjectNumbers()

  /// The log that is being put in.
  private struct Current {
    var logID: [UInt8]?
    var shift: Nanoseconds
    var words: MergedWords
    var translation: EventTranslation
    var told = ToldEvents()
    /// How far each of its writers is.
    var lasts: [String: UInt64] = [:]
    /// Whether a slice of it was put in before the one that is read.
    var isContinued = false
    /// The place of the next event in the whole log, and how far the slices before go.
    var position: UInt64
    var end: UInt64 = 0
    /// What is true at its beginning, until its first event comes; `nil` of the first log.
    var opening: LogBeginning?
  }

  package init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    whole = WholeEvents(vocabulary)
  }

  /// Goes on with another log: with its id, unless it is text, its words, how much later its instants are
  /// than those of the merged log, and its beginning.
  package mutating func begin(
    _ name: String, _ logID: [UInt8]?, _ source: Vocabulary, shift: Nanoseconds,
    after start: LogBeginning
  ) throws -> [Event] {
    if var log = current, logID != nil, log.logID == logID {
      log.translation = EventTranslation(from: source, to: vocabulary, log.words)
      log.isContinued = true
      log.position = start.part.eventsBefore
      current = log
      return whole.take(missing(before: start))
    }

    let words = MergedWords(name: name, taken: writers, numbers: greatest)
    var log = Current(
      logID: logID, shift: shift, words: words,
      translation: EventTranslation(from: source, to: vocabulary, words),
      position: start.part.eventsBefore)
    for mark in start.part.writers { log.lasts[mark.name] = mark.last }
    let isFirst = current == nil

    var told = try start.told(by: &log.translation, writer: words.writer)
    if isFirst {
      told.state = LifecycleState(checkpoint: told.state.checkpoint().map { put($0, log) })
      beginning = told
      whole = WholeEvents(vocabulary, after: told.part)
    } else {
      log.opening = told
    }
    for mark in told.part.writers { writers.insert(mark.name) }
    current = log
    return []
  }

  /// The events of the log as they stand in the merged one.
  package mutating func take(_ events: [Event], _ source: Vocabulary) throws -> [Event] {
    guard var log = current else { return [] }
    var told: [Event] = []
    for event in events where try isNew(event, source, &log) {
      if let opening = log.opening {
        told += boundary(opening, before: event, log)
        log.opening = nil
      }
      told.append(put(try log.translation.event(event), log))
    }

    current = log
    for event in told where event.verb != .gap { writers.insert(vocabulary.name(of: event.writer)) }
    return whole.take(told)
  }

  /// The last instant of the merged log.
  package var last: Instant { whole.last }

  // MARK: Slices of one log

  /// Whether an event was not told by the slice before.
  private mutating func isNew(
    _ event: Event, _ source: Vocabulary, _ log: inout Current
  ) throws -> Bool {
    let isBeyond = log.position >= log.end
    log.position += 1
    log.end = max(log.end, log.position)
    if event.verb == .gap {
      guard let gap = Gap(event, in: source), let writer = gap.writer, let to = gap.to else {
        return isBeyond
      }
      let isNews = to > log.lasts[writer] ?? 0
      log.lasts[writer] = max(log.lasts[writer] ?? 0, to)
      return isBeyond || isNews
    }

    let name = source.name(of: event.writer)
    if log.isContinued && event.sequence <= log.lasts[name] ?? 0 {
      if log.told.contradict(event, of: name) { throw NotOneLog() }
      repeatedCount += 1
      return false
    }
    log.told.note(event, of: name)
    log.lasts[name] = event.sequence
    return true
  }

  /// What is missing between the slice before and one that begins with `start`.
  private mutating func missing(before start: LogBeginning) -> [Event] {
    guard var log = current else { return [] }
    var gaps: [Event] = []
    for mark in start.part.writers {
      let last = log.lasts[mark.name] ?? 0
      guard mark.last > last else { continue }
      let gap = Gap(
        .sourceHole, writer: log.words.writer(mark.name), from: last + 1, to: mark.last)
      gaps.append(gap.event(at: whole.last, in: vocabulary))
      missingCount &+= mark.last - last
      log.lasts[mark.name] = mark.last
    }
    current = log
    return gaps
  }

  // MARK: Different logs

  /// What stands between two logs: nobody knows what happened, and what the next one says of itself, as
  /// its reader would tell it.
  private mutating func boundary(
    _ start: LogBeginning, before event: Event, _ log: Current
  ) -> [Event] {
    var facts = start.state.checkpoint().filter { $0.verb != .gap }.map { put($0, log) }
    for index in facts.indices { facts[index].sequence = 0 }
    if start.isLate {
      var gap = Gap(.rotated)
      gap.count = Int64(clamping: start.part.eventsBefore)
      facts.insert(opening: gap, before: event.instant.advanced(by: log.shift), in: vocabulary)
    }

    var told = [Gap(.sourceHole).event(at: whole.last, in: vocabulary)]
    whole.beginLog()
    if (facts.first ?? event).verb != .profile {
      told.append(Event(instant: whole.last, writer: .system, verb: .profile))
    }
    return told + facts
  }

  /// The event at its time, with its numbers among those of the other logs.
  private mutating func put(_ event: Event, _ log: Current) -> Event {
    var event = event
    event.instant = event.instant.advanced(by: log.shift)
    event.subject = log.words.numbers.moved(event.subject)
    greatest.note(event.subject)
    if event.attributes.isNone || event.attributes.line != nil { return event }
    for attribute in vocabulary.attributes(event.attributes) {
      guard let number = UInt32(attribute.value) else { continue }
      switch AttributeKey(rawValue: attribute.key) {
      case .session: greatest.note(.session(number))
      case .task: greatest.note(.task(number))
      default: break
      }
    }
    return event
  }
}

/// Remembers many of the last events of a log, to know them again; the memory is fixed.
private struct ToldEvents {
  private struct Entry {
    var key: Int
    var digest: Int
  }

  private static let size = 1 << 14
  private var entries: [Entry?] = []

  mutating func note(_ event: Event, of writer: String) {
    if entries.isEmpty { entries = Array(repeating: nil, count: ToldEvents.size) }
    let entry = ToldEvents.entry(event, writer)
    entries[entry.key & (ToldEvents.size - 1)] = entry
  }

  /// Whether another event is remembered that has the number of this one.
  func contradict(_ event: Event, of writer: String) -> Bool {
    let entry = ToldEvents.entry(event, writer)
    guard !entries.isEmpty, let known = entries[entry.key & (ToldEvents.size - 1)] else {
      return false
    }
    return known.key == entry.key && known.digest != entry.digest
  }

  private static func entry(_ event: Event, _ writer: String) -> Entry {
    var key = Hasher()
    key.combine(writer)
    key.combine(event.sequence)
    var digest = Hasher()
    digest.combine(event.instant)
    digest.combine(event.verb.isKnown ? event.verb.code : 0)
    digest.combine(event.subject)
    digest.combine(event.value)
    return Entry(key: key.finalize(), digest: digest.finalize())
  }
}

/// The greatest numbers of scenes, sessions and tasks in the logs before.
private struct SubjectNumbers {
  private(set) var scene: UInt32 = 0
  private(set) var session: UInt32 = 0
  private(set) var task: UInt32 = 0

  mutating func note(_ subject: Subject) {
    switch subject.kind {
    case .scene: scene = max(scene, subject.number)
    case .session: session = max(session, subject.number)
    case .task: task = max(task, subject.number)
    default: break
    }
  }

  func moved(_ subject: Subject) -> Subject {
    switch subject.kind {
    case .scene: .scene(subject.number &+ scene)
    case .session: .session(subject.number &+ session)
    case .task: .task(subject.number &+ task)
    default: subject
    }
  }
}

/// The words of a log among those of others.
private struct MergedWords: WordChange {
  let name: String
  /// The writers of the logs before.
  let taken: Set<String>
  let numbers: SubjectNumbers

  func writer(_ name: String) -> String {
    let isRole = name == Vocabulary.systemWriter || name == Vocabulary.mainWriter
    return isRole || !taken.contains(name) ? name : "\(self.name)/\(name)"
  }

  func attributes(_ list: [Attribute]) -> [Attribute] {
    list.map { attribute in
      func moved(_ subject: (UInt32) -> Subject) -> Attribute {
        guard let number = UInt32(attribute.value) else { return attribute }
        return Attribute(attribute.key, String(numbers.moved(subject(number)).number))
      }
      switch AttributeKey(rawValue: attribute.key) {
      case .session: return moved { .session($0) }
      case .task: return moved { .task($0) }
      case .writer: return Attribute(.writer, writer(attribute.value))
      default: return attribute
      }
    }
  }
}
