import LifecycleModel

/// How far a log was written: all that is needed to go on with it.
package struct LogTail {
  package let identity: LogIdentity
  package let vocabulary: Vocabulary
  /// The last sequence of each writer.
  package let lastSequences: [String: UInt64]
  let part: LogPart
  /// The file of the newest part.
  let file: String
  let tag: UInt32
  /// The number of the next block of the part, and the chain that it carries on.
  let nextNumber: UInt64
  let chain: UInt32
  /// How many events the log has, in all its parts.
  package let eventsBefore: UInt64
  /// Where the newest part ends, without a last block that cannot be read.
  let end: Int
  /// What such a block took with it, unless the ring holds it.
  let lost: [Gap]
  /// The state behind the last block.
  package let state: LifecycleState
  /// The events of the last block.
  package let lastEvents: [Event]

  /// How far the log goes: what its ring holds comes behind it.
  package var logEnd: LogEnd {
    var end = LogEnd(
      lastSequences, at: lastInstant, eventCount: eventsBefore, partHasBlocks: nextNumber > 0)
    (end.lost, end.hasProcessEnded) = (lost, state.processEnd != nil)
    return end
  }

  /// The largest instant of the log; the state does not count that of a profile.
  package let lastInstant: Instant

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
    let reader = read.reader
    lost = reader.tornGaps
    let end = reader.end
    (self.end, nextNumber, eventsBefore) = (end.offset, end.number, end.eventsBefore)
    chain = end.chain ?? tag
    lastSequences = reader.lastSequences

    // A part without a block that can be read goes on where the part before it ends.
    for before in files.dropLast().reversed() where read.reader.hasNoBlock {
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
    lastInstant = max(state.instant, read.reader.logEnd.instant)
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
    let (last, hasGaps) = try PartEnd.lastBlock(of: &walk)
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

  /// Walks to the end of the part; returns the header of its last whole block, and whether a block
  /// tells a gap.
  private static func lastBlock(
    of walk: inout BlockWalk
  ) throws -> (header: BlockHeader?, hasGaps: Bool) {
    var last: BlockHeader?
    var hasGaps = false
    while true {
      switch try walk.next() {
      case .end: return (last, hasGaps)
      case .gaps, .lost: continue
      case .block(let header):
        do {
          try walk.scanner.skipPayload(of: header)
          walk.pass(header)
          last = header
          hasGaps = hasGaps || header.verbs & 1 << UInt64(Verb.gap.code) != 0
        } catch is TornPayload {
          _ = walk.tear(header)
        }
      }
    }
  }

  /// What is true behind all that `reader` reads, and whether a checkpoint tells a part of it.
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

    // A torn rest is told by nobody once it is gone; other damage behind the last block stays.
    for event in untold where event.name != GapCause.tornTail.symbol { state.fold(event) }
    return (state, lastEvents, isTold)
  }
}
