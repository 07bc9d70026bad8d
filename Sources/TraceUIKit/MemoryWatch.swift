#if canImport(UIKit) && canImport(Darwin) && !os(watchOS)
  import Foundation
  import TraceRecorder

  /// The memory-pressure events of the system, each stated with the memory of the process.
  @MainActor
  final class MemoryWatch {
    private let sources: [any DispatchSourceMemoryPressure]

    /// Watches one source for each level, on a queue of its own.
    init(_ recorder: Recorder) {
      let queue = DispatchQueue(label: "tracectl.memory", qos: .utility)
      let levels: [(DispatchSource.MemoryPressureEvent, MemoryPressure)] = [
        (.normal, .normal), (.warning, .warning), (.critical, .critical),
      ]
      sources = levels.map { event, level in
        let source = DispatchSource.makeMemoryPressureSource(eventMask: event, queue: queue)
        // Sendable, as it runs on another thread.
        source.setEventHandler { @Sendable in recorder.sampleMemory(level) }
        source.resume()
        return source
      }
    }

    /// Watches no more.
    func stop() { for source in sources { source.cancel() } }
  }
#endif
