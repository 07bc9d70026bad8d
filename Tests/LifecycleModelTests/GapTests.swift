import Testing
import Traces

@testable import LifecycleModel

/// Holes in a trace, and the events that tell of them.
@Suite struct GapTests {
  private func gap(_ random: inout SeededGenerator) -> Gap {
    var gap = Gap(GapCause.allCases.randomElement(using: &random) ?? .ringFull)
    if random.oneIn(8) { gap.cause = "a later cause" }
    if random.oneIn(2) {
      gap.count = Int64(random.next() >> UInt64.random(in: 1...63, using: &random))
    }

    if random.oneIn(2) {
      gap.writer = ["main", "-", "", "two words"].randomElement(using: &random)
    }
    if random.oneIn(2) { gap.from = random.next() >> 2 }
    if random.oneIn(2) { gap.to = random.next() >> 2 }
    if random.oneIn(2) { gap.within = Int64(bitPattern: random.next()) }
    return gap
  }

  @Test func whatIsToldTwiceIsTakenFromTheBeginning() {
    func gap(_ from: UInt64, _ to: UInt64) -> Gap {
      Gap(.ringFull, writer: "main", from: from, to: to)
    }
    let hole = gap(5, 9)
    #expect(hole.rest(behind: 6)?.from == 7 && hole.rest(behind: 5)?.count == 4)
    #expect(hole.rest(behind: 9) == nil && hole.rest(behind: 20) == nil)
    #expect(hole.rest(behind: 4) == hole && Gap(.ringFull).rest(behind: 4) == Gap(.ringFull))
  }

  @Test(arguments: 0..<10) func whatAnEventTellsIsTheGap(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let vocabulary = Vocabulary()
    for _ in 0..<60 {
      let gap = gap(&random)
      let event = gap.event(at: Instant(nanoseconds: 7), in: vocabulary)
      #expect(Gap(event, in: vocabulary) == gap)
      #expect(event.sequence == 0 && event.writer == .system && event.instant.nanoseconds == 7)
    }
  }

  @Test func onlyAGapIsAGap() {
    let vocabulary = Vocabulary()
    for verb in Verb.known where verb != .gap {
      #expect(Gap(Event(instant: .origin, writer: .system, verb: verb), in: vocabulary) == nil)
    }
  }

  @Test func aRangeSaysHowMany() {
    #expect(Gap(.corruptBlock, writer: "main", from: 3, to: 5).count == 3)
    #expect(Gap(.corruptBlock, writer: "main", from: 3, to: 3).count == 1)
    #expect(Gap(.corruptBlock, writer: "main", from: 1, to: .max).count == .max)
  }

  @Test func whatAHostileGapSaysOfItselfIsNotBelieved() {
    let vocabulary = Vocabulary()
    let words = vocabulary.attributes([
      Attribute(.from, "-1"), Attribute(.to, "1e9"), Attribute(.within, "soon"),
    ])
    let event = Event(
      instant: .origin, writer: .system, verb: .gap, name: GapCause.rotated.symbol, value: -7,
      attributes: words)
    let gap = Gap(event, in: vocabulary)
    #expect(gap?.count == nil && gap?.from == nil && gap?.to == nil && gap?.within == nil)
    #expect(gap?.cause == "rotated")
  }
}
