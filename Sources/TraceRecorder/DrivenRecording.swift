import Platform
import TraceLog

/// A recording into files whose clock, threads and drain its owner drives: for simulations of machines
/// that fail.
///
/// It is what ``Recorder/open(log:options:)`` makes, without a thread that empties the ring. It belongs to
/// the thread that drives it.
package final class DrivenRecording {
  /// What the app states its facts to, inside of ``asThread(_:_:)``.
  package let recorder: Recorder
  /// What moves them into the log.
  package let drain: Drain
  private let core: UnsafeMutablePointer<RecorderCore>
  private var lanes: [String: UnsafeMutablePointer<RingWriter>] = [:]

  /// Makes a log at `path`, or goes on with the one that is there; facts are stamped by `clock`.
  ///
  /// Of `options` the clock does not count. Throws as ``Recorder/open(log:options:)`` does.
  package init(log path: String, options: Drain.Options, clock: VirtualClock) throws {
    var options = options
    options.clock = .monotonic
    options.statesOpening = false
    drain = try Drain(continuing: path, options: options)
    _ = drain.ring.enter()
    core = RecorderCore.make(
      drain.ring, clock: clock, lastSequences: drain.sequencesBefore,
      previousRun: drain.previousRun)
    recorder = Recorder(core)
  }

  deinit {
    for lane in lanes.values { lane.deallocate() }
    RecorderCore.free(core)
  }

  /// The last sequence of each writer that the log had when the recording began.
  package var lastSequences: [String: UInt64] { drain.sequencesBefore }

  /// Runs `body` as the thread of this name; false when the ring has no lane for it.
  package func asThread(_ name: String, _ body: () -> Void) -> Bool {
    guard let lane = lanes[name] ?? RecorderCore.takeLane(core, writer: name) else { return false }
    lanes[name] = lane
    let before = platform_get_local_lane()
    platform_set_local_lane(lane)
    defer { platform_set_local_lane(before) }
    body()
    return true
  }
}
