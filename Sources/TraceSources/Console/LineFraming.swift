import LifecycleModel
import TraceText

/// A form in which each record begins a line with its stamp.
struct LineFraming: ConsoleFraming {
  /// What a line without a stamp is.
  private enum Rest {
    /// It belongs to the record before it, if `log` or the tool that reads a device does not print it as a remark.
    case joined, logRemark, deviceRemark
    /// The debugger or the runtime may have printed it.
    case sentence
  }

  let name: String
  private let rest: Rest
  private var takeStamp: @Sendable (inout LineScanner) -> ConsoleStamp? = { $0.takeDatedStamp() }
  /// Takes what stands between the stamp and the message; returns what the line is where it is no record.
  private let takeHead: @Sendable (inout LineScanner, inout ConsoleRecord) -> FramedLine?
  /// What stands before the name of the process on every line: a device's name and a blank.
  private var device: [UInt8] = []

  // MARK: Forms

  /// What `log show` and `log stream` print when no style was chosen.
  ///
  ///     Timestamp                       Thread     Type        Activity             PID    TTL
  ///     2026-10-06 00:18:48.912345+0200 0x1cc15    Default     0x0                  412    0    Notes: (UIKitCore) [com.apple.UIKit:App] message
  static let logShow = LineFraming(name: "log show", rest: .logRemark) { line, record in
    guard line.takeBlanks(), line.takeHexadecimal() != nil, line.takeBlanks(),
      let type = line.takeWord(), line.takeBlanks(), line.takeHexadecimal() != nil,
      line.takeBlanks(), let pid = line.takeNumber(), line.takeBlanks(),
      line.takeNumber() != nil, line.takeBlanks()
    else { return .continuation }

    switch type.text {
    case "Activity", "Signpost", "State": return .nothing
    case "Loss": return .broken
    default: break
    }
    let rest = line.bytes[line.index...]
    guard let colon = rest.prefix(320).firstRange(of: ": ") else { return .broken }
    (record.process, record.pid) = (rest[..<colon.lowerBound].text, Int32(exactly: pid))
    line.index = colon.upperBound
    LogToolText.skipSender(&line)
    return nil
  }

  /// What `log show --style syslog` and `log stream --style syslog` print.
  ///
  ///     2026-10-06 00:18:48.912345+0200  localhost Notes[412]: (UIKitCore) [com.apple.UIKit:App] message
  static let logSyslog = LineFraming(name: "log --style syslog", rest: .logRemark) { line, record in
    guard line.takeBlanks(), !line.takeWhile({ $0 > 0x20 && $0 != "[" }).isEmpty,
      line.take(" "), let process = line.takeProcess(), line.takeLevel(), line.take(":")
    else { return .continuation }
    (record.process, record.pid) = (process.name.text, process.pid)
    line.skipBlanks()
    LogToolText.skipSender(&line)
    return nil
  }

  /// How `log` shortens the types of its records.
  private static let types: Set = [
    "Df", "I", "Db", "E", "F", "A", "Ac", "Er", "Fa", "In", "L", "S", "Si", "Sp", "St",
  ]

  /// What `log show --style compact` and `log stream --style compact` print.
  ///
  ///     2026-10-06 00:18:48.912 Df SpringBoard[80966:a1da12] (library) [subsystem:category] message
  static let compact = LineFraming(name: "log --style compact", rest: .logRemark) { line, record in
    line.skipBlanks()
    guard let type = line.takeWord(), type.count <= 2, types.contains(type.text) else {
      return .continuation
    }
    line.skipBlanks()
    guard let process = line.takeProcess() else { return .continuation }
    (record.process, record.pid) = (process.name.text, process.pid)
    _ = line.take(" ")
    LogToolText.skipSender(&line)
    return nil
  }

  /// What `pymobiledevice3 syslog live` prints.
  ///
  ///     2026-10-06 00:18:48.912345 Notes{UIKitCore}[412] <NOTICE>: message [subsystem][category]
  static let pyMobileDevice = LineFraming(name: "pymobiledevice3", rest: .joined) { line, record in
    guard line.takeBlanks(), let process = line.takeProcess(), process.thread == nil,
      process.name.last == "}", let brace = process.name.firstIndex(of: "{"),
      brace > process.name.startIndex, line.takeBlanks(), line.next == "<", line.takeLevel(),
      line.take(":")
    else { return .continuation }
    (record.process, record.pid) = (process.name[..<brace].text, process.pid)
    line.skipBlanks()
    line = LineScanner(withoutLabel(line.bytes[line.index...]))
    return nil
  }

  /// What Xcode's debug console shows of an app; what the debugger says, and what the runtime says about an
  /// exception, has no time.
  ///
  ///     2026-10-06 00:18:48.912345+0200 Notes[412:80966] [Category] message
  ///     2013-10-06 00:18:48.912 Notes[412:907] message
  static let xcode = LineFraming(name: "Xcode's debug console", rest: .sentence) { line, record in
    guard line.takeBlanks(), let process = line.takeProcess(), process.thread != nil,
      process.name.firstIndex(of: "{") == nil
    else { return .continuation }
    (record.process, record.pid) = (process.name.text, process.pid)
    _ = line.take(" ")
    // Without a category `[]` is printed.
    let isEmpty = line.bytes[line.index...].starts(with: "[] ")
    if isEmpty { line.index += 3 } else { LogToolText.skipSender(&line) }
    return nil
  }

