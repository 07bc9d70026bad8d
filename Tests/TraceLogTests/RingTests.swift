import LifecycleModel
import Platform
import Testing
import Traces

@testable import TraceLog

/// A ring's writer and its reader, as a pair.
@Suite struct RingTests {
  private static let texts = [
    "", "a", "notes.db", "näïve ☂", "twelve bytes", "thirteen byte",
    String(repeating: "long ", count: 30),
  ]

  private func fact(_ random: inout SeededGenerator) -> RingBench.Fact {
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &random)]
    }
    var fact = RingBench.Fact()
    fact.verb = pick([.work, .call, .return, .note, .acquire, .taskBegin])
    fact.name = pick(["", "timer", "sceneWillConnect", "my own"])
    fact.subject = pick([.none, .app, .nil, .scene(3), .session(.max), .task(1 << 20), .task(7)])
    fact.label = pick(Self.texts)
    fact.isText = random.oneIn(3)
    if random.oneIn(3) { fact.value = pick([0, -1, .min, .max, 12_345]) }
    if random.oneIn(4) { fact.attributes = pick([["k", "v"], ["handler", "true", "line", "7"]]) }
    return fact
  }

  /// Everything that was stated is read once, or told as refused, whenever a drain comes, and whoever
  /// reads what no drain has taken.
  @Test(arguments: 0..<40) func whatIsStatedIsReadOrTold(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let bench = try RingBench(
      capacity: random.oneIn(2) ? 16 : 64, writers: ["main", "db", "net"],
      lastSequences: random.oneIn(2) ? [:] : ["main": 41, "db": 7])
    var reader = RingReader(bench.ring, vocabulary: Vocabulary())
    var trace = Trace(vocabulary: reader.vocabulary)

    for _ in 0..<Int.random(in: 0...300, using: &random) {
      bench.state(fact(&random), lane: Int.random(in: 0..<3, using: &random))
      if random.oneIn(25) {
        reader.read(into: &trace.events)
        // A drain that dies in between leaves all to the next reader.
        reader.publishTails()
        reader.freeTails()
      }
    }

    let rest = bench.read(reader.vocabulary)
    trace.events += rest.events
    let facts = expectedLines(bench)
    #expect(lines(trace.withoutGaps).sorted() == facts.sorted(), "seed \(seed)")
    expectRefusalsAreTold(trace, bench, seed)
    let instants = trace.events.map(\.instant)
    #expect(instants == instants.sorted(), "seed \(seed): not in order")
  }

  /// The events that were taken, as ``lines(_:)`` tells events.
  private func expectedLines(_ bench: RingBench) -> [String] {
    let origin =
      Int64(bitPattern: bench.ring.load(RingFormat.Header.firstNanoseconds))
      - LogBench.identity.originMonotonic
    let first = bench.ring.load(RingFormat.Header.firstTicks)
    return bench.statements.filter { !$0.isRefused }.map { statement in
      let fact = statement.fact
      let pairs = stride(from: 0, to: fact.attributes.count, by: 2).map {
        "\(fact.attributes[$0])=\(fact.attributes[$0 + 1])"
      }
      return [
        "\(statement.sequence)", "\(origin + Int64(statement.ticks - first))", statement.writer,
        fact.verb.word ?? "", fact.name, fact.subject.description, fact.label,
        fact.value.map(String.init) ?? "-",
      ].joined(separator: " ") + " " + pairs.joined(separator: ",")
    }
  }

  private func expectRefusalsAreTold(_ trace: Trace, _ bench: RingBench, _ seed: UInt64) {
    let gaps = trace.events.compactMap { Gap($0, in: trace.vocabulary) }
    #expect(gaps.allSatisfy { $0.cause == GapCause.ringFull.rawValue }, "seed \(seed)")
    for lane in bench.lanes {
      let refused = bench.statements.filter { $0.writer == lane.name && $0.isRefused }
      let told = gaps.filter { $0.writer == lane.name }.flatMap { gap in
        gap.from.map { from in Array(from...(gap.to ?? from)) } ?? []
      }
      #expect(told == refused.map(\.sequence), "seed \(seed): \(lane.name)")
    }
  }

  /// Who reads does not take: two readers see the same, until a drain says what is safe.
  @Test func readingTakesNothing() throws {
    let bench = try RingBench(writers: ["main", "db"])
    for number in 0..<20 {
      bench.state(RingBench.Fact(label: "n\(number)"), lane: number % 2)
    }

    let first = bench.read()
    #expect(lines(first) == lines(bench.read()) && first.events.count == 20)
    var drain = RingReader(bench.ring, vocabulary: Vocabulary())
    var watcher = RingReader(bench.ring, vocabulary: Vocabulary())
    var events: [Event] = []
    drain.read(into: &events)
    #expect(!watcher.isOvertaken)
    drain.publishTails()
    drain.freeTails()
    #expect(watcher.isOvertaken && events.count == 20)
    #expect(bench.read().events.isEmpty)
    events = []
    watcher.read(into: &events)
    #expect(events.count == 20)
  }

  @Test func aRingIsUrgentWhenItIsHalfFullOrRefuses() throws {
    let bench = try RingBench(capacity: 16, writers: ["main"])
    let reader = RingReader(bench.ring, vocabulary: Vocabulary())
    for number in 1...20 {
      bench.state(RingBench.Fact(), lane: 0)
      #expect(reader.isUrgent == (number > 8), "\(number)")
    }
  }

  @Test func whatADiskHadNoRoomForIsSaidToBeTheDisksFault() throws {
    let bench = try RingBench(capacity: 16, writers: ["main"])
    var reader = RingReader(bench.ring, vocabulary: Vocabulary())
    for _ in 0..<20 { bench.state(RingBench.Fact(), lane: 0) }
    reader.blameDisk()
    var trace = Trace(vocabulary: reader.vocabulary)
    reader.read(into: &trace.events)
    #expect(LogBench.gaps(trace) == ["disk-full main 17…20"])
    reader.publishTails()
    reader.freeTails()
    for _ in 0..<20 { bench.state(RingBench.Fact(), lane: 0) }
    trace.events = []
    reader.read(into: &trace.events)
    #expect(LogBench.gaps(trace) == ["ring-full main 36…40"])
  }

  @Test func openCallsAreNamedFromTheOutermost() throws {
    let bench = try RingBench(writers: ["main", "db"])
    let shift = RingFormat.Content.nameShift
    let lane = bench.lanes[0].writer
    let names = (0..<20).map { "callback\($0)" }

    for name in names {
      lane.pointee.noteOpenCall(bench.words.word(name) << shift)
      lane.pointee.depth += 1
      lane.pointee.publishDepth()
    }

    let reader = RingReader(bench.ring, vocabulary: Vocabulary())
    // Deeper ones are counted, and not named.
    #expect(reader.openCalls().map(\.name) == Array(names.prefix(RingFormat.Lane.maxOpenCalls)))
    #expect(reader.openCalls().allSatisfy { $0.writer == "main" })
    lane.pointee.depth = 2
    lane.pointee.publishDepth()
    #expect(reader.openCalls().map(\.name) == ["callback0", "callback1"])
  }

  @Test func aLaneBelongsToOneWriterAtATime() throws {
    let bench = try RingBench(writers: ["main", "main", "a", "b", "c", "d"])
    #expect(bench.lanes.map(\.name) == ["main", "a", "b", "c"])
    let header = bench.lanes[3].writer.pointee.header
    bench.giveBackLastLane()
    let home = RingWriterHome(
      ring: bench.ring, words: bench.words, lastSequences: [:], owner: bench.ring.base)

    // It is free if a drain has taken what is in it.
    #expect(RingWriter.take(home, writer: "e") == nil)
    var reader = RingReader(bench.ring, vocabulary: Vocabulary())
    var events: [Event] = []
    reader.read(into: &events)
    reader.publishTails()
    reader.freeTails()
    let lane = try #require(RingWriter.take(home, writer: "e"))
    #expect(lane.pointee.header == header)
    RingWriter.giveBack(lane)
  }

  @Test(arguments: 0..<5) func wordsAreInternedWhileThereIsRoom(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let bench = try RingBench(wordsCapacity: RingFormat.page, writers: [])
    var known: [String: UInt64] = [:]

    for _ in 0..<400 {
      let text = "word \(Int.random(in: 0..<250, using: &random))"
      let word = bench.words.word(text)
      #expect(known[text] ?? word == word, "seed \(seed): a word has two numbers")
      if word != 0 {
        known[text] = word
        #expect(bench.words.text(word) == text)
      }
    }

    #expect(Set(known.values).count == known.count && known.count > 100 && known.count < 250)
    #expect(bench.words.word("") == 0)
    // An emptied ring takes words again.
    bench.ring.reset(identity: LogBench.identity)
    bench.words.removeAll()
    #expect(bench.words.word("another") != 0)
  }

  /// As where a power loss left the length of a word, and not its bytes.
  @Test func aWordWithoutItsBytesEndsTheLane() throws {
    let bench = try RingBench(writers: ["main"])
    bench.state(RingBench.Fact(label: "first"), lane: 0)
    bench.state(RingBench.Fact(label: "second"), lane: 0)
    let bytes = bench.ring.words + 8 * Int(bench.words.word("second")) + 8
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 6)

    let read = bench.read()
    #expect(read.withoutGaps.events.map { read.vocabulary.text($0.label) } == ["first"])
    #expect(LogBench.gaps(read) == ["corrupt-block ?"])
  }

  /// As where a power loss left a sector that was never written, before another that was.
  @Test(arguments: [nil, 7] as [Int64?]) func recordsThatAreZerosEndTheLane(value: Int64?) throws {
    let bench = try RingBench(writers: ["main"])
    for number in 1...4 {
      bench.state(RingBench.Fact(label: "fact \(number)", value: value), lane: 0)
    }
    let length = 16 * (value == nil ? 1 : 2)
    (bench.ring.lane(0) + RingFormat.page + length)
      .initializeMemory(as: UInt8.self, repeating: 0, count: length)

    let read = bench.read()
    #expect(read.withoutGaps.events.map { read.vocabulary.text($0.label) } == ["fact 1"])
    #expect(LogBench.gaps(read) == ["corrupt-block ?"])
  }

  /// As where a power loss left the sector of an earlier lap.
  @Test func aValueOfAnEarlierLapEndsTheLane() throws {
    let bench = try RingBench(capacity: 16, writers: ["main"])
    func state(_ values: ClosedRange<Int64>) {
      for value in values { bench.state(RingBench.Fact(value: value), lane: 0) }
    }
    state(1...8)
    let records = bench.ring.lane(0) + RingFormat.page
    let earlier = (0..<16).map { records.load(fromByteOffset: 32 + $0, as: UInt8.self) }
    var drain = RingReader(bench.ring, vocabulary: Vocabulary())
    var events: [Event] = []
    drain.read(into: &events)
    #expect(events.compactMap(\.value) == Array(1...8))
    drain.publishTails()
    drain.freeTails()

    state(9...12)
    records.advanced(by: 32).copyMemory(from: earlier, byteCount: 16)
    let read = bench.read()
    #expect(read.withoutGaps.events.map(\.value) == [9])
    #expect(LogBench.gaps(read) == ["corrupt-block ?"])
  }

  @Test func aLongWordIsCut() throws {
    let bench = try RingBench(writers: ["main"])
    let long = String(repeating: "x", count: RingFormat.maxWordBytes + 100)
    bench.state(RingBench.Fact(label: long), lane: 0)
    let read = bench.read()
    let label = try #require(read.events.first).label
    #expect(read.vocabulary.text(label) == String(long.prefix(RingFormat.maxWordBytes)))
  }

  @Test func sizesThatCannotBeAreRefused() throws {
    for size in [(1, 16, 4096), (128, 1 << 22, 8 << 20), (16, 1 << 15, 1 << 20)] {
      try RingMapping.Size(lanes: size.0, capacity: size.1, wordsCapacity: size.2).check()
    }
    let impossible = [
      (0, 16, 4096), (129, 16, 4096), (-1, 16, 4096), (1, 8, 4096), (1, 17, 4096),
      (1, 1 << 23, 4096),
      (1, 16, 0), (1, 16, 4097), (1, 16, (8 << 20) + 4096),
    ]

    for size in impossible {
      #expect(throws: LogError.self, "\(size)") {
        try RingMapping.Size(lanes: size.0, capacity: size.1, wordsCapacity: size.2).check()
      }
    }
  }
}
