import LifecycleModel

/// What stands before a log that does not begin with the first event: which part it is, and what is
/// true there.
package struct LogBeginning {
  /// Which part the log begins with, and how far each writer was.
  package var part = LogPart()
  /// What is true before the first event.
  package var state = LifecycleState()

  /// Makes a beginning; without arguments that of a log that holds its first event.
  package init(part: LogPart = LogPart(), state: LifecycleState = LifecycleState()) {
    (self.part, self.state) = (part, state)
  }

  /// Whether something stands before.
  package var isLate: Bool { part.number > 1 }

  /// The same in the words of another vocabulary.
  package func told(
    by translation: inout EventTranslation, writer: (String) -> String
  ) throws -> LogBeginning {
    var told = LogBeginning(part: part, state: LifecycleState())
    for index in told.part.writers.indices {
      told.part.writers[index].name = writer(part.writers[index].name)
    }
    told.part.writers.sort { $0.name < $1.name }

    told.state = try state.told { try translation.event($0) }
    return told
  }
}

/// The events of a log that may begin late, and what the log says of what stood before them.
package protocol LateStream: EventStream {
  /// The part with which the log begins.
  var firstPart: LogPart { get }
  /// What stood in the parts before; `nil` when nothing did.
  var opening: Gap? { get }
  /// What was true before the last batch; `nil` when the log does not say it.
  var checkpoint: [Event]? { get }
  /// Whether the last batch reports losses, and is of no block.
  var isBetweenBlocks: Bool { get }
  /// Leaves out the events that state what was true before the log.
  mutating func leaveOutBeginning()
}

extension LogReader: LateStream {
  package var isBetweenBlocks: Bool { block == nil }
}

extension LogBeginning {
  /// Reads what a log begins with, and its first events, which are empty of a log without any.
  package init(of stream: inout some LateStream, events: inout [Event]) throws {
    stream.leaveOutBeginning()
    var batch: [Event] = []
    events = []
    // What is damaged before the first block is reported first, and the block says what was true.
    repeat {
      guard try stream.read(into: &batch) else { break }
      events += batch
    } while events.isEmpty || stream.isBetweenBlocks

    part = stream.firstPart
    if part.number > 1 {
      // Which of the parts it was does not matter: none of those before is beside the new log.
      part.number = 2
      state = stream.checkpoint.map { LifecycleState(checkpoint: $0) } ?? .unknown
    }

    // A part that is lost, and was not removed by the log's limits.
    let gap = stream.opening.flatMap { $0.cause == GapCause.rotated.rawValue ? nil : $0 }
    if let gap, let event = events.first {
      events.insert(gap.event(at: event.instant, in: stream.vocabulary), at: 0)
    }
  }
}

/// Follows a log to the place where another one is going to begin.
package struct LogPrefix {
  private let vocabulary: Vocabulary
  private var part: LogPart
  private var state: LifecycleState
  private var progress: WriterProgress<String>
  private var count: UInt64

  package init(_ beginning: LogBeginning, _ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    (part, state) = (beginning.part, beginning.state)
    progress = WriterProgress(part)
    count = part.eventsBefore
  }

  /// Learns what the log says was true before the next event, where that is not known.
  package mutating func learn(_ checkpoint: [Event]) {
    if !state.isComplete { state = LifecycleState(checkpoint: checkpoint) }
  }

  /// Takes an event into account that stands before that place.
  package mutating func pass(_ event: Event) {
    count += 1
    state.fold(event)
    if let gap = Gap(event, in: vocabulary) {
      progress.pass(gap)
    } else {
      progress[vocabulary.name(of: event.writer)] = event.sequence
    }
  }

  /// The beginning of a log that begins here; with `forgetsProcess` nothing of the process before is
  /// true there.
  package func beginning(forgetsProcess: Bool = false) -> LogBeginning {
    if count == 0 && part.number == 1 { return LogBeginning() }
    var part = LogPart()
    part.number = 2
    part.eventsBefore = count
    part.writers = progress.marks
    var state = state
    if forgetsProcess { state.forgetProcess() }
    return LogBeginning(part: part, state: state)
  }

  /// The words that are needed here.
  package func addWords(to use: inout VocabularyUse) { use.add(state) }
}

extension [Event] {
  /// Puts what is missing before a log that begins late among the facts that are true there; `first` is
  /// the instant of the event behind them.
  ///
  /// The gap stands behind the start of the process, or else behind the profile, and goes on until
  /// `first`: between the facts, too, nobody knows what happened.
  mutating func insert(opening gap: Gap, before first: Instant, in vocabulary: Vocabulary) {
    let start = lastIndex { $0.verb == .processStart }
    let behind = start.map { $0 + 1 } ?? firstIndex { $0.verb != .profile } ?? count
    let next = behind < count ? self[behind].instant : first
    let instant = start.map { self[$0].instant } ?? next

    var gap = gap
    let time = first.since(instant)
    gap.within = time > 0 ? time : nil
    insert(gap.event(at: instant, in: vocabulary), at: behind)
  }
}
