import LifecycleModel

/// When the last snapshot of the app and of each of its scenes was taken.
struct SnapshotTimes: Sendable {
  /// So many subjects are remembered; the oldest is forgotten first.
  private static let remembered = 64

  private var ends: [(subject: Subject, ordinal: UInt64)] = []

  /// Sees a `snapshot.end`.
  mutating func note(_ event: Event, _ moment: Moment) {
    ends.removeAll { $0.subject == event.subject }
    if ends.count == SnapshotTimes.remembered { ends.removeFirst() }
    ends.append((event.subject, moment.state.ordinal &+ 1))
  }

  /// Whether a snapshot of `subject`, or one of the whole app, was taken after `fact`.
  func isTaken(of subject: Subject, since fact: Fact) -> Bool {
    ends.contains {
      $0.ordinal > fact.ordinal
        && ($0.subject == subject || $0.subject.kind != .scene || subject.kind != .scene)
    }
  }
}
