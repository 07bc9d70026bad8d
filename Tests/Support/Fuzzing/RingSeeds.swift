import LifecycleModel
import TraceLog
import TraceText

/// A log, and rings that go on where it ends.
enum RingSeeds {
  private static let identity = LogIdentity(
    logID: Array(1...16), originWall: 1_795_300_000_000_000_000, originMonotonic: 5_000_000_000,
    originBoottime: 6_000_000_000, bootID: Array(0xb0...0xbf))

  /// A log of two events.
  static func log() throws -> [UInt8] {
    try log(
      TraceNotation.parse(
        """
        0s - process.start app pid=412
        1s main work timer app "tick"
        """))
  }

  /// A log of a trace, in blocks of so many events.
  static func log(_ trace: Trace, eventsPerBlock: Int = 16) throws -> [UInt8] {
    let sink = MemoryLogSink()
    var options = LogWriter.Options()
    options.eventsPerBlock = eventsPerBlock
    let writer = try LogWriter(
      to: sink, vocabulary: trace.vocabulary, identity: identity, options: options)
    try writer.append(trace.events)
    try writer.close()
    return sink.bytes
  }

  /// The bytes of a ring with `count` events in each of two lanes, of as many shapes as there are.
  static func ring(_ count: UInt64) throws -> [UInt8] {
    let ring = try RingMapping.inMemory(
      identity: identity, size: RingMapping.Size(lanes: 2, capacity: 64, wordsCapacity: 4096))
    ring.store(RingFormat.Header.firstTicks, 0)
    ring.store(RingFormat.Header.firstNanoseconds, 5_000_000_000)
    let words = WordTable(ring)
    let home = RingWriterHome(
      ring: ring, words: words, lastSequences: ["main": 1], owner: ring.base)

    for writer in ["main", "db"] {
      guard let lane = RingWriter.take(home, writer: writer) else { continue }
      for number in 0..<count { write(number, lane, words) }
      lane.pointee.refuse()
      RingWriter.giveBack(lane)
    }
    return withExtendedLifetime(ring) {
      Array(UnsafeRawBufferPointer(start: ring.base, count: ring.size.bytes))
    }
  }

  private static func write(
    _ number: UInt64, _ lane: UnsafeMutablePointer<RingWriter>, _ words: WordTable
  ) {
    typealias Content = RingFormat.Content
    typealias Extension = RingFormat.Extension
    func extend(_ type: UInt64, _ ticks: UInt64, _ operand: UInt64 = 0) {
      lane.pointee.put(ticks, type << Content.kindShift | operand << Content.operandShift)
    }

    if number % 5 == 1 { extend(Extension.value, number) }
    if number % 5 == 2 { extend(Extension.attributes, 0, words.word("key\0value\0")) }
    if number % 5 == 3 { extend(Extension.wide, words.word("timer") | 7 << 32, words.word("tick")) }
    if number % 5 == 4 {
      Array("a label".utf8).withUnsafeBufferPointer {
        lane.pointee.putText(Slice(base: $0, bounds: $0.indices))
      }
    }

    let subject = Subject.Kind.allCases[Int(number) % Subject.Kind.allCases.count]
    var content = UInt64(Verb.known[Int(number) % Verb.known.count].code)
    content |= UInt64(subject.rawValue) << Content.kindShift
    if number % 5 != 0 { content |= Content.extendedBit }
    if number % 5 != 3 { content |= words.word("timer") << Content.nameShift }
    lane.pointee.put(2_000_000_000 + number * 1_000_000, content)
    lane.pointee.publish()
  }
}
