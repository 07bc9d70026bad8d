import LifecycleModel
import TraceText

/// What `log show` and `log stream` print when no style was chosen.
///
///     Timestamp                       Thread     Type        Activity             PID    TTL
///     2026-10-06 00:18:48.912345+0200 0x1cc15    Default     0x0                  412    0    Notes: (UIKitCore) [com.apple.UIKit:App] message
struct LogShowFraming: ConsoleFraming {
  static let name = "log show"

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    guard let stamp = scanner.takeDatedStamp() else {
      return LogToolText.isRemark(line) ? .nothing : .continuation
    }
    guard scanner.takeBlanks(), let thread = scanner.takeHexadecimal(), scanner.takeBlanks()
    else { return .continuation }

    let type = scanner.takeWhile { $0 > 0x20 }
    guard !type.isEmpty, scanner.takeBlanks(), scanner.takeHexadecimal() != nil,
      scanner.takeBlanks(), let pid = scanner.takeNumber(), scanner.takeBlanks(),
      scanner.takeNumber() != nil, scanner.takeBlanks()
    else { return .continuation }

    switch type.text {
    case "Activity", "Signpost", "State": return .nothing
    case "Loss": return .broken
    default: break
    }

    let rest = line[scanner.index...]
    guard let colon = rest.prefix(320).firstRange(of: ": ") else { return .broken }

    scanner.index = colon.upperBound
    let subsystem = LogToolText.takeSender(&scanner)
    return .record(
      ConsoleRecord(
        line: number, stamp: stamp, process: rest[..<colon.lowerBound].text,
        pid: Int32(exactly: pid), thread: thread, subsystem: subsystem, level: type.text,
        message: line[scanner.index...]))
  }
}
