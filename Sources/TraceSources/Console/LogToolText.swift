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

  /// Takes `(library) [subsystem:category] `, of which each part may be absent.
  ///
  /// Returns the subsystem, or else the library.
  static func takeSender(_ scanner: inout LineScanner) -> String? {
    let library = takeLibrary(&scanner)
    return takeSubsystem(&scanner) ?? library
  }

  private static func takeLibrary(_ scanner: inout LineScanner) -> String? {
    let rest = scanner.bytes[scanner.index...]
    guard rest.first == "(", let close = rest.prefix(128).firstIndex(of: ")"),
      close + 1 < rest.endIndex, rest[close + 1] == " "
    else { return nil }
    let inside = rest[(rest.startIndex + 1)..<close]
    guard !inside.isEmpty, inside.allSatisfy(isNameByte), inside.text != "null" else { return nil }
    scanner.index = close + 2
    return inside.text
  }

  /// A message may begin with a bracket of its own, such as `[Notes:412]`.
  private static func takeSubsystem(_ scanner: inout LineScanner) -> String? {
    let rest = scanner.bytes[scanner.index...]
    guard rest.first == "[", let close = rest.prefix(192).firstIndex(of: "]") else { return nil }

    let inside = rest[(rest.startIndex + 1)..<close]
    let isName = inside.allSatisfy { isNameByte($0) || $0 == ":" || $0 == " " }
    guard isName, !inside.isEmpty, !ConsoleMention.isProcess(inside),
      !inside.starts(with: "sceneID:")
    else { return nil }

    scanner.index = close + 1
    _ = scanner.take(" ")
    return inside.prefix { $0 != ":" }.text
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte.isOfIdentifier || byte == "+"
  }
}

/// Reads what several framings have in common.
extension LineScanner {
  /// Takes `yyyy-MM-dd hh:mm:ss[.fraction][±zzzz]`.
  mutating func takeDatedStamp() -> ConsoleStamp? {
    guard let day = takeDate(), take(" ") || take("T"),
      let time = takeTimeOfDay()
    else { return nil }
    let zone = take("Z") ? 0 : takeZone()
    return ConsoleStamp(
      day: .known(day), timeOfDay: time.nanoseconds, zoneSeconds: zone,
      resolution: time.resolution)
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
      var name = rest[..<open]
      while name.last == " " { name.removeLast() }
      guard !name.isEmpty else { return nil }
      index = close + 1
      return (name, pid, parts.count > 1 ? parts[1] : nil)
    }
    return nil
  }
}
