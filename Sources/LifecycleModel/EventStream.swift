/// Events of one trace, handed over in batches.
public protocol EventStream {
  /// The words that the events refer to; it grows while the stream is read.
  var vocabulary: Vocabulary { get }

  /// Replaces the contents of `events` by the next batch; false at the end.
  ///
  /// A batch may be empty. The caller passes the same array again, so that its memory is reused.
  mutating func read(into events: inout [Event]) throws -> Bool
}

extension EventStream {
  /// Reads all that is left into memory.
  public mutating func readAll() throws -> Trace {
    var trace = Trace(vocabulary: vocabulary)
    var batch: [Event] = []
    while try read(into: &batch) { trace.events += batch }
    return trace
  }
}

/// A trace in memory, read as one batch.
public struct TraceStream: EventStream {
  /// The words that the events refer to.
  public let vocabulary: Vocabulary
  private var events: [Event]?

  /// Makes a stream of the events of `trace`.
  public init(_ trace: Trace) {
    vocabulary = trace.vocabulary
    events = trace.events
  }

  /// Replaces the contents of `events` by the whole trace at the first call; false at the second.
  public mutating func read(into events: inout [Event]) -> Bool {
    guard let all = self.events else { return false }
    events = all
    self.events = nil
    return true
  }
}
