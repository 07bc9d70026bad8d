import LifecycleModel
import TraceText

/// What `pymobiledevice3 syslog live` prints.
///
///     2026-10-06 00:18:48.912345 Notes{UIKitCore}[412] <NOTICE>: message [subsystem][category]
struct PyMobileDeviceFraming: ConsoleFraming {
  static let name = "pymobiledevice3"

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    guard let stamp = scanner.takeDatedStamp(), scanner.takeBlanks(),
      let process = scanner.takeProcess(), process.thread == nil, process.name.last == "}",
      let brace = process.name.firstIndex(of: "{"), brace > process.name.startIndex,
      scanner.takeBlanks(), scanner.take("<")
    else { return .continuation }

    let level = scanner.takeWhile { $0 != ">" }
    guard scanner.take(">"), scanner.take(":") else { return .continuation }

    scanner.skipBlanks()
    var message = line[scanner.index...]
    let label = takeLabel(off: &message)
    return .record(
      ConsoleRecord(
        line: number, stamp: stamp, process: process.name[..<brace].text, pid: process.pid,
        subsystem: label ?? process.name[(brace + 1)...].dropLast().text, level: level.text,
        message: message))
  }

  /// Takes ` [com.apple.UIKit][App]` off the message's end.
  private func takeLabel(off message: inout ArraySlice<UInt8>) -> String? {
    guard message.last == "]", let start = message.suffix(256).lastIndex(of: " "),
      message[(start + 1)...].first == "["
    else { return nil }
    let label = message[(start + 2)...].prefix { $0 != "]" && $0 != ":" }
    guard label.isIdentifier, label.contains(".") else { return nil }
    message = message[..<start]
    return label.text
  }
}
