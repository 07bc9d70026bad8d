import LifecycleModel
import Platform
import TraceLog

/// Takes up the log of a process that is gone: brings its last run to an end in the log, and begins a
/// part for the next one.
struct LogContinuation {
  /// The log, at the beginning of a part.
  let log: RotatingLog
  /// The log's id, with the clocks of this boot: what is recorded now comes after what was.
  let identity: LogIdentity
  /// The largest instant of what earlier runs recorded.
  let lastInstant: Instant
  /// The last sequence of each writer.
  let lastSequences: [String: UInt64]
  /// The run that was brought to its end; `nil` when the log held none.
  let previousRun: PreviousRun?

  /// Takes up the log at `path`; `nil` when there is none that holds anything.
  ///
  /// A file that begins like a log and cannot be read any more, without a part beside it that can be, is moved
  /// aside, to `path` with `.damaged` behind it, in the place of an earlier one, and its ring with it. Throws
  /// `LogError/inUse(path:)` when the process that records there is not gone, and `LogError/notALog(path:looksLikeText:)` when the file is something else.
  init?(path: String, options: Drain.Options) throws {
    var found: LogTail?
    do {
      log = try RotatingLog(resuming: path, options: options.writerOptions, limits: options.limits)
      {
        found = $0
      }
    } catch LogError.notFound {
      return nil
    } catch LogError.empty {
      try? SystemCalls.remove(path)
      return nil
    } catch  where LogContinuation.isDamagedLog(path, error) {
      LogContinuation.moveAside(path)
      return nil
    }

    guard let tail = found else { return nil }
    let rest = try LogContinuation.rest(of: path, tail, log.vocabulary)
    var state = tail.state
    for event in rest.events { state.fold(event) }
    var events = rest.events
    let hasRun = state.processStart != nil || rest.process != nil
    lastInstant = max(tail.logEnd.instant, events.last?.instant ?? .origin, .origin)

    if state.processEnd == nil, hasRun {
      let last = events.last { $0.writer == .system && $0.verb != .gap }?.sequence
      let end = UnseenEnd(process: rest.process, openCallbacks: rest.openCallbacks)
      let event = end.event(
        sequence: (last ?? tail.logEnd.lastSequences[Vocabulary.systemWriter] ?? 0) &+ 1,
        at: lastInstant, in: log.vocabulary)
      events.append(event)
      state.fold(event)
    }

    log.mustWriteAgain = rest.hasLogFailedSync
    let part = log.partCount
    log.removesOldParts = false
    do {
      try log.append(events)
      try log.flush()
      try log.beginPart()
      log.removesOldParts = true
    } catch {
      // A sync that failed may have lost them, and nobody would know: they are still in the ring.
      log.cutBack(to: tail)
      if log.mustWriteAgain {
        let ring = try? RingMapping.open(path: path + RingFormat.pathEnding, isWritable: true)
        ring?.hasLogFailedSync = true
      }
      throw error
    }

    var run: PreviousRun?
    if hasRun && log.partCount > part {
      let logs = LogContinuation.parts(of: path, upTo: UInt32(part))
      run = LogContinuation.run(state, tail, rest, events, logs: logs)
      run?.log = path
    }
    previousRun = run
    identity = LogContinuation.identity(of: tail.identity, after: lastInstant)
    lastSequences = log.lastSequences
  }

  /// What is put behind the path of a log that cannot be read any more.
  static let damagedEnding = ".damaged"

  /// Moves a damaged log aside, of which no part can be read, and its ring with it: what they hold is read there.
  ///
  /// Whoever dies before the ring is moved leaves it where a new ring is made, which moves it aside, too.
  private static func moveAside(_ path: String) {
    let aside = path + damagedEnding
    try? SystemCalls.remove(aside + RingFormat.pathEnding)
    guard (try? SystemCalls.rename(path, aside)) != nil else { return }
    try? SystemCalls.rename(path + RingFormat.pathEnding, aside + RingFormat.pathEnding)
  }

  /// What the log's ring holds and the log does not.
  private struct Rest {
    var events: [Event] = []
    var process: Int32?
    var openCallbacks: [String] = []
    var bootID: [UInt8] = []
    var hasLogFailedSync = false
  }

