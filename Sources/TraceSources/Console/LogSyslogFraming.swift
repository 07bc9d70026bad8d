import LifecycleModel
import TraceText

/// What `log show --style syslog` and `log stream --style syslog` print.
///
///     2026-10-06 00:18:48.912345+0200  localhost Notes[412]: (UIKitCore) [com.apple.UIKit:App] message
struct LogSyslogFraming: ConsoleFraming {
  static let name = "log --style syslog"

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    guard let stamp = scanner.takeDatedStamp() else {
      return LogToolText.isRemark(line) ? .nothing : .continuation
    }
    guard scanner.takeBlanks() else { return .continuation }

    let host = scanner.takeWhile { $0 > 0x20 && $0 != "[" }
    guard !host.isEmpty, scanner.take(" "), let process = scanner.takeProcess()
    else { return .continuation }

    scanner.skipBlanks()
    var level: String?
    if scanner.take("<") {
      level = scanner.takeWhile { $0 != ">" }.text
      guard scanner.take(">") else { return .continuation }
    }

    guard scanner.take(":") else { return .continuation }
    scanner.skipBlanks()
    let subsystem = LogToolText.takeSender(&scanner)
    return .record(
      ConsoleRecord(
        line: number, stamp: stamp, process: process.name.text, pid: process.pid,
        subsystem: subsystem, level: level, message: line[scanner.index...]))
  }
}
