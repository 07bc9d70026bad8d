import LifecycleModel
import Platform
import TraceLog

/// Takes events out of a ring and into a log: the same code inside the app and outside it.
///
/// The ring is as safe as the log from the death of a process. So the drain need not hurry: it writes
/// when a lane is half full, and else now and then, and a block is worth its header. From a power
/// failure only what was synced is safe: see ``Options/sync``.
///
/// Between two looks it waits for the ring's bell. A writer rings when its lane is half full, and at the first fact
/// after some time without any: an app that states nothing costs next to nothing.
///
/// ```swift
/// import TraceRecorder
///
/// func record(with drain: Drain) {
///   var pause = drain.look()
///   while drain.hasApp { pause = drain.look(after: pause.wait()) }
/// }
/// ```
///
/// When the log cannot be written, because the disk is full for example, nothing is taken out of the
/// ring: it keeps what it has, refuses what it has no room for, and the log reports how much that was
/// when it can be written again.
public final class Drain {
  /// The absolute path of the ring's file.
  public let ringPath: String
  /// How many events the log holds.
  public var eventCount: UInt64 { log.eventCount }
  /// How many bytes were written to the log, in all its parts.
  public var byteCount: Int { log.byteCount }
  /// How many events and bytes are left of the log, within its limits.
  public var kept: (events: UInt64, bytes: Int) { log.kept }
  /// In how many parts the log was written.
  public var partCount: Int { log.partCount }
  /// What keeps the log from being written; `nil` when all is well.
  ///
  /// It does not end the recording: events stay in the ring while there is room.
  public private(set) var failure: (any Error)?

  /// How many words the log's vocabulary holds.
  var heldWordCount: Int { log.vocabulary.heldCount }
  let ring: RingMapping
  private let options: Options
  private let log: RotatingLog
  private var reader: RingReader
  private var events: [Event] = []
  /// What the log holds already of the ring that was taken over, until the first reading.
  private var seen: LogEnd?
  /// The run of which ``init(continuing:options:)`` found the log.
  private(set) var previousRun: PreviousRun?
  /// The last sequence of each writer in the log before the ring.
  private(set) var sequencesBefore: [String: UInt64] = [:]
  private var isWriting = false
  private var lastInstant = Instant.distantPast
  /// Whether a power loss may take something of the log, or the name of the ring's file.
  private var hasUnsynced = true
  private var hasUnsyncedRingName = true
  /// What the ring held when it was synced, and at the last look.
  private var syncedMarks: [UInt64] = []
  private var marks: [UInt64] = []
  private var pace: DrainPace

  /// Makes a log at `path` and its ring beside it.
  ///
  /// Throws a `LogError` when either cannot be made; then neither is left behind.
  public convenience init(log path: String, options: Options = Options()) throws {
    try Drain.check(path, options)
    try self.init(path, options, behind: nil)
  }

  /// Makes a log at `path` for the process that calls it, or goes on with the one that is there, in a
  /// part of its own; its ring beside it is a new one.
  convenience init(continuing path: String, options: Options) throws {
    try RingMapping.checkNotRecordedHere(path)
    try Drain.check(path, options)
    try self.init(path, options, behind: options.replacesLog ? nil : Drain.takeUp(path, options))
  }

  /// Throws what would keep a ring from being made, before a log is replaced in vain.
  private static func check(_ path: String, _ options: Options) throws {
    try options.ringSize.check()
    guard options.replacesLog, SystemCalls.nameKind(path) != nil else { return }
    try RingMapping.check(beside: path, at: options.ringPath, size: options.ringSize)
  }

  private static func takeUp(_ path: String, _ options: Options) throws -> LogContinuation? {
    do {
      return try LogContinuation(path: path, options: options)
    } catch LogError.inUse where RingMapping.isRecordedHere(path) {
      throw LogError.inUseHere(path: path)
    }
  }

