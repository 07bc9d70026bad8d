import LifecycleModel

/// Puts logs behind one another into one: processes of one app.
///
/// Between two logs stands a gap, since nobody knows what happened there, and the profile of the one
/// does not hold in the other. Scenes, sessions and tasks of different logs have different numbers. The
/// main thread and the system go on counting; another writer whose name an earlier log has, too, gets
/// the name of its log before its own. ``SliceJoin`` joins what is of one log.
package struct LogMerger {
  /// The words of the merged log.
  package let vocabulary: Vocabulary
  /// What the merged log begins with; `nil` before the first log.
  package private(set) var beginning: LogBeginning?
  /// What was done to events so that the merged log is whole.
  package private(set) var whole: WholeEvents
  private var current: Current?
  /// The writers of the merged log, by name.
  private var writers: Set<String> = []
  private var greatest = SubjectNumbers()

  /// The log that is being put in.
  private struct Current {
    var shift: Nanoseconds
    var words: MergedWords
    var translation: EventTranslation
    /// What is true at its beginning, until its first event comes; `nil` of the first log.
    var opening: LogBeginning?
  }

  package init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    whole = WholeEvents(vocabulary)
  }

  /// Goes on with another log: its words, how much later its instants are than those of the merged log, and
  /// its beginning.
  package mutating func begin(
    _ name: String, _ source: Vocabulary, shift: Nanoseconds, after start: LogBeginning
  ) throws {
    let words = MergedWords(name: name, taken: writers, numbers: greatest)
    var log = Current(
      shift: shift, words: words,
      translation: EventTranslation(from: source, to: vocabulary, words))
    let isFirst = current == nil

    var told = try start.told(by: &log.translation, writer: words.writer)
    if isFirst {
      told.state = told.state.told { put($0, log) }
      beginning = told
      whole = WholeEvents(vocabulary, after: told.part)
    } else {
      log.opening = told
    }
    for mark in told.part.writers { writers.insert(mark.name) }
    current = log
  }

  /// The events of the log as they stand in the merged one.
  package mutating func take(_ events: [Event]) throws -> [Event] {
    guard var log = current else { return [] }
    var told: [Event] = []
    for event in events {
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
    if Vocabulary.isRole(name) || !taken.contains(name) { return name }
    let others = (2...).lazy.map { "\(self.name)-\($0)/\(name)" }
    let own = "\(self.name)/\(name)"
    return taken.contains(own) ? others.first { !taken.contains($0) } ?? own : own
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
