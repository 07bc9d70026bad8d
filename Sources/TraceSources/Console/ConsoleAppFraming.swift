import LifecycleModel

/// What is copied out of Console.app: columns with tabs between them.
///
///     level TAB hh:mm:ss.uuuuuu±zzzz TAB process TAB [subsystem TAB] message
///
/// The level may be localized. There is no date, no process number and no thread.
struct ConsoleAppFraming: ConsoleFraming {
  static let name = "Console.app copy"

  private static let tab = UInt8(ascii: "\t")

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    guard let levelEnd = line.prefix(64).firstIndex(of: Self.tab), levelEnd > line.startIndex
    else { return .continuation }
    var scanner = LineScanner(line)
    scanner.index = levelEnd + 1
    guard let time = scanner.takeTimeOfDay() else { return .continuation }
    let zone = scanner.takeZone()
    guard scanner.take(Self.tab),
      let processEnd = line[scanner.index...].prefix(256).firstIndex(of: Self.tab),
      processEnd > scanner.index
    else { return .continuation }
    var message = line[(processEnd + 1)...]
    let subsystem = Self.subsystem(before: &message)
    return .record(
      ConsoleRecord(
        line: number,
        stamp: ConsoleStamp(
          day: .unknown, timeOfDay: time.nanoseconds, zoneSeconds: zone,
          resolution: time.resolution),
        process: line[scanner.index..<processEnd].text, subsystem: subsystem,
        level: line[..<levelEnd].text, message: message))
  }

  /// Takes a fourth column off the message: it is there when a word stands before another tab.
  private static func subsystem(before message: inout ArraySlice<UInt8>) -> String? {
    guard let end = message.prefix(128).firstIndex(of: tab), end > message.startIndex else {
      return nil
    }
    let word = message[..<end]
    let isWord = word.allSatisfy {
      $0 > 0x20 && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "\"")
    }
    guard isWord else { return nil }
    message = message[(end + 1)...]
    return word.text
  }
}
