import LifecycleModel
import Testing
import TraceText
import Traces

@testable import TraceSources

struct SortedLinesTests {
  /// Lines in runs that are in order, as those of threads that were appended, and some from anywhere.
  private func lines(_ count: Int, _ generator: inout SeededGenerator) -> [SortedLines.Line] {
    var instant: Int64 = 0
    return (1...count).map { number in
      if generator.oneIn(40) { instant = Int64.random(in: -50...50, using: &generator) }
      instant += Int64.random(in: 0...3, using: &generator)
      let length = generator.oneIn(50) ? 5000 : Int.random(in: 0...30, using: &generator)
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: length)
      return SortedLines.Line(
        instant: Instant(nanoseconds: instant), number: number,
        bytes: generator.oneIn(9) ? nil : bytes[...])
    }
  }

  @Test(arguments: [1, 100, 4000, 1 << 22], 0..<5)
  func linesComeInOrderWhateverMemoryHolds(memory: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let lines = lines(700, &generator)
    var sorted = SortedLines(memory: memory)
    for line in lines { try sorted.append(line.bytes, at: line.instant, number: line.number) }

    for expected in lines.sorted(by: { ($0.instant, $0.number) < ($1.instant, $1.number) }) {
      let line = try #require(try sorted.next())
      #expect(line.instant == expected.instant)
      #expect(line.number == expected.number)
      #expect(line.bytes == expected.bytes)
    }
    #expect(try sorted.next() == nil)
  }

  /// More events than one batch stand before a last line that cannot be read.
  @Test(arguments: [TextSource.Order.anywhere, .nearby])
  func allThatStoodBeforeABadLastLineGoesOut(order: TextSource.Order) throws {
    let count = 20_000
    var source = TextSource(form: .ndjson, order: order)
    var events: [Event] = []
    for number in 1...count {
      try source.take(ArraySlice("{\"t\":\(number),\"verb\":\"note\"}\n".utf8), into: &events)
    }
    try source.take(ArraySlice("{\"t\":".utf8), into: &events)
    #expect(throws: SourceError.self) { try source.finish(into: &events) }
    #expect(events.map(\.instant.nanoseconds) == (1...count).map(Int64.init))
  }

  @Test func noLinesAreNone() throws {
    var sorted = SortedLines()
    #expect(try sorted.next() == nil)
  }

  /// More text than memory holds, each line as far from its place as it can be.
  @Test func aTextInReverseOrderIsPutRightInBatches() throws {
    let count = 120_000
    var source = TextSource(form: .ndjson, order: .anywhere, onError: .skip, keepsLines: true)
    var events: [Event] = []
    for number in (1...count).reversed() {
      let line =
        number == 7 ? "bad" : "{\"t\":\(number),\"verb\":\"note\",\"label\":\"w\(number % 9)\"}"
      try source.take(ArraySlice("\(line)\n".utf8), into: &events)
    }
    #expect(events.isEmpty)

    var (batch, isLeft, next): ([Event], Bool, Int64) = ([], true, 1)
    while isLeft {
      batch.removeAll()
      isLeft = try source.drain(into: &batch)
      #expect(batch.count <= 1 << 13)
      for event in batch where event.verb != .gap {
        if next == 7 { next += 1 }
        #expect(event.instant.nanoseconds == next)
        #expect(source.vocabulary.text(event.label) == "w\(next % 9)")
        #expect(source.lines?.line(of: event, in: source.vocabulary) == count + 1 - Int(next))
        next += 1
      }
    }
    #expect(next == Int64(count) + 1)
    #expect(
      source.tally.description.hasPrefix("ndjson, 120000 lines, 119999 records, 1 line skipped"))
  }
}
