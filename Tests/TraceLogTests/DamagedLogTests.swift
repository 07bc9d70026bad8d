import LifecycleModel
import Testing
import Traces
import Workloads

@testable import TraceLog

/// Logs of which blocks are missing, doubled, moved or damaged, several at a time.
@Suite struct DamagedLogTests {
  /// A log of small blocks, and ways to spoil it.
  private struct Spoiler {
    var random: SeededGenerator
    var log: LogBench
    let original: Trace

    init(seed: UInt64) throws {
      print("seed \(seed)")
      random = SeededGenerator(seed: seed)
      var workload = AppWorkload(count: 240, seed: seed)
      var trace = try workload.readAll()
      trace.events.removeSubrange(240...)
      original = trace
      log = try LogBench(trace, eventsPerBlock: 12)
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func spoilOnce() throws {
      // What is damaged and what follows it may begin in one place.
      var blocks = try log.blocks().filter { !$0.isEmpty }
      guard blocks.count > 2 else { return }

      let place = number(0..<blocks.count)
      switch number(0..<6) {
      case 0: blocks.remove(at: place)
      case 1: blocks.insert(blocks[place], at: number(0..<blocks.count))
      case 2: blocks.swapAt(place, number(0..<blocks.count))
      case 3: blocks[place][number(0..<blocks[place].count)] ^= UInt8(1 << number(0..<8))
      case 4: blocks[place].removeSubrange(0..<number(0..<blocks[place].count))
      default:
        blocks.insert(
          (0..<number(1..<90)).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place)
      }
      log.assemble(blocks)
    }
  }

  /// What is read was written, in its order, each event once; what is not read is told.
  @Test(arguments: 0..<40) func nothingIsInventedAndLossesAreTold(seed: UInt64) throws {
    var spoiler = try Spoiler(seed: seed)
    for _ in 0..<spoiler.number(1..<5) { try spoiler.spoilOnce() }
    let read = try spoiler.log.read()
    let original = Set(lines(spoiler.original))
    let events = lines(read.withoutGaps)
    #expect(events.allSatisfy(original.contains), "seed \(seed): an event is invented")
    #expect(Set(events).count == events.count, "seed \(seed): an event came twice")
    for (writer, sequences) in sequences(of: read) {
      #expect(sequences == sequences.sorted(), "seed \(seed): \(writer) is not in order")
    }

    expectLossesAreTold(read, spoiler.original, seed)
    let report = try VerifyReport(LogReader(bytes: spoiler.log.bytes))
    let isWhole = try spoiler.log.bytes == LogBench(spoiler.original, eventsPerBlock: 12).bytes
    #expect(report.isWhole == isWhole, "seed \(seed)")
  }

  private func sequences(of trace: Trace) -> [String: [UInt64]] {
    Dictionary(grouping: trace.withoutGaps.events) { trace.vocabulary.name(of: $0.writer) }
      .mapValues { $0.map(\.sequence) }
  }

  /// Each sequence before the last that was read of its writer was read, or told as missing; a gap of
  /// which nobody knows what it took may hide any.
  private func expectLossesAreTold(_ read: Trace, _ original: Trace, _ seed: UInt64) {
    let gaps = read.events.compactMap { Gap($0, in: read.vocabulary) }
    let isBlind = gaps.contains { $0.writer == nil }
    for (writer, sequences) in sequences(of: read) {
      var known = Set(sequences)
      for gap in gaps where gap.writer == writer {
        guard let from = gap.from, let to = gap.to, from <= to else { continue }
        known.formUnion(from...to)
      }
      let missing = (1...(sequences.last ?? 1)).filter { !known.contains($0) }
      #expect(missing.isEmpty || isBlind, "seed \(seed): of \(writer) nobody tells \(missing)")
    }

    let lost = original.events.count - read.withoutGaps.events.count
    #expect(lost == 0 || !gaps.isEmpty, "seed \(seed): \(lost) events are lost and not told")
  }

