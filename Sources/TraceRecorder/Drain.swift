import CRecorder
import LifecycleModel
import TraceLog

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Takes events out of a ring and into a log: the same code inside the app and outside it.
///
/// The ring is as safe as the log from the death of a process. So the drain need not hurry: it writes
/// when a lane is half full, and else now and then, and a block is worth its header. From a power
/// failure only what was synced is safe: see ``Options/syncMilliseconds``.
public final class Drain {
  /// What can be chosen for a recording.
  public struct Options: Sendable {
    /// How many threads can record at a time, 1…128.
    ///
    /// Memory and disk: 16 bytes a record each.
    public var threads = 16
    /// Records that a thread can be ahead of the drain, a power of two.
    public var recordsPerThread = 1 << 15
    /// Bytes for names and labels, a multiple of 4096.
    public var wordBytes = 1 << 20
    /// How often ring and log are forced to the disk, in milliseconds: what a power failure may take;
    /// `nil` leaves it to the system, usually half a minute.
    public var syncMilliseconds: Int32? = 100
    /// How long events may stay in the ring alone, in milliseconds.
    public var drainMilliseconds: Int32 = 10_000
    /// Whether a log that is there already is replaced.
    public var replacesLog = false

    /// Makes the options that fit most apps: 9 MiB of disk beside the log.
    public init() {}
  }

  /// The path of the ring, which is the log's with `.ring` behind it.
  public var ringPath: String { ring.path }
  /// How many events the log holds.
  public var eventCount: UInt64 { writer.eventCount }
  /// How many bytes the log holds.
  public var byteCount: Int { writer.byteCount }
  /// The last error, which did not end the recording: events stay in the ring while there is room.
  public private(set) var failure: (any Error)?

  let ring: RingMapping
  private let options: Options
  private let writer: LogWriter
  /// Whether the ring has no file: then none is to be removed.
  private let hasRingFile: Bool
  private var reader: RingReader
  private var events: [Event] = []
  private var lastInstant = Instant.distantPast
  /// The sequence of the system's last event in the log.
  private var lastOfSystem: UInt64 = 0
  private var sinceDrain: Int32 = 0
  private var sinceSync: Int32 = 0

  /// How often the drain looks at the ring.
  public static let lookMilliseconds: Int32 = 20

  /// Makes a log at `path` and its ring beside it.
  public init(log path: String, options: Options = Options()) throws {
    self.options = options
    let identity = LogIdentity.now()
    let sink = try FileLogSink(path: path, options.replacesLog ? .replace : .create)
    let vocabulary = Vocabulary()
    writer = try LogWriter(to: sink, vocabulary: vocabulary, identity: identity)
    let size = RingMapping.Size(
      lanes: options.threads, capacity: options.recordsPerThread, wordsCapacity: options.wordBytes)
    do {
      ring = try RingMapping.create(
        path: path + RingFormat.pathEnding, identity: identity, size: size)
    } catch {
      unlink(path)
      throw error
    }
    hasRingFile = true
    reader = RingReader(ring, vocabulary: vocabulary)
  }

  /// Makes a log on `sink` for a simulation, whose events lie in `ring`, in memory.
  package init(sink: any LogSink, ring: RingMapping, identity: LogIdentity) throws {
    options = Options()
    let vocabulary = Vocabulary()
    writer = try LogWriter(to: sink, vocabulary: vocabulary, identity: identity)
    hasRingFile = false
    self.ring = ring
    reader = RingReader(ring, vocabulary: vocabulary)
  }

  /// Moves the events into the log when a lane is half full.
  package func drainIfUrgent() {
    if reader.isUrgent { drain() }
  }

  /// Looks at the ring and does what is due; to be called every ``lookMilliseconds``.
  public func look() {
    sinceDrain += Drain.lookMilliseconds
    sinceSync += Drain.lookMilliseconds
    if sinceDrain >= options.drainMilliseconds || reader.isUrgent { drain() }
    if let interval = options.syncMilliseconds, sinceSync >= interval { sync() }
  }

  /// Moves all events that were published into the log.
  public func drain() {
    sinceDrain = 0
    drain(isFinal: false)
  }

  /// The callbacks that the app has entered and not left, by name; of an app that is gone, those that
  /// never returned.
  public func openCallbacks() -> [String] { reader.openCalls().map(\.name) }

  /// Ends the recording: moves what is left, appends `last`, and removes the ring.
  ///
  /// Not needed for the log to be whole, or for anything to be kept.
  public func finish(_ last: (Instant, Vocabulary) -> [Event] = { _, _ in [] }) throws {
    drain(isFinal: true)
    if let failure { throw failure }
    let now = Instant(nanoseconds: nanosecondsSinceOrigin)
    var events = last(max(now, lastInstant), writer.vocabulary)
    // An app that plays the system too has numbered what it said as the system.
    for index in events.indices where events[index].writer == .system {
      events[index].sequence += lastOfSystem
    }
    try writer.append(events)
    try writer.close()
    if hasRingFile { unlink(ring.path) }
  }

  private var nanosecondsSinceOrigin: Int64 {
    Int64(bitPattern: recorder_nanoseconds() &- ring.load(RingFormat.Header.origin))
  }

  private func drain(isFinal: Bool) {
    events.removeAll(keepingCapacity: true)
    reader.read(into: &events, isFinal: isFinal)
    guard !events.isEmpty else { return }
    if let last = events.last { lastInstant = max(lastInstant, last.instant) }
    for event in events where event.writer == .system { lastOfSystem = event.sequence }
    do {
      try writer.append(events)
      try writer.flush()
      failure = nil
    } catch {
      // The writer tells what it lost by a gap; the app must not stop for it.
      failure = error
    }
    // Only now: what the log holds may be written over in the ring.
    reader.publishTails()
  }

  private func sync() {
    sinceSync = 0
    msync(ring.base, ring.size.bytes, MS_SYNC)
  }
}
