import Foundation
import LifecycleModel
import Testing
import TraceLog
import Traces

@testable import TraceRecorder

/// Why a run ended, by the log and the ring that it left.
@Suite struct CauseTests {
  /// What an app states in its run: the body runs as the main thread, and the clock moves by hand.
  typealias Life = @Sendable (DrivenRecording, VirtualClock) -> Void

  /// A log whose runs end as a test says.
  private final class Bench {
    let path = NSTemporaryDirectory() + "/\(UUID().uuidString).bin"
    let clock = VirtualClock()

    deinit {
      for ending in ["", ".2", ".3", ".ring"] {
        try? FileManager.default.removeItem(atPath: path + ending)
      }
    }

    /// A run that vanishes; `drains` moves its facts into the log.
    func run(drains: Bool, statesBoot: Bool = true, launch: String = "user", _ life: Life) throws {
      clock.set(to: SystemCalls.monotonicNanoseconds())
      var options = Drain.Options()
      options.statesBoot = statesBoot
      let recording = try DrivenRecording(log: path, options: options, clock: clock)
      _ = recording.asThread("main") { recording.recorder.processStarts(launch: launch) }
      life(recording, clock)
      if drains { recording.drain.drain() }
    }

    /// What the next run finds.
    func found() throws -> PreviousRun {
      clock.set(to: SystemCalls.monotonicNanoseconds() + 90_000_000_000)
      let next = try DrivenRecording(log: path, options: Drain.Options(), clock: clock)
      return try #require(next.recorder.previousRun)
    }
  }

