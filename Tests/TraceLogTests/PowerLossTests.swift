import Foundation
import LifecycleModel
import Testing
import TraceText
import Traces

@testable import TraceLog

/// What a power loss brings back: bytes that were taken away and written anew before, of which the disk did
/// not know yet.
struct PowerLossTests {
  private static let begin = """
    1s main note "one"
    2s main note "two"

    """
  private static let end = """
    3s main note "three"
    4s main note "four"
    """

  /// A header in whose place another block was written says nothing of that block.
  @Test func aHeaderThatCameBackIsRefutedByTheBlockBehindIt() throws {
    let old = try LogBench(PowerLossTests.begin + PowerLossTests.end, eventsPerBlock: 2)
    var new = try LogBench(
      PowerLossTests.begin + """
        3s main note "three"
        4s db note "another"
        5s main note "four"
        6s db note "more"
        """, eventsPerBlock: 2)
    let block = try old.blocks()[1]
    let length = Int(block[8]) + 256 * Int(block[9])
    let place = try new.blockOffsets()[1]
    new.bytes.replaceSubrange(place..<place + length, with: block[..<length])

    let read = try new.read()
    #expect(LogBench.gaps(read) == ["corrupt-block main 3…3", "corrupt-block db 1…1"])
    let left = lines(new.written).filter { !$0.contains("three") && !$0.contains("another") }
    #expect(lines(read.withoutGaps) == left)
  }

  /// A block that was taken away and written again in the next part is read there alone.
  @Test func aBlockThatCameBackInAnOlderPartIsReadOnce() throws {
    let folder = try LogFolder()
    let path = folder.file("log.bin")
    let whole = try LogBench(PowerLossTests.begin + PowerLossTests.end, eventsPerBlock: 2)
    var options = LogWriter.Options()
    options.eventsPerBlock = 2
    let log = try RotatingLog(
      path: path, .create, vocabulary: whole.written.vocabulary, identity: LogBench.identity,
      options: options)
    try log.append(whole.written.events.prefix(2))
    try log.beginPart()
    try log.append(whole.written.events.dropFirst(2))
    try log.close()
    let first = URL(fileURLWithPath: path)
    #expect(try Data(contentsOf: first) == Data(whole.bytes.prefix(whole.blockOffsets()[1])))
    try Data(whole.bytes).write(to: first)

    #expect(try lines(Trace(log: path)) == lines(whole.written))
    #expect(
      try VerifyReport(path: path).problems.map(\.found) == [
        "block 1 was written again in the next part"
      ])
    #expect(try LogSummary(path: path).eventCount == 4)
  }
}
