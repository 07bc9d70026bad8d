import Foundation
import LifecycleModel
import Platform
import TestTime
import Testing
import TraceLog
import Traces

@testable import TraceRecorder

@Suite struct DrainTests {
  /// Runs until it is told to stop.
  private final class Worker: Sendable {
    private let isOver = Lock(false)
    private let ended = DispatchSemaphore(value: 0)

    func start(_ step: @escaping @Sendable () -> Void) {
      Thread { [self] in
        while !isOver.withLock({ $0 }) { step() }
        ended.signal()
      }.start()
    }

    func stop() {
      isOver.withLock { $0 = true }
      ended.wait()
    }
  }

  @Test func aFollowerIsHandedWhatIsRecordedOnce() throws {
    let bench = try RecordingBench()
    var follower = try LogFollower(path: bench.log)
    let vocabulary = follower.vocabulary
    var labels: [String] = []
    func look() throws -> Bool {
      try follower.look { events in
        labels += events.filter { $0.verb == .note }.map { vocabulary.text($0.label) }
      }
    }

    bench.recorder.note("in the ring")
    #expect(try look() && labels == ["in the ring"])
    bench.drain.drain()
    bench.recorder.note("after a block")
    #expect(try look() && labels == ["in the ring", "after a block"])
    #expect(try look() && labels.count == 2)
    bench.recorder.note("at the end")
    try bench.drain.finish()
    #expect(try !look() && labels == ["in the ring", "after a block", "at the end"])
  }

  @Test func aReaderFollowsADrainThatOvertakesIt() throws {
    let bench = try RecordingBench {
      $0.recordsPerThread = 1 << 14
      $0.limits = LogLimits(maxPartBytes: 1_000)
    }
    let (app, drainer) = (Worker(), Worker())
    let recorder = bench.recorder
    app.start {
      for _ in 0..<20 { recorder.work(.timer, .scene(1), "steady") }
      letTimePass(milliseconds: 0.5)
    }

    // Sound because the test does not touch the drain before the worker has stopped.
    nonisolated(unsafe) let drain = bench.drain
    drainer.start {
      drain.drain()
      letTimePass(milliseconds: 10)
    }

    var seen = 0
    var parts: UInt32 = 0
    for _ in 0..<2000 where parts < 8 {
      var reader = try LogReader(path: bench.log)
      let trace = try reader.readAll()
      // A drain that is not given the processor makes the ring refuse; that is no loss in reading.
      let gaps = trace.events.compactMap { Gap($0, in: trace.vocabulary) }
      #expect(gaps.filter { $0.cause != GapCause.ringFull.rawValue } == [])
      #expect(trace.events.count >= seen && reader.damages == [])
      seen = trace.events.count
      parts = reader.part.number
    }

    app.stop()
    drainer.stop()
    #expect(seen > 100 && parts >= 8)
  }

  /// The ring says what was moved into the log: a log that was cut behind a whole block lacks it.
  @Test func whatTheRingHasGivenUpAndTheLogLacksIsMissing() throws {
    let bench = try RecordingBench()
    for _ in 0..<3 { bench.recorder.work(.timer) }
    bench.drain.drain()
    let size = try FileManager.default.attributesOfItem(atPath: bench.log)[.size] as? UInt64 ?? 0
    for _ in 0..<2 { bench.recorder.work(.frame) }
    bench.drain.drain()

    let whole = [String](repeating: "work timer app", count: 3)
    #expect(try bench.read() == whole + ["work frame app", "work frame app"])
    try FileHandle(forWritingTo: URL(fileURLWithPath: bench.log)).truncate(atOffset: size)
    let writer = try #require(try bench.trace().events.last { $0.verb == .work }).writer
    let name = try bench.trace().vocabulary.name(of: writer)
    let gap = "gap corrupt-block 2 writer=\(name) from=4 to=5"
    #expect(try bench.read() == whole + [gap])
    #expect(try VerifyReport(path: bench.log).problems.map(\.found) == ["none 4 to 5"])
  }

