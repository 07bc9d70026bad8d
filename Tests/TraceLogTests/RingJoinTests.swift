import Foundation
import LifecycleModel
import Testing
import Traces

@testable import TraceLog

/// A log and the ring beside it, read as one.
@Suite struct RingJoinTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  /// Whoever dies, and when: what was stated is read once, from the log or from the ring.
  @Test(arguments: 0..<25) func nothingIsReadTwiceOrNever(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let path = folder.file("log.bin")
    let identity = LogIdentity.now()
    let ring = try RingMapping.create(
      beside: path, at: nil, identity: identity,
      size: RingMapping.Size(lanes: 3, capacity: 32, wordsCapacity: 1 << 16), usesTicks: false)
    let bench = RingBench(ring, writers: ["main", "db"])
    let vocabulary = Vocabulary()
    let log = try RotatingLog(path: path, .create, vocabulary: vocabulary, identity: identity)
    var drain = RingReader(ring, vocabulary: vocabulary)
    var isDead = false
    // A drain that comes late finds full lanes.
    let pace = Int.random(in: 8...90, using: &random)
    for number in 0..<Int.random(in: 1...300, using: &random) {
      let fact = RingBench.Fact(label: "n\(number)", value: random.oneIn(3) ? 7 : nil)
      bench.state(fact, lane: Int.random(in: 0..<2, using: &random))
      guard !isDead, random.oneIn(pace) else { continue }

      var events: [Event] = []
      drain.read(into: &events)
      try log.append(events)
      try log.flush()
      // The drain may die before it says what is safe; the ring then has it, too, and the app goes on.
      isDead = random.oneIn(4)
      if !isDead { drain.publishTails() }
      if !isDead { drain.freeTails() }
    }
    var reader = try LogReader(path: path)
    let read = try reader.readAll()
    let told = read.withoutGaps.events.map {
      "\(read.vocabulary.name(of: $0.writer)) \($0.sequence) \(read.vocabulary.text($0.label))"
    }
    let stated = bench.statements.filter { !$0.isRefused }.map {
      "\($0.writer) \($0.sequence) \($0.fact.label)"
    }
    #expect(told.sorted() == stated.sorted(), "seed \(seed)")
    let lost = read.events.compactMap { Gap($0, in: read.vocabulary)?.count }.reduce(0, +)
    #expect(Int(lost) == bench.statements.count - stated.count, "seed \(seed)")
    let summary = try LogSummary(path: path)
    #expect(Int(summary.eventCount) + summary.ringEvents >= stated.count, "seed \(seed)")
    #expect(try VerifyReport(path: path).problems == [], "seed \(seed)")
  }

  private func smallRing(
    beside log: String, _ identity: LogIdentity
  ) throws -> (RingMapping, RingBench) {
    let ring = try RingMapping.create(
      beside: log, at: nil, identity: identity,
      size: RingMapping.Size(lanes: 2, capacity: 32, wordsCapacity: 1 << 16), usesTicks: false)
    return (ring, RingBench(ring, writers: ["main"]))
  }

  /// A file that was never a ring holds nothing before the first block, and behind it has lost what it held.
  @Test(arguments: [false, true]) func anEmptyRingIsALossBehindABlock(hasBlock: Bool) throws {
    let path = folder.file("log.bin")
    let log = try RotatingLog(
      path: path, .create, vocabulary: Vocabulary(), identity: .now())
    if hasBlock {
      try log.append([Event(sequence: 1, instant: .origin, writer: .main, verb: .note)])
    }
    try log.close()
    try Data().write(to: URL(fileURLWithPath: path + RingFormat.pathEnding))

    #expect(try VerifyReport(path: path).isWhole == !hasBlock)
    var reader = try LogReader(path: path)
    #expect(LogBench.gaps(try reader.readAll()) == (hasBlock ? ["source-hole ?"] : []))
  }

  /// A loss of threads without a lane has no sequence by which it would be known again.
  @Test(arguments: [true, false])
  func whatThreadsWithoutALaneLostIsToldOnceWhenADrainDies(hasWritten: Bool) throws {
    let path = folder.file("log.bin")
    let identity = LogIdentity.now()
    let (ring, bench) = try smallRing(beside: path, identity)
    let vocabulary = Vocabulary()
    let log = try RotatingLog(path: path, .create, vocabulary: vocabulary, identity: identity)
    var drain = RingReader(ring, vocabulary: vocabulary)
    bench.state(RingBench.Fact(), lane: 0)
    ring.store(RingFormat.Header.homeless, 3)

    var events: [Event] = []
    drain.read(into: &events)
    drain.announceHomeless(in: events, behind: log.eventCount)
    // The drain dies in front of the block or behind it, and never says what is safe.
    if hasWritten {
      try log.append(events)
      try log.flush()
    }

    var reader = try LogReader(path: path)
    let read = try reader.readAll()
    #expect(read.events.compactMap { Gap($0, in: read.vocabulary)?.count } == [3])
    #expect(read.withoutGaps.events.map(\.verb) == [.work])
  }

  /// The system's events are in no lane: a torn block that took one is told.
  @Test func whatATornBlockTookOfAWriterWithoutALaneIsTold() throws {
    let path = folder.file("log.bin")
    let identity = LogIdentity.now()
    let vocabulary = Vocabulary()
    let log = try RotatingLog(path: path, .create, vocabulary: vocabulary, identity: identity)
    for sequence in 1...2 as ClosedRange<UInt64> {
      try log.append([
        Event(sequence: sequence, instant: .origin, writer: .system, verb: .note)
      ])
      try log.flush()
    }
    try log.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.dropLast().write(to: URL(fileURLWithPath: path))

    let ring = try RingMapping.create(
      beside: path, at: nil, identity: identity,
      size: RingMapping.Size(lanes: 2, capacity: 32, wordsCapacity: 1 << 16), usesTicks: false)
    let bench = RingBench(ring, writers: ["main"])
    bench.state(RingBench.Fact(), lane: 0)
    var reader = try LogReader(path: path)
    let read = try reader.readAll()
    #expect(LogBench.gaps(read) == ["torn-tail - 2…2"])
    #expect(read.withoutGaps.events.map(\.verb) == [.note, .work])
  }

  /// A power loss may leave a block's length and not its bytes, while the ring is whole on the disk.
  @Test(arguments: [true, false]) func whatADamagedLastBlockTookIsReadFromTheRing(
    ringHasIt: Bool
  ) throws {
    let path = folder.file("log.bin")
    let identity = LogIdentity.now()
    let (ring, bench) = try smallRing(beside: path, identity)
    for number in 1...4 { bench.state(RingBench.Fact(label: "fact \(number)"), lane: 0) }
    let vocabulary = Vocabulary()
    let log = try RotatingLog(path: path, .create, vocabulary: vocabulary, identity: identity)
    var drain = RingReader(ring, vocabulary: vocabulary)
    var events: [Event] = []
    drain.read(into: &events)
    try log.append(events)
    try log.close()
    if !ringHasIt {
      drain.publishTails()
      drain.freeTails()
    }

    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count - 3] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    var reader = try LogReader(path: path)
    let read = try reader.readAll()
    #expect(reader.damages.map(\.kind) == [.corruptBlock])
    #expect(LogBench.gaps(read) == (ringHasIt ? [] : ["corrupt-block main 1…4"]))
    #expect(read.withoutGaps.events.map(\.sequence) == (ringHasIt ? [1, 2, 3, 4] : []))

    let tail = try LogTail(path: path)
    #expect(tail.logEnd.lastSequences.isEmpty && tail.end < bytes.count)
    #expect(tail.logEnd.lost.map(\.to) == [4])
  }

  /// The gap lies where the log ends, although another writer's events come before the one that shows it.
  @Test func whatNeitherHasIsToldInItsPlace() throws {
    let words = Vocabulary()
    let db = try words.writer("db")
    func event(_ seconds: Int64, _ writer: WriterID, _ sequence: UInt64) -> Event {
      Event(
        sequence: sequence, instant: Instant(nanoseconds: .seconds(seconds)), writer: writer,
        verb: .note)
    }
    let ring = [event(2, .main, 2), event(3, db, 2), event(4, .main, 3), event(5, db, 4)]
    let end = LogEnd(["main": 1], at: Instant(nanoseconds: .seconds(1)), eventCount: 1)
    let read = RingReader.unseen(ring, behind: end, words)
    let told = read.events.map { event in
      let gap = Gap(event, in: words).map { " lost \($0.from ?? 0)…\($0.to ?? 0)" } ?? ""
      return "\(event.instant.nanoseconds / .seconds(1))s\(gap)"
    }
    #expect(read.hasHole)
    #expect(told == ["1s lost 1…1", "2s", "3s", "3s lost 3…3", "4s", "5s"])
  }
}
