// The least that an app does: it opens its log, and states what happens to it.
//
// swift run minimal-app log.bin && tracectl analyze log.bin

import LifecycleModel
import TraceRecorder

let path = CommandLine.arguments.dropFirst().first ?? "log.bin"
let recorder = try Recorder.open(log: path)
recorder.profile(Profile(mode: .scene, hooks: [.appDelegate]))
recorder.processStarts(launch: "user")
recorder.callback(.applicationDidFinishLaunching) {}
