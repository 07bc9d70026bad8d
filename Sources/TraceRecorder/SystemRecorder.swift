import LifecycleModel
import Platform
import TraceLog

/// What states the facts of the system: the writer `-` of a log.
///
/// An app cannot know that it was suspended or killed; who runs it can. It has a lane of the ring of
/// its own, under a lock, since the thread that drives an app and the watchdog that ends it both
/// speak for the system. Cost: some hundred nanoseconds a fact.
package final class SystemRecorder: @unchecked Sendable {
  // Sound because the lane is touched by the holder of the lock alone.
  private let recorder: Recorder
  private let lane: Lock<UnsafeMutablePointer<RingWriter>?>

  /// Takes a lane of the ring that `recorder` writes to; without a free one, or without a ring, it
  /// records nothing.
  package init(_ recorder: Recorder) {
    self.recorder = recorder
    recorder.core?.pointee.opening?.leaveToOthers()
    lane = Lock(
      recorder.core.flatMap { RecorderCore.takeLane($0, writer: Vocabulary.systemWriter) })
  }

  deinit {
    lane.withLock { lane in if let lane { RingWriter.giveBack(lane) } }
  }

  /// A fact of the system.
  package func record(
    _ verb: Verb, name: String = "", subject: Subject = .none, label: String = "",
    value: Int64? = nil, attributes: [Attribute] = []
  ) {
    lane.withLock { lane in
      guard let lane else { return }
      recorder.record(
        verb, name: name, subject: subject, label: label, value: value, attributes: attributes,
        in: lane)
    }
  }
}
