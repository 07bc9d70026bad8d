import Foundation
import LifecycleModel
import TestTime
import Testing
import Traces
import Workloads

@testable import TraceLog

/// Logs that are written on and on: with errors, in sessions, within limits.
@Suite struct LongRecordingTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private var path: String { folder.file("log.bin") }

  private func trace(_ count: Int, _ seed: UInt64) throws -> Trace {
    print("seed \(seed)")
    var workload = AppWorkload(count: count, seed: seed)
    var trace = try workload.readAll()
    trace.events.removeSubrange(count...)
    return trace
  }

  private var options: LogWriter.Options {
    var options = LogWriter.Options()
    options.eventsPerBlock = 25
    return options
  }

  /// A disk that refuses one write in three.
  private final class TiredDisk: LogSink {
    let path = "disk"
    var random: SeededGenerator
    var bytes: [UInt8] = []
    var isTired = true
    private(set) var refusals = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
      if isTired && random.oneIn(3) {
        refusals += 1
        throw LogError.diskFull(path: path)
      }
      self.bytes.append(contentsOf: bytes)
    }

    func sync() {}
    func close() {}
  }

  @Test(arguments: 0..<15) func errorsLoseNothing(seed: UInt64) throws {
    let trace = try trace(400, seed)
    let disk = TiredDisk(seed: seed)
    disk.isTired = false
    let writer = try LogWriter(
      to: disk, vocabulary: trace.vocabulary, identity: LogBench.identity, options: options)
    disk.isTired = true
    var errors = 0
    for start in stride(from: 0, to: trace.events.count, by: 10) {
      do { try writer.append(trace.events[start..<start + 10]) } catch { errors += 1 }
      // Whatever the disk says: what it holds is a log.
      let soFar = try LogReader(bytes: disk.bytes)
      #expect(try VerifyReport(soFar).isWhole, "seed \(seed)")
    }
    disk.isTired = false
    try writer.close()
    #expect(errors == disk.refusals && errors > 0, "seed \(seed)")
    var reader = try LogReader(bytes: disk.bytes)
    #expect(try difference(reader.readAll(), trace) == nil, "seed \(seed)")
    #expect(writer.eventCount == 400 && writer.byteCount == disk.bytes.count)
  }

  /// A log that is written in sessions, by one process after another, is one log.
  @Test(arguments: 0..<12) func sessionsMakeOneLog(seed: UInt64) throws {
    let trace = try trace(500, seed)
    var random = SeededGenerator(seed: seed)
    let limits = random.oneIn(2) ? LogLimits() : LogLimits(maxPartBytes: 3000)
    var position = 0

    while position < trace.events.count {
      let end = min(trace.events.count, position + Int.random(in: 1...150, using: &random))
      if position == 0 {
        let log = try RotatingLog(
          path: path, .create, vocabulary: trace.vocabulary, identity: LogBench.identity,
          options: options, limits: limits)
        try log.append(trace.events[..<end])
        try log.close()
      } else {
        let log = try RotatingLog(resuming: path, options: options, limits: limits) { tail in
          #expect(tail.identity == LogBench.identity)
          #expect(tail.logEnd.instant == trace.events[..<position].map(\.instant).max())
        }
        #expect(log.eventCount == UInt64(position), "seed \(seed)")
        try log.append(translated(trace, position..<end, log.vocabulary))
        try log.close()
      }
      position = end
    }

    var reader = try LogReader(path: path)
    #expect(try difference(reader.readAll(), trace) == nil, "seed \(seed)")
    #expect(try VerifyReport(LogReader(path: path)).problems == [], "seed \(seed)")
  }

  /// The state behind a log, from its tail, is that of all its events.
  @Test(arguments: 0..<12) func theTailKnowsTheState(seed: UInt64) throws {
    let trace = try trace(300, seed)
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: LogBench.identity,
      options: options, limits: seed % 2 == 0 ? LogLimits() : LogLimits(maxPartBytes: 2000))
    try log.append(trace.events)
    try log.close()

    let tail = try LogTail(path: path)
    var state = LifecycleState()
    for event in trace.events { state.fold(event) }
    let words = trace.vocabulary
    let translated = Trace(vocabulary: tail.vocabulary, events: tail.state.checkpoint())
    let expected = Trace(vocabulary: words, events: state.checkpoint())
    #expect(difference(translated, expected) == nil, "seed \(seed)")

    for (name, last) in tail.logEnd.lastSequences {
      let all = trace.events.filter { words.name(of: $0.writer) == name }
      #expect(last == all.last?.sequence, "seed \(seed): \(name)")
    }

    let bytes = try Data(contentsOf: URL(fileURLWithPath: tail.file))
    #expect(tail.end == bytes.count)
  }

  /// The last block was lost with the power, and a piece of the next one follows: what was true is said by the
  /// blocks before it.
  @Test func aTailThatCannotBeReadHidesNoState() throws {
    let trace = try trace(300, 3)
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: LogBench.identity,
      options: options, limits: LogLimits())
    try log.append(trace.events)
    try log.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count - 20] ^= 1
    try (bytes + LogFormat.marker + [7]).write(to: URL(fileURLWithPath: path))

    let tail = try LogTail(path: path)
    var state = LifecycleState()
    for event in trace.events.dropLast(25) { state.fold(event) }
    let facts = tail.state.checkpoint().filter { $0.verb != .gap }
    #expect(facts.count < tail.state.checkpoint().count && !facts.isEmpty)
    let told = Trace(vocabulary: tail.vocabulary, events: facts)
    let expected = Trace(vocabulary: trace.vocabulary, events: state.checkpoint())
    #expect(difference(told, expected) == nil)
  }

  /// Events of one trace in the words of another.
  private func translated(
    _ trace: Trace, _ range: Range<Int>, _ words: Vocabulary
  ) throws -> [Event] {
    try trace.events[range].map { event in
      let old = trace.vocabulary
      var event = event
      event.writer = try words.writer(old.name(of: event.writer))
      event.verb = try words.verb(old.word(of: event.verb))
      event.name = words.symbol(old.text(event.name))
      event.label = words.symbol(old.text(event.label))
      event.attributes = words.attributes(old.attributes(event.attributes))
      return event
    }
  }

  /// However small the limits: the newest data stays, and what is gone is told.
  @Test(.tags(.nightly), arguments: Nightly.seeds(5, all: 15))
  func limitsKeepTheNewest(seed: UInt64) throws {
    let trace = try trace(600, seed)
    var random = SeededGenerator(seed: seed)
    let limits = LogLimits(
      maxPartBytes: random.oneIn(2) ? Int.random(in: 1...4000, using: &random) : nil,
      keptBytes: Int.random(in: 1...9000, using: &random))
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: LogBench.identity,
      options: options, limits: limits)
    var position = 0

    while position < trace.events.count {
      let end = min(trace.events.count, position + Int.random(in: 1...40, using: &random))
      try log.append(trace.events[position..<end])
      if random.oneIn(3) { try log.flush() }
      position = end
    }

    try log.close()
    var reader = try LogReader(path: path)
    let read = try reader.readAll()
    let told = read.events.compactMap { Gap($0, in: read.vocabulary) }
    #expect(told.allSatisfy { $0.cause == GapCause.rotated.rawValue }, "seed \(seed)")

    let lost = told.reduce(0) { $0 + ($1.count ?? 0) }
    // In front of what is kept stands what was true where it begins.
    let kept = trace.events.count - Int(lost)
    #expect(
      kept > 0 && lines(read.withoutGaps).suffix(kept) == lines(trace).suffix(kept), "seed \(seed)")
    let summary = try LogSummary(path: path)
    #expect(summary.isWhole && summary.removedEvents == UInt64(lost), "seed \(seed)")
    #expect(log.kept.events == UInt64(kept) && log.kept.bytes == summary.byteCount)
  }

  @Test func partsAreAShareOfWhatIsKept() {
    #expect(LogLimits().maxPartBytes == nil && LogLimits().maxPartAge == nil)
    #expect(LogLimits(keptBytes: 8000).maxPartBytes == 1000)
    #expect(LogLimits(maxPartBytes: 100, keptBytes: 8000).maxPartBytes == 100)
    #expect(LogLimits(maxPartBytes: 9000, keptBytes: 8000).maxPartBytes == 4000)
    #expect(LogLimits(keptAge: .seconds(80)).maxPartAge == .seconds(10))
    #expect(LogLimits(maxPartAge: 5, keptAge: .seconds(80)).maxPartAge == 5)
    let limits = LogLimits(maxPartBytes: 1000, maxPartAge: 50)
    #expect(!limits.isReached(bytes: 999, age: 49))
    #expect(limits.isReached(bytes: 1000, age: 0) && limits.isReached(bytes: 0, age: 50))
    #expect(!LogLimits().isReached(bytes: .max - 1, age: .max - 1))
  }
}