  /// A simulated run, and what it must come to.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var launch = "user"
    let kind: PreviousRun.Cause.Kind
    var detail: String?
    let evidence: [String]
    let life: Life
  }

  private static func main(_ facts: @escaping @Sendable (Recorder) -> Void) -> Life {
    { recording, _ in _ = recording.asThread("main") { facts(recording.recorder) } }
  }

  private static let background: @Sendable (Recorder) -> Void = { recorder in
    recorder.callback(.applicationDidBecomeActive) {}
    recorder.callback(.applicationWillResignActive) {}
    recorder.callback(.applicationDidEnterBackground) {}
  }

  static let cases: [Case] = [
    Case(
      testDescription: "vanished from the screen", kind: .unknown, evidence: ["the app was active"],
      life: main { $0.callback(.applicationDidBecomeActive) {} }),
    Case(
      testDescription: "no state", kind: .unknown, evidence: ["the state of the app is not known"],
      life: main { $0.note("alone") }),
    Case(
      testDescription: "in the background", kind: .reclaimed,
      evidence: ["the app was in the background"], life: main(background)),
    Case(
      testDescription: "prewarmed", launch: "prewarm", kind: .reclaimed,
      evidence: ["the system had started it ahead of time"],
      life: main { $0.callback(.applicationDidFinishLaunching) {} }),
    Case(
      testDescription: "in a callback in the background", kind: .unknown,
      evidence: ["applicationDidEnterBackground had not returned"],
      life: main { recorder in
        recorder.callback(.applicationDidBecomeActive) {}
        recorder.call(.applicationDidEnterBackground)
      }),
    Case(
      testDescription: "asked to terminate", kind: .terminated,
      evidence: ["it was informed that it terminates"],
      life: main { recorder in
        background(recorder)
        recorder.callback(.applicationWillTerminate) {}
      }),
    Case(
      testDescription: "under a debugger", kind: .stoppedByDebugger,
      evidence: ["a debugger was attached"],
      life: main { recorder in
        recorder.profile(Profile([Attribute(.debugger, "true")]))
        recorder.callback(.applicationDidBecomeActive) {}
      }),
    Case(
      testDescription: "a callback of 3 s", kind: .hung, detail: "sceneDidBecomeActive",
      evidence: ["sceneDidBecomeActive had not returned for 3s at least"],
      life: { recording, clock in
        _ = recording.asThread("main") { recording.recorder.call(.sceneDidBecomeActive, .scene(1)) }
        clock.advance(to: clock.nanoseconds + 3_000_000_000)
        _ = recording.asThread("worker") { recording.recorder.work(.timer, .app, "autosave") }
      }),
    Case(
      testDescription: "a turn of the run loop", kind: .hung, detail: "a turn of the main run loop",
      evidence: ["a turn of the main run loop had not ended"],
      life: { recording, _ in
        _ = recording.asThread("main") {
          recording.recorder.callback(.applicationDidBecomeActive) {}
        }
        _ = recording.asThread("watch") { recording.recorder.workBegins(.mainBusy, value: 1) }
      }),
    Case(
      testDescription: "an expired task", kind: .taskExpired, detail: "upload",
      evidence: ["background task \"upload\" was open, and had expired"],
      life: main { recorder in
        recorder.taskBegins(1, "upload", hasHandler: true)
        background(recorder)
        recorder.taskExpires(1) {}
      }),
    Case(
      testDescription: "a task of 31 s without a handler", kind: .taskExpired, detail: "upload",
      evidence: ["background task \"upload\" was open, in the background for 31s"],
      life: { recording, clock in
        _ = recording.asThread("main") {
          recording.recorder.taskBegins(1, "upload", hasHandler: false)
          background(recording.recorder)
        }
        clock.advance(to: clock.nanoseconds + 31_000_000_000)
        _ = recording.asThread("worker") { recording.recorder.note("still here") }
      }),
    Case(
      testDescription: "a task that was ended", kind: .reclaimed, evidence: [],
      life: main { recorder in
        recorder.taskBegins(1, "upload", hasHandler: true)
        background(recorder)
        recorder.taskExpires(1) { recorder.taskEnds(1) }
      }),
    Case(
      testDescription: "near its limit", kind: .memory, evidence: ["70 MB were left"],
      life: main { recorder in
        background(recorder)
        sample(recorder, used: 1_200, left: 200)
        sample(recorder, used: 1_330, left: 70)
      }),
    Case(
      testDescription: "far from its limit", kind: .reclaimed, evidence: ["71 MB were left"],
      life: main { recorder in
        background(recorder)
        sample(recorder, used: 1_329, left: 71)
      }),
    Case(
      testDescription: "a system without limits", kind: .reclaimed, evidence: ["0 MB were left"],
      life: main { recorder in
        background(recorder)
        sample(recorder, used: 1_329, left: 0)
      }),
    Case(
      testDescription: "critical pressure on the screen", kind: .memory,
      evidence: ["the system's memory pressure was critical"],
      life: main { recorder in
        recorder.callback(.applicationDidBecomeActive) {}
        recorder.sampleMemory(.warning)
        recorder.sampleMemory(.critical)
        recorder.sampleMemory()
      }),
    Case(
      testDescription: "critical pressure in the background", kind: .reclaimed,
      evidence: ["the system's memory pressure was critical"],
      life: main { recorder in
        background(recorder)
        recorder.sampleMemory(.critical)
      }),
    Case(
      testDescription: "pressure that passed", kind: .unknown,
      evidence: ["the system's memory pressure was normal"],
      life: main { recorder in
        recorder.callback(.applicationDidBecomeActive) {}
        recorder.sampleMemory(.critical)
        recorder.sampleMemory(.normal)
      }),
  ]

  private static func sample(_ recorder: Recorder, used: Int64, left: Int64) {
    recorder.sample(.memory, used * 1_000_000)
    recorder.sample(.availableMemory, left * 1_000_000)
  }

  @Test(arguments: cases, [true, false])
  func aRunThatVanishedHasACause(of run: Case, drains: Bool) throws {
    let bench = Bench()
    try bench.run(drains: drains, launch: run.launch, run.life)
    let cause = try bench.found().cause
    #expect(cause.kind == run.kind && cause.detail == run.detail, "\(cause) \(cause.evidence)")
    #expect(
      cause.confidence
        == (run.kind == .unknown ? .unknown : run.kind == .terminated ? .certain : .likely))
    #expect(cause.evidence.first == "nobody saw its end")
    #expect(Set(run.evidence).isSubset(of: cause.evidence), "\(cause.evidence)")
  }

  // MARK: What others say

  /// A run that ended in the background, as its log shows it.
  private func run(
    _ end: PreviousRun.End = .gone, _ facts: RunFacts = RunFacts(), now: [Attribute] = []
  ) -> PreviousRun {
    PreviousRun(
      logs: ["flight.bin"], end: end, appState: .background, openCallbacks: [],
      wasTerminating: false, facts: facts, profileNow: now)
  }

  @Test func whoeverSawTheEndIsBelieved() {
    #expect(run(.exited(status: 3)).cause.description == "the app exited: status 3")
    #expect(run(.exited(status: nil)).cause.description == "the app exited")
    let signals: [(String, String)] = [
      ("11", "the app crashed: SIGSEGV"), ("SIGABRT", "the app crashed: SIGABRT"),
      ("15", "the app was asked to terminate: SIGTERM"),
      ("9", "likely the app was closed in the background, which is normal"),
      ("no signal", "likely the app was closed in the background, which is normal"),
    ]
    for (signal, text) in signals {
      let end = [Attribute(.signal, signal)]
      #expect(run(.killed, RunFacts(end: end)).cause.description == text)
    }
  }

  @Test func aCrashReportCountsBeforeAllElse() {
    let before = RunFacts(profile: [Attribute(.version, "1.0"), Attribute(.debugger, "true")])
    let run = run(.exited(status: 0), before, now: [Attribute(.version, "1.1")])
    let cause = run.cause(crashReport: "SIGSEGV in NotesStore.save()")
    #expect(cause.kind == .crashed && cause.confidence == .certain)
    #expect(cause.description == "the app crashed: SIGSEGV in NotesStore.save()")
    #expect(cause.evidence.first == "a crash report says SIGSEGV in NotesStore.save()")
    #expect(run.cause.kind == .exited)
  }

  @Test func whatChangedSinceCountsInItsOrder() {
    var facts = RunFacts(
      profile: [
        Attribute(.version, "1.0"), Attribute(.build, "7"), Attribute(.os, "18.1"),
        Attribute(.debugger, "true"),
      ])
    facts.hasRebooted = true
    func kind(_ now: [Attribute]) -> PreviousRun.Cause.Kind {
      run(.gone, facts, now: now).cause.kind
    }

    let same = facts.profile
    #expect(
      kind([Attribute(.version, "1.0"), Attribute(.build, "8"), Attribute(.os, "18.2")])
        == .appUpdated)
    #expect(kind(same.map { $0.key == "os" ? Attribute(.os, "18.2") : $0 }) == .systemUpdated)
    #expect(kind(same) == .rebooted && kind([]) == .rebooted)
    facts.hasRebooted = false
    #expect(kind(same) == .stoppedByDebugger)
    facts.profile[3] = Attribute(.debugger, "false")
    #expect(kind(same) == .reclaimed)

    let update = run(.gone, facts, now: [Attribute(.version, "1.0"), Attribute(.build, "8")]).cause
    #expect(update.description == "likely the app was updated: from 1.0 (7) to 1.0 (8)")
    #expect(update.evidence.contains("the app was updated from 1.0 (7) to 1.0 (8)"))
  }

  /// Without `statesBoot` the ring alone says it.
  @Test func anotherBootIsAReboot() throws {
    let bench = Bench()
    try bench.run(drains: true, statesBoot: false, Self.main(Self.background))
    let ring = try FileHandle(forUpdating: URL(fileURLWithPath: bench.path + ".ring"))
    try ring.seek(toOffset: UInt64(RingFormat.Header.bootID))
    try ring.write(contentsOf: Data(repeating: 7, count: 16))
    try ring.close()
    let cause = try bench.found().cause
    #expect(cause.kind == .rebooted && cause.evidence.contains("the device was started anew"))
  }

  /// The state of a run before it says nothing of one that died at its very beginning.
  @Test func aRunThatStatedNothingIsUnknown() throws {
    let bench = Bench()
    try bench.run(drains: true, Self.main(Self.background))
    let ring = try FileHandle(forUpdating: URL(fileURLWithPath: bench.path + ".ring"))
    try ring.seek(toOffset: UInt64(RingFormat.Header.process))
    try ring.write(contentsOf: withUnsafeBytes(of: Int32.max - 1) { Data($0) })
    try ring.close()
    let cause = try bench.found().cause
    #expect(cause.kind == .unknown && cause.confidence == .unknown)
    #expect(cause.evidence == ["nobody saw its end", "the state of the app is not known"])
  }

  /// Whatever the files hold, the next run opens them or says why not, and finds a cause or none.
  @Test(arguments: 0..<40) func damagedFilesAreNoTrap(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = Bench()
    try bench.run(drains: seed % 2 == 0, Self.cases[Int(seed) % Self.cases.count].life)
    for ending in ["", ".ring"] {
      let file = URL(fileURLWithPath: bench.path + ending)
      var bytes = try Data(contentsOf: file)
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let limit = min(bytes.count, random.oneIn(2) ? 300 : 20_000)
        bytes[Int.random(in: 0..<limit, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if random.oneIn(4) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
      try bytes.write(to: file)
    }

    let options = Drain.Options()
    let next = try? DrivenRecording(log: bench.path, options: options, clock: bench.clock)
    if let cause = next?.recorder.previousRun?.cause {
      #expect(!cause.description.isEmpty && !cause.evidence.isEmpty, "seed \(seed)")
    }
  }
}
