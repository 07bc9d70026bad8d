import LifecycleModel
import Platform
import TraceLog

extension Recorder {
  /// The id of the log, in hex; `nil` when nothing is recorded.
  package var logID: String? {
    guard let core else { return nil }
    return LogIdentity.hex(core.pointee.ring.takeUnretainedValue().logID)
  }

  /// Records into the log at `path`, with a thread of this process that empties the ring.
  ///
  /// The app opens the same path at each launch. What an earlier run left in its ring is moved into the
  /// log, which then says how that run ended, or that it was not seen; the new run begins a part of its
  /// own, and ``previousRun`` has the files of the last one. Older parts are removed as the limits of
  /// `options` say.
  ///
  /// ```swift
  /// import TraceRecorder
  ///
  /// let recorder = try Recorder.open(log: "flight.bin")
  /// recorder.callback(.applicationDidEnterBackground) { /* save */ }
  /// ```
  ///
  /// When the process ends by `exit`, what is left is moved into the log, with the exit. When it dies in
  /// any other way, the ring beside the log holds it, every reader of the log joins the two, and says
  /// that the process is gone. A log that was damaged, as by a power failure, is moved aside: its name
  /// gets `.damaged` behind it.
  ///
  /// Under `tracectl record` the app keeps its log all the same, and `record` says where.
  ///
  /// Cost: it reads the headers of the newest part and what the ring held, some milliseconds. Throws a
  /// `LogError` when log or ring cannot be made, so that a full disk shows now and never later:
  /// `LogError/inUse(path:)` when another process records there, and
  /// `LogError/notALog(path:looksLikeText:)` when the file is none of the recorder's. It never throws
  /// because the last run crashed.
  public static func open(log path: String, options: Drain.Options = Drain.Options()) throws
    -> Recorder
  {
    let drain = try Drain(continuing: path, options: options)
    _ = drain.ring.enter()
    let core = RecorderCore.make(
      drain.ring, isOpening: options.statesOpening, lastSequences: drain.sequencesBefore,
      previousRun: drain.previousRun)
    Recorder.tellOwnLog(path)
    DrainThread.start(drain, core)
    return Recorder(core)
  }

  /// The run of the app before this one; `nil` when the log held none, or when nothing is recorded.
  public var previousRun: PreviousRun? {
    guard let core, var run = core.pointee.previousRun else { return nil }
    run.profileNow = core.pointee.opening?.known ?? []
    return run
  }

  /// Says to a `tracectl record` that runs the app where the app keeps its own log.
  private static func tellOwnLog(_ path: String) {
    guard let ring = getenv(environmentVariable),
      let mapping = try? RingMapping.open(path: String(cString: ring), isWritable: true)
    else { return }
    let place = mapping.base + RingFormat.Header.ownLog
    let word = WordTable.append(path, to: mapping)
    platform_store_release(place.assumingMemoryBound(to: UInt64.self), word)
  }

  /// Has what was stated so far brought to the disk, soon, and by the thread that empties the ring.
  ///
  /// For the way to the background, where ``Drain/Options/sync`` is `none`: a failure of the device's power takes
  /// nothing of it then. Returns at once, and does nothing for a recorder that ``open(log:options:)`` has not made.
  public func syncSoon() {
    for thread in DrainThread.all.withLock({ $0 }) where thread.core == core { thread.syncSoon() }
  }

  /// Ends the log of a recorder that ``open(log:options:)`` made: facts that are stated later are not
  /// in it.
  package func finish() {
    for thread in DrainThread.all.withLock({ $0 }) where thread.core == core { thread.finish() }
  }
}

/// The thread of an app that empties its own ring.
private final class DrainThread: @unchecked Sendable {
  // Sound because the drain is used by this thread alone, and by `exit` after it was stopped under
  // the lock.
  private let drain: Drain
  let core: UnsafeMutablePointer<RecorderCore>
  private let isFinished = Lock(false)
  private let mustSync = Lock(false)
  private let wake: @Sendable () -> Void

  private init(_ drain: Drain, _ core: UnsafeMutablePointer<RecorderCore>) {
    self.drain = drain
    self.core = core
    wake = drain.wake
  }

  static func start(_ drain: Drain, _ core: UnsafeMutablePointer<RecorderCore>) {
    let thread = DrainThread(drain, core)
    DrainThread.all.withLock { $0.append(thread) }
    _ = watchExit
    // Nobody waits for the thread: it ends with the process.
    _ = SideThread(getsSignals: true) { thread.run() }
  }

  /// Brings all logs to their end when the process ends itself.
  private static let watchExit: Void = {
    platform_at_exit { status, isKnown in
      DrainThread.finishAll(exitStatus: isKnown != 0 ? status : nil)
    }
  }()

  private static func finishAll(exitStatus: Int32?) {
    // The log is the parent's.
    guard platform_is_forked() == 0 else { return }
    var attributes: [Attribute] = []
    if let exitStatus { attributes.append(Attribute(.status, String(exitStatus))) }
    for thread in all.withLock({ $0 }) { thread.finish(exit: attributes) }
  }

  /// The drains of this process that are not finished.
  static let all = Lock<[DrainThread]>([])

  private func run() {
    platform_lower_priority()
    // So long the app has to say something about itself before the recorder does.
    usleep(20_000)
    var waited: Nanoseconds = 0
    while let pause = look(after: waited) { waited = pause.wait() }
  }

  /// Does what is due; `nil` when the log was ended.
  private func look(after waited: Nanoseconds) -> Drain.Pause? {
    isFinished.withLock { isFinished in
      guard !isFinished else { return nil }
      begin()
      let syncs = mustSync.withLock { mustSync in
        defer { mustSync = false }
        return mustSync
      }
      return drain.look(after: waited, syncs: syncs)
    }
  }

  func syncSoon() {
    mustSync.withLock { $0 = true }
    wake()
  }

  /// States the opening facts of an app that has stated nothing yet.
  private func begin() {
    guard let opening = core.pointee.opening, !opening.hasBegun,
      let lane = RecorderCore.takeLane(core, writer: Vocabulary.systemWriter)
    else { return }
    opening.begin(Recorder(core), in: lane)
    RingWriter.giveBack(lane)
  }

  /// Ends the log; with attributes of its `exit` when the process ends, too.
  func finish(exit attributes: [Attribute]? = nil) {
    isFinished.withLock { isFinished in
      guard !isFinished else { return }
      isFinished = true
      begin()
      try? drain.finish { now, vocabulary in
        guard let attributes, core.pointee.opening != nil else { return [] }
        return [
          Event(
            sequence: 1, instant: now, writer: .system, verb: .exit, subject: .app,
            attributes: vocabulary.attributes(attributes))
        ]
      }
    }
    DrainThread.all.withLock { $0.removeAll { $0 === self } }
    wake()
  }
}
