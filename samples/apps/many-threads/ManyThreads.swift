import Foundation
import LifecycleModel
import TraceRecorder

/// An app whose eight threads record at the same time, and end before the app does.
///
/// With an argument it keeps its own log there, without `tracectl record`.
@main
enum ManyThreads {
  static func main() throws {
    let arguments = CommandLine.arguments
    let recorder = arguments.count > 1 ? try Recorder.open(log: arguments[1]) : .shared
    recorder.profile(Profile([Attribute(.mode, "app"), Attribute(.hooks, "work")]))
    let group = DispatchGroup()
    for _ in 0..<8 {
      group.enter()
      Thread {
        for _ in 0..<1000 { recorder.working(.other, .app, "item") {} }
        group.leave()
      }.start()
    }
    group.wait()
    recorder.note("all threads have ended")
  }
}
