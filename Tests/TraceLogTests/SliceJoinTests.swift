import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces
import Workloads

@testable import TraceLog

/// Slices, parts and copies of a log that are joined.
@Suite struct SliceJoinTests {
  /// Joins pieces of one log, and writes the whole.
  private func join(_ pieces: [[UInt8]]) throws -> [UInt8] {
    let sink = MemoryLogSink()
    var joined = try SliceJoin(pieces.map { try begin($0) })
    var whole = WholeEvents(joined.vocabulary, after: joined.beginning.part)
    let writer = try LogWriter(
      to: sink, vocabulary: joined.vocabulary, identity: LogBench.identity,
      after: joined.beginning)
    var events: [Event] = []
    while try joined.read(into: &events) { try writer.append(whole.take(events)) }
    try writer.close()
    return sink.bytes
  }

  /// A piece, and what stands before it.
  private func begin(_ piece: [UInt8]) throws -> (stream: Bytes, beginning: LogBeginning) {
    var reader = try LogReader(bytes: piece)
    reader.leaveOutBeginning()
    var events: [Event] = []
    while events.isEmpty, try reader.read(into: &events) {}
    var part = reader.firstPart
    part.number = min(part.number, 2)
    let facts = part.number > 1 ? reader.checkpoint ?? [] : []
    let beginning = LogBeginning(part: part, state: LifecycleState(checkpoint: facts))
    return (Bytes(reader: reader, first: events), beginning)
  }

  /// A log whose first batch was read.
  private struct Bytes: EventStream {
    var reader: LogReader
    var first: [Event]?
    var vocabulary: Vocabulary { reader.vocabulary }

    mutating func read(into events: inout [Event]) throws -> Bool {
      guard let first else { return try reader.read(into: &events) }
      events = first
      self.first = nil
      return true
    }
  }

  private func slice(_ trace: Trace, _ window: ClosedRange<Instant>) throws -> [UInt8]? {
    var slicer = LogSlicer(trace.vocabulary, after: LogBeginning(), in: window)
    let taken = slicer.take(trace.events) + slicer.finish()
    guard let beginning = slicer.beginning else { return nil }
    return try DerivedBench.write(taken, trace.vocabulary, after: beginning)
  }

  /// A log that is cut into slices, which may overlap, and joined again is the log.
  @Test(arguments: 0..<40) func theSlicesOfALogAreTheLog(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var workload = AppWorkload(count: 300, seed: seed)
    var maker = ArbitraryTrace(seed: seed)
    let trace = random.oneIn(2) ? try workload.readAll() : maker.trace(count: 150)
    let cuts = (0..<3).compactMap { _ in trace.events.randomElement(using: &random)?.instant }
      .sorted()

    var pieces: [[UInt8]] = []
    var from = Instant.distantPast
    for cut in cuts + [.distantFuture] {
      if let bytes = try slice(trace, from...cut) { pieces.append(bytes) }
      // The next slice begins with the last events of this one.
      from = cut.advanced(by: -Nanoseconds.random(in: 0...5, using: &random))
    }

    let joined = try join(pieces)
    #expect(try VerifyReport(LogReader(bytes: joined)).problems == [], "seed \(seed)")
    #expect(try difference(Trace(log: joined), trace) == nil, "seed \(seed)")
  }

  /// What one copy has lost another one has: copies that are damaged in different places are the log.
  @Test(.tags(.nightly), arguments: Nightly.seeds(13, all: 40))
  func copiesFillEachOthersHoles(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var workload = AppWorkload(count: 900, seed: seed)
    let trace = try workload.readAll()
    let bytes = try log(trace, blockOf: 50)
    let places = try blocks(of: bytes).shuffled(using: &random)
    let (first, second) = (damaged(bytes, places[0]), damaged(bytes, places[1]))

    for copies in [[first, second], [second, first], [first, second, bytes]] {
      let joined = try join(copies)
      #expect(try VerifyReport(LogReader(bytes: joined)).problems == [], "seed \(seed)")
      #expect(try difference(Trace(log: joined), trace) == nil, "seed \(seed)")
    }
  }

