import LifecycleModel
import TraceText

/// What `log show --style compact` and `log stream --style compact` print.
///
///     2026-10-06 00:18:48.912 Df SpringBoard[80966:a1da12] (library) [subsystem:category] message
struct CompactFraming: ConsoleFraming {
  static let name = "log --style compact"

  /// How the tool shortens the types of its records.
  private static let types: Set<String> = [
    "Df", "I", "Db", "E", "F", "A", "Ac", "Er", "Fa", "In", "L", "S", "Si", "Sp", "St",
  ]

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    guard let stamp = scanner.takeDatedStamp() else {
      return LogToolText.isRemark(line) ? .nothing : .continuation
    }

    scanner.skipBlanks()
    let type = scanner.takeWhile { $0 > 0x20 }
    guard type.count <= 2, Self.types.contains(type.text) else { return .continuation }

    scanner.skipBlanks()
    guard let process = scanner.takeProcess() else { return .continuation }

    _ = scanner.take(" ")
    let subsystem = LogToolText.takeSender(&scanner)
    return .record(
      ConsoleRecord(
        line: number, stamp: stamp, process: process.name.text, pid: process.pid,
        thread: process.thread.flatMap { UInt64($0.text, radix: 16) }, subsystem: subsystem,
        level: type.text, message: line[scanner.index...]))
  }
}
