import LifecycleModel
import TestTime
import Testing
import Traces
import Workloads

@testable import TraceLog

/// A slice of a log is a log that begins with what was true there.
@Suite struct SliceTests {
  /// Cuts a log, which is read in batches, and writes what is cut out.
  private func slice(
    _ trace: Trace, _ window: ClosedRange<Instant>, process: Int? = nil
  ) throws -> (bytes: [UInt8], processes: [String])? {
    let log = try LogBench(trace, eventsPerBlock: 13)
    var reader = try LogReader(bytes: log.bytes)
    var slicer = LogSlicer(reader.vocabulary, after: LogBeginning(), in: window, process: process)
    var taken: [Event] = []
    var events: [Event] = []
    while !slicer.isOver, try reader.read(into: &events) { taken += slicer.take(events) }
    taken += slicer.finish()

    guard let beginning = slicer.beginning else { return nil }
    let bytes = try DerivedBench.write(taken, reader.vocabulary, after: beginning)
    return (bytes, slicer.processes)
  }

  private func text(_ state: LifecycleState, _ vocabulary: Vocabulary) -> [String] {
    lines(Trace(vocabulary: vocabulary, events: state.checkpoint()))
  }

  /// The slice from one event to another of a random trace, its place, and the state before it.
  private func expectSlice(_ trace: Trace, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let instants = (0..<2).compactMap { _ in trace.events.randomElement(using: &random)?.instant }
      .sorted()
    let window = instants[0]...instants[1]
    let inside = trace.events.filter { window.contains($0.instant) }
    var state = LifecycleState()
    for event in trace.events where event.instant < window.lowerBound { state.fold(event) }

    let bytes = try #require(try slice(trace, window)).bytes
    #expect(try VerifyReport(LogReader(bytes: bytes)).problems == [], "seed \(seed)")
    var reader = try LogReader(bytes: bytes)
    reader.leaveOutBeginning()
    var batch: [Event] = []
    #expect(try reader.read(into: &batch))
    let checkpoint = LifecycleState(checkpoint: try #require(reader.checkpoint))
    #expect(text(checkpoint, reader.vocabulary) == text(state, trace.vocabulary), "seed \(seed)")

    var read = Trace(vocabulary: reader.vocabulary, events: batch)
    while try reader.read(into: &batch) { read.events += batch }
    let wanted = Trace(vocabulary: trace.vocabulary, events: inside)
    #expect(difference(read, wanted) == nil, "seed \(seed)")
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(13, all: 40))
  func aSliceOfAnythingBeginsWithWhatIsTrue(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = ArbitraryTrace(seed: seed)
    try expectSlice(maker.trace(count: 150), seed)
    var workload = AppWorkload(count: 300, seed: seed)
    try expectSlice(workload.readAll(), seed)
  }

  /// A reader tells what was true as it does of a log whose older parts are gone.
  @Test func aReaderTellsHowMuchStoodBefore() throws {
    var workload = AppWorkload(count: 300, seed: 3)
    let trace = try workload.readAll()
    let from = trace.events[200].instant
    let bytes = try #require(try slice(trace, from ... .distantFuture)).bytes
    let read = try Trace(log: bytes)
    let before = trace.events.count { $0.instant < from }
    let gaps = read.events.compactMap { Gap($0, in: read.vocabulary) }
    #expect(gaps.map(\.cause) == ["rotated"] && gaps[0].count == Int64(before))
    #expect(read.vocabulary.word(of: read.events[0].verb) == "profile")
  }

  // MARK: Processes

  private let lives = """
    0s - profile mode=app
    1s - process.start app pid=41
    2s main task.begin task:1 "one"
    3s - exit app
    4s - profile mode=scene
    4s - process.start app pid=42
    5s main note "two"
    6s - exit app
    7s - process.start app
    8s main note "three"
    """

  @Test(arguments: [
    (41, ["profile", "process.start", "task.begin", "exit"]),
    (42, ["profile", "process.start", "note", "exit"]),
    (3, ["process.start", "note"]),
  ])
  func aProcessIsCutOutWithItsProfile(process: Int, verbs: [String]) throws {
    let trace = try LogBench(lives).read()
    let bytes = try #require(
      try slice(trace, .distantPast ... .distantFuture, process: process)
    ).bytes
    var reader = try LogReader(bytes: bytes)
    reader.leaveOutBeginning()
    let read = try reader.readAll()
    #expect(read.events.map { read.vocabulary.word(of: $0.verb) } == verbs)
    #expect(try VerifyReport(LogReader(bytes: bytes)).isWhole)
    // Nothing of the process before is true in this one.
    let told = try Trace(log: bytes)
    #expect(told.events.count { $0.verb == .exit } == verbs.count { $0 == "exit" })
    #expect(told.events.count { $0.verb == .taskBegin } == verbs.count { $0 == "task.begin" })
  }

  @Test func aProcessThatIsNotThereHasNoSlice() throws {
    let trace = try LogBench(lives).read()
    #expect(try slice(trace, .distantPast ... .distantFuture, process: 7) == nil)
    let late = Instant(nanoseconds: .seconds(5))
    #expect(try slice(trace, late ... .distantFuture, process: 41) == nil)
  }
}

/// Writes logs that are made of others.
enum DerivedBench {
  static func write(
    _ events: [Event], _ vocabulary: Vocabulary, after beginning: LogBeginning = LogBeginning(),
    identity: LogIdentity = LogBench.identity
  ) throws -> [UInt8] {
    let sink = MemoryLogSink()
    let writer = try LogWriter(
      to: sink, vocabulary: vocabulary, identity: identity, after: beginning)
    var whole = WholeEvents(vocabulary, after: beginning.part)
    try writer.append(whole.take(events))
    try writer.close()
    return sink.bytes
  }
}
