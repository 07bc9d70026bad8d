import CRecorder
import LifecycleModel
import TraceLog

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lets other threads, one at a time, play the main thread of a recorder: where tests run, the main
/// actor need not be on it.
package final class MainThreadRole: @unchecked Sendable {
  // Sound because the lane is touched under the lock alone.
  private let core: UnsafeMutablePointer<RecorderCore>?
  private var mutex = pthread_mutex_t()
  private var lane: UnsafeMutablePointer<Lane>?

  /// Takes the main thread's lane of `recorder` when it is first played.
  package init(_ recorder: Recorder) {
    core = recorder.core
    pthread_mutex_init(&mutex, nil)
  }

  deinit {
    if let lane { Lane.giveBack(lane) }
    pthread_mutex_destroy(&mutex)
  }

  /// Runs `body` so that the facts which it states have the writer `main`; others wait for it.
  ///
  /// May be nested.
  package func play<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let core, !isPlaying(core), recorder_is_main_thread() == 0 else { return try body() }
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    if lane == nil { lane = Lane.take(core, writer: Vocabulary.mainWriter) }
    let before = recorder_get_local_ring()
    recorder_set_local_ring(lane)
    defer { recorder_set_local_ring(before) }
    return try body()
  }

  private func isPlaying(_ core: UnsafeMutablePointer<RecorderCore>) -> Bool {
    guard let current = recorder_get_local_ring()?.assumingMemoryBound(to: Lane.self) else {
      return false
    }
    return current.pointee.core == core
      && current.pointee.header == core.pointee.ring.takeUnretainedValue().lane(0)
  }
}