  private static func rest(
    of path: String, _ tail: LogTail, _ vocabulary: Vocabulary
  ) throws -> Rest {
    var rest = Rest()
    rest.events = RingReader.unseen([], behind: tail.logEnd, vocabulary).events
    do {
      let ring = try RingMapping.open(path: path + RingFormat.pathEnding, isWritable: false)
      var reader = RingReader(ring, vocabulary: vocabulary)
      guard reader.logID == tail.identity.logID else { return rest }
      // A process that became another program has the ring no more.
      guard ring.process == nil || ring.process == .current || ring.isAbandoned else {
        throw LogError.inUse(path: path)
      }
      rest.events = reader.events(behind: tail.logEnd).events
      rest.process = ring.process?.number
      rest.bootID = ring.bootID
      rest.openCallbacks = reader.openCalls().map(\.name)
      rest.hasLogFailedSync = ring.hasLogFailedSync
    } catch LogError.notFound
      where !tail.logEnd.partHasBlocks || SystemCalls.nameKind(path + RingFormat.pathEnding) == nil
    {
      // It was finished, or nobody recorded into it.
    } catch let error as LogError where error.isInUse || error.isOfSystem {
      // What the ring holds is not given up for an error that may pass.
      throw error
    } catch {
      // It may have held events that nobody can read any more.
      rest.events.append(Gap(.sourceHole).event(at: tail.logEnd.instant, in: vocabulary))
    }
    return rest
  }

  /// The run that has ended, of which `events` are the last ones that the log lacked.
  private static func run(
    _ state: LifecycleState, _ tail: LogTail, _ rest: Rest, _ events: [Event], logs: [String]
  ) -> PreviousRun {
    let vocabulary = tail.vocabulary
    let own = tail.lastEvents + events
    let last = max(tail.logEnd.instant, rest.events.last?.instant ?? .origin)
    var facts = RunFacts(state, own, last: last, vocabulary)
    let isStated = tail.identity.bootID.contains { $0 != 0 }
    let (boot, now) = (isStated ? tail.identity.bootID : rest.bootID, LogIdentity.now().bootID)
    facts.hasRebooted = boot != now && [boot, now].allSatisfy { $0.contains { $0 != 0 } }

    // It died before it stated its start: the facts are those of the run before it.
    let start = state.processStart.flatMap { vocabulary.attributes($0.event.attributes)[.pid] }
    if let start, let process = rest.process, Int32(start) != process {
      return PreviousRun(
        logs: logs, end: .gone, appState: nil, openCallbacks: [], wasTerminating: false,
        facts: RunFacts(hasRebooted: facts.hasRebooted))
    }
    return PreviousRun(
      logs: logs, end: end(state, vocabulary), appState: state.app?.state,
      openCallbacks: rest.openCallbacks, wasTerminating: own.isTerminating(vocabulary),
      facts: facts)
  }

  private static func end(_ state: LifecycleState, _ vocabulary: Vocabulary) -> PreviousRun.End {
    guard let end = state.processEnd?.event, end.verb != .kill else { return .killed }
    let attributes = vocabulary.attributes(end.attributes)
    if attributes[.reason] == UnseenEnd.reason { return .gone }
    if attributes[.signal] != nil { return .killed }
    return .exited(status: attributes[.status].flatMap { Int32($0) })
  }

  /// The files up to part `last` that belong to its run: that in which a process starts, and
  /// those behind it.
  private static func parts(of path: String, upTo last: UInt32) -> [String] {
    var parts: [String] = []
    let files = (try? LogPartFinder.files(of: path)) ?? []
    for (_, file) in files.reversed().drop(while: { $0.number > last }) {
      parts.insert(file, at: 0)
      if (try? LogPart.beginsRun(file)) ?? true { break }
    }
    return parts
  }

  /// The identity of what is recorded from now on: after a boot the monotonic clock began anew, and
  /// only the wall clock says how much time has passed.
  private static func identity(of log: LogIdentity, after last: Instant) -> LogIdentity {
    var identity = LogIdentity.now()
    let isSameBoot = identity.bootID == log.bootID && log.bootID.contains { $0 != 0 }
    // A log that does not know its wall clock goes on where it ended.
    let awake =
      log.originWall == 0 ? last.nanoseconds : identity.originWall &- log.originWall
    let now = isSameBoot ? identity.originMonotonic &- log.originMonotonic : awake
    identity.originMonotonic &-= max(now, last.nanoseconds)
    identity.logID = log.logID
    return identity
  }

  /// Whether reading the file at `path` failed with `error` because it is a log whose beginning was
  /// damaged, or is of a later version; any other file is none of the recorder's.
  private static func isDamagedLog(_ path: String, _ error: any Error) -> Bool {
    switch error as? LogError {
    case .notALog?, .newerVersion?: return LogReader.beginsLikeLog(path)
    default: return false
    }
  }
}

extension [Event] {
  /// Whether the last process was informed that it is going to terminate.
  fileprivate func isTerminating(_ vocabulary: Vocabulary) -> Bool {
    for event in reversed() {
      if event.verb == .processStart { return false }
      guard event.verb == .call || event.verb == .notify else { continue }
      let name = vocabulary.text(event.name)
      if name == Callback.applicationWillTerminate.rawValue
        || name == LifecycleNotification.applicationWillTerminate.rawValue
      {
        return true
      }
    }
    return false
  }
}