  /// A copy that ends early loses nothing of the whole one, whichever comes first.
  @Test(.tags(.nightly)) func aCutCopyTakesNothingAway() throws {
    var workload = AppWorkload(count: 900, seed: 5)
    let trace = try workload.readAll()
    let bytes = try log(trace, blockOf: 50)
    for cut in stride(from: 100, to: bytes.count, by: Nightly.count(2_991, all: 997)) {
      let copy = Array(bytes[..<cut])
      for copies in [[copy, bytes], [bytes, copy]] {
        let joined = try join(copies)
        #expect(try difference(Trace(log: joined), trace) == nil, "cut at \(cut)")
      }
    }
  }

  /// What both copies lack is a gap.
  @Test func whatBothCopiesLackIsAGap() throws {
    var workload = AppWorkload(count: 900, seed: 6)
    let trace = try workload.readAll()
    let bytes = try log(trace, blockOf: 50)
    let places = try blocks(of: bytes)
    let (first, second) = (damaged(bytes, places[3]), damaged(damaged(bytes, places[3]), places[7]))
    let joined = try join([first, second])
    let read = try Trace(log: joined)
    #expect(!LogBench.gaps(read).isEmpty)
    #expect(read.events.count { $0.verb != .gap } == trace.events.count - 50)
    #expect(try VerifyReport(LogReader(bytes: joined)).isWhole)
  }

  private func log(_ trace: Trace, blockOf count: Int) throws -> [UInt8] {
    let sink = MemoryLogSink()
    var options = LogWriter.Options()
    options.eventsPerBlock = count
    let writer = try LogWriter(
      to: sink, vocabulary: trace.vocabulary, identity: LogBench.identity, options: options)
    try writer.append(trace.events)
    try writer.close()
    return sink.bytes
  }

  /// Where the blocks begin but the first.
  private func blocks(of bytes: [UInt8]) throws -> [Int] {
    var reader = try LogReader(bytes: bytes)
    var (places, events): ([Int], [Event]) = ([], [])
    while try reader.read(into: &events) { places.append(reader.offset) }
    return Array(places.dropFirst())
  }

  /// The log with a byte changed in the middle of a block's payload.
  private func damaged(_ bytes: [UInt8], _ block: Int) -> [UInt8] {
    var bytes = bytes
    bytes[min(block + 200, bytes.count - 1)] ^= 0x55
    return bytes
  }

  @Test func whatNoSliceHasIsAGap() throws {
    let trace = try LogBench((0..<9).map { "\($0)s main note \"\($0)\"\n" }.joined()).read()
    func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: .seconds(seconds)) }
    let pieces = [at(0)...at(2), at(6)...at(8)]
    let joined = try join(pieces.compactMap { try slice(trace, $0) })
    let read = try Trace(log: joined)
    #expect(LogBench.gaps(read) == ["source-hole main 4…6"])
    #expect(try VerifyReport(LogReader(bytes: joined)).isWhole)
  }

  /// A thread that does not write again after the missing slice has lost its last events there.
  @Test func aThreadThatFallsSilentHasItsGapWhereTheSliceIsMissing() throws {
    let trace = try LogBench(
      (0..<9).map { "\($0)s main note \"\($0)\"\n" }.joined() + "9s main note \"9\"\n"
    ).read()
    var lines = TraceNotation.print(trace).split(separator: "\n").map(String.init)
    lines.insert("4.5s db release lock app \"a\"", at: 5)
    let whole = try LogBench(lines.joined(separator: "\n")).read()
    func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: .seconds(seconds)) }

    let pieces = [at(0)...at(2), at(7)...at(9)]
    let joined = try join(pieces.compactMap { try slice(whole, $0) })
    let read = try Trace(log: joined)
    #expect(Set(LogBench.gaps(read)) == ["source-hole main 4…7", "source-hole db 1…1"])
    #expect(read.events.filter { $0.verb == .gap }.allSatisfy { $0.instant == at(2) })
  }

  @Test func logsOfOneIDWithOtherEventsAreNotJoined() throws {
    let pieces = try ["1s main note \"a\"\n2s main note \"b\"", "1s main work timer app\n"].map {
      try LogBench($0, identity: LogBench.identity).bytes
    }
    #expect(throws: SliceJoin<Bytes>.NotOneLog.self) { try join(pieces) }
  }
}
