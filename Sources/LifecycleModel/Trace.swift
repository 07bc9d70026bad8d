/// A whole trace in memory: events in order, and the vocabulary that gives them meaning.
///
/// ```swift
/// import LifecycleModel
///
/// var trace = Trace()
/// trace.events.append(
///   Event(
///     instant: Instant(nanoseconds: .seconds(2)), writer: .main, verb: .work,
///     name: trace.vocabulary.symbol("timer"), subject: .app,
///     label: trace.vocabulary.symbol("autosave")))
/// trace.orderAndNumber()
/// ```
public struct Trace {
  /// The words that the events refer to.
  public var vocabulary: Vocabulary
  /// The events, ordered by instant; equal instants in the order in which they were recorded.
  public var events: [Event]

  /// Makes a trace of events that belong to `vocabulary`.
  public init(vocabulary: Vocabulary = Vocabulary(), events: [Event] = []) {
    self.vocabulary = vocabulary
    self.events = events
  }

  /// Orders the events by instant, equal ones as they stand, and numbers them per writer from 1.
  ///
  /// A `gap` that names a writer and the last missing sequence moves that writer's count on.
  public mutating func orderAndNumber() {
    let isOrdered = zip(events, events.dropFirst()).allSatisfy { $0.instant <= $1.instant }
    if !isOrdered { events = events.ordered { $0.instant < $1.instant } }
    var numbering = SequenceNumbering()
    for index in events.indices {
      numbering.number(&events[index], in: vocabulary)
    }
  }
}

/// Gives events their sequence numbers, per writer from 1.
public struct SequenceNumbering {
  private var last: [UInt64] = []

  /// Makes a numbering in which every writer begins with 1.
  public init() {}

  /// Numbers `event`; a `gap` gets 0 and moves the writer on whose events it says are missing.
  public mutating func number(_ event: inout Event, in vocabulary: Vocabulary) {
    while last.count < vocabulary.writerCount { last.append(0) }
    guard event.verb == .gap else {
      // A gap may say the greatest number: then the numbers stay there.
      let writer = Int(event.writer.rawValue)
      if last[writer] < .max { last[writer] += 1 }
      event.sequence = last[writer]
      return
    }

    event.sequence = 0
    guard let gap = Gap(event, in: vocabulary), let name = gap.writer, let to = gap.to,
      let writer = try? vocabulary.writer(name)
    else { return }
    while last.count < vocabulary.writerCount { last.append(0) }
    last[Int(writer.rawValue)] = max(last[Int(writer.rawValue)], to)
  }
}

extension Trace: Equatable {
  /// Whether both traces say the same, whatever the ids of their vocabularies.
  public static func == (lhs: Trace, rhs: Trace) -> Bool {
    guard lhs.events.count == rhs.events.count else { return false }
    return zip(lhs.events, rhs.events).allSatisfy { left, right in
      left.sequence == right.sequence && left.instant == right.instant
        && left.subject == right.subject && left.value == right.value
        && lhs.vocabulary.name(of: left.writer) == rhs.vocabulary.name(of: right.writer)
        && lhs.vocabulary.word(of: left.verb) == rhs.vocabulary.word(of: right.verb)
        && lhs.vocabulary.text(left.name) == rhs.vocabulary.text(right.name)
        && lhs.vocabulary.text(left.label) == rhs.vocabulary.text(right.label)
        && lhs.vocabulary.attributes(left.attributes)
          == rhs.vocabulary.attributes(right.attributes)
    }
  }
}