  /// Makes a ring for the log that was taken up, or for a new one.
  private init(_ path: String, _ options: Options, behind last: LogContinuation?) throws {
    self.options = options
    pace = DrainPace(options)
    let identity = last?.identity ?? LogIdentity.now()
    log =
      try last?.log
      ?? RotatingLog(
        path: path, options.replacesLog ? .replace : .create, vocabulary: Vocabulary(),
        identity: options.stated(identity), options: options.writerOptions, limits: options.limits)

    (previousRun, sequencesBefore) = (last?.previousRun, last?.lastSequences ?? [:])
    do {
      ring = try RingMapping.create(
        beside: path, at: options.ringPath, identity: identity, size: options.ringSize,
        usesTicks: options.clock == .fastest)
    } catch {
      // What earlier runs recorded stays.
      if last == nil { try? SystemCalls.remove(path) }
      throw error
    }

    ringPath = ring.path
    reader = RingReader(ring, vocabulary: log.vocabulary, follows: true)
    // What is refused before the first event is not reported before what earlier runs recorded.
    if let last { reader.begin(after: last.lastInstant) }
  }

  /// Goes on with a log and its ring whose drain is gone; the app may run, or have died.
  ///
  /// Of `options`, the ring's sizes do not count. Throws `LogError/inUse(path:)` when the drain is not
  /// gone.
  public init(attachingTo path: String, options: Options = Options()) throws {
    self.options = options
    pace = DrainPace(options)
    let ring = try RingMapping.open(path: path + RingFormat.pathEnding, isWritable: true)
    var reader: RingReader?
    var seen = LogEnd()
    var last = Instant.distantPast

    // The clocks of now say nothing of an app that is gone.
    let follows = ring.hasApp
    log = try RotatingLog(resuming: path, options: options.writerOptions, limits: options.limits) {
      var own = RingReader(ring, vocabulary: $0.vocabulary, follows: follows)
      own.begin(after: $0.logEnd.instant)
      own.passHomeless(in: $0.logEnd.eventCount)
      last = $0.logEnd.instant
      guard own.logID == $0.identity.logID else {
        throw LogError.notALog(path: ring.path, looksLikeText: false)
      }
      reader = own
      (seen.lastSequences, seen.lost) = ($0.logEnd.lastSequences, $0.logEnd.lost)
    }

    self.reader = reader ?? RingReader(ring, vocabulary: log.vocabulary)
    seen.drained = self.reader.drainedSequences
    self.seen = seen
    log.mustWriteAgain = ring.hasLogFailedSync
    lastInstant = last
    self.ring = ring
    ringPath = ring.path
  }

  /// Makes a log on `sink` for a simulation, whose events lie in `ring`, in memory.
  package init(sink: any LogSink, ring: RingMapping, identity: LogIdentity) throws {
    options = Options()
    pace = DrainPace(options)
    let vocabulary = Vocabulary()
    log = try RotatingLog(on: sink, vocabulary: vocabulary, identity: identity)
    reader = RingReader(ring, vocabulary: vocabulary)
    self.ring = ring
    ringPath = ring.path
  }

  /// Moves the events out of a ring in memory when a lane is half full.
  ///
  /// What does not fill a block waits in the log's writer, where it is as safe.
  package func drainIfUrgent() {
    if reader.isUrgent { drain(behind: 0, fillsBlocks: true) }
  }

  /// Whether an app that records into the ring is there.
  public var hasApp: Bool { ring.hasApp }

  /// The number of the process that records, or recorded, into the ring; `nil` before it begins.
  public var process: Int32? { ring.process?.number }

  /// How many other processes found the ring taken, and record nothing.
  public var refusedProcessCount: UInt64 { ring.refusedProcesses.count }

  /// The log that the app keeps by itself, in another place; `nil` when it keeps none.
  public var ownLog: String? { reader.ownLog }

