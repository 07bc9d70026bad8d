import LifecycleModel
import TraceText

/// What Xcode's debug console shows of an app.
///
///     2026-10-06 00:18:48.912345+0200 Notes[412:80966] [Category] message
///     2013-10-06 00:18:48.912 Notes[412:907] message
///
/// What the debugger says, and what the runtime says about an exception, has no time.
struct XcodeFraming: ConsoleFraming {
  static let name = "Xcode's debug console"

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    guard let stamp = scanner.takeDatedStamp() else {
      guard let said = PlainFraming.statement(line) else { return .continuation }
      return .unstamped(
        ConsoleRecord(line: number, stamp: .midnight, process: said.process, message: said.message))
    }

    guard scanner.takeBlanks(), let process = scanner.takeProcess(), let thread = process.thread,
      process.name.firstIndex(of: "{") == nil
    else { return .continuation }

    _ = scanner.take(" ")
    let category = takeCategory(&scanner)
    return .record(
      ConsoleRecord(
        line: number, stamp: stamp, process: process.name.text, pid: process.pid,
        // Up to iOS 9 the thread was printed in hexadecimal digits.
        thread: UInt64(thread.text) ?? UInt64(thread.text, radix: 16), subsystem: category,
        message: line[scanner.index...]))
  }

  /// Takes `[Category] `; `[]` is printed when there is none.
  private func takeCategory(_ scanner: inout LineScanner) -> String? {
    if scanner.bytes[scanner.index...].starts(with: "[] ") {
      scanner.index += 3
      return nil
    }
    return LogToolText.takeSender(&scanner)
  }
}
