import Foundation
import LifecycleModel
import Platform
import Testing
import Traces

@testable import TraceLog

/// The file of a ring: who may open it, and what passes for one.
@Suite struct RingFileTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private static let size = RingMapping.Size(lanes: 2, capacity: 16, wordsCapacity: 4096)

  private func create(_ name: String, ticks: Bool = true) throws -> RingMapping {
    try .create(
      path: folder.file(name), identity: LogBench.identity, size: Self.size, usesTicks: ticks)
  }

  @Test(arguments: [true, false]) func aRingThatWasMadeIsOpened(ticks: Bool) throws {
    let made = try create("a.ring", ticks: ticks)
    for isWritable in [true, false] {
      let opened = try RingMapping.open(path: folder.file("a.ring"), isWritable: isWritable)
      #expect(opened.size == Self.size)
      #expect(RingReader(opened, vocabulary: Vocabulary()).logID == LogBench.identity.logID)
      #expect(opened.hasFile == isWritable)
    }

    // Who maps it sees what others write; a copy is as it was.
    let mapped = try RingMapping.open(path: folder.file("a.ring"), isWritable: true)
    let copy = try RingMapping.open(path: folder.file("a.ring"), isWritable: false)
    made.store(RingFormat.Header.homeless, 77)
    #expect(mapped.load(RingFormat.Header.homeless) == 77)
    #expect(copy.load(RingFormat.Header.homeless) == 0)
    try copy.reload()
    #expect(copy.load(RingFormat.Header.homeless) == 77)
  }

  @Test func whatIsNoRingIsNotOpened() throws {
    let ring = try create("a.ring")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: ring.path))
    let changes: [(String, (inout Data) -> Void)] = [
      ("magic", { $0[0] ^= 1 }), ("version", { $0[RingFormat.Header.version] += 1 }),
      ("lanes", { $0[RingFormat.Header.lanes] = 0 }),
      ("many lanes", { $0[RingFormat.Header.lanes] = 200 }),
      ("capacity", { $0[RingFormat.Header.capacity] = 17 }),
      ("words", { $0[RingFormat.Header.wordsCapacity] = 1 }),
      ("huge words", { $0[RingFormat.Header.wordsCapacity + 7] = 0xff }),
      ("larger than the file", { $0[RingFormat.Header.capacity] = 32 }),
      ("cut", { $0.removeLast() }), ("a header alone", { $0 = $0.prefix(RingFormat.page) }),
      ("empty", { $0 = Data() }), ("text", { $0 = Data("dear reader".utf8) }),
    ]

    for (what, change) in changes {
      var damaged = bytes
      change(&damaged)
      let path = folder.file("damaged.ring")
      try damaged.write(to: URL(fileURLWithPath: path))
      for isWritable in [true, false] {
        #expect(throws: LogError.self, "\(what)") {
          try RingMapping.open(path: path, isWritable: isWritable)
        }
      }
    }
  }

  /// Whatever stands behind a header that is right: events, or losses that are told, and no trap.
  @Test(arguments: 0..<40) func anyBytesBehindTheHeaderAreRead(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let bench = try RingBench(capacity: 16, wordsCapacity: 4096, writers: ["main", "db"])
    for number in 0..<20 { bench.state(RingBench.Fact(label: "n\(number)"), lane: number % 2) }
    let end = bench.ring.size.bytes

    for _ in 0..<Int.random(in: 1...300, using: &random) {
      let place = Int.random(in: (RingFormat.Header.wordsHead / 8)..<(end / 8), using: &random) * 8
      let value = random.next() >> UInt64.random(in: 0..<64, using: &random)
      // The sizes are checked when a ring is opened.
      bench.ring.base.storeBytes(of: value, toByteOffset: place, as: UInt64.self)
    }

    let read = bench.read()
    let instants = read.events.map(\.instant)
    #expect(read.events.count <= 4 * (16 + 2) + 1, "seed \(seed)")
    #expect(instants == instants.sorted(), "seed \(seed)")
    #expect(read.events.allSatisfy { $0.verb.isKnown })

    var reader = RingReader(bench.ring, vocabulary: Vocabulary())
    #expect(reader.openCalls().count <= 4 * RingFormat.Lane.maxOpenCalls)
    var events: [Event] = []
    reader.read(into: &events)
    reader.publishTails()
    reader.freeTails()
    events = []
    reader.read(into: &events)
    #expect(events.allSatisfy { $0.verb == .gap }, "seed \(seed): what is safe came again")
  }

  /// The same moment has the same instant for all who read the ring by one pair of clock readings.
  @Test func ticksBecomeInstants() throws {
    let ring = try create("a.ring", ticks: false)
    let clock = RingClock(ring)
    let first = ring.load(RingFormat.Header.firstTicks)
    let origin = clock.instant(first)

    for span in [0, 1, 999, 1_000_000, 1 << 40] as [UInt64] {
      #expect(clock.instant(first + span).since(origin) == Int64(span))
      #expect(clock.instant(first &- span).since(origin) == -Int64(span))
      #expect(clock.ticks(Int64(span)) == span)
    }

    #expect(clock.ticks(-5) == 0)
    let expected = Int64(bitPattern: ring.load(RingFormat.Header.firstNanoseconds))
    #expect(origin.nanoseconds == expected - LogBench.identity.originMonotonic)
  }

  /// A counter runs at the rate between its two readings, forwards and backwards.
  @Test func aCounterHasARate() throws {
    let ring = try create("a.ring", ticks: true)
    guard ring.hasTicks else { return #expect(platform_has_constant_ticks() == 0) }

    let first = ring.load(RingFormat.Header.firstTicks)
    let start = ring.load(RingFormat.Header.firstNanoseconds)
    for rate in [0.3, 1.0, 2.5, 40.0] {
      let ticks: UInt64 = 10_000_000_000
      let clock = RingClock(
        ring,
        now: ClockPair(ticks: first + ticks, nanoseconds: start + UInt64(Double(ticks) * rate)))
      let second = clock.instant(first + ticks).since(clock.instant(first))
      #expect(abs(Double(second) / (Double(ticks) * rate) - 1) < 1e-6, "\(rate)")
      #expect(abs(Double(clock.ticks(second)) / Double(ticks) - 1) < 1e-6, "\(rate)")
      let before = clock.instant(first &- 1000).since(clock.instant(first))
      #expect(abs(Double(before) + 1000 * rate) <= 1)
    }

    // What no processor does is not believed: a tick is a nanosecond then.
    for (ticks, span) in [(0, 5), (1000, 0), (1, 1 << 40), (1 << 40, 1)] as [(UInt64, UInt64)] {
      let clock = RingClock(ring, now: ClockPair(ticks: first + ticks, nanoseconds: start + span))
      #expect(clock.instant(first + 500).since(clock.instant(first)) == 500)
    }
  }

  @Test func whoRecordsIsEnteredOnce() throws {
    let ring = try create("a.ring")
    #expect(ring.process == nil)
    #expect(ring.enter() && !ring.enter())
    #expect(ring.process?.number == getpid())

    // The log of this ring was begun in another boot of the machine.
    #expect(ring.isAbandoned)
    let own = try RingMapping.create(
      path: folder.file("own.ring"), identity: .now(), size: Self.size)
    #expect(own.enter() && !own.isAbandoned)
    ring.refuse(process: 12)
    ring.refuse(process: 34)
    #expect(ring.refusedProcesses.count == 2 && ring.refusedProcesses.last == 34)
  }

  @Test func aRingIsWhereItsPathIs() throws {
    let ring = try create("a.ring")
    #expect(ring.isInPlace)
    try FileManager.default.moveItem(atPath: ring.path, toPath: folder.file("b.ring"))
    #expect(!ring.isInPlace)
    // A new one takes the place; the old one is another.
    let other = try create("a.ring")
    #expect(other.isInPlace && !ring.isInPlace)
  }
}
