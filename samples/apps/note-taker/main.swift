// An app that keeps its own log, as an app on a device does: each launch goes on with it.
//
// The argument says how saving ends: well without one; crash, kill, or exit STATUS.

import TraceRecorder

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let recorder = try Recorder.open(log: "flight.bin")
if let run = recorder.previousRun, run.endedWell != true {
  print("the last run did not end well; its log: \(run.logs.joined(separator: " "))")
}

recorder.callback(.applicationDidFinishLaunching) { load() }
recorder.callback(.applicationDidBecomeActive) {
  recorder.working(.save, .app, "notes.db") { save() }
}

func load() {}

func save() {
  let arguments = CommandLine.arguments
  switch arguments.count > 1 ? arguments[1] : "" {
  case "crash": fatalError("notes.db: the index is damaged")
  case "kill":
    kill(getpid(), SIGKILL)
    pause()
  case "exit": exit(arguments.count > 2 ? Int32(arguments[2]) ?? 0 : 0)
  default: break
  }
}
