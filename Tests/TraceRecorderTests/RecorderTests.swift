import Foundation
import LifecycleModel
import Platform
import TestTime
import Testing
import TraceLog
import TraceText

@testable import TraceRecorder

/// A recording in a folder that goes when the test is over.
final class RecordingBench {
  let drain: Drain
  let recorder: Recorder
  let log: String
  let folder: URL

  init(_ change: (inout Drain.Options) -> Void = { _ in }) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracectl-recorder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    log = folder.appendingPathComponent("log.bin").path
    var options = Drain.Options()
    options.recordsPerThread = 1 << 10
    change(&options)
    drain = try Drain(log: log, options: options)
    recorder = Recorder(RecorderCore.make(drain.ring))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What a reader sees now, as notation without instants, writers and call sites.
  func read() throws -> [String] {
    var reader = try LogReader(path: log)
    let trace = try reader.readAll()
    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)
    return trace.events.map { event in
      printer.line(event).split(separator: " ").dropFirst(2).filter { !$0.hasPrefix("at=") }
        .joined(separator: " ")
    }
  }

  func trace() throws -> Trace {
    var reader = try LogReader(path: log)
    return try reader.readAll()
  }
}

/// States two facts some milliseconds apart, and says how many nanoseconds lie between them: no less
/// than passed between the calls, no more than passed around them, and a hundredth for the clocks.
func recordingTwice(_ recorder: Recorder) -> ClosedRange<Nanoseconds> {
  func now() -> Nanoseconds { Nanoseconds(platform_nanoseconds()) }
  let first = now()
  recorder.note("a")
  let second = now()
  letTimePass(milliseconds: 5)
  let third = now()
  recorder.note("b")
  let (inner, outer) = (third - second, now() - first)
  return inner - inner / 100...outer + outer / 100
}

@Suite struct RecorderTests {
  /// One of each fact.
  private func stateFacts(_ recorder: Recorder) {
    recorder.profile(Profile([Attribute(.mode, "scene"), Attribute(.hooks, "work,tasks")]))
    recorder.processStarts(launch: "push", bundle: "com.example.notes")
    recorder.deliver(.push, .app, "message")
    recorder.complete(.push, .app, "message")
    recorder.call(.sceneWillConnect, .scene(1))
    recorder.returned(.sceneWillConnect, .scene(1))
    recorder.callback(.sceneDidBecomeActive, .scene(1)) {}
    recorder.notify(.sceneDidActivate, object: .scene(1))
    recorder.observer(.sceneDidActivate, object: .scene(1), "Counter") {}
    recorder.observer(.sceneDidActivate, object: .scene(1), label: "run time") {}
    recorder.work(.timer, .scene(1), "autosave")
    recorder.work(.timer, .scene(1), label: "made at run time")
    recorder.working(.save, .app, "notes.db") {}
    recorder.workBegins(.network, .app, "/items", value: -7)
    recorder.workEnds(.network, .app, "/items", value: -7)
    recorder.acquire(.lock, .app, "notes.db")
    recorder.release(.lock, .app, "notes.db")
    recorder.dirty("note")
    recorder.saved("note")
    recorder.taskBegins(7, "sync", hasHandler: true)
    recorder.taskExpires(7) { recorder.taskEnds(7) }
    recorder.sample(.memory, .max)
    recorder.note("a \"note\"")
    recorder.record(.state, name: "inactive->active", subject: .app)
    recorder.call(.sceneDidDisconnect, .scene(.max))
  }

