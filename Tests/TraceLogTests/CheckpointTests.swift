import LifecycleModel
import Testing
import TraceText
import Traces
import Workloads

@testable import TraceLog

/// Each block carries the state before it, so that it can be read alone.
@Suite struct CheckpointTests {
  /// Reads a log block by block and holds each checkpoint against the fold of all before it.
  private func expectCheckpointsAreTheState(_ log: LogBench, _ seed: UInt64) throws -> Int {
    var reader = try LogReader(bytes: log.bytes)
    var state = LifecycleState()
    var events: [Event] = []
    var blocks = 0

    while try reader.read(into: &events) {
      if let checkpoint = reader.checkpoint {
        blocks += 1
        #expect(
          text(checkpoint, reader.vocabulary) == text(state.checkpoint(), reader.vocabulary),
          "seed \(seed), block \(blocks)")
        #expect(reader.block?.checkpointCount == UInt32(checkpoint.count))
      }
      for event in events { state.fold(event) }
    }
    return blocks
  }

  private func text(_ events: [Event], _ vocabulary: Vocabulary) -> [String] {
    lines(Trace(vocabulary: vocabulary, events: events))
  }

  @Test(arguments: 0..<15) func aCheckpointIsTheStateBefore(seed: UInt64) throws {
    print("seed \(seed)")
    var workload = AppWorkload(count: 300, seed: seed)
    let log = try LogBench(workload.readAll(), eventsPerBlock: 40)
    #expect(try expectCheckpointsAreTheState(log, seed) >= 7)
    var maker = ArbitraryTrace(seed: seed)
    let wild = try LogBench(maker.trace(count: 200), eventsPerBlock: 25)
    #expect(try expectCheckpointsAreTheState(wild, seed) > 0)
  }

  /// Who reads from the middle knows what is true there.
  @Test(arguments: 0..<10) func aLogReadFromTheMiddleHasItsState(seed: UInt64) throws {
    print("seed \(seed)")
    var workload = AppWorkload(count: 300, seed: seed)
    let trace = try workload.readAll()
    let log = try LogBench(trace, eventsPerBlock: 30)
    var random = SeededGenerator(seed: seed)
    let from = trace.events.randomElement(using: &random)?.instant ?? .origin
    var reader = try LogReader(bytes: log.bytes, filter: BlockFilter(from: from))
    var events: [Event] = []
    guard try reader.read(into: &events) else { return }

    let first = try #require(reader.block)
    var state = LifecycleState(checkpoint: try #require(reader.checkpoint))
    for event in events { state.fold(event) }
    while try reader.read(into: &events) { for event in events { state.fold(event) } }
    var whole = LifecycleState()
    for event in trace.events { whole.fold(event) }
    #expect(first.lastInstant >= from, "seed \(seed)")
    #expect(
      text(state.checkpoint(), reader.vocabulary)
        == text(whole.checkpoint(), trace.vocabulary), "seed \(seed)")
  }

  /// More is open than a recorder keeps: it says nothing of what is open until a process starts, when it knows
  /// again.
  @Test(arguments: [false, true]) func whatIsForgottenIsNotTold(areScenes: Bool) throws {
    let count: UInt32 = areScenes ? 257 : 16_385
    let subject = areScenes ? Subject.scene : Subject.task
    let open = areScenes ? LifecycleNotification.sceneWillConnect.symbol : .none
    let close = areScenes ? LifecycleNotification.sceneDidDisconnect.symbol : .none
    let sink = MemoryLogSink()
    let writer = try LogWriter(to: sink, vocabulary: Vocabulary(), identity: LogBench.identity)
    var written: UInt64 = 0

    /// Writes one event after the other, in blocks of their own.
    func write(_ verb: Verb, _ name: Symbol, _ subjects: some Sequence<Subject>) throws {
      try writer.append(
        subjects.map { subject in
          written += 1
          return Event(
            sequence: written, instant: Instant(nanoseconds: Int64(written)), writer: .main,
            verb: verb, name: name, subject: subject)
        })
      try writer.flush()
    }

    try write(areScenes ? .notify : .taskBegin, open, (1...count).lazy.map(subject))
    try write(areScenes ? .notify : .taskEnd, close, (4...count).lazy.map(subject))
    // Three are open, of which the recorder does not know any more.
    try write(.note, .none, [.app])
    try write(.processStart, .none, [.app])
    try write(areScenes ? .notify : .taskBegin, open, [subject(1)])
    try writer.close()

    var reader = try LogReader(bytes: sink.bytes)
    var counts: [Int?] = []
    var events: [Event] = []
    var read = 0
    while try reader.read(into: &events) {
      counts.append(reader.checkpoint?.count)
      read += events.count
    }

    #expect(read == written)
    #expect(counts.first == 0 && counts.suffix(3) == [nil, nil, 1])
    #expect(try VerifyReport(LogReader(bytes: sink.bytes)).problems == [])
  }

  /// More is open than a block has room for: it has no checkpoint, and says so.
  @Test func aStateThatIsTooLargeIsLeftOut() throws {
    let words = Vocabulary()
    let events = (0..<UInt32(LogFormat.maxCheckpointEvents + 10)).map { number in
      Event(
        sequence: UInt64(number) + 1, instant: Instant(nanoseconds: Int64(number)), writer: .main,
        verb: .taskBegin, subject: .task(number))
    }

    let log = try LogBench(Trace(vocabulary: words, events: events + events.suffix(1)))
    var reader = try LogReader(bytes: log.bytes)
    var batch: [Event] = []
    var hasCheckpoints: [Bool] = []
    while try reader.read(into: &batch) {
      hasCheckpoints.append(reader.block?.hasCheckpoint ?? false)
    }

    #expect(hasCheckpoints == [true, true] || hasCheckpoints == [true, false])
    #expect(try lines(log.read()).count == events.count + 1)
    #expect(try VerifyReport(LogReader(bytes: log.bytes)).problems.map(\.kind) == [.sequence])
  }
}
