import LifecycleModel
import Testing
import Traces

@testable import TraceLog

/// The books on what was lost, held against a list of all that was written.
@Suite struct LossLedgerTests {
  /// The headers of a log of several writers, and what each block holds.
  private static func blocks(_ random: inout SeededGenerator) -> [BlockHeader] {
    var sequences: [String: UInt64] = [:]
    var events: UInt64 = 0
    var chain: UInt32 = 77
    return (0..<12).map { number in
      var header = BlockHeader()
      header.number = UInt64(number)
      header.tag = 77
      header.chain = chain
      header.eventsBefore = events
      for name in ["main", "db", "net"] where random.oneIn(2) {
        let count = UInt64.random(in: 1...5, using: &random)
        let first = (sequences[name] ?? 0) + 1
        sequences[name] = first + count - 1
        header.writers.append(
          WriterSpan(name: name, first: first, last: first + count - 1, count: UInt32(count)))
        header.eventCount += UInt32(count)
      }
      header.checksumOfSelf = UInt32(truncatingIfNeeded: random.next())
      header.lastInstant = Instant(nanoseconds: Int64(number))
      chain = header.checksumOfSelf
      events += UInt64(header.eventCount)
      return header
    }
  }

  private static func sequences(_ header: BlockHeader) -> [String: Set<UInt64>] {
    Dictionary(uniqueKeysWithValues: header.writers.map { ($0.name, Set($0.first...$0.last)) })
  }

  private static func sequences(_ gaps: [Gap]) -> [String: Set<UInt64>] {
    gaps.reduce(into: [:]) { told, gap in
      guard let writer = gap.writer, let from = gap.from, let to = gap.to else { return }
      told[writer, default: []].formUnion(from...to)
    }
  }

  /// Blocks of which nothing is left are told by the next one: exactly of the writers that it has, and
  /// that there is more, of the others.
  @Test(arguments: 0..<60) func whatIsLostIsToldByTheNextBlock(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var ledger = LossLedger()
    var lost: [String: Set<UInt64>] = [:]

    for header in Self.blocks(&random) {
      if random.oneIn(3) {
        ledger.open()
        lost.merge(Self.sequences(header)) { $0.union($1) }
        continue
      }
      let gaps = ledger.gaps(before: header, tag: 77) ?? []
      let told = Self.sequences(gaps)
      for span in header.writers {
        let missing = lost.removeValue(forKey: span.name) ?? []
        #expect(told[span.name] ?? [] == missing, "seed \(seed), block \(header.number)")
      }
      #expect(Set(told.keys).isSubset(of: Set(header.writers.map(\.name))))
      ledger.pass(header)
      #expect(ledger.events == header.eventsBefore + UInt64(header.eventCount))
      #expect(ledger.hasPassed(header) && ledger.lastInstant == header.lastInstant)
      #expect(ledger.gaps(before: header, tag: 77) == nil, "a block that was read came again")
    }

    let rest = ledger.closingGap(.tornTail)
    #expect(rest.count <= 1 && ledger.closingGap(.tornTail) == [])
  }

  /// Nothing is lost: nothing is told.
  @Test(arguments: 0..<10) func whatFollowsIsNoLoss(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var ledger = LossLedger()
    for header in Self.blocks(&random) {
      #expect(ledger.gaps(before: header, tag: 77) == [])
      ledger.pass(header)
      #expect(ledger.nextNumber == header.number + 1 && ledger.chain == header.checksumOfSelf)
    }
    for (writer, last) in ledger.progress.lasts { #expect(last > 0, "\(writer)") }
    #expect(ledger.closingGap(.tornTail) == [])
  }

  @Test(arguments: 0..<10) func aSurvivingHeaderSaysWhatItsBlockHad(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var ledger = LossLedger()
    for header in Self.blocks(&random) {
      _ = ledger.gaps(before: header, tag: 77)
      let told = ledger.gaps(forLost: header, .corruptBlock)
      #expect(Self.sequences(told) == Self.sequences(header))
      // A block of nothing but gaps has no sequences.
      #expect(!told.isEmpty && (header.writers.isEmpty ? told == [Gap(.corruptBlock)] : true))
      ledger.pass(header)
    }
  }

  /// A later part says what stood before it; what was read of it is no loss.
  @Test(arguments: 0..<20) func aPartTellsWhatIsMissingBeforeIt(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let blocks = Self.blocks(&random)
    let cut = Int.random(in: 0..<blocks.count, using: &random)
    var (reading, whole) = (LossLedger(), LossLedger())

    for (place, header) in blocks.enumerated() {
      whole.pass(header)
      if place < cut { reading.pass(header) }
    }

    let part = LogPart(
      number: 2, eventsBefore: whole.events,
      writers: whole.progress.lasts.sorted { $0.key < $1.key }.map {
        LogPart.WriterMark(name: $0.key, last: $0.value)
      })

    let told = Self.sequences(reading.enter(part))
    var missing: [String: Set<UInt64>] = [:]
    for header in blocks[cut...] { missing.merge(Self.sequences(header)) { $0.union($1) } }
    #expect(told == missing, "seed \(seed)")
    #expect(reading.progress.lasts == whole.progress.lasts && reading.events == whole.events)
    #expect(reading.nextNumber == 0 && reading.chain == nil)

    // What stood before the first file that is read is not missed.
    var first = LossLedger()
    first.begin(part)
    #expect(first.progress.lasts == whole.progress.lasts && first.enter(part) == [])
  }

  @Test func aGapThatTheLogTellsIsNoNewLoss() {
    var ledger = LossLedger()
    ledger.progress.pass(Gap(.ringFull, writer: "main", from: 1, to: 9))
    ledger.progress.pass(Gap(.ringFull, writer: "main", from: 1, to: 3))
    ledger.progress.pass(Gap(.ringFull))
    #expect(ledger.progress.lasts == ["main": 9])
    ledger.open()
    ledger.close()
    #expect(ledger.closingGap(.corruptBlock) == [])
  }
}