  /// Whether the log holds all events that were published, as far as it could be written.
  package var isEmpty: Bool { !isWriting && reader.isEmpty }

  /// Wakes whoever waits for this drain, on any thread.
  public var wake: @Sendable () -> Void {
    let ring = ring
    return { ring.bell.ring() }
  }

  /// Wakes whoever waits for this drain when the app is gone.
  public func watchApp() {
    let (path, wake) = (ring.path, wake)
    _ = SideThread {
      RingMapping.waitForEndOfApp(at: path)
      wake()
    }
  }

  /// Looks at the ring, does what is due, and returns how long nothing will be.
  ///
  /// `waited` is what the last ``Pause/wait()`` has returned, in nanoseconds. With `syncs` the ring and the log are
  /// synced under any policy.
  @discardableResult
  public func look(after waited: Nanoseconds = 0, syncs: Bool = false) -> Pause {
    let rings = ring.bell.rings
    noteEvents(after: waited, rings: rings)
    if pace.isDrainDue(isWriting: isWriting, isUrgent: reader.isUrgent) {
      let count = log.eventCount
      drain(behind: DrainPace.lag)
      pace.hasDrained(any: log.eventCount != count)
      pace.noteNews(reader.hasNews)
    }

    if !isWriting { reader.freeLanes() }
    if syncs || pace.isSyncDue { syncIfUnsynced() }
    if pace.isCheckDue { checkPlace() }
    return Pause(ring: ring, rings: rings, nanoseconds: pauseForBell())
  }

  /// Notices what has come since the last look.
  private func noteEvents(after waited: Nanoseconds, rings: UInt32) {
    pace.letPass(waited, rings: rings)
    let now = reader.marks
    if now != marks {
      marks = now
      pace.hasMoved()
      // By it the ring is read when nobody follows it any more.
      reader.storePair()
    }
    pace.noteNews(reader.hasNews)
  }

  /// Says to the writers what to ring for; for how long nothing will be due otherwise.
  private func pauseForBell() -> Nanoseconds {
    guard !isWriting, !reader.isUrgent else {
      reader.ignoreBell()
      return pace.pause(isWriting: isWriting)
    }
    pace.isResting = pace.mayRest(isUnsynced)
    if reader.awaitBell(any: pace.isResting, since: marks) { return pace.pause(isUnsynced) }
    reader.ignoreBell()
    return 0
  }

  /// Whether a power loss may take something that a sync would keep.
  private var isUnsynced: Bool {
    hasUnsynced || hasUnsyncedRingName || reader.marks != syncedMarks
  }

  /// Moves all events that were published into the log.
  public func drain() {
    drain(behind: 0)
    pace.hasDrained(any: true)
  }

  /// The callbacks that the app has entered and not left, by name; of an app that is gone, those that
  /// never returned.
  public func openCallbacks() -> [String] { reader.openCalls().map(\.name) }

  /// Ends the recording: moves what is left, appends `last` with sequences of its own, and removes the
  /// ring.
  ///
  /// Not needed for the log to be whole, or for anything to be kept. When it throws because the log
  /// cannot be written, the ring stays, and ``init(attachingTo:options:)`` can end the recording later.
  public func finish(_ last: (Instant, Vocabulary) -> [Event] = { _, _ in [] }) throws {
    defer { noteSync() }
    // Also what a clock that went back puts into the future.
    drain(behind: nil)
    checkPlace()
    if isWriting, let failure { throw failure }
    let end = reader.follows ? Instant(nanoseconds: nanosecondsSinceOrigin) : lastInstant

    for var event in last(max(end, lastInstant, .origin), log.vocabulary) {
      event.sequence = log.lastSequence(of: log.vocabulary.name(of: event.writer)) &+ 1
      try log.append([event])
      try log.flush()
    }

    try log.close()
    if ring.hasFile {
      if ring.isInPlace { try? SystemCalls.remove(ring.path) }
      try? SystemCalls.remove(log.path + RingFormat.pathEnding)
    }
    if case .removed? = failure as? LogError { throw LogError.removed(path: log.path) }
  }

