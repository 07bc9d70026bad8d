import LifecycleModel
import TraceText

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
    let stamp = scanner.takeTimeStamp()
    return scanner.isAtEnd ? stamp : nil
  }
}
