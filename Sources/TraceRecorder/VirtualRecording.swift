import LifecycleModel
import Platform
import TraceLog

/// A recording in virtual time: one thread plays the app, the system and the drain.
///
/// The same facts at the same virtual times give the same bytes. The ring lies in memory, since a
/// simulation can be run again, and is used again by the next recording: a ``Recorder`` is good for
/// as long as the process lives. It belongs to the thread that drives the simulation: it is not
/// `Sendable`.
package final class VirtualRecording {
  /// What a recording needs, and leaves to the next one.
  private struct Gear: @unchecked Sendable {
    // Sound because it is either in the pool or in one recording.
    let ring: RingMapping
    let core: UnsafeMutablePointer<RecorderCore>
    let clock: VirtualClock
  }

  private static let pool = Lock<[Gear]>([])
  private static let size = RingMapping.Size(lanes: 2, capacity: 1 << 15, wordsCapacity: 1 << 20)

  /// The latest time that the ring can tell from that of another lap, less a second.
  package static let latest: Nanoseconds = (1 << 57) - .seconds(1)

  /// The clock that every fact is stamped with.
  package let clock: VirtualClock
  /// What the app states its facts to, inside of ``asApp(_:)``.
  package let recorder: Recorder
  /// What states the system's facts.
  package var system: SystemRecorder { held.unsafelyUnwrapped }
  /// How many events the log holds so far.
  package var eventCount: UInt64 { drain.eventCount }

  private let memory = MemoryLogSink()
  private let gear: Gear
  private let drain: Drain
  private let main: UnsafeMutablePointer<RingWriter>
  private var held: SystemRecorder?

  /// The log in memory; empty when it goes into a file.
  package var bytes: [UInt8] { memory.bytes }

  /// Begins a log at time 0; its id and the wall clock of its origin come from `seed`.
  ///
  /// Without a path it lies in memory: see ``bytes``. A file may be there already only when it is to be replaced;
  /// `-` is standard output.
  package init(to path: String? = nil, replaces: Bool = false, seed: UInt64) throws {
    let identity = VirtualRecording.identity(seed)
    let sink: any LogSink =
      switch path {
      case nil: memory
      case "-"?: FileLogSink(descriptor: 1)
      case let path?: try FileLogSink(path: path, replaces ? .replace : .create)
      }

    gear = try VirtualRecording.takeGear(identity)
    clock = gear.clock
    recorder = Recorder(gear.core)
    drain = try Drain(sink: sink, ring: gear.ring, identity: identity)

    // A ring of its own that was just emptied has both lanes free.
    main = RecorderCore.takeLane(gear.core, writer: Vocabulary.mainWriter).unsafelyUnwrapped
    held = SystemRecorder(recorder)
  }

  deinit {
    held = nil
    RingWriter.giveBack(main)
    VirtualRecording.pool.withLock { [gear] in $0.append(gear) }
  }

  /// A log id made of the seed, and an origin some time in 2026.
  private static func identity(_ seed: UInt64) -> LogIdentity {
    let minutesOfAYear: UInt64 = 525_600
    let newYear: Int64 = 1_767_225_600
    let wall = newYear + 60 * Int64(seed % minutesOfAYear)
    let id = [seed, ~seed].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    return LogIdentity(
      logID: id, originWall: wall * 1_000_000_000, originMonotonic: 0, originBoottime: 0)
  }

  private static func takeGear(_ identity: LogIdentity) throws -> Gear {
    if let gear = pool.withLock({ $0.popLast() }) {
      gear.ring.reset(identity: identity)
      gear.core.pointee.reset()
      gear.clock.reset()
      return gear
    }
    let ring = try RingMapping.inMemory(identity: identity, size: size)
    let clock = VirtualClock()
    return Gear(ring: ring, core: RecorderCore.make(ring, clock: clock), clock: clock)
  }

  /// Runs `body` as the app's main thread: facts that it states have the writer `main`, whatever
  /// thread runs it.
  package func asApp<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = platform_get_local_lane()
    platform_set_local_lane(main)
    defer { platform_set_local_lane(before) }
    return try body()
  }

  /// Drops what the app states, or no longer: the code of a process that died may still be on the
  /// stack, and it must not be heard.
  package func mute(_ isMuted: Bool) {
    main.pointee.isMuted = isMuted
    // Every fact of a muted lane takes the slow path, which looks.
    if isMuted { main.pointee.lookAgain() }
    main.pointee.depth = 0
    main.pointee.publishDepth()
  }

  /// Moves events into the log when half of a lane is used.
  package func drainIfUrgent() { drain.drainIfUrgent() }

  /// How many bytes the log holds so far.
  package var byteCount: Int { drain.byteCount }

  /// How many words the log's vocabulary holds.
  var heldWordCount: Int { drain.heldWordCount }

  /// Moves all events into the log and ends it; throws when the log could not be written.
  package func finish() throws { try drain.finish() }
}
