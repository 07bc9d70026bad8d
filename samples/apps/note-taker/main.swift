// An app that keeps its own log, as an app on a device does: each launch says why the run before ended.
//
// The first argument says how the app ends: well without one, and the rules then explain the run before; in the
// middle of a save by crash, kill, hang, or exit STATUS; and later in background, task or terminate. With update it is
// the next version of itself.

import Dispatch
import LifecycleModel
import TraceRecorder
import TraceVerdict

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let arguments = CommandLine.arguments + [""]

let recorder = try Recorder.open(log: "flight.bin")
recorder.profile(Profile([Attribute(.version, "1.0")]))

if arguments[1] == "update" { recorder.profile(Profile([Attribute(.version, "1.1")])) }

if let run = recorder.previousRun {
  print("last run: \(run.cause); its log: \(run.logs.joined(separator: " "))")
  for fact in run.cause.evidence { print("  \(fact)") }
}

// What is printed must not be lost when the app is killed.
fflush(nil)

recorder.callback(.applicationDidFinishLaunching) { load() }
recorder.callback(.applicationDidBecomeActive) {
  recorder.working(.save, .app, "notes.db") { save() }
}
if arguments[1].isEmpty { explain() }
leave()

/// Prints what the rules say of the run before, as a build for developers does.
///
/// An app with a run loop waits for nothing, and gets a second verdict when a crash report comes.
func explain() {
  let isSaid = DispatchSemaphore(value: 0)
  Task.detached {
    for await verdict in TraceVerdict.lastRun(of: recorder).prefix(1) { print(verdict) }
    isSaid.signal()
  }
  isSaid.wait()
}

func load() {}

func save() {
  switch arguments[1] {
  case "crash": fatalError("notes.db: the index is damaged")
  case "kill": vanish()
  case "hang": loopForEver()
  case "exit": exit(Int32(arguments[2]) ?? 0)
  default: break
  }
}

/// The app goes to the background, and is killed there; or it is asked to terminate first.
func leave() {
  guard ["background", "task", "terminate"].contains(arguments[1]) else { return }
  if arguments[1] == "task" { recorder.taskBegins(1, "upload", hasHandler: true) }
  recorder.callback(.applicationWillResignActive) {}
  recorder.callback(.applicationDidEnterBackground) {}
  recorder.sampleMemory()

  if arguments[1] == "task" { recorder.taskExpires(1) { /* and does not end the task */  } }
  if arguments[1] == "terminate" { recorder.callback(.applicationWillTerminate) {} }
  vanish()
}

/// The main thread answers no more; autosave goes on, until the watchdog ends the process.
func loopForEver() {
  Task.detached {
    for _ in 0..<25 {
      recorder.work(.timer, .app, "autosave")
      usleep(100_000)
    }
    vanish()
  }
  while true { usleep(1_000_000) }
}

func vanish() -> Never {
  kill(getpid(), SIGKILL)
  while true { pause() }
}
