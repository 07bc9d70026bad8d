import LifecycleModel
import Platform
import TraceLog

/// Lets other threads, one at a time, play the main thread of a recorder: where tests run, the main
/// actor need not be on it.
package final class MainThreadRole: @unchecked Sendable {
  // Sound because the core may be read by every thread, and the lane is touched under its lock alone.
  private let core: UnsafeMutablePointer<RecorderCore>?
  private let lane = Lock<UnsafeMutablePointer<RingWriter>?>(nil)

  /// Takes the main thread's lane of `recorder` when it is first played.
  package init(_ recorder: Recorder) {
    core = recorder.core
  }

  deinit {
    lane.withLock { lane in if let lane { RingWriter.giveBack(lane) } }
  }

  /// Runs `body` so that the facts which it states have the writer `main`; others wait for it.
  ///
  /// May be nested.
  package func play<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let core, !isPlaying(core), platform_is_main_thread() == 0 else { return try body() }
    return try lane.withLock { lane in
      if lane == nil { lane = RecorderCore.takeLane(core, writer: Vocabulary.mainWriter) }
      let before = platform_get_local_lane()
      platform_set_local_lane(lane)
      defer { platform_set_local_lane(before) }
      return try body()
    }
  }

  private func isPlaying(_ core: UnsafeMutablePointer<RecorderCore>) -> Bool {
    guard let current = platform_get_local_lane()?.assumingMemoryBound(to: RingWriter.self) else {
      return false
    }
    return current.pointee.owner == UnsafeMutableRawPointer(core)
      && current.pointee.header == core.pointee.ring.takeUnretainedValue().lane(0)
  }
}
