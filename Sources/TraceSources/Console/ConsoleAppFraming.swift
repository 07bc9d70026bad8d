import LifecycleModel
import TraceText

/// What is copied out of Console.app: columns with tabs between them, as the person chose them.
///
///     level TAB hh:mm:ss.uuuuuu±zzzz TAB process TAB [library TAB] message
///     library TAB level TAB hh:mm:ss.uuuuuu±zzzz TAB process TAB message
///     hh:mm:ss.uuuuuu±zzzz TAB library TAB category TAB message
///
/// The level may be localized. There is no date, no process number and no thread. The column that
/// is a time shows where the others are; the last one is the message, which may have tabs.
struct ConsoleAppFraming: ConsoleFraming {
  static let name = "Console.app copy"

  private static let tab = UInt8(ascii: "\t")

  /// How many columns stand between the time and the message.
  private var between = 1
  /// Which of them is the process; `nil` when none is.
  private var process: Int? = 0

  mutating func learn(from lines: [ArraySlice<UInt8>]) {
    // A line that was cut short may have no message.
    let rows = lines.compactMap { Row($0) }.filter { $0.after.count > 1 }
    guard let fewest = rows.map({ $0.after.count }).min() else { return }
    let columns = (0..<max(0, fewest - 1)).prefix { column in
      column == 0 || rows.allSatisfy { ConsoleColumn.isName($0.after[column]) }
    }
    between = columns.count
    process = ConsoleColumn.process(of: columns.map { column in rows.map { $0.after[column] } })
  }

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    guard let row = Row(line), row.after.count > between else { return .continuation }
    let level = row.before.first { ConsoleColumn.isLevel($0) } ?? row.before.last
    let columns = row.after[..<between]
    let other = columns.indices.first { $0 != process }
    return .record(
      ConsoleRecord(
        line: number, stamp: row.stamp,
        process: process.flatMap { $0 < between ? columns[$0].text : nil } ?? "",
        subsystem: other.map { columns[$0].text }, level: level?.text,
        message: line[row.after[between].startIndex...]))
  }

  /// The cells of one line.
  private struct Row {
    var before: [ArraySlice<UInt8>]
    var stamp: ConsoleStamp
    /// The cells after the time, at least one.
    var after: [ArraySlice<UInt8>]

    init?(_ line: ArraySlice<UInt8>) {
      guard line.prefix(256).contains(ConsoleAppFraming.tab) else { return nil }
      let cells = line.split(
        separator: ConsoleAppFraming.tab, maxSplits: 8, omittingEmptySubsequences: false)
      for index in cells.indices.prefix(4) {
        guard let stamp = ConsoleColumn.time(cells[index]), index + 1 < cells.count else {
          continue
        }
        before = Array(cells[..<index])
        self.stamp = stamp
        after = Array(cells[(index + 1)...])
        // A continuation begins with a tab.
        if before.contains(where: \.isEmpty) { return nil }
        return
      }
      return nil
    }
  }
}

/// What a cell of Console.app's table can be.
enum ConsoleColumn {
  private static let levels: Set<String> = [
    "default", "info", "debug", "error", "fault", "standard", "Default", "Info", "Debug", "Error",
    "Fault", "Standard",
  ]
  /// Libraries that print beside an app in every capture.
  private static let libraries: Set<String> = [
    "UIKitCore", "UIKit", "CoreFoundation", "Foundation", "CFNetwork", "FrontBoardServices",
    "BackBoardServices", "RunningBoardServices", "BaseBoard", "BoardServices", "Network",
    "libnetwork.dylib", "libsystem_trace.dylib", "libxpc.dylib", "CoreLocation", "HangTracer",
    "AppSupport", "SwiftUI", "Security", "QuartzCore", "RunningBoard", "FrontBoard",
  ]

  static func isLevel(_ cell: ArraySlice<UInt8>) -> Bool { levels.contains(cell.text) }

  static func isLibrary(_ cell: ArraySlice<UInt8>) -> Bool { libraries.contains(cell.text) }

  /// Whether a cell can be a process, a library, a subsystem or a category, and no message.
  static func isName(_ cell: ArraySlice<UInt8>) -> Bool {
    cell.count <= 128 && cell.allSatisfy { $0 > 0x20 && $0 != "{" && $0 != "[" && $0 != "\"" }
  }

  /// Which of the columns between the time and the message is the process; `nil` when none is.
  static func process(of columns: [[ArraySlice<UInt8>]]) -> Int? {
    let known = columns.firstIndex {
      $0.contains { AppIdentity.isSystemProcess($0.text) }
    }
    return known ?? columns.first.flatMap { $0.contains(where: isLibrary) ? nil : 0 }
  }

  /// Reads a cell that is a time of day and nothing else.
  static func time(_ cell: ArraySlice<UInt8>) -> ConsoleStamp? {
    guard cell.count >= 8, cell.first.map({ $0.isDigit }) == true else { return nil }
    var scanner = LineScanner(cell)
    guard let time = scanner.takeTimeOfDay() else { return nil }
    let zone = scanner.takeZone()
    guard scanner.isAtEnd else { return nil }
    return ConsoleStamp(
      day: .unknown, timeOfDay: time.nanoseconds, zoneSeconds: zone, resolution: time.resolution)
  }
}
