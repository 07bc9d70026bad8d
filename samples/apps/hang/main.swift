// An app whose applicationDidEnterBackground never returns, and a watchdog that loses patience.

import Foundation
import LifecycleModel
import TraceRecorder

let recorder = Recorder.shared
recorder.profile(
  Profile([
    Attribute(.mode, "app"), Attribute(.os, "18.2"), Attribute(.backgroundModes, "none"),
    Attribute(.hooks, "app-delegate,app-notifications,work,tasks"),
  ]))
recorder.processStarts(launch: "user")
recorder.callback(.applicationDidFinishLaunching) {}
recorder.callback(.applicationDidBecomeActive) {}
recorder.callback(.applicationWillResignActive) {}

Thread {
  sleep(6)
  // What the system sends: no handler sees it.
  kill(getpid(), SIGKILL)
}.start()
recorder.callback(.applicationDidEnterBackground) {
  recorder.work(.network, .app, "waiting for an answer")
  while true { sleep(1) }
}
