import Foundation
import LifecycleModel
import Testing
import TraceText
import Traces
import Workloads

@testable import TraceLog

/// What verifying says of a log that is not as it must be.
@Suite struct VerifyReportTests {
  private func kinds(_ notation: String) throws -> [VerifyReport.Problem.Kind] {
    var trace = try TraceNotation.parse(notation)
    trace.events = trace.events.map { event in
      var event = event
      // The value, where there is one, is the sequence that the writer gave.
      if let value = event.value, event.verb == .note { event.sequence = UInt64(value) }
      return event
    }
    let log = try LogBench(trace, eventsPerBlock: 2)
    return try VerifyReport(LogReader(bytes: log.bytes)).problems.map(\.kind)
  }

  @Test func sequencesAreDenseOrAGapTellsIt() throws {
    #expect(try kinds("1s main note 1\n2s main note 2\n3s main note 3") == [])
    #expect(try kinds("1s main note 1\n2s main note 2\n3s main note 5") == [.sequence])
    #expect(try kinds("1s main note 1\n2s main note 2\n3s main note 2") == [.sequence])
    #expect(
      try kinds(
        """
        1s main note 1
        2s - gap ring-full 3 writer=main from=2 to=4
        3s main note 5
        """) == [])
  }

  @Test func instantsRise() throws {
    var trace = try TraceNotation.parse("1s main note\n2s main note\n3s main note")
    trace.events.swapAt(0, 2)
    for index in trace.events.indices { trace.events[index].sequence = UInt64(index + 1) }
    let log = try LogBench(trace)
    let report = try VerifyReport(LogReader(bytes: log.bytes))
    #expect(!report.problems.isEmpty && report.problems.allSatisfy { $0.kind == .order })
    #expect(report.eventCount == 3 && report.blockCount == 1)
  }

  /// A log that was written as it should be is whole, whatever it says.
  @Test(arguments: 0..<20) func whatIsWrittenIsWhole(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 150)
    let log = try LogBench(trace, eventsPerBlock: 20)
    let report = try VerifyReport(LogReader(bytes: log.bytes))
    // A `gap` of an arbitrary trace may contradict what follows it.
    #expect(report.problems.allSatisfy { $0.kind == .sequence }, "seed \(seed): \(report.problems)")
    #expect(report.eventCount == UInt64(trace.events.count { $0.verb != .gap }))
  }

  /// Every damage has a place in the file, and a sentence.
  @Test(arguments: 0..<20) func everyDamageHasAPlace(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var workload = AppWorkload(count: 200, seed: seed)
    var log = try LogBench(workload.readAll(), eventsPerBlock: 20)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      log.flipBit(Int.random(in: 0..<8 * log.bytes.count, using: &random))
    }

    let reader = try LogReader(bytes: log.bytes)
    let report = try VerifyReport(reader)
    #expect(!report.isWhole && report.problemCount == report.problems.count, "seed \(seed)")
    for problem in report.problems {
      #expect((0...log.bytes.count).contains(problem.offset), "seed \(seed): \(problem)")
      let text = problem.description
      let found = problem.kind == .damage ? ": \(problem.found); " : ", found \(problem.found)"
      #expect(text.contains("expected \(problem.expected)") && text.contains(found), "\(text)")
      #expect(!problem.found.isEmpty && !problem.expected.isEmpty, "\(text)")
      #expect(text.hasPrefix("\(problem.kind.rawValue) at byte \(problem.offset): "), "\(text)")
    }

    let summary = try LogSummary(bytes: log.bytes)
    #expect(summary.damages.count <= report.problemCount)
    for damage in summary.damages { #expect(damage.description.contains("at byte"), "\(damage)") }
  }

  /// In a log of several parts a problem names its part.
  @Test func aProblemNamesItsPart() throws {
    let folder = try LogFolder()
    let path = folder.file("log.bin")
    var workload = AppWorkload(count: 600, seed: 2)
    let trace = try workload.readAll()
    var options = LogWriter.Options()
    options.eventsPerBlock = 50

    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: LogBench.identity,
      options: options, limits: LogLimits(maxPartBytes: 900))
    for start in stride(from: 0, to: 600, by: 50) {
      try log.append(trace.events[start..<start + 50])
    }

    try log.close()
    #expect(try VerifyReport(path: path).isWhole)
    let part = LogPart.path(path, 2)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: part))
    bytes[bytes.count - 3] ^= 0xff
    try bytes.write(to: URL(fileURLWithPath: part))
    let problems = try VerifyReport(path: path).problems
    #expect(problems.map(\.part) == [2] && problems.map(\.kind) == [.damage])
    #expect(problems.first?.description.contains("damage in part 2 at byte") == true)
  }
}