  private var nanosecondsSinceOrigin: Int64 {
    SystemCalls.monotonicNanoseconds() &- Int64(bitPattern: ring.load(RingFormat.Header.origin))
  }

  private func drain(behind lag: Nanoseconds?, fillsBlocks: Bool = false) {
    // What could not be written waits in the writer, and nothing more is taken meanwhile.
    if isWriting { write() }
    guard !isWriting else { return }
    takeEvents(behind: lag)
    guard !events.isEmpty else {
      reader.publishTails()
      return reader.freeTails()
    }
    isWriting = true
    write(fillsBlocks: fillsBlocks)
  }

  private func takeEvents(behind lag: Nanoseconds?) {
    // What a damaged block took with it may be in the ring however new it is.
    reader.read(into: &events, behind: seen?.lost.isEmpty ?? true ? lag : nil)
    if var seen {
      seen.instant = max(lastInstant, .origin)
      events = RingReader.unseen(events, behind: seen, log.vocabulary).events
      self.seen = nil
    }
    guard let last = events.last else { return }
    lastInstant = max(lastInstant, last.instant)
  }

  /// Writes what was taken out of the ring, and only then lets the app write over it.
  private func write(fillsBlocks: Bool = false) {
    var isInSyncedRing = false
    defer { noteSync() }
    if !fillsBlocks { reader.announceHomeless(in: events, behind: log.eventCount) }
    do {
      // From here on the writer has the events, also when it throws.
      try log.append(all: &events)
      if !fillsBlocks { try log.flush() }
      hasUnsynced = true
      // What the disk has in the ring already, it must have in the log before the ring gives it up.
      isInSyncedRing = reader.hasReadOfSynced
      if isInSyncedRing { try synchronizeLog() }
    } catch {
      return report(error)
    }

    isWriting = false
    if case .diskFull? = failure as? LogError { reader.blameDisk() }
    reader.publishTails()
    // The disk must know that these records are over before it gets others in their place.
    if isInSyncedRing { syncRing() }
    reader.freeTails()
    log.forgetUnusedWords()

    // A write into a log that was removed succeeds, too: checkPlace alone knows when it is back.
    if case .removed? = failure as? LogError, log.rotationFailure == nil { return }
    report(log.rotationFailure)
  }

  private func synchronizeLog() throws {
    try log.synchronize()
    hasUnsynced = false
  }

  /// Notes for the next drain whether a sync of the log has failed.
  private func noteSync() {
    if ring.hasLogFailedSync != log.mustWriteAgain { ring.hasLogFailedSync = log.mustWriteAgain }
  }

  private func syncIfUnsynced() {
    pace.hasSynced()
    guard isUnsynced else { return }
    defer { noteSync() }
    do {
      if hasUnsynced { try synchronizeLog() }
      if hasUnsyncedRingName, ring.hasFile { try SystemCalls.syncFolder(of: ring.path) }
      hasUnsyncedRingName = false
    } catch {
      report(error)
    }
    if reader.marks != syncedMarks { syncRing() }
  }

  private func syncRing() {
    let (heads, marks) = (reader.heads, reader.marks)
    guard ring.sync() else { return }
    reader.noteSynced(heads)
    syncedMarks = marks
  }

  /// Notices that the log was removed: nobody could read it any more.
  private func checkPlace() {
    pace.hasChecked()
    guard !isWriting else { return }
    if !log.isInPlace {
      report(LogError.removed(path: log.path))
    } else if case .removed? = failure as? LogError {
      report(nil)
    }
  }

  private func report(_ error: (any Error)?) {
    let hasChanged = (failure as? LogError) != (error as? LogError)
    failure = error
    if hasChanged { options.onFailure?(error) }
  }
}
