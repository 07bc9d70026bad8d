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
}
