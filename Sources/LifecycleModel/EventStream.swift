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
