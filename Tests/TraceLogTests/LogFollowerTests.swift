import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces

@testable import TraceLog

@Suite struct LogFollowerTests {
  /// Writes a log byte by byte, so to say, and looks at it after each step.
  private func follow(
    _ log: LogBench, step: (Int) -> Int, isLocked: Bool = true
  ) throws -> (lines: [String], wasOver: Bool) {
    let folder = try LogFolder()
    let sink = try FileLogSink(path: folder.file("log"))
    func write(_ range: Range<Int>) throws {
      try log.bytes[range].withUnsafeBytes { try sink.write($0) }
    }

    // A log can be opened once its header is there.
    var position = min(200, log.bytes.count)
    try write(0..<position)
    var follower = try LogFollower(path: folder.file("log"))
    var trace = Trace(vocabulary: follower.vocabulary)
    var wasOver = false
    while position < log.bytes.count {
      let next = min(log.bytes.count, position + step(position))
      try write(position..<next)
      position = next
      if try !follower.look({ trace.events += $0 }) { wasOver = true }
    }

    try sink.close()
    let goesOn = try follower.look { trace.events += $0 }
    #expect(!goesOn)
    return (lines(trace), wasOver)
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(6, all: 200))
  func eachEventIsHandedOverOnceHoweverTheFileGrows(seed: UInt64) throws {
    var generator = ArbitraryTrace(seed: seed)
    let log = try LogBench(generator.trace(count: 200), eventsPerBlock: 20)
    var random = SeededGenerator(seed: seed)
    let followed = try follow(log) { _ in Int.random(in: 1...700, using: &random) }
    // A writer holds the log's lock: blocks that are half written are no torn ones.
    #expect(!followed.wasOver)
    #expect(followed.lines == lines(log.written))
  }

  @Test func aTornEndIsToldWhenNobodyWritesAnyMore() throws {
    var log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    log.truncate(to: log.bytes.count - 3)
    let followed = try follow(log) { _ in 50 }
    #expect(try followed.lines == lines(log.read()))
    #expect(followed.lines.contains { $0.contains("torn-tail") })
  }
}
