import LifecycleModel

/// How far a log was written: all that is needed to go on with it.
package struct LogTail {
  package let identity: LogIdentity
  package let vocabulary: Vocabulary
  /// The last sequence of each writer.
  package let lastSequences: [String: UInt64]
  let part: LogPart
  let tag: UInt32
  /// The number of the next block of the part, and the chain that it carries on.
  let nextNumber: UInt64
  let chain: UInt32
  let eventsBefore: UInt64
  /// Where the newest part ends, without a torn block.
  let end: Int
  let state: LifecycleState

  /// The largest instant of the log.
  package var lastInstant: Instant { state.instant }

  /// Reads the log at `path` to its end.
  ///
  /// Throws ``LogError/notALog(path:looksLikeText:)`` when its newest file header is damaged.
  package init(path: String) throws {
    let newest = try LogScanner(LogInput(path: path))
    guard let identity = newest.identity, let tag = newest.tag else {
      throw LogError.notALog(path: path, looksLikeText: false)
    }
    self.identity = identity
    self.tag = tag
    part = newest.part
    var reader = try LogReader(path: path, joinsRing: false)
    vocabulary = reader.vocabulary
    var state = LifecycleState()
    var events: [Event] = []
    var untold: [Event] = []
    while try reader.read(into: &events) {
      guard reader.block != nil else {
        untold += events
        continue
      }
      // Gaps behind the last block are told by nobody once its torn rest is gone.
      for event in untold + events { state.fold(event) }
      untold = []
    }
    self.state = state
    lastSequences = reader.lastSequences
    let last = reader.end
    end = last.offset
    nextNumber = last.number
    chain = last.chain ?? tag
    eventsBefore = last.eventsBefore
  }
}
