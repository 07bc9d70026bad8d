import LifecycleModel
import TraceText

/// What `idevicesyslog` prints, and the syslog of a device up to iOS 9.
///
///     Mon dd hh:mm:ss[.uuuuuu] [Device] process[(Library)][pid] <Notice>: message
///     Thu Nov 25 11:30:02 Device process[pid] : message
///
/// There is no year, and in older versions no part of a second. The names of devices and of
/// processes have blanks, so that it takes several lines to find out which is which.
struct SyslogFraming: ConsoleFraming {
  static let name = "idevicesyslog"

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    .map { Array("\($0) ".utf8) }

  /// What stands before the name of the process on every line: a device's name and a blank.
  private var device: [UInt8] = []

  mutating func learn(from lines: [ArraySlice<UInt8>]) {
    var names: [ArraySlice<UInt8>] = []
    var hasFractions = false
    for line in lines {
      guard let row = Row(line) else { continue }
      names.append(row.name)
      hasFractions = hasFractions || row.stamp.resolution < 1_000_000_000
    }
    device = Self.device(in: names, hasFractions: hasFractions)
  }

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    guard let row = Row(line) else {
      // What the tool prints itself; a device that has gone may come back.
      if line.starts(with: "[disconnected") { return .disconnected }
      // Such as `[connected:…]`.
      return line.first == "[" && line.last == "]" ? .nothing : .continuation
    }
    return .record(
      ConsoleRecord(
        line: number, stamp: row.stamp,
        process: (row.name.dropping(prefix: device) ?? row.name).text, pid: row.pid,
        subsystem: row.library, level: row.level, message: row.message))
  }

  /// The device's name and a blank; empty when lines have no device.
  private static func device(in names: [ArraySlice<UInt8>], hasFractions: Bool) -> [UInt8] {
    let blank = UInt8(ascii: " ")
    if names.contains(where: { !$0.contains(blank) }) { return [] }
    for name in names {
      guard let last = name.lastIndex(of: blank),
        AppIdentity.isSystemProcess(name[(last + 1)...].text)
      else { continue }
      return Array(name[...last])
    }

    // The versions that print parts of a second print no device.
    guard !hasFractions, var common = names.first else { return [] }

    if names.allSatisfy({ $0 == common }) {
      return common.firstIndex(of: blank).map { Array(common[...$0]) } ?? []
    }
    for name in names {
      common = zip(common, name).prefix { $0 == $1 }.map(\.0)[...]
    }
    return common.lastIndex(of: blank).map { Array(common[...$0]) } ?? []
  }
}

/// The parts of one line.
private struct Row {
  var stamp: ConsoleStamp
  /// The device, where it is printed, and the process.
  var name: ArraySlice<UInt8>
  var library: String?
  var pid: Int32
  var level: String?
  var message: ArraySlice<UInt8>

  init?(_ line: ArraySlice<UInt8>) {
    var scanner = LineScanner(line)
    if SyslogFraming.isWeekday(line) { scanner.index += 4 }
    guard let month = SyslogFraming.month(line[scanner.index...]) else { return nil }

    scanner.index += 3
    scanner.skipBlanks()
    guard let day = scanner.takeNumber(), (1...31).contains(day), scanner.takeBlanks(),
      let time = scanner.takeTimeOfDay(), scanner.take(" "),
      let process = scanner.takeProcess(), process.thread == nil
    else { return nil }

    stamp = ConsoleStamp(
      day: .ofAnyYear(month: month, day: day), timeOfDay: time.nanoseconds,
      resolution: time.resolution)
    name = process.name
    pid = process.pid

    if name.last == ")", let paren = name.lastIndex(of: "(") {
      library = name[(paren + 1)...].dropLast().text
      name = name[..<paren]
    }

    scanner.skipBlanks()
    if scanner.take("<") {
      level = scanner.takeWhile { $0 != ">" }.text
      guard scanner.take(">") else { return nil }
    }

    guard !name.isEmpty, scanner.take(":") else { return nil }
    _ = scanner.take(" ")
    message = line[scanner.index...]
  }
}

extension SyslogFraming {
  fileprivate static func isWeekday(_ line: ArraySlice<UInt8>) -> Bool {
    weekdays.contains { line.starts(with: $0) }
  }

  /// The month, from 1, with whose short name the bytes begin.
  fileprivate static func month(_ bytes: ArraySlice<UInt8>) -> Int? {
    months.firstIndex { bytes.starts(with: $0) }.map { $0 + 1 }
  }
}
