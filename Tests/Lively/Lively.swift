import Foundation
import LifecycleModel
import TraceRecorder

/// A healthy app of several threads: whatever is found in its log is not its fault.
///
/// Arguments: how many threads, and for how many milliseconds.
@main
enum Lively {
  private static let recorder = Recorder.shared

  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard arguments.count == 2 else { exit(64) }

    let end = Date(timeIntervalSinceNow: Double(arguments[1]) / 1000)
    launch()
    let group = DispatchGroup()
    for thread in 1..<max(2, arguments[0]) where thread < arguments[0] {
      group.enter()
      Thread {
        var round: UInt32 = 0
        while Date() < end {
          round += 1
          work(task: UInt32(thread) * 100_000 + round)
        }
        group.leave()
      }.start()
    }

    while Date() < end {
      edit()
      enterBackground()
      usleep(500)
      enterForeground()
    }
    group.wait()
    enterBackground()
    exit(0)
  }

  private static func launch() {
    recorder.profile(
      Profile([
        Attribute(.mode, "app"), Attribute(.platform, "ios"), Attribute(.backgroundModes, "none"),
        Attribute(.hooks, "app-delegate,app-notifications,tasks,work,resources,data"),
      ]))
    recorder.processStarts(launch: "user", bundle: "com.example.lively")
    recorder.callback(.applicationWillFinishLaunching, .app) {}
    recorder.callback(.applicationDidFinishLaunching, .app) {}
    recorder.notify(.applicationDidFinishLaunching, object: .app)
    becomeActive()
  }

  private static func becomeActive() {
    recorder.callback(.applicationDidBecomeActive, .app) {}
    recorder.notify(.applicationDidBecomeActive, object: .app)
  }

  private static func enterBackground() {
    recorder.callback(.applicationWillResignActive, .app) {}
    recorder.notify(.applicationWillResignActive, object: .app)
    recorder.callback(.applicationDidEnterBackground, .app) {}
    recorder.notify(.applicationDidEnterBackground, object: .app)
  }

  private static func enterForeground() {
    recorder.callback(.applicationWillEnterForeground, .app) {}
    recorder.notify(.applicationWillEnterForeground, object: .app)
    becomeActive()
  }

  /// What happens on the main thread: some work, and a note that is saved.
  private static func edit() {
    for _ in 0..<20 {
      recorder.working(.ui, .app, "list") { usleep(100) }
      recorder.dirty("note")
      recorder.working(.save, .app, "note") {}
      recorder.saved("note")
    }
  }

  /// What happens on another thread: a task around work that holds a lock.
  private static func work(task: UInt32) {
    recorder.taskBegins(task, "upload", hasHandler: true)
    recorder.working(.network, .app, "/items") {
      recorder.acquire(.lock, .app, "items")
      usleep(200)
      recorder.release(.lock, .app, "items")
    }
    recorder.taskEnds(task)
  }
}
