import LifecycleModel
import Testing
import TraceText
import Traces
import Workloads

@testable import TraceLog

/// Logs that are merged, and the clocks by which they are.
@Suite struct MergeTests {
  /// A piece of a log, or a log, in memory.
  private struct Piece {
    var bytes: [UInt8]
    var name = "log"
    var shift: Nanoseconds = 0
  }

  /// What came of a merge.
  private struct Merged {
    var bytes: [UInt8]
    var repeatedCount = 0
    var missingCount: UInt64 = 0
  }

  /// Merges logs, in the order of pieces; those of one log id stand together.
  private func merge(_ pieces: [Piece]) throws -> Merged {
    let sink = MemoryLogSink()
    let vocabulary = Vocabulary()
    var merger = LogMerger(vocabulary)
    var writer: LogWriter?
    var merged = Merged(bytes: [])

    for group in try groups(pieces) {
      var joined = try SliceJoin(group.map { try begin($0) })
      try merger.begin(
        group[0].name, joined.vocabulary, shift: group[0].shift, after: joined.beginning)
      let beginning = try #require(merger.beginning)
      let log =
        try writer
        ?? LogWriter(
          to: sink, vocabulary: vocabulary, identity: LogBench.identity, after: beginning)
      writer = log
      var events: [Event] = []
      while try joined.read(into: &events) { try log.append(merger.take(events)) }
      merged.repeatedCount += joined.repeatedCount
      merged.missingCount += joined.missingCount
    }

    try writer?.close()
    merged.bytes = sink.bytes
    return merged
  }

  private func groups(_ pieces: [Piece]) throws -> [[Piece]] {
    var groups: [(id: [UInt8]?, pieces: [Piece])] = []
    for piece in pieces {
      let id = try LogReader(bytes: piece.bytes).identity?.logID
      if groups.last?.id == id && id != nil {
        groups[groups.count - 1].pieces.append(piece)
      } else {
        groups.append((id, [piece]))
      }
    }
    return groups.map(\.pieces)
  }

