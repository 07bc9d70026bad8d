import LifecycleModel
import TraceAnalysis
import TraceText

/// Finds a moment of a run in its events.
///
/// Memory is taken by what is open and by the number of writers.
package struct MomentFinder {
  /// The moment that is looked for.
  package enum Target: Hashable, Sendable {
    /// After all events up to an instant.
    case instant(Instant)
    /// After an event.
    case event(EventReference)
    /// After the first event that is no profile.
    case start
    /// After the last event.
    case end
  }

  /// At most this many events behind the moment are looked at for the next of each writer.
  private static let eventsBehind = 20_000

  private let target: Target
  private let vocabulary: Vocabulary
  private var state = LifecycleState()
  private var last: [WriterID: Event] = [:]
  private var next: [WriterID: Event] = [:]
  /// The losses between the last events and the next ones.
  private var gaps: [Event] = []
  private static let gapsKept = 100
  private var hasObserved = false
  private var latest = Instant.distantPast
  private var found: (instant: Instant, event: Event?)?
  private var eventsLeft = MomentFinder.eventsBehind
  /// The last event of the writer that the target names.
  package private(set) var lastSequence: UInt64 = 0

  /// Looks for `target` in a trace whose events belong to `vocabulary`.
  package init(_ target: Target, _ vocabulary: Vocabulary) {
    (self.target, self.vocabulary) = (target, vocabulary)
  }

  /// Whether nothing further has to be read.
  package var isComplete: Bool {
    found != nil && (eventsLeft <= 0 || last.keys.allSatisfy { next[$0] != nil })
  }

  /// Takes what is true before the next `events`, when some were left out.
  ///
  /// Behind a loss that is no word about a moment before those events.
  package mutating func skip(to checkpoint: [Event], before events: [Event]) {
    guard found == nil else { return }
    if hasObserved, events.first(where: { $0.verb != .profile }).map(isBehind) == true { return }
    state = LifecycleState(checkpoint: checkpoint)
  }

  private func isBehind(_ event: Event) -> Bool {
    if case .instant(let instant) = target { event.instant > instant } else { false }
  }

  /// Takes the next events.
  package mutating func observe(_ events: [Event]) {
    hasObserved = true
    for event in events {
      if found == nil { pass(event) } else { look(behind: event) }
    }
  }

  private mutating func pass(_ event: Event) {
    if case .instant(let instant) = target, isBehind(event), event.verb != .profile {
      found = (instant, nil)
      return look(behind: event)
    }
    state.fold(event)

    if event.verb == .gap {
      if gaps.count < MomentFinder.gapsKept { gaps.append(event) }
    } else {
      last[event.writer] = event
      if !gaps.isEmpty { gaps = gaps.filter { !isOver($0, at: event) } }
    }
    latest = max(latest, event.instant)
    if target == .start && event.verb != .profile { found = (event.instant, event) }
    guard case .event(let reference) = target else { return }
    if event.verb != .gap, vocabulary.name(of: event.writer) == reference.writer {
      lastSequence = max(lastSequence, event.sequence)
    }
    if reference.means(event, vocabulary) { found = (event.instant, event) }
  }

  private mutating func look(behind event: Event) {
    eventsLeft -= 1
    if event.verb == .gap {
      guard gaps.count < MomentFinder.gapsKept,
        !next.values.contains(where: { isOver(event, at: $0) })
      else { return }
      gaps.append(event)
    } else if next[event.writer] == nil {
      next[event.writer] = event
    }
  }

  /// Whether an event is one of the writer whose events a gap states; of a gap without a writer each is.
  private func isOver(_ gap: Event, at event: Event) -> Bool {
    guard let writer = Gap(gap, in: vocabulary)?.writer else { return true }
    return vocabulary.name(of: event.writer) == writer
  }

  /// Lets the vocabulary forget what is not needed any more, when it has become large.
  ///
  /// Call it between two batches.
  package mutating func forgetUnusedWords() {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    use.add(state)
    for event in Array(last.values) + next.values + gaps { use.add(event) }
    vocabulary.forget(except: use)
  }

  /// The moment; `nil` when the event that was looked for is not in the log, or there are no events.
  package func finish() -> RunMoment? {
    if last.isEmpty && next.isEmpty { return nil }
    if case .event = target, found == nil { return nil }
    let end = if case .instant(let instant) = target { instant } else { latest }
    let moment = found ?? (end, nil)

    return RunMoment(
      at: moment.instant, moment.event, state, end: found == nil ? latest : nil,
      last: ordered(last), next: ordered(next), gaps: gaps, vocabulary)
  }

  private func ordered(_ events: [WriterID: Event]) -> [Event] {
    events.values.sorted { ($0.instant, $0.writer.rawValue) < ($1.instant, $1.writer.rawValue) }
  }
}
