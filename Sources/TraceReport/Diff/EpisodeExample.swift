import LifecycleModel

/// An event of an episode of which an example is wanted.
struct EpisodeStep {
  /// At most this many of an episode are kept.
  static let kept = 2000

  let token: Int32
  let instant: Instant
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
  /// At most this many different ones are kept, the first that came.
  private static let kept = 1000

  /// The kind of which an example is wanted.
  let kind: String
  private var places: [[Int32]: Int] = [:]
  private var examples: [(steps: [EpisodeStep], alike: Int)] = []
  private var all = 0

  init(_ kind: String) { self.kind = kind }

  mutating func add(_ steps: [EpisodeStep]) {
    all += 1
    let tokens = steps.map(\.token)
    if let place = places[tokens] {
      examples[place].alike += 1
    } else if examples.count < EpisodeExamples.kept {
      places[tokens] = examples.count
      examples.append((steps, 1))
    }
  }

  /// The sequence that came most often, of equal ones the first; `nil` when there is none.
  func example(_ counts: EpisodeCounts) -> EpisodeExample? {
    let most = examples.map(\.alike).max()
    guard let found = examples.first(where: { $0.alike == most }) else { return nil }
    let start = found.steps.first?.instant ?? .origin
    let steps = found.steps.compactMap { step in
      counts.token(step.token).map { (token: $0, offset: step.instant.since(start)) }
    }
    return EpisodeExample(
      tokens: steps.map(\.token), offsets: steps.map(\.offset), alike: found.alike, all: all,
      start: start)
  }
}