  /// What `idevicesyslog` prints, and the syslog of a device up to iOS 9.
  ///
  ///     Mon dd hh:mm:ss[.uuuuuu] [Device] process[(Library)][pid] <Notice>: message
  ///     Thu Nov 25 11:30:02 Device process[pid] : message
  ///     Mon dd hh:mm:ss Mac launchd_sim[pid] (label): message
  ///
  /// There is no year, and in older versions no part of a second. The names of devices and of
  /// processes have blanks, so that it takes several lines to find out which is which.
  static let deviceSyslog = LineFraming(
    name: "idevicesyslog", rest: .deviceRemark, takeStamp: { $0.takeStampWithoutYear() }
  ) { line, record in
    guard line.take(" ") else { return .continuation }
    let head = line.index
    func other() -> FramedLine? {
      (line.index, record.process, record.pid) = (head, "", nil)
      return takeColumns(&line, &record) ? nil : .continuation
    }
    guard let process = line.takeProcess(), process.thread == nil else { return other() }
    var name = process.name
    if name.last == ")", let paren = name.lastIndex(of: "(") { name = name[..<paren] }
    guard !name.isEmpty else { return other() }
    (record.process, record.pid) = (name.text, process.pid)
    // launchd of macOS names the job in the level's place: its message begins there.
    let own = name[(name.lastIndex(of: " ").map { $0 + 1 } ?? name.startIndex)...]
    if AppIdentity.systemPrinter(own.text) == .launchd {
      let start = line.index
      _ = line.take(" ")
      let message = line.bytes[line.index...].prefix(512)
      if line.next == "(", message.contains("]): ") || message.contains("]) <") { return nil }
      line.index = start
    }
    let isLevelled = line.bytes[line.index...].starts(with: " <")
    // Up to iOS 5 no colon stands behind the level.
    guard line.takeLevel(), line.take(":") || isLevelled && line.next == " " else { return other() }
    _ = line.take(" ")
    return nil
  }

  /// The types of records in a table, up to the longest.
  private static let typeColumns: Set = [
    "Debug", "Default", "Error", "Fault", "Info", "Notice", "Warning",
  ]

  /// Takes the columns of a table that a development environment copies: device, type, number, process.
  ///
  ///     Mon dd hh:mm:ss Device Notice 35 process(Library) message
  private static func takeColumns(_ line: inout LineScanner, _ record: inout ConsoleRecord) -> Bool
  {
    // The name of the device may have blanks.
    for _ in 0..<6 {
      guard let word = line.takeWord(), word.last != ":", line.take(" ") else { return false }
      guard word.count < 8, typeColumns.contains(word.text) else { continue }
      guard let pid = line.takeNumber().flatMap({ Int32(exactly: $0) }), line.take(" "),
        let process = line.takeWord()?.prefix(while: { $0 != "(" }), !process.isEmpty,
        line.take(" ")
      else { return false }
      (record.process, record.pid) = (process.text, pid)
      return true
    }
    return false
  }

  // MARK: Lines

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    guard let stamp = takeStamp(&scanner) else { return unstamped(line, number) }
    var record = ConsoleRecord(line: number, stamp: stamp, process: "", message: [])
    if let other = takeHead(&scanner, &record) { return other }
    record.message = scanner.bytes[scanner.index...]
    if !device.isEmpty, record.process.utf8.starts(with: device) {
      record.process = String(decoding: record.process.utf8.dropFirst(device.count), as: UTF8.self)
    }
    return .record(record)
  }

  private func unstamped(_ line: ArraySlice<UInt8>, _ number: Int) -> FramedLine {
    switch rest {
    case .joined: return .continuation
    case .logRemark: return LogToolText.isRemark(line) ? .nothing : .continuation
    case .deviceRemark:
      // A device that has gone may come back.
      if line.starts(with: "[disconnected") { return .disconnected }
      // Such as `[connected:…]`.
      return line.first == "[" && line.last == "]" ? .nothing : .continuation
    case .sentence:
      guard let said = PlainFraming.statement(line) else { return .continuation }
      return .unstamped(
        ConsoleRecord(line: number, stamp: .midnight, process: said.process, message: said.message))
    }
  }

  /// A message without ` [com.apple.UIKit][App]` at its end.
  private static func withoutLabel(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard message.last == "]", let start = message.suffix(256).lastIndex(of: " "),
      message[(start + 1)...].first == "["
    else { return message }
    let label = message[(start + 2)...].prefix { $0 != "]" && $0 != ":" }
    return label.isIdentifier && label.contains(".") ? message[..<start] : message
  }

  // MARK: The device

  mutating func learn(from lines: [ArraySlice<UInt8>]) {
    guard case .deviceRemark = rest else { return }
    let records = lines.compactMap { line in
      if case .record(let record) = read(line, number: 0) { record } else { nil }
    }
    // The versions that print parts of a second print no device.
    let hasFractions = records.contains { $0.stamp.resolution < 1_000_000_000 }
    device = Self.device(in: records.map(\.process.slice), hasFractions: hasFractions)
  }

  /// The device's name and a blank; empty when lines have no device.
  private static func device(in names: [ArraySlice<UInt8>], hasFractions: Bool) -> [UInt8] {
    if names.contains(where: { $0.firstIndex(of: " ") == nil }) { return [] }
    for name in names {
      guard let last = name.lastIndex(of: " "),
        AppIdentity.isSystemProcess(name[(last + 1)...].text)
      else { continue }
      return Array(name[...last])
    }

    guard !hasFractions, var common = names.first else { return [] }
    if names.allSatisfy({ $0 == common }) {
      return common.firstIndex(of: " ").map { Array(common[...$0]) } ?? []
    }
    for name in names {
      common = zip(common, name).prefix { $0 == $1 }.map(\.0)[...]
    }
    return common.lastIndex(of: " ").map { Array(common[...$0]) } ?? []
  }
}
