import LifecycleModel

/// Cuts a part out of a log: a window of time, one process, or both.
///
/// The part is contiguous: it begins with the first event in the window and ends before the first one
/// behind it.
package struct LogSlicer {
  private enum Place { case before, inside, behind }

  private let vocabulary: Vocabulary
  private let window: ClosedRange<Instant>
  private let process: Int?
  private var prefix: LogPrefix
  private var place = Place.before
  private var processCount = 0
  /// Profiles that may belong to the next process: the next event decides.
  private var held: [Event] = []
  /// The beginning of the slice, from its first event on.
  package private(set) var beginning: LogBeginning?
  /// The processes of the log so far, as `process` names them; the first few.
  package private(set) var processes: [String] = []

  /// Cuts events of `vocabulary`, of a log that begins with `beginning`.
  ///
  /// A process has the number that its start says, or else its place among the processes.
  package init(
    _ vocabulary: Vocabulary, after beginning: LogBeginning, in window: ClosedRange<Instant>,
    process: Int? = nil
  ) {
    self.vocabulary = vocabulary
    (self.window, self.process) = (window, process)
    prefix = LogPrefix(beginning, vocabulary)
  }

  /// Whether no further event can be in the slice.
  package var isOver: Bool { place == .behind }

  /// The events that are in the slice, of the next ones of the log, before which `checkpoint` was true, if the
  /// log says so.
  package mutating func take(_ events: [Event], checkpoint: [Event]? = nil) -> [Event] {
    if let checkpoint { prefix.learn(checkpoint) }
    var taken: [Event] = []
    for event in events {
      if process != nil && event.verb == .profile && place != .behind {
        held.append(event)
        continue
      }
      let isStart = event.verb == .processStart && process != nil
      let isWanted = isStart && isOurs(event)
      if isStart && place == .inside {
        // The profiles before it are those of the next process.
        place = .behind
      }
      for profile in held { put(profile, beginsOurs: isWanted, &taken) }
      held = []
      put(event, beginsOurs: isWanted, &taken)
    }
    return taken
  }

  /// The events of the slice that were held back at the end of the log.
  package mutating func finish() -> [Event] {
    var taken: [Event] = []
    for profile in held { put(profile, beginsOurs: false, &taken) }
    held = []
    return taken
  }

  /// Whether words may be forgotten but those of ``addWords(to:)``.
  package var holdsNothing: Bool { held.isEmpty }

  /// The words that are needed until the slice begins.
  package func addWords(to use: inout VocabularyUse) {
    if beginning == nil { prefix.addWords(to: &use) }
  }

  private mutating func put(_ event: Event, beginsOurs: Bool, _ taken: inout [Event]) {
    if place != .behind && event.instant > window.upperBound { place = .behind }
    if place == .behind { return }

    if place == .before {
      let isInWindow = event.instant >= window.lowerBound
      isOfOurs = isOfOurs || beginsOurs
      if !isInWindow || process != nil && !isOfOurs { return prefix.pass(event) }
      place = .inside
      beginning = prefix.beginning(forgetsProcess: beginsOurs)
    }
    taken.append(event)
  }

  /// Whether the process that is asked for has begun.
  private var isOfOurs = false

  private mutating func isOurs(_ start: Event) -> Bool {
    processCount += 1
    let said = vocabulary.attributes(start.attributes)[.pid]
    if processes.count < 16 { processes.append(said ?? "\(processCount)") }
    if isOfOurs {
      if place == .before { place = .behind }
      return false
    }
    return (said.map { Int($0) } ?? processCount) == process
  }
}
