import LifecycleModel
import TraceAnalysis

/// Chooses the instants of a run that a picture of it must keep apart.
///
/// In a short run those are all; in a long one its turns, the evidence of findings, gaps, deaths, and the
/// ends of the widest stretches without an event. Memory is constant.
package struct StoryInstants {
  /// At most this many instants are chosen.
  package static let limit = 800
  /// At most this many wide stretches are remembered.
  private static let stretches = 100

  /// The part of the run that is drawn.
  private let part: ClosedRange<Instant>
  /// All instants; `nil` when they are more than the limit.
  private var all: Set<Instant>? = []
  private var latest: Instant?
  /// The widest stretches, in no order, once they are as many as are remembered the narrowest of them first.
  private var widest: [(length: Nanoseconds, from: Instant, to: Instant)] = []

  /// Makes a choice of nothing, which will be one of instants in `part`.
  package init(in part: ClosedRange<Instant> = .distantPast ... .distantFuture) {
    self.part = part
  }

  /// Takes the instants of the next events.
  package mutating func observe(_ events: [Event]) {
    for event in events where event.verb != .profile && part.contains(event.instant) {
      observe(event.instant)
    }
  }

  private mutating func observe(_ instant: Instant) {
    if all?.insert(instant).inserted == true, all?.count ?? 0 > StoryInstants.limit { all = nil }
    defer { latest = max(latest ?? instant, instant) }
    guard let latest, instant > latest else { return }
    let stretch = (length: instant.since(latest), from: latest, to: instant)

    if widest.count < StoryInstants.stretches {
      widest.append(stretch)
    } else if stretch.length > widest[0].length {
      widest[0] = stretch
    } else {
      return
    }
    if widest.count == StoryInstants.stretches { moveNarrowestFirst() }
  }

  private mutating func moveNarrowestFirst() {
    let narrowest = widest.indices.min { widest[$0].length < widest[$1].length }
    if let narrowest { widest.swapAt(0, narrowest) }
  }

  /// The instants, chosen by what the analysis of the same events says.
  package func chosen(_ analysis: Analysis) -> [Instant] {
    guard let extent = analysis.extent else { return [] }
    if let all { return all.union([extent.upperBound]).sorted() }
    var instants: Set<Instant> = [extent.lowerBound, extent.upperBound]
    func add(_ more: some Sequence<Instant>) {
      for instant in more where instants.count < StoryInstants.limit {
        if extent.contains(instant) && part.contains(instant) { instants.insert(instant) }
      }
    }

    add((analysis.milestones.first + analysis.milestones.last).map(\.event.instant))
    add(analysis.deaths.verdicts.map(\.end.instant))
    for finding in analysis.findings {
      add(finding.witnesses.compactMap(\.event?.instant))
      add(finding.witnesses.compactMap(\.missing?.until))
    }
    add(widest.sorted { $0.length > $1.length }.flatMap { [$0.from, $0.to] })
    return instants.sorted()
  }

  /// The axis of this kind for the part of the run that lies in `window`; `nil` when no part of it does.
  package func axis(
    _ kind: TimeAxis.Kind, _ analysis: Analysis, in window: ClosedRange<Instant>? = nil
  ) -> TimeAxis? {
    guard let all = analysis.extent, window?.overlaps(all) ?? true else { return nil }
    let extent = window.map(all.clamped) ?? all
    let inside = kind == .clock ? [] : chosen(analysis).filter(extent.contains)
    return TimeAxis(story: inside + [extent.lowerBound, extent.upperBound])
  }
}