  /// An app that breaks rules all the time, of which bits are flipped: each event is read, or counted as lost.
  @MainActor @Test(arguments: 0..<10) func everyLossOfALongLogIsCounted(seed: UInt64) throws {
    print("seed \(seed)")
    let folder = try LogFolder()
    try Workload.storm.write(5_000, seed: seed, to: folder.file("storm.bin"))
    var reader = try LogReader(path: folder.file("storm.bin"))
    let original = try reader.readAll()
    var log = try LogBench(original, eventsPerBlock: 300)

    var random = SeededGenerator(seed: seed)
    let bits = 8 * LogFormat.fileHeaderLength..<8 * log.bytes.count
    for _ in 0...seed % 5 { log.flipBit(Int.random(in: bits, using: &random)) }
    let read = try log.read()
    let gaps = read.events.compactMap { Gap($0, in: read.vocabulary) }
    let told = gaps.reduce(0) { $0 + Int($1.count ?? 0) }
    let count = read.withoutGaps.events.count
    let isBlind = gaps.contains { $0.count == nil }
    #expect(count < original.events.count, "seed \(seed)")
    #expect(count + told == original.events.count || isBlind, "seed \(seed)")
    #expect(try !VerifyReport(LogReader(bytes: log.bytes)).isWhole, "seed \(seed)")
  }

  /// A summary reads headers alone, and says what reading all says.
  @Test(arguments: 0..<30) func theSummaryAgreesWithTheEvents(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = RandomTrace(seed: seed)
    let trace = try maker.trace(150, isWild: false)
    let log = try LogBench(trace, eventsPerBlock: 20)
    let summary = try LogSummary(bytes: log.bytes)
    #expect(summary.isWhole && !summary.isTorn && summary.losses == [])
    #expect(summary.eventCount == UInt64(trace.events.count))
    #expect(summary.byteCount == log.bytes.count && summary.blockCount == 8)

    let instants = trace.events.map(\.instant)
    #expect(
      summary.instants == instants.min().flatMap { first in instants.max().map { first...$0 } })
    let verbs = Set(trace.events.map(\.verb))
    #expect(summary.verbs == Verb.known.filter(verbs.contains))
    #expect(summary.hasUnknownVerbs == verbs.contains { !$0.isKnown })

    let plain = sequences(of: trace)
    #expect(Set(summary.writers.map(\.name)) == Set(plain.keys))
    for writer in summary.writers {
      let all = try #require(plain[writer.name])
      #expect(writer.first == all.first && writer.last == all.last, "seed \(seed)")
      #expect(writer.count == UInt64(all.count), "seed \(seed)")
    }
  }

  /// A filter may pass too much, never too little.
  @Test(arguments: 0..<20) func aFilterLosesNothingThatIsAskedFor(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var maker = RandomTrace(seed: seed)
    let trace = try maker.trace(200, isWild: random.oneIn(2))
    let log = try LogBench(trace, eventsPerBlock: 10)
    let bounds = (0..<2).map { _ in trace.events.randomElement(using: &random)?.instant ?? .origin }
    let verbs = random.oneIn(2) ? [Verb.work, .note, .call].filter { _ in random.oneIn(2) } : nil
    let filter = BlockFilter(
      from: bounds.min() ?? .origin, to: bounds.max() ?? .origin, verbs: verbs)
    var reader = try LogReader(bytes: log.bytes, filter: filter)
    let read = try reader.readAll()
    let wanted = trace.events.filter { event in
      event.instant >= filter.from && event.instant <= filter.to
        && (verbs?.contains(event.verb) ?? true)
    }
    let all = lines(read)
    let lost = Set(lines(Trace(vocabulary: trace.vocabulary, events: wanted))).subtracting(all)
    #expect(lost.isEmpty, "seed \(seed)")
    #expect(
      Set(all).isSubset(of: lines(trace)), "seed \(seed): what a filter leaves out is no loss")
  }

  /// A copy of a reader reads on where the original stands.
  @Test(arguments: 0..<10) func aCopyReadsOn(seed: UInt64) throws {
    var spoiler = try Spoiler(seed: seed)
    try spoiler.spoilOnce()
    let whole = lines(try spoiler.log.read())
    var reader = try LogReader(bytes: spoiler.log.bytes)
    var batch: [Event] = []
    var first = Trace(vocabulary: reader.vocabulary)
    for _ in 0..<4 where try reader.read(into: &batch) { first.events += batch }
    let begun = lines(first)
    var copy = reader
    #expect(begun + lines(try copy.readAll()) == whole, "seed \(seed)")
    // They stand in one place of one input: the original is at the end, too.
    #expect(try reader.readAll().withoutGaps.events.isEmpty, "seed \(seed)")
  }
}
