import LifecycleModel
import Testing
import Traces

@testable import TraceLog

struct TornTailTests {
  static let notation = """
    0s - profile mode=scene
    1s main call sceneWillConnect scene:1
    1.2s main return sceneWillConnect scene:1
    1.3s db work.begin save app "notes.db" 7
    1.4s db work.end save app "notes.db" 7
    2s main note "the end"
    """

  @Test func everyPrefixOfALogIsALog() throws {
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    let whole = lines(log.written)
    let offsets = try log.blockOffsets()
    for length in (1..<log.bytes.count).reversed() {
      log.truncate(to: length)
      let read = try log.read()
      let blocks = offsets.dropFirst().count { $0 <= length }
      #expect(lines(read.withoutGaps) == Array(whole.prefix(2 * blocks)), "cut at \(length)")
      let isAtBlockEnd = offsets.contains(length)
      let gaps = LogBench.gaps(read)
      #expect(gaps.isEmpty == isAtBlockEnd, "cut at \(length): \(gaps)")
      #expect(gaps.allSatisfy { $0.hasPrefix("torn-tail") }, "cut at \(length): \(gaps)")
    }
  }

  @Test func aTornBlockWhoseHeaderSurvivedSaysWhatIsMissing() throws {
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 3)
    log.truncate(to: log.bytes.count - 1)
    #expect(try log.gaps() == ["torn-tail main 3…3", "torn-tail db 1…2"])
    #expect(try LogSummary(bytes: log.bytes).isTorn)
  }

  @Test func aTornHeaderSaysThatItDoesNotKnow() throws {
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 3)
    log.truncate(to: try log.blockOffsets()[1] + 20)
    #expect(try log.gaps() == ["torn-tail ?"])
  }

  @Test func aTailOfZerosIsTorn() throws {
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 3)
    log.bytes += [UInt8](repeating: 0, count: 5_000)
    let read = try log.read()
    #expect(lines(read.withoutGaps) == lines(log.written))
    #expect(LogBench.gaps(read) == ["torn-tail ?"])
  }

  @Test func aBlockWhoseEndIsZerosIsTorn() throws {
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 3)
    for index in log.bytes.count - 20..<log.bytes.count { log.bytes[index] = 0 }
    #expect(try log.gaps() == ["torn-tail main 3…3", "torn-tail db 1…2"])
  }

  @Test func theGapStandsAtTheLastInstantBeforeIt() throws {
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 3)
    log.truncate(to: log.bytes.count - 1)
    let gap = try #require(try log.read().events.last)
    #expect(gap.instant.nanoseconds == 1_200_000_000)
    #expect(gap.writer == .system)
    #expect(gap.sequence == 0)
  }
}
