import LifecycleModel

/// What `log show --style compact` and `log stream --style compact` print.
///
///     2026-10-06 00:18:48.912 Df SpringBoard[80966:a1da12] [subsystem:category] message
struct CompactFraming: ConsoleFraming {
  static let name = "log --style compact"

  private static let headers = [
    Array("Timestamp ".utf8), Array("Filtering the log data using ".utf8),
  ]

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    guard let day = scanner.takeDate(), scanner.take(UInt8(ascii: " ")),
      let time = scanner.takeTimeOfDay()
    else {
      return Self.headers.contains { line.starts(with: $0) } ? .nothing : .continuation
    }
    let zone = scanner.takeZone()
    scanner.skipBlanks()
    let level = scanner.takeWhile { $0 > 0x20 }
    scanner.skipBlanks()
    guard level.count <= 2, let origin = Self.origin(&scanner) else { return .continuation }
    _ = scanner.take(UInt8(ascii: " "))
    let subsystem = Self.subsystem(&scanner)
    return .record(
      ConsoleRecord(
        line: number,
        stamp: ConsoleStamp(
          day: .known(day), timeOfDay: time.nanoseconds, zoneSeconds: zone,
          resolution: time.resolution),
        process: origin.process, pid: origin.pid, thread: origin.thread, subsystem: subsystem,
        level: level.text, message: line[scanner.index...]))
  }

  /// Takes `process[pid:thread]`; the process may have blanks in its name.
  private static func origin(
    _ scanner: inout LineScanner
  ) -> (process: String, pid: Int32, thread: UInt64?)? {
    let rest = scanner.bytes[scanner.index...]
    guard let open = rest.prefix(256).firstIndex(of: UInt8(ascii: "[")), open > rest.startIndex,
      let close = rest[open...].prefix(64).firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    let parts = rest[(open + 1)..<close].split(separator: UInt8(ascii: ":"))
    guard let first = parts.first, let pid = Int32(first.text) else { return nil }
    scanner.index = close + 1
    let thread = parts.count > 1 ? UInt64(parts[1].text, radix: 16) : nil
    return (rest[..<open].text, pid, thread)
  }

  /// Takes `[subsystem:category] `, which is not always there: a message may begin with a bracket.
  private static func subsystem(_ scanner: inout LineScanner) -> String? {
    let rest = scanner.bytes[scanner.index...]
    guard rest.first == UInt8(ascii: "["),
      let close = rest.prefix(192).firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    let inside = rest[(rest.startIndex + 1)..<close]
    let isName = inside.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: " "):
        true
      default: false
      }
    }
    guard isName, !inside.isEmpty, !ConsoleMention.isProcess(inside), !inside.isScene else {
      return nil
    }
    scanner.index = close + 1
    _ = scanner.take(UInt8(ascii: " "))
    return inside.prefix { $0 != UInt8(ascii: ":") }.text
  }
}

extension ArraySlice<UInt8> {
  /// Whether a bracket's inside names a scene and no subsystem.
  fileprivate var isScene: Bool { starts(with: Array("sceneID:".utf8)) }
}