  @Test func aSecondDrainIsKeptOff() throws {
    let bench = try RecordingBench()
    #expect(throws: LogError.inUse(path: bench.log)) { try Drain(attachingTo: bench.log) }
    var options = Drain.Options()
    options.replacesLog = true
    #expect(throws: LogError.inUse(path: bench.log)) {
      try Drain(log: bench.log, options: options)
    }
    bench.recorder.work(.timer)
    #expect(try bench.read() == ["work timer app"])
  }

  @Test(arguments: [
    (0, 1024, 4096, "0 threads"), (129, 1024, 4096, "129 threads"),
    (1, 1000, 4096, "1000 records"), (1, 8, 4096, "8 records"),
    (1, 1 << 23, 4096, "8388608 records"), (1, 1024, 5000, "5000 bytes for words"),
    (1, 1024, 1 << 24, "16777216 bytes for words"),
  ])
  func impossibleSizesAreErrors(
    threads: Int, records: Int, words: Int, reason: String
  ) throws {
    let error = #expect(throws: LogError.self) {
      try RecordingBench {
        ($0.threads, $0.recordsPerThread, $0.wordBytes) = (threads, records, words)
      }
    }
    guard case .impossibleRing(let text)? = error else {
      Issue.record("not the error that is expected: \(String(describing: error))")
      return
    }
    #expect(text.hasPrefix(reason))
  }

  @Test func partsFollowEachOtherInTheDrain() throws {
    let bench = try RecordingBench { $0.limits = LogLimits(maxPartBytes: 1) }
    for number in 0..<5 {
      bench.recorder.workBegins(.save, .app, "file", value: Int64(number))
      bench.drain.drain()
    }

    #expect(bench.drain.partCount == 5)
    bench.recorder.work(.timer)
    #expect(try bench.read().count == 6)
    #expect(try VerifyReport(LogReader(path: bench.log)).problems == [])
    let summary = try LogSummary(path: bench.log)
    #expect(summary.parts == 1...5 && summary.eventCount == 5 && summary.ringEvents == 1)
  }

  @Test(arguments: [SyncPolicy.none, .interval(1_000_000), .everyBlock])
  func everyPolicyKeepsEverything(sync: SyncPolicy) throws {
    let bench = try RecordingBench {
      $0.sync = sync
      $0.drainMilliseconds = 40
    }

    for _ in 0..<10 {
      bench.recorder.work(.timer)
      bench.drain.look()
    }

    // A look takes what is some milliseconds old.
    try wait("a look that takes something") {
      bench.drain.look()
      return bench.drain.eventCount > 0
    }
    #expect(bench.drain.failure == nil && bench.drain.eventCount > 0)
    #expect(try bench.read().count == 10)
  }

  @Test func theRingCanLieElsewhere() throws {
    let elsewhere = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracectl-ring-\(UUID().uuidString)").path
    let bench = try RecordingBench { $0.ringPath = elsewhere }
    bench.recorder.work(.timer)
    #expect(try bench.read() == ["work timer app"])
    #expect(FileManager.default.fileExists(atPath: elsewhere))
    try bench.drain.finish()
    #expect(!FileManager.default.fileExists(atPath: elsewhere))
    let left = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(left == ["log.bin"])
  }

  @Test func theMonotonicClockCanBeChosen() throws {
    let bench = try RecordingBench { $0.clock = .monotonic }
    let passed = recordingTwice(bench.recorder)
    let events = try bench.trace().events
    #expect(passed.contains(events[1].instant.since(events[0].instant)), "\(passed)")
  }
}

@Suite struct NoteTests {
  private func labels(_ bench: RecordingBench) throws -> [String] {
    let trace = try bench.trace()
    return trace.events.map { trace.vocabulary.text($0.label) }
  }

  @Test func textsOfEveryLengthComeBack() throws {
    let bench = try RecordingBench()
    let texts = (0...40).map { String("äöü and the rest of a line of forty".prefix($0)) }
    for text in texts { bench.recorder.note(text, .scene(3)) }
    #expect(try labels(bench) == texts)
    bench.drain.drain()
    #expect(try labels(bench) == texts)
    #expect(try bench.trace().events.allSatisfy { $0.subject == .scene(3) })
  }

  @Test func aTextIsCutAtACharacter() throws {
    let bench = try RecordingBench { $0.recordsPerThread = 16 }
    // A quarter of 16 records is 48 bytes, in the middle of the 16th character of three bytes each.
    bench.recorder.note("a" + String(repeating: "€", count: 40))
    #expect(try labels(bench) == ["a" + String(repeating: "€", count: 15)])
  }

  @Test func numbersOfEverySizeComeBack() throws {
    let bench = try RecordingBench()
    let numbers: [UInt32] = [0, 1, 0xf_ffff, 0x10_0000, .max]
    for number in numbers { bench.recorder.note("n", .task(number)) }
    #expect(try bench.trace().events.map(\.subjectNumber) == numbers)
  }

  @Test func distinctTextsTakeNoRoomForWords() throws {
    let bench = try RecordingBench { $0.wordBytes = 4096 * 2 }
    func note(_ number: Int) { bench.recorder.note("line number \(number) of the log") }
    // The first fact puts the thread's name and the call site among the words.
    note(0)
    let before = bench.drain.ring.load(RingFormat.Header.wordsHead)

    for number in 1..<5_000 {
      note(number)
      if number % 100 == 0 { bench.drain.drain() }
    }

    #expect(bench.drain.ring.load(RingFormat.Header.wordsHead) == before)
    #expect(try labels(bench).last == "line number 4999 of the log")
    #expect(try bench.trace().events.count == 5_000)
  }

  @Test func aThreadThatFindsNoRoomForItsNameLosesNoFact() throws {
    let bench = try RecordingBench { $0.wordBytes = 4096 * 2 }
    for number in 0..<1_000 {
      bench.recorder.record(
        .work, name: "other", attributes: [Attribute(.options, "\(number) \(number)")])
      bench.drain.drain()
    }
    let done = DispatchSemaphore(value: 0)
    Thread { [recorder = bench.recorder] in
      for _ in 0..<3 { recorder.note("behind") }
      done.signal()
    }.start()
    done.wait()

    let trace = try bench.trace()
    #expect(!trace.events.contains { $0.verb == .gap })
    let notes = trace.events.filter { $0.verb == .note }
    #expect(notes.map(\.sequence) == [1, 2, 3])
    #expect(notes.allSatisfy { trace.vocabulary.name(of: $0.writer).hasPrefix("thread-") })
  }
}
