import LifecycleModel

/// What `idevicesyslog` prints.
///
///     Mon dd hh:mm:ss[.uuuuuu] [Device] process[(Library)][pid] <Notice>: message
///
/// There is no year, and in older versions no part of a second.
struct SyslogFraming: ConsoleFraming {
  static let name = "idevicesyslog"

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }
  private static let levelStart = Array("] <".utf8)

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    guard let month = Self.months.firstIndex(where: { line.starts(with: $0) }) else {
      return line.first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]")
        ? .nothing : .continuation
    }
    var scanner = LineScanner(line)
    scanner.index += 3
    scanner.skipBlanks()
    let digits = scanner.takeWhile { $0 >= 0x30 && $0 <= 0x39 }
    guard digits.count <= 2, let day = Int(digits.text), (1...31).contains(day),
      scanner.take(UInt8(ascii: " ")), let time = scanner.takeTimeOfDay(),
      scanner.take(UInt8(ascii: " ")), let origin = Self.origin(&scanner)
    else { return .continuation }
    return .record(
      ConsoleRecord(
        line: number,
        stamp: ConsoleStamp(
          day: .ofAnyYear(month: month + 1, day: day), timeOfDay: time.nanoseconds,
          resolution: time.resolution),
        process: origin.process, pid: origin.pid, subsystem: origin.library,
        level: origin.level, message: line[scanner.index...]))
  }

  private struct Origin {
    var process: String
    var library: String?
    var pid: Int32
    var level: String
  }

  /// Takes all up to the message.
  private static func origin(_ scanner: inout LineScanner) -> Origin? {
    let rest = scanner.bytes[scanner.index...]
    guard let mark = rest.prefix(320).firstRange(of: levelStart),
      let open = rest[..<mark.lowerBound].lastIndex(of: UInt8(ascii: "[")),
      let pid = Int32(rest[(open + 1)..<mark.lowerBound].text),
      let levelEnd = rest[mark.upperBound...].prefix(24).firstIndex(of: UInt8(ascii: ">")),
      rest[(levelEnd + 1)...].first == UInt8(ascii: ":")
    else { return nil }
    scanner.index = levelEnd + 2
    _ = scanner.take(UInt8(ascii: " "))
    var name = rest[..<open]
    var library: String?
    if name.last == UInt8(ascii: ")"), let paren = name.lastIndex(of: UInt8(ascii: "(")) {
      library = name[(paren + 1)...].dropLast().text
      name = name[..<paren]
    }
    // Two words are the device and the process: a device's name has no blank here.
    if let blank = name.firstIndex(of: UInt8(ascii: " ")) { name = name[(blank + 1)...] }
    guard !name.isEmpty else { return nil }
    return Origin(
      process: name.text, library: library, pid: pid,
      level: rest[mark.upperBound..<levelEnd].text)
  }
}
