import LifecycleModel
import TraceAnalysis

/// When the last snapshot of the app and of each of its scenes was taken.
struct SnapshotTimes: Sendable {
  private var ends = Remembered<(subject: Subject, ordinal: UInt64)>(64, beyond: .oldestGoes)

  /// Sees a `snapshot.end`.
  mutating func note(_ event: Event, _ moment: Moment) {
    ends.removeAll { $0.subject == event.subject }
    ends.append((event.subject, moment.state.ordinal &+ 1))
  }

  /// Whether a snapshot of `subject`, or of the whole app, was taken after `fact`; `nil` if there
  /// were more scenes than are remembered.
  func isTaken(of subject: Subject, since opener: OpenEvent) -> Bool? {
    let isKnown = ends.contains {
      $0.ordinal > opener.ordinal
        && ($0.subject == subject || $0.subject.kind != .scene || subject.kind != .scene)
    }
    if isKnown { return true }
    return ends.isWhole ? false : nil
  }
}
