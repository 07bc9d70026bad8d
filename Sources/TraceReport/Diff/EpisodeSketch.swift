import LifecycleModel
import TraceAnalysis

/// What the lanes show of one episode, from its first event to its last.
package struct EpisodeSketch {
  /// So many changes are kept, the first ones.
  private static let changesKept = 5000

  /// Where it lies in its run.
  package let extent: EpisodeExtent
  let vocabulary: Vocabulary
  /// The lanes of its run.
  fileprivate(set) var lanes: [Lane] = []
  /// What the lanes show; bars end with the episode.
  private(set) var changes: [LaneChange] = []
  /// When each event came first.
  private(set) var first: [EventToken: Instant] = [:]
  /// When something came.
  private(set) var instants: Set<Instant> = []
  /// Whether it has more than is kept.
  private(set) var isCut = false

  fileprivate init(_ extent: EpisodeExtent, _ vocabulary: Vocabulary) {
    (self.extent, self.vocabulary) = (extent, vocabulary)
    instants = [extent.times.lowerBound, extent.times.upperBound]
  }

  /// How many events it has.
  var events: UInt64 { extent.events.upperBound - extent.events.lowerBound + 1 }

  /// Takes the next event of the run, and what it changes.
  fileprivate mutating func take(_ event: Event, at number: UInt64, _ changes: [LaneChange]) {
    if extent.events.contains(number) {
      if instants.count < EpisodeSketch.changesKept { instants.insert(event.instant) }
      note(EventToken(event, vocabulary), event.instant)
    }

    for change in changes {
      if case .end(let bar, let end) = change, bar.content == .span, end.ordinal == number,
        extent.events.contains(number)
      {
        note(EventToken(event.verb, ending: EventToken(bar.event, vocabulary)), event.instant)
      }
      take(change)
    }
  }

  /// Whether the event of this number, or what it changes, can be of the episode.
  fileprivate func canShow(_ number: UInt64, _ changes: [LaneChange]) -> Bool {
    number >= extent.events.lowerBound && (number <= extent.events.upperBound || !changes.isEmpty)
  }

  private mutating func note(_ token: EventToken, _ instant: Instant) {
    if first.count < EpisodeSketch.changesKept, first[token] == nil { first[token] = instant }
  }

  fileprivate mutating func take(_ change: LaneChange) {
    guard let shown = shown(change) else { return }
    isCut = isCut || changes.count >= EpisodeSketch.changesKept
    if !isCut { changes.append(shown) }
  }

  /// The part of a change that belongs to the episode.
  private func shown(_ change: LaneChange) -> LaneChange? {
    switch change {
    case .begin: return nil
    case .end(let bar, let end):
      let isBefore =
        bar.ordinal < extent.events.lowerBound && end.instant <= extent.times.lowerBound
      guard !isBefore, bar.ordinal <= extent.events.upperBound,
        end.ordinal >= extent.events.lowerBound
      else { return nil }
      if end.instant <= extent.times.upperBound { return change }
      return .end(
        bar,
        LaneEnd(
          cause: .closed, instant: max(bar.begin, extent.times.upperBound), ordinal: end.ordinal,
          isCertain: end.isCertain))

    case .mark(_, _, let ordinal, _), .value(_, _, let ordinal, _), .gap(_, let ordinal, _, _),
      .death(_, let ordinal, _):
      return extent.events.contains(ordinal) ? change : nil
    }
  }

  /// The words that it must keep.
  fileprivate func addUse(to use: inout VocabularyUse) {
    for case .end(let bar, _) in changes { use.add(bar.event) }
  }
}

/// Sketches episodes of one run while it is read again.
package struct EpisodeSketches {
  /// The sketches, in the order of the extents.
  package private(set) var sketches: [EpisodeSketch]
  private var fold: LaneFold
  private var changes: [LaneChange] = []
  private var number: UInt64 = 0
  private let last: UInt64

  /// Begins to sketch the episodes of these extents in a run whose events belong to `vocabulary`.
  package init(_ extents: [EpisodeExtent], _ vocabulary: Vocabulary) {
    sketches = extents.map { EpisodeSketch($0, vocabulary) }
    fold = LaneFold(vocabulary)
    last = extents.map(\.events.upperBound).max() ?? 0
  }

  /// Takes the next events; false when no episode has further ones.
  package mutating func draw(_ events: [Event]) -> Bool {
    for event in events where number < last {
      number += 1
      changes.removeAll(keepingCapacity: true)
      fold.observe(event, into: &changes)
      for index in sketches.indices
      where sketches[index].canShow(number, changes) {
        sketches[index].take(event, at: number, changes)
      }
    }

    fold.forgetUnusedWords { use in for sketch in sketches { sketch.addUse(to: &use) } }
    return number < last
  }

  /// Ends what is open.
  package mutating func finish() {
    changes.removeAll()
    fold.finish(into: &changes)
    for index in sketches.indices {
      for change in changes { sketches[index].take(change) }
      sketches[index].lanes = fold.lanes
    }
  }
}
