import LifecycleModel
import Platform

/// How short of memory the system is, as it says in a memory-pressure event.
public enum MemoryPressure: String, CaseIterable, Sendable {
  /// There is enough again.
  case normal
  /// Apps are asked to give memory back.
  case warning
  /// The system is about to end processes.
  case critical
}

extension Recorder {
  /// Reads how much memory the process uses, and how much it may still take where the system says that.
  ///
  /// State it at each change of the app's state, and with `pressure` at each memory-pressure event: ``PreviousRun``
  /// names no lack of memory without it. `TraceUIKit` does so by itself. Cost: a call of the system or two, some
  /// microseconds, and up to five records.
  public func sampleMemory(
    _ pressure: MemoryPressure? = nil, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard isOn else { return }
    var (used, available): (Int64, Int64) = (-1, -1)
    platform_memory(&used, &available)
    let said = pressure.map { [Attribute(.reason, $0.rawValue)] } ?? []

    for (value, bytes) in [(SampledValue.memory, used), (.availableMemory, available)]
    where bytes >= 0 {
      record(
        .sample, name: value.rawValue, subject: .app, value: bytes, attributes: said, file: file,
        line: line)
    }
  }
}
