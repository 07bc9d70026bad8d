import LifecycleModel
import TraceText

/// What the styles of `log show` and `log stream` have in common.
enum LogToolText {
  private static let remarks = [
    "Timestamp ", "Filtering the log data using ", "Skipping info and debug messages",
    "----------", "Log      - ", "getpwuid_r did not find a match",
  ].map { Array($0.utf8) }

  /// Whether a line is a header, a trailer or a remark of the tool.
  static func isRemark(_ line: ArraySlice<UInt8>) -> Bool {
    remarks.contains { line.starts(with: $0) }
  }

  /// Skips `(library) [subsystem:category] `, of which each part may be absent.
  static func skipSender(_ scanner: inout LineScanner) {
    if let library = inside("(", ")", scanner, 128), library.allSatisfy(isNameByte),
      scanner.bytes[(library.endIndex + 1)...].first == " ", library.text != "null"
    {
      scanner.index = library.endIndex + 2
    }

    // A message may begin with a bracket of its own, such as `[Notes:412]`.
    guard let subsystem = inside("[", "]", scanner, 192),
      subsystem.allSatisfy({ isNameByte($0) || $0 == ":" || $0 == " " }),
      !ConsoleMention.isProcess(subsystem), !subsystem.starts(with: "sceneID:")
    else { return }
    scanner.index = subsystem.endIndex + 1
    _ = scanner.take(" ")
  }

  /// What stands in the brackets that come next, at most `length` bytes with them; `nil` where it is nothing.
  private static func inside(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ scanner: LineScanner, _ length: Int
  ) -> ArraySlice<UInt8>? {
    let rest = scanner.bytes[scanner.index...].prefix(length)
    guard rest.first == open, let end = rest.firstIndex(of: close), end > rest.startIndex + 1
    else { return nil }
    return rest[(rest.startIndex + 1)..<end]
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte.isOfIdentifier || byte == "+"
  }
}

/// Reads what several framings have in common.
extension LineScanner {
  /// Takes `hh:mm:ss[.fraction][±zzzz]`.
  mutating func takeTimeStamp() -> ConsoleStamp? {
    guard let time = takeTimeOfDay() else { return nil }
    let zone = take("Z") ? 0 : takeZone()
    return ConsoleStamp(
      day: .unknown, timeOfDay: time.nanoseconds, zoneSeconds: zone, resolution: time.resolution)
  }

  /// Takes the same behind `yyyy-MM-dd` and a blank, or a T.
  mutating func takeDatedStamp() -> ConsoleStamp? {
    guard let day = takeDate(), take(" ") || take("T"), var stamp = takeTimeStamp() else {
      return nil
    }
    stamp.day = .known(day)
    return stamp
  }

  /// Takes a time with its date or without.
  mutating func takeAnyStamp() -> ConsoleStamp? {
    let start = index
    if let stamp = takeDatedStamp() { return stamp }
    index = start
    return takeTimeStamp()
  }

  /// Takes `Mon dd hh:mm:ss[.fraction]`, perhaps behind a day of the week.
  mutating func takeStampWithoutYear() -> ConsoleStamp? {
    if Self.weekdays.contains(where: bytes[index...].starts) { index += 4 }
    guard let month = Self.months.firstIndex(where: bytes[index...].starts) else { return nil }
    index += 3
    skipBlanks()
    guard let day = takeNumber(), (1...31).contains(day), takeBlanks(), let time = takeTimeOfDay()
    else { return nil }
    return ConsoleStamp(
      day: .ofAnyYear(month: month + 1, day: day), timeOfDay: time.nanoseconds,
      resolution: time.resolution)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ].map { Array($0.utf8) }
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    .map { Array("\($0) ".utf8) }

  /// Takes a word, up to a blank.
  mutating func takeWord() -> ArraySlice<UInt8>? {
    let word = takeWhile { $0 > 0x20 }
    return word.isEmpty ? nil : word
  }

  /// Takes blanks and, where it stands behind them, `<Notice>`; false where its bracket does not close.
  mutating func takeLevel() -> Bool {
    skipBlanks()
    guard take("<") else { return true }
    _ = takeWhile { $0 != ">" }
    return take(">")
  }

  /// Takes digits, at least one, as a number.
  mutating func takeNumber() -> Int? { Int(takeWhile { $0.isDigit }.text) }

  /// Takes `0x` and hexadecimal digits.
  mutating func takeHexadecimal() -> UInt64? {
    guard take("0"), take("x") else { return nil }
    return UInt64(takeWhile { $0 > 0x20 }.text, radix: 16)
  }

  /// Takes at least one blank or tab.
  mutating func takeBlanks() -> Bool {
    let start = index
    skipBlanks()
    return index > start
  }

  /// Takes `NAME[PID]` or `NAME[PID:THREAD]`; the name may have blanks, and a blank after it.
  mutating func takeProcess() -> (name: ArraySlice<UInt8>, pid: Int32, thread: ArraySlice<UInt8>?)?
  {
    let rest = bytes[index...].prefix(320)
    var start = rest.startIndex
    // A name may have brackets of its own.
    while let open = rest[start...].firstIndex(of: "[") {
      start = open + 1
      guard let close = rest[start...].prefix(40).firstIndex(of: "]") else { continue }
      let parts = rest[start..<close].split(
        separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard let first = parts.first, parts.count <= 2, let pid = Int32(first.text) else {
        continue
      }
      let name = rest[..<open].droppingEnd { $0 == " " }
      guard !name.isEmpty else { return nil }
      index = close + 1
      return (name, pid, parts.count > 1 ? parts[1] : nil)
    }
    return nil
  }
}
