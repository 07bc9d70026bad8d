import AnalysisTestSupport
import LifecycleModel
import Platform
import TraceLog
import Traces

// Logs of several files: older parts, and rings of apps that died.
extension Recipe {
  static let parts = [
    rotated("2 parts", count: 60, block: 10, part: 900),
    rotated("4 parts", count: 120, block: 12, part: 700),
    rotated("8 parts", count: 60, block: 4, part: 300),
    rotated("late", count: 120, block: 10, part: 500, kept: 1500),
  ]

  static let rings = [
    ringed("ring alone", count: 0),
    ringed("ring", count: 40),
    ringed("ring and parts", count: 60, part: 900),
    ringed("ring that overlaps", count: 40, overlap: 3),
    ringed("full ring", count: 30, stated: 24),
  ]

  private static func rotated(
    _ name: String, count: Int, block: Int, part: Int, kept: Int? = nil
  ) -> Recipe {
    let holds = kept == nil ? "" : ", of which the first are gone"
    return Recipe(name: name, holds: "parts of \(part) bytes\(holds), \(block) events a block") {
      try write(to: $0, life(count), name, block: block, part: part, kept: kept)
    }
  }

  private static func life(_ count: Int) -> Trace {
    var life = ArbitraryLife(seed: UInt64(count))
    return count == 0 ? Trace() : life.trace(count: count)
  }

  private static func write(
    to path: String, _ trace: Trace, _ name: String, block: Int, part: Int?, kept: Int? = nil,
    more: (RotatingLog) throws -> Void = { _ in }
  ) throws -> Trace {
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: SmallLog.identity(name),
      options: .of(block: block), limits: LogLimits(maxPartBytes: part, keptBytes: kept))

    // Block by block: a limit is looked at behind each.
    for start in stride(from: 0, to: trace.events.count, by: block) {
      try log.append(trace.events[start..<min(start + block, trace.events.count)])
      try log.flush()
    }
    try more(log)
    try log.close()
    return trace
  }

  /// A log beside which the ring lies of an app that died; of what is stated there the log holds the
  /// first `overlap`.
  private static func ringed(
    _ name: String, count: Int, part: Int? = nil, overlap: Int = 0, stated: Int = 8
  ) -> Recipe {
    let holds = overlap > 0 ? ", of which the log has \(overlap)" : ""

    return Recipe(name: name, holds: "a log and a ring of \(stated) facts on 2 threads\(holds)") {
      path in
      let trace = life(count)
      return try write(to: path, trace, name, block: 10, part: part) { log in
        let ring = try RingOfDead(beside: path, trace, SmallLog.identity(name))
        try ring.state(0..<overlap)
        if overlap > 0 { try log.append(ring.events(trace.vocabulary)) }
        try ring.state(overlap..<stated)
      }
    }
  }
}

/// The ring of an app that died, written as its threads write it.
private struct RingOfDead {
  private let ring: RingMapping
  private let words: WordTable
  private let lanes: [UnsafeMutablePointer<RingWriter>]
  private let first: UInt64

  /// Makes a ring that goes on where `trace` ends.
  init(beside log: String, _ trace: Trace, _ identity: LogIdentity) throws {
    typealias Place = RingFormat.Header
    ring = try RingMapping.create(
      beside: log, at: nil, identity: identity,
      size: RingMapping.Size(lanes: 2, capacity: 16, wordsCapacity: 4096), usesTicks: false)
    let origin = UInt64(identity.originMonotonic)
    first = origin + UInt64(trace.events.last?.instant.nanoseconds ?? 0) + 1000
    // No clock of now, so that the bytes are the same each time.
    ring.store(Place.firstTicks, origin)
    ring.store(Place.firstNanoseconds, origin)
    for slot in 0..<2 {
      ring.store(Place.pairSlots + Place.pairSlotBytes * slot, origin + 1)
      ring.store(Place.pairSlots + Place.pairSlotBytes * slot + 8, origin + 1)
    }
    ring.store(Place.process, 4242)

    words = WordTable(ring)
    var lasts: [String: UInt64] = [:]
    for event in trace.events where event.verb != .gap {
      lasts[trace.vocabulary.name(of: event.writer)] = event.sequence
    }
    let home = RingWriterHome(ring: ring, words: words, lastSequences: lasts, owner: ring.base)
    lanes = ["main", "worker"].compactMap { RingWriter.take(home, writer: $0) }
  }

  /// States facts: plain ones, with values, with attributes, with a text of their own.
  func state(_ numbers: Range<Int>) throws {
    guard lanes.count == 2 else { throw Violation("a ring has no lane") }

    for number in numbers {
      let lane = lanes[number % 5 == 4 ? 1 : 0]
      guard lane.pointee.hasRoom(for: 4) else {
        lane.pointee.refuse()
        continue
      }
      lane.pointee.putRefused()
      putExtensions(number, lane)
      lane.pointee.put(first + UInt64(1000 * number), content(number))
      lane.pointee.publish()
    }
  }

  /// What was stated, as a drain reads it that dies before it says so.
  func events(_ vocabulary: Vocabulary) -> [Event] {
    var reader = RingReader(ring, vocabulary: vocabulary)
    var events: [Event] = []
    reader.read(into: &events)
    return events
  }

  private func putExtensions(_ number: Int, _ lane: UnsafeMutablePointer<RingWriter>) {
    typealias Content = RingFormat.Content

    switch number % 4 {
    case 1: lane.pointee.put(UInt64(number), RingFormat.Extension.value << Content.kindShift)
    case 2:
      let list = words.word("why\0because\0n\0\(number)")
      lane.pointee.put(
        0, RingFormat.Extension.attributes << Content.kindShift | list << Content.operandShift)
    case 3:
      Array("text \(number)".utf8).withUnsafeBufferPointer {
        lane.pointee.putText(Slice(base: $0, bounds: $0.indices))
      }
    default: break
    }
  }

  private func content(_ number: Int) -> UInt64 {
    typealias Content = RingFormat.Content
    let isExtended = number % 4 != 0
    let label = number % 4 == 3 ? 0 : words.word("tick \(number % 3)")
    return UInt64(Verb.work.code) | UInt64(Subject.app.kind.rawValue) << Content.kindShift
      | (isExtended ? Content.extendedBit : 0)
      | words.word("timer") << Content.nameShift | label << Content.labelShift
  }
}
