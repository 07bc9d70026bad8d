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
      let process = scanner.takeProcess(), process.thread == nil,
      process.name.last == UInt8(ascii: "}"),
      let brace = process.name.firstIndex(of: UInt8(ascii: "{")), brace > process.name.startIndex,
      scanner.takeBlanks(), scanner.take(UInt8(ascii: "<"))
    else { return .continuation }

    let level = scanner.takeWhile { $0 != UInt8(ascii: ">") }
    guard scanner.take(UInt8(ascii: ">")), scanner.take(UInt8(ascii: ":")) else {
      return .continuation
    }

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
    guard message.last == UInt8(ascii: "]"),
      let start = message.suffix(256).lastIndex(of: UInt8(ascii: " ")),
      message[(start + 1)...].first == UInt8(ascii: "[")
    else { return nil }
    let label = message[(start + 2)...].prefix {
      $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: ":")
    }
    guard ConsoleMention.isIdentifier(label), label.contains(UInt8(ascii: ".")) else { return nil }
    message = message[..<start]
    return label.text
  }
}
