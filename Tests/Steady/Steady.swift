import Foundation
import LifecycleModel
import TraceRecorder

/// An app that states facts at a steady pace, some 60,000 a second, while something happens to its
/// disk.
///
/// Arguments: how many facts; then `fill FILE`, which fills the disk after a third of them, with a
/// number behind it when the file is removed again after so many facts; or `remove FOLDER`.
@main
enum Steady {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let count = Int(arguments[1]) else { exit(64) }

    let recorder = Recorder.shared
    for number in 0..<count {
      recorder.work(.timer, .app, "steady")
      if number % 60 == 0 { usleep(1000) }
      if arguments.count > 3, number == count / 3 { try change(arguments[2], arguments[3]) }
      if arguments.count > 4, number == Int(arguments[4]) {
        try FileManager.default.removeItem(atPath: arguments[3])
      }
    }
    print("stated \(count)")
  }

  private static func change(_ what: String, _ path: String) throws {
    guard what == "fill" else { return try FileManager.default.removeItem(atPath: path) }
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o644)
    let page = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, page, page.count) > 0 {}
    close(descriptor)
  }
}
