import LifecycleModel

/// A trace in memory, read as one batch.
package struct TraceStream: EventStream {
  /// The words that the events refer to.
  package let vocabulary: Vocabulary
  private var events: [Event]?

  /// Makes a stream of the events of `trace`.
  package init(_ trace: Trace) {
    vocabulary = trace.vocabulary
    events = trace.events
  }

  /// Replaces the contents of `events` by the whole trace at the first call; false at the second.
  package mutating func read(into events: inout [Event]) -> Bool {
    guard let all = self.events else { return false }
    events = all
    self.events = nil
    return true
  }
}
