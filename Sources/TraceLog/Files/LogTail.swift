import LifecycleModel

/// How far a log was written: all that is needed to go on with it.
package struct LogTail {
  package let identity: LogIdentity
  package let vocabulary: Vocabulary
  /// How far the log goes, without a last block that cannot be read: what its ring holds comes behind it.
  ///
  /// The state does not count the instant of a profile; this one does.
  package let logEnd: LogEnd
  let part: LogPart
  /// The file of the newest part.
  let file: String
  let tag: UInt32
  /// The number of the next block of the part, and the chain that it carries on.
  let nextNumber: UInt64
  let chain: UInt32
  /// Where the newest part ends, without a last block that cannot be read.
  let end: Int
  /// The state behind the last block.
  package let state: LifecycleState
  /// The events of the last block.
  package let lastEvents: [Event]

  /// Reads the newest part of the log at `path`: all of its block headers, and the last block.
  ///
  /// Throws ``LogError/notALog(path:looksLikeText:)`` when its file header is damaged.
  package init(path: String) throws {
    let files = try LogPartFinder.files(of: path)
    file = files.last?.file ?? path
    var walk = try BlockWalk(LogInput(path: file))
    guard let identity = walk.scanner.identity, let tag = walk.scanner.tag else {
      throw LogError.notALog(path: path, looksLikeText: false)
    }

    self.identity = identity
    self.tag = tag
    part = walk.scanner.part
    var read = try PartEnd(file, &walk, ringMayHoldLast: true)
    let end = read.reader.walk.end
    (self.end, nextNumber, chain) = (end.offset, end.number, end.chain ?? tag)
    var logEnd = read.reader.walk.logEnd
    logEnd.lost = read.reader.tornGaps

    // A part without a block that can be read goes on where the part before it ends.
    for before in files.dropLast().reversed() where read.reader.walk.hasNoBlock {
      do {
        var older = try BlockWalk(LogInput(path: before.file))
        read = try PartEnd(before.file, &older, ringMayHoldLast: false)
      } catch let error as LogError where error.isOfSystem {
        // It may pass, and what was true before is in no other place.
        throw error
      } catch LogError.notFound {
        break
      } catch {
        // It is none any more.
      }
    }

    vocabulary = read.reader.vocabulary
    (state, lastEvents) = (read.state, read.lastEvents)
    logEnd.instant = max(state.instant, read.reader.walk.logEnd.instant)
    logEnd.hasProcessEnded = state.processEnd != nil
    self.logEnd = logEnd
  }
}

/// What was true at the end of a part.
private struct PartEnd {
  /// The reader that has read the part, or the end of it.
  let reader: LogReader
  let state: LifecycleState
  /// The events of the last block.
  let lastEvents: [Event]

  /// Reads the part at `path`, over which `walk` has not gone yet.
  init(_ path: String, _ walk: inout BlockWalk, ringMayHoldLast: Bool) throws {
    var last: BlockHeader?
    var hasGaps = false
    while let header = try walk.nextHeader() {
      last = header
      hasGaps = hasGaps || header.verbs & 1 << UInt64(Verb.gap.code) != 0
    }
    // Without a checkpoint the state takes all events of the part, and a gap moves a writer's count on.
    let isEnough = last?.hasCheckpoint == true && !hasGaps
    let from = isEnough ? last?.firstInstant ?? .distantPast : .distantPast
    var reader = try LogReader(
      onePartAt: path, filter: BlockFilter(from: from), ringMayHoldLast: ringMayHoldLast)
    var behind = try PartEnd.state(behind: &reader)
    if isEnough, !reader.tornGaps.isEmpty || !behind.isTold {
      // The last block cannot be read: what was true is said by those before it.
      reader = try LogReader(
        onePartAt: path, filter: BlockFilter(), ringMayHoldLast: ringMayHoldLast)
      behind = try PartEnd.state(behind: &reader)
    }
    (self.reader, state, lastEvents) = (reader, behind.state, behind.lastEvents)
  }

  /// What is true behind all that `reader` reads, and whether a checkpoint states a part of it.
  private static func state(
    behind reader: inout LogReader
  ) throws -> (state: LifecycleState, lastEvents: [Event], isTold: Bool) {
    // What was true before a later part is said by its checkpoints alone.
    reader.leaveOutBeginning()
    var state = reader.firstPart.number > 1 ? LifecycleState.unknown : LifecycleState()
    var events: [Event] = []
    var lastEvents: [Event] = []
    var untold: [Event] = []
    var isTold = false

    while try reader.read(into: &events) {
      guard reader.block != nil else {
        untold += events
        continue
      }
      if let checkpoint = reader.checkpoint {
        state = LifecycleState(checkpoint: checkpoint)
        isTold = true
      } else {
        for event in untold { state.fold(event) }
      }
      for event in events { state.fold(event) }
      untold = []
      lastEvents = events
    }

    // Nothing reports a torn rest once it is gone; other damage behind the last block stays.
    for event in untold where event.name != GapCause.tornTail.symbol { state.fold(event) }
    return (state, lastEvents, isTold)
  }
}
