import LifecycleModel

/// What is known of an episode while it goes on.
struct EpisodeBucket {
  /// How often each token came.
  var counts = EpisodeTally()
  /// How long things took that began and ended in it, while nobody knows what kind of episode it is.
  var durations: [(token: Int32, time: Nanoseconds)] = []
  /// How often each event came that an order is about, and where it came last.
  var letters = EpisodeTally()
  /// The events in their order, where somebody wants to see them.
  var steps = EpisodeSteps()
  /// Whether no events are missing in it, and it is known in which state it began.
  var isCertain = true

  /// Takes in what came after it, and belongs to it.
  mutating func absorb(_ other: EpisodeBucket) {
    counts.add(other.counts)
    steps.append(other.steps)
    isCertain = isCertain && other.isCertain
  }

  /// Makes it that of a new episode; it keeps its memory.
  mutating func clear() {
    counts.clear()
    durations.removeAll(keepingCapacity: true)
    letters.clear()
    steps = EpisodeSteps()
    isCertain = true
  }
}

/// The events of an episode in their order.
struct EpisodeSteps {
  /// So many are kept.
  static let kept = 2000

  private(set) var tokens: [Int32] = []
  private(set) var instants: [Instant] = []

  mutating func append(_ token: Int32, _ instant: Instant) {
    if tokens.count >= EpisodeSteps.kept { return }
    tokens.append(token)
    instants.append(instant)
  }

  fileprivate mutating func append(_ other: EpisodeSteps) {
    for (token, instant) in zip(other.tokens, other.instants) { append(token, instant) }
  }
}

/// An episode that stands for those of its kind: of equal ones, event by event, there are the most.
package struct EpisodeExample: Hashable, Sendable {
  /// The events in their order.
  package var tokens: [EventToken]
  /// When each came, since the first of them.
  package var offsets: [Nanoseconds]
  /// How many episodes have these events in this order.
  package var alike: Int
  /// Of how many of its kind.
  package var all: Int
  /// Where it begins in its run.
  package var start: Instant
}

/// The episodes of one kind, each sequence of events once.
struct EpisodeExamples {
  /// So many different ones are kept, the first that came.
  private static let kept = 1000

  /// The kind that somebody wants to see.
  let kind: String
  private var places: [[Int32]: Int] = [:]
  private var examples: [(steps: EpisodeSteps, alike: Int)] = []
  private var all = 0

  init(_ kind: String) { self.kind = kind }

  mutating func add(_ steps: EpisodeSteps) {
    all += 1
    if let place = places[steps.tokens] {
      examples[place].alike += 1
    } else if examples.count < EpisodeExamples.kept {
      places[steps.tokens] = examples.count
      examples.append((steps, 1))
    }
  }

  /// The sequence that came most often, of equal ones the first; `nil` when there is none.
  func example(_ counts: EpisodeCounts) -> EpisodeExample? {
    let most = examples.map(\.alike).max()
    guard let found = examples.first(where: { $0.alike == most }) else { return nil }
    let first = found.steps.instants.first ?? .origin
    var example = EpisodeExample(
      tokens: [], offsets: [], alike: found.alike, all: all, start: first)

    for (number, instant) in zip(found.steps.tokens, found.steps.instants) {
      guard let token = counts.token(number) else { continue }
      example.tokens.append(token)
      example.offsets.append(instant.since(first))
    }
    return example
  }
}
