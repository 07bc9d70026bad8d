// An app that saves on its way into the background and is killed in the middle of it, as the system
// kills apps: with SIGKILL, which nothing catches.

import LifecycleModel
import TraceRecorder

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let recorder = Recorder.shared
recorder.profile(
  Profile([
    Attribute(.mode, "app"), Attribute(.os, "18.2"), Attribute(.backgroundModes, "none"),
    Attribute(.hooks, "app-delegate,app-notifications,work,resources,tasks"),
  ]))
recorder.processStarts(launch: "user")
recorder.callback(.applicationDidFinishLaunching) { usleep(3000) }
recorder.callback(.applicationDidBecomeActive) {}
recorder.work(.timer, .app, "autosave")
recorder.callback(.applicationWillResignActive) {}
recorder.notify(.applicationWillResignActive, object: .app)
recorder.callback(.applicationDidEnterBackground) {
  recorder.acquire(.lock, .app, "notes.db")
  recorder.working(.save, .app, "notes.db") {
    usleep(2000)
    kill(getpid(), SIGKILL)
  }
  recorder.release(.lock, .app, "notes.db")
}
