/// A process of this machine, distinguished from a later one with the same number by when it began.
package struct RecordingProcess: Hashable, Sendable {
  /// The number that the system gave it.
  package let number: Int32
  /// When it began, in a unit of the system's own; 0 when that is not known.
  package let start: UInt64

  /// The calling process.
  package static var current: RecordingProcess {
    let number = SystemCalls.machine.process
    let start = SystemCalls.machine.processStart(number)
    return RecordingProcess(number: number, start: UInt64(max(0, start)))
  }

  /// Whether the process runs on this boot of the machine: one that ended and was not waited for does
  /// not.
  package var isRunning: Bool {
    guard number > 0 else { return false }
    let now = SystemCalls.machine.processStart(number)
    return now >= 0 && (start == 0 || now == 0 || UInt64(now) == start)
  }
}
