import LifecycleModel
import TraceText

/// What is copied out of Console.app: columns, as the person chose them.
///
/// The level may be localized. There is no date, no process number and no thread. The column that
/// is a time shows where the others are; the last one is the message.
struct ColumnFraming: ConsoleFraming {
  /// The cells of one line: its time, and those behind it, at least one.
  private typealias Row = (stamp: ConsoleStamp, cells: [ArraySlice<UInt8>])

  /// With tabs between the columns, of which a message may have some, too.
  ///
  ///     level TAB hh:mm:ss.uuuuuu±zzzz TAB process TAB [library TAB] message
  ///     library TAB level TAB hh:mm:ss.uuuuuu±zzzz TAB process TAB message
  ///     hh:mm:ss.uuuuuu±zzzz TAB library TAB category TAB message
  static let tabbed = ColumnFraming(name: "Console.app copy", row: row(withTabs:)) { rows in
    // A line that was cut short may have no message.
    let rows = rows.filter { $0.cells.count > 1 }
    guard let fewest = rows.map(\.cells.count).min() else { return (1, 0) }
    let columns = (0..<max(0, fewest - 1)).prefix { column in
      column == 0 || rows.allSatisfy { ConsoleColumn.isName($0.cells[column]) }
    }
    return (
      columns.count, ConsoleColumn.process(of: columns.map { at in rows.map { $0.cells[at] } })
    )
  }

  /// With tabs that have become blanks, as forums make them.
  ///
  ///     default 22:42:21.357264+0530 Notes message
  ///     default  22:42:21.357264+0530  Notes  UIKitCore  message
  ///
  /// Where columns have at least two blanks between them, names may have one; else a name is a word.
  static let spaced = ColumnFraming(
    name: "Console.app copy with spaces", row: row(withBlanks:)
  ) { rows in
    func isLibrary(_ column: Int) -> Bool {
      rows.count { ConsoleColumn.isLibrary($0.cells[column]) } * 2 > rows.count
    }
    return (isLibrary(1) && !isLibrary(0) ? 2 : 1, isLibrary(0) ? nil : 0)
  }

  let name: String
  private let row: @Sendable (ArraySlice<UInt8>) -> Row?
  private let columns: @Sendable ([Row]) -> (between: Int, process: Int?)
  /// How many columns stand between the time and the message.
  private var between = 1
  /// Which of them is the process; `nil` when none is.
  private var process: Int? = 0

  mutating func learn(from lines: [ArraySlice<UInt8>]) {
    (between, process) = columns(lines.compactMap(row))
  }

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    guard let row = row(line), row.cells.count > between else { return .continuation }
    let cell = process.flatMap { $0 < between ? row.cells[$0].text : nil }
    return .record(
      ConsoleRecord(
        line: number, stamp: row.stamp, process: cell ?? "",
        message: line[row.cells[between].startIndex...].drop { $0 == 0x20 }))
  }

  // MARK: Cells

  private static func row(withTabs line: ArraySlice<UInt8>) -> Row? {
    let tab = UInt8(ascii: "\t")
    guard line.prefix(256).contains(tab) else { return nil }
    let cells = line.split(separator: tab, maxSplits: 8, omittingEmptySubsequences: false)
    for index in cells.indices.prefix(4) {
      guard let stamp = ConsoleColumn.time(cells[index]), index + 1 < cells.count else { continue }
      // A continuation begins with a tab.
      if cells[..<index].contains(where: \.isEmpty) { return nil }
      return (stamp, Array(cells[(index + 1)...]))
    }
    return nil
  }

  private static func row(withBlanks line: ArraySlice<UInt8>) -> Row? {
    if line.prefix(64).firstIndex(of: "\t") != nil { return nil }
    var scanner = LineScanner(line)
    var before: [ArraySlice<UInt8>] = []
    // A level, and perhaps a library, stand before the time.
    while let next = scanner.next, !next.isDigit {
      guard let word = scanner.takeWord(), before.count < 2, scanner.takeBlanks() else {
        return nil
      }
      before.append(word)
    }
    guard before.contains(where: ConsoleColumn.isLevel), let stamp = scanner.takeAnyStamp(),
      stamp.resolution < 1_000_000_000, stamp.zoneSeconds != nil, scanner.takeBlanks()
    else { return nil }

    let first = takeName(&scanner)
    if first.isEmpty { return nil }
    scanner.skipBlanks()
    let start = scanner.index
    let second = takeName(&scanner)
    scanner.skipBlanks()
    return (stamp, [first, line[start..<second.endIndex], line[scanner.index...]])
  }

  /// Takes a name, which may have single blanks when a wider one ends it.
  private static func takeName(_ scanner: inout LineScanner) -> ArraySlice<UInt8> {
    let rest = scanner.bytes[scanner.index...].prefix(64)
    if let end = rest.firstRange(of: "  ")?.lowerBound,
      rest[..<end].filter({ $0 != " " })[...].isIdentifier
    {
      defer { scanner.index = end }
      return rest[..<end]
    }
    return scanner.takeWhile { $0 > 0x20 }
  }
}