  private let facts = [
    "profile mode=scene hooks=work,tasks",
    "process.start app pid=\(getpid()) launch=push bundle=com.example.notes",
    "deliver push app \"message\"", "complete push app \"message\"",
    "call sceneWillConnect scene:1", "return sceneWillConnect scene:1",
    "call sceneDidBecomeActive scene:1", "return sceneDidBecomeActive scene:1",
    "notify UIScene.didActivateNotification scene:1",
    "observe UIScene.didActivateNotification scene:1 \"Counter\"",
    "observed UIScene.didActivateNotification scene:1 \"Counter\"",
    "observe UIScene.didActivateNotification scene:1 \"run time\"",
    "observed UIScene.didActivateNotification scene:1 \"run time\"",
    "work timer scene:1 \"autosave\"", "work timer scene:1 \"made at run time\"",
    "work.begin save app \"notes.db\"", "work.end save app \"notes.db\"",
    "work.begin network app \"/items\" -7", "work.end network app \"/items\" -7",
    "acquire lock app \"notes.db\"", "release lock app \"notes.db\"",
    "data.dirty app \"note\"", "data.save app \"note\"",
    "task.begin task:7 \"sync\" handler=true", "task.expire task:7", "task.end task:7",
    "task.expired task:7", "sample memory app 9223372036854775807", "note \"a \\\"note\\\"\"",
    "state inactive->active app", "call sceneDidDisconnect scene:4294967295",
  ]

  @Test func everyFactComesBackFromTheRingAlone() throws {
    let bench = try RecordingBench()
    stateFacts(bench.recorder)
    #expect(try bench.read() == facts)
  }

  @Test func everyFactComesBackFromTheLog() throws {
    let bench = try RecordingBench()
    stateFacts(bench.recorder)
    try bench.drain.finish()
    #expect(!FileManager.default.fileExists(atPath: bench.drain.ringPath))
    #expect(try bench.read() == facts)
    #expect(try VerifyReport(LogReader(path: bench.log)).problems == [])
  }

  @Test func logAndRingAreJoinedWithoutRepetition() throws {
    let bench = try RecordingBench()
    bench.recorder.note("first")
    bench.drain.drain()
    bench.recorder.note("second")
    #expect(try bench.read() == ["note \"first\"", "note \"second\""])

    // A tail that was not published, as when the drain dies between log and ring.
    let lane = (0..<bench.drain.ring.size.lanes).first {
      bench.drain.ring.lane($0).load(fromByteOffset: RingFormat.Lane.head, as: UInt64.self) > 0
    }.map { bench.drain.ring.lane($0) }
    let header = try #require(lane)
    header.storeBytes(of: 0, toByteOffset: RingFormat.Lane.tails, as: UInt64.self)
    #expect(try bench.read() == ["note \"first\"", "note \"second\""])
  }

  @Test func aTornBlockIsHealedFromTheRing() throws {
    let bench = try RecordingBench()
    bench.recorder.note("first")
    let header = bench.drain.ring
    let before = (0..<header.size.lanes).map { lane in
      UnsafeRawBufferPointer(start: header.lane(lane) + RingFormat.Lane.tails, count: 40).map { $0 }
    }
    bench.drain.drain()
    for (lane, bytes) in before.enumerated() {
      (header.lane(lane) + RingFormat.Lane.tails).copyMemory(from: bytes, byteCount: bytes.count)
    }

    let handle = try #require(FileHandle(forWritingAtPath: bench.log))
    try handle.truncate(atOffset: UInt64(bench.drain.byteCount - 3))
    #expect(try bench.read() == ["note \"first\""])
  }

  @Test func aFullLaneRefusesCountsAndTells() throws {
    let bench = try RecordingBench()
    for _ in 0..<1500 { bench.recorder.work(.timer) }
    bench.drain.drain()
    bench.recorder.work(.frame)
    try bench.drain.finish()

    let trace = try bench.trace()
    let gaps = trace.events.compactMap { Gap($0, in: trace.vocabulary) }
    #expect(gaps.count == 1)
    #expect(gaps.first?.from == 1025 && gaps.first?.to == 1500)
    #expect(trace.events.filter { $0.verb == .work }.count == 1025)
    #expect(trace.events.last?.sequence == 1501)
  }

  @Test func whatWasRefusedLastIsToldAtTheEnd() throws {
    let bench = try RecordingBench()
    for _ in 0..<1030 { bench.recorder.work(.timer) }
    try bench.drain.finish()
    let trace = try bench.trace()
    #expect(trace.events.compactMap { Gap($0, in: trace.vocabulary) }.map(\.count) == [6])
  }

