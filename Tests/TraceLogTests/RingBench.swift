import LifecycleModel

@testable import TraceLog

/// A ring in memory whose lanes are written by hand, as the article `RingFormat` says, and the books on
/// what was stated.
final class RingBench {
  /// What an app states.
  struct Fact: Hashable {
    var verb = Verb.work
    var name = "timer"
    var subject = Subject.app
    var label = ""
    var value: Int64?
    var attributes: [String] = []
    /// The label stands in the records themselves.
    var isText = false
  }

  /// What became of a fact.
  struct Statement {
    var writer: String
    var sequence: UInt64
    var fact: Fact
    var ticks: UInt64
    var isRefused: Bool
  }

  let ring: RingMapping
  let words: WordTable
  private(set) var lanes: [(name: String, writer: UnsafeMutablePointer<RingWriter>)] = []
  private(set) var statements: [Statement] = []
  private var ticks: UInt64
  private var sequences: [String: UInt64]

  convenience init(
    capacity: Int = 64, wordsCapacity: Int = 1 << 16, writers: [String],
    lastSequences: [String: UInt64] = [:]
  ) throws {
    let ring = try RingMapping.inMemory(
      identity: LogBench.identity,
      size: RingMapping.Size(lanes: 4, capacity: capacity, wordsCapacity: wordsCapacity))
    self.init(ring, writers: writers, lastSequences: lastSequences)
  }

  init(_ ring: RingMapping, writers: [String], lastSequences: [String: UInt64] = [:]) {
    self.ring = ring
    words = WordTable(ring)
    ticks = ring.load(RingFormat.Header.firstTicks)
    sequences = lastSequences
    let home = RingWriterHome(
      ring: ring, words: words, lastSequences: lastSequences, owner: ring.base)
    for name in writers {
      if let lane = RingWriter.take(home, writer: name) { lanes.append((name, lane)) }
    }
  }

  deinit { for lane in lanes { RingWriter.giveBack(lane.writer) } }

  /// What a thread does that ends.
  func giveBackLastLane() {
    if let lane = lanes.popLast() { RingWriter.giveBack(lane.writer) }
  }

  /// Moves the clock on and states a fact in a lane.
  func state(_ fact: Fact, lane index: Int, after span: UInt64 = 10) {
    ticks += span
    let (name, lane) = lanes[index]
    sequences[name, default: 0] += 1
    let isTaken = write(fact, lane)
    statements.append(
      Statement(
        writer: name, sequence: sequences[name] ?? 0, fact: fact, ticks: ticks,
        isRefused: !isTaken))
  }

  private func write(_ fact: Fact, _ lane: UnsafeMutablePointer<RingWriter>) -> Bool {
    typealias Content = RingFormat.Content
    let (name, label) = (words.word(fact.name), fact.isText ? 0 : words.word(fact.label))
    let list = words.word(fact.attributes.joined(separator: "\0"))
    let isWide =
      name > Content.nameLimit || label > Content.labelLimit
      || UInt64(fact.subject.number) > Content.numberLimit
    var extensions: [(UInt64, UInt64)] = []
    func add(_ type: UInt64, _ low: UInt64, _ operand: UInt64) {
      extensions.append((low, type << Content.kindShift | operand << Content.operandShift))
    }
    if let value = fact.value { add(RingFormat.Extension.value, UInt64(bitPattern: value), 0) }
    if list != 0 { add(RingFormat.Extension.attributes, 0, list) }
    if isWide {
      add(RingFormat.Extension.wide, name | UInt64(fact.subject.number) << 32, label)
    }

    let text = Array(fact.isText ? fact.label.utf8[...] : ""[...].utf8)
    let chunks = stride(from: 0, to: text.count, by: RingFormat.textBytes).map {
      text[$0..<min($0 + RingFormat.textBytes, text.count)]
    }
    guard lane.pointee.hasRoom(for: UInt64(extensions.count + chunks.count + 1)) else {
      lane.pointee.refuse()
      return false
    }

    lane.pointee.putRefused()
    for (low, content) in extensions { lane.pointee.putExtension(low, content) }
    for chunk in chunks {
      chunk.withUnsafeBufferPointer { lane.pointee.putText(Slice(base: $0, bounds: $0.indices)) }
    }

    var content =
      UInt64(fact.verb.code) | UInt64(fact.subject.kind.rawValue) << Content.kindShift
      | (extensions.isEmpty && chunks.isEmpty ? 0 : Content.extendedBit)
    if !isWide {
      content |= name << Content.nameShift | label << Content.labelShift
      content |= UInt64(fact.subject.number) << Content.numberShift
    }

    lane.pointee.put(ticks, content)
    lane.pointee.publishSlowly()
    return true
  }

  /// What a reader that comes now finds.
  func read(_ vocabulary: Vocabulary = Vocabulary()) -> Trace {
    var reader = RingReader(ring, vocabulary: vocabulary)
    var trace = Trace(vocabulary: vocabulary)
    reader.read(into: &trace.events)
    return trace
  }
}
