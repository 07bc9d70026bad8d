import Foundation
import LifecycleModel
import TraceRecorder

/// An app whose eight threads record at the same time, and end before the app does.
@main
enum ManyThreads {
  static func main() {
    let recorder = Recorder.shared
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
