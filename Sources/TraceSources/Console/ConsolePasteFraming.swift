import LifecycleModel
import TraceText

/// A copy from Console.app whose tabs have become blanks, as forums make it.
///
///     default 22:42:21.357264+0530 Notes message
///     default  22:42:21.357264+0530  Notes  UIKitCore  message
///
/// Where columns have at least two blanks between them, names may have one; else a name is a word.
struct ConsolePasteFraming: ConsoleFraming {
  static let name = "Console.app copy with spaces"

  private static let blank = UInt8(ascii: " ")

  /// Which of the words after the time is the process; `nil` when none is.
  private var process: Int? = 0
  /// How many words stand between the time and the message.
  private var between = 1

  mutating func learn(from lines: [ArraySlice<UInt8>]) {
    let rows = lines.compactMap { Row($0) }
    let first = rows.compactMap { $0.words.first }
    let second = rows.compactMap { $0.words.dropFirst().first }
    let isSecondLibrary =
      !second.isEmpty && second.filter(ConsoleColumn.isLibrary).count * 2 > rows.count
    let isFirstLibrary =
      !first.isEmpty && first.filter(ConsoleColumn.isLibrary).count * 2 > rows.count
    between = isSecondLibrary && !isFirstLibrary ? 2 : 1
    process = isFirstLibrary ? nil : 0
  }

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    guard let row = Row(line), !row.words.isEmpty else { return .continuation }
    let words = row.words.prefix(between)
    let other = words.indices.first { $0 != process }
    return .record(
      ConsoleRecord(
        line: number, stamp: row.stamp, process: process.map { words[$0].text } ?? "",
        subsystem: other.map { words[$0].text }, level: row.level,
        message: line[(words.last?.endIndex ?? line.endIndex)...].drop { $0 == Self.blank }))
  }

  /// One line: what stands before the time, and the first words after it.
  private struct Row {
    var level: String?
    var stamp: ConsoleStamp
    var words: [ArraySlice<UInt8>] = []

    init?(_ line: ArraySlice<UInt8>) {
      if line.prefix(64).firstIndex(of: "\t") != nil { return nil }
      var scanner = LineScanner(line)
      var before: [ArraySlice<UInt8>] = []

      // A level, and perhaps a library, stand before the time.
      while let next = scanner.next, !next.isDigit {
        let word = scanner.takeWhile { $0 > 0x20 }
        guard !word.isEmpty, before.count < 2, scanner.takeBlanks() else { return nil }
        before.append(word)
      }

      guard before.contains(where: ConsoleColumn.isLevel),
        let time = scanner.takeTimeOfDay(), time.resolution < 1_000_000_000,
        let zone = scanner.takeZone(), scanner.takeBlanks()
      else { return nil }

      level = before.first { ConsoleColumn.isLevel($0) }?.text
      stamp = ConsoleStamp(
        day: .unknown, timeOfDay: time.nanoseconds, zoneSeconds: zone, resolution: time.resolution)
      for _ in 0..<2 {
        words.append(Row.takeName(&scanner))
        if !scanner.takeBlanks() { break }
      }
      if words.first?.isEmpty == true { return nil }
    }

    /// Takes a name, which may have single blanks when a wider one ends it.
    private static func takeName(_ scanner: inout LineScanner) -> ArraySlice<UInt8> {
      let rest = scanner.bytes[scanner.index...].prefix(64)
      if let end = rest.firstRange(of: [blank, blank])?.lowerBound,
        rest[..<end].filter({ $0 != blank })[...].isIdentifier
      {
        defer { scanner.index = end }
        return rest[..<end]
      }
      return scanner.takeWhile { $0 > 0x20 }
    }
  }
}