  @Test func instantsRiseAndAreClose() throws {
    let bench = try RecordingBench()
    let passed = recordingTwice(bench.recorder)
    let events = try bench.trace().events
    #expect(passed.contains(events[1].instant.since(events[0].instant)), "\(passed)")
  }

  @Test func threadsRecordSideBySideAndLanesAreUsedAgain() throws {
    let bench = try RecordingBench { $0.threads = 5 }
    for _ in 0..<10 {
      let threads = (0..<4).map { number in
        let thread = Thread { [recorder = bench.recorder] in
          for _ in 0..<100 { recorder.work(.timer, .scene(UInt32(number))) }
        }
        thread.start()
        return thread
      }
      try wait("four threads") { threads.allSatisfy(\.isFinished) }
      bench.drain.drain()
    }

    try bench.drain.finish()
    let trace = try bench.trace()
    let counted = trace.events.filter { $0.verb == .work }.count
    let lost = trace.events.compactMap { Gap($0, in: trace.vocabulary)?.count }.reduce(0, +)
    #expect(Int64(counted) + lost == 4000)
    #expect(
      try VerifyReport(LogReader(path: bench.log)).problems.filter { $0.kind != .order } == [])
  }

  @Test func everyFactNamesTheLineThatStatesIt() throws {
    let bench = try RecordingBench()
    bench.recorder.work(.timer)
    let line = #line - 1
    for _ in 0..<2 { bench.recorder.dirty("note") }
    bench.recorder.note("text", .scene(.max))
    bench.recorder.taskBegins(1, "sync", hasHandler: true)
    bench.recorder.call(.sceneDidBecomeActive, .scene(1))
    bench.recorder.note("elsewhere", fileID: "Editor/Note.swift", line: 42)
    for name in [WorkCategory.timer, .frame] { bench.recorder.work(name) }
    bench.recorder.work(.timer, file: "AppLifecycle/Scene.swift", line: 7)

    let trace = try bench.trace()
    let sites = trace.events.map { trace.vocabulary.attributes($0.attributes)[.at] }
    let file = "TraceRecorderTests/RecorderTests.swift"
    let lines = [0, 2, 2, 3, 4, 5].map { "\(file):\(line + $0)" }
    #expect(
      sites == lines + ["Editor/Note.swift:42"] + [7, 7].map { "\(file):\(line + $0)" } + [nil])
    #expect(bench.drain.openCallbacks() == ["sceneDidBecomeActive"])
  }

  @Test func moreSitesThanTheirTableHoldsCostRoomAndNothingElse() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 1 << 15 }
    for line in 1...9000 {
      bench.recorder.work(.timer, file: "Editor/Note.swift", line: UInt32(line))
    }
    bench.recorder.work(.timer, file: "Editor/Note.swift", line: 70_000)
    let trace = try bench.trace()
    let sites = trace.events.map { trace.vocabulary.attributes($0.attributes)[.at] }
    #expect(sites == (1...9000).map { "Editor/Note.swift:\($0)" } + [nil])
    #expect(trace.events.allSatisfy { trace.vocabulary.text($0.name) == "timer" })
  }

  @Test func offRecordsNothing() {
    #expect(!Recorder.off.isOn)
    stateFacts(Recorder.off)
  }

  @Test func ordinalsAreTheOrderOfTheCases() {
    func check<Family: CaseIterable & RawRepresentable<String>>(_: Family.Type) {
      for (index, word) in Family.allCases.enumerated() { #expect(word.ordinal == index) }
      // As many names as a family has a place for in the recorder's table.
      #expect(Family.allCases.count <= Names.notifications - Names.callbacks)
    }
    check(Hook.self)
    check(SceneActivation.self)
    check(Callback.self)
    check(LifecycleNotification.self)
    check(WorkCategory.self)
    check(Resource.self)
    check(Delivery.self)
    check(SampledValue.self)
  }
}