  /// A piece, and what stands before it.
  private func begin(_ piece: Piece) throws -> (stream: Bytes, beginning: LogBeginning) {
    var reader = try LogReader(bytes: piece.bytes)
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

  /// A log that is cut into slices, which may overlap, and merged again is the log.
  @Test(arguments: 0..<40) func theSlicesOfALogAreTheLog(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var workload = AppWorkload(count: 300, seed: seed)
    var maker = ArbitraryTrace(seed: seed)
    let trace = random.oneIn(2) ? try workload.readAll() : maker.trace(count: 150)
    let cuts = (0..<3).compactMap { _ in trace.events.randomElement(using: &random)?.instant }
      .sorted()

    var pieces: [Piece] = []
    var from = Instant.distantPast
    for cut in cuts + [.distantFuture] {
      if let bytes = try slice(trace, from...cut) { pieces.append(Piece(bytes: bytes)) }
      // The next slice begins with the last events of this one.
      from = cut.advanced(by: -Nanoseconds.random(in: 0...5, using: &random))
    }

    let merged = try merge(pieces)
    #expect(try VerifyReport(LogReader(bytes: merged.bytes)).problems == [], "seed \(seed)")
    #expect(try difference(Trace(log: merged.bytes), trace) == nil, "seed \(seed)")
    #expect(merged.missingCount == 0)
  }

  /// What one copy has lost another one has: copies that are damaged in different places are the log.
  @Test(arguments: 0..<40) func copiesFillEachOthersHoles(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var workload = AppWorkload(count: 900, seed: seed)
    let trace = try workload.readAll()
    let bytes = try log(trace, blockOf: 50)
    let places = try blocks(of: bytes).shuffled(using: &random)
    let (first, second) = (damaged(bytes, places[0]), damaged(bytes, places[1]))

    for copies in [[first, second], [second, first], [first, second, bytes]] {
      let merged = try merge(copies.map { Piece(bytes: $0) })
      #expect(merged.missingCount == 0, "seed \(seed)")
      #expect(try VerifyReport(LogReader(bytes: merged.bytes)).problems == [], "seed \(seed)")
      #expect(try difference(Trace(log: merged.bytes), trace) == nil, "seed \(seed)")
    }
  }

  /// A copy that ends early loses nothing of the whole one, whichever comes first.
  @Test func aCutCopyTakesNothingAway() throws {
    var workload = AppWorkload(count: 900, seed: 5)
    let trace = try workload.readAll()
    let bytes = try log(trace, blockOf: 50)
    for cut in stride(from: 100, to: bytes.count, by: 997) {
      let copy = Piece(bytes: Array(bytes[..<cut]))
      for copies in [[copy, Piece(bytes: bytes)], [Piece(bytes: bytes), copy]] {
        let merged = try merge(copies)
        #expect(try difference(Trace(log: merged.bytes), trace) == nil, "cut at \(cut)")
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
    let merged = try merge([Piece(bytes: first), Piece(bytes: second)])
    #expect(merged.missingCount + UInt64(LogBench.gaps(try Trace(log: merged.bytes)).count) > 0)
    let read = try Trace(log: merged.bytes)
    #expect(read.events.count { $0.verb != .gap } == trace.events.count - 50)
    #expect(try VerifyReport(LogReader(bytes: merged.bytes)).isWhole)
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
    let merged = try merge(pieces.compactMap { try slice(trace, $0).map { Piece(bytes: $0) } })
    #expect(merged.missingCount == 3)
    let read = try Trace(log: merged.bytes)
    #expect(LogBench.gaps(read) == ["source-hole main 4…6"])
    #expect(try VerifyReport(LogReader(bytes: merged.bytes)).isWhole)
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
    let merged = try merge(pieces.compactMap { try slice(whole, $0).map { Piece(bytes: $0) } })
    let read = try Trace(log: merged.bytes)
    #expect(Set(LogBench.gaps(read)) == ["source-hole main 4…7", "source-hole db 1…1"])
    #expect(read.events.filter { $0.verb == .gap }.allSatisfy { $0.instant == at(2) })
    #expect(merged.missingCount == 5)
  }

  @Test func logsOfOneIDWithOtherEventsAreNotJoined() throws {
    let pieces = try ["1s main note \"a\"\n2s main note \"b\"", "1s main work timer app\n"].map {
      Piece(bytes: try log($0, 1))
    }
    #expect(throws: SliceJoin<Bytes>.NotOneLog.self) { try merge(pieces) }
  }

  // MARK: Different logs

  private func log(_ notation: String, _ id: UInt8) throws -> [UInt8] {
    var identity = LogBench.identity
    identity.logID = Array(repeating: id, count: 16)
    return try LogBench(notation, identity: identity).bytes
  }

  @Test func differentLogsKeepApartWhatIsNotTheSame() throws {
    let first = try log(
      """
      0s - profile mode=scene
      1s - process.start app pid=1
      2s main call sceneWillConnect scene:1 session=1
      3s main return sceneWillConnect scene:1
      4s db work save app
      5s main task.begin task:3
      """, 1)
    let second = try log(
      """
      0s - process.start app pid=2
      1s main call sceneWillConnect scene:1 session=1
      2s db work save app task=2
      3s main task.begin task:2
      4s - gap ring-full 1 writer=db from=2 to=2
      5s db work load app
      """, 2)
    let merged = try merge([
      Piece(bytes: first, name: "monday"),
      Piece(bytes: second, name: "tuesday", shift: .seconds(60)),
    ])
    #expect(try VerifyReport(LogReader(bytes: merged.bytes)).problems == [])
    let printed = TraceNotation.print(try Trace(log: merged.bytes)).split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      Array(printed[6...]) == [
        "5s - gap source-hole -1", "5s - profile", "60s - process.start app pid=2",
        "61s main call sceneWillConnect scene:2 session=2", "62s tuesday/db work save app task=5",
        "63s main task.begin task:5", "64s - gap ring-full 1 writer=tuesday/db from=2 to=2",
        "65s tuesday/db work load app",
      ], "\(printed)")
  }

  /// What was true of a log whose beginning is gone is told where it comes.
  @Test func aLateLogTellsWhatWasTrue() throws {
    let late = try LogBench(
      """
      0s - profile mode=app
      1s - process.start app
      2s main acquire lock app "db"
      3s main note "a"
      4s main note "b"
      """
    ).read()
    let bytes = try #require(try slice(late, Instant(nanoseconds: .seconds(4)) ... .distantFuture))
    let first = try log("0s - profile mode=scene\n1s worker note \"x\"\n", 7)
    let merged = try merge([Piece(bytes: first), Piece(bytes: bytes, shift: .seconds(10))])
    let read = try Trace(log: merged.bytes)
    let verbs = read.events.map { read.vocabulary.word(of: $0.verb) }
    #expect(
      verbs == [
        "profile", "note", "gap", "profile", "process.start", "gap", "acquire", "note",
      ])
    #expect(LogBench.gaps(read) == ["source-hole ?", "rotated 4"])
    #expect(try VerifyReport(LogReader(bytes: merged.bytes)).problems == [])
  }

  // MARK: Clocks

  private func clock(
    _ id: UInt8, boot: UInt8 = 0, monotonic: Int64 = 0, wall: Int64 = 0
  ) -> LogAlignment.Clock {
    LogAlignment.Clock(
      LogIdentity(
        logID: [id], originWall: wall, originMonotonic: monotonic, originBoottime: 0,
        bootID: boot == 0 ? [] : [boot]),
      wall: wall == 0 ? nil : wall)
  }

  @Test func oneBootIsExactAndTheWallClockComesSecond() throws {
    let aligned = try LogAlignment([
      clock(1, boot: 5, monotonic: 1000, wall: 900_000),
      clock(2, boot: 6, monotonic: 50, wall: 800_000),
      // The wall clock was set meanwhile: the boot knows better.
      clock(3, boot: 6, monotonic: 80, wall: 100),
      clock(2, boot: 6, monotonic: 50, wall: 800_000),
    ])
    #expect(aligned.shifts == [100_000, 0, 30, 0])
    #expect(aligned.means.map { $0?.means } == [nil, .wall, .boot, .log])
    #expect(aligned.means.map { $0?.other } == [nil, 0, 1, 1])
    #expect(aligned.reference == 1)
  }

  @Test func aLogWithoutAClockIsRefused() throws {
    let clocks = [clock(1, wall: 5), LogAlignment.Clock(nil, wall: nil)]
    #expect(throws: LogAlignment.Refusal.self) { try LogAlignment(clocks) }
    let said = try LogAlignment(clocks, isSameOrigin: true)
    #expect(said.shifts == [0, 0] && said.means[1]?.means == .said)
    // A boot of no machine is no boot.
    #expect(throws: LogAlignment.Refusal.self) {
      try LogAlignment([clock(1, monotonic: 5), clock(2, monotonic: 9)])
    }
  }
}
