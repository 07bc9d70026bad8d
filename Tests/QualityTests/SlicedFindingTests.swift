import AnalysisTestSupport
import LifecycleModel
import LifecycleRules
import TestTime
import Testing
import TraceAnalysis
import TraceLog
import TraceText
import Traces

/// A log that begins late shows nothing that the whole log does not show.
@Suite struct SlicedFindingTests {
  private static let seeds = Nightly.seeds(30, all: 300)

  /// What is found about an app, by rule and culprit; what is said of the recording itself is left out.
  private func findings(_ trace: Trace) -> Set<String> {
    var analyzer = Analyzer(trace.vocabulary, rules: RuleRegistry.all)
    analyzer.observe(trace.events)
    let recording = RuleRegistry.all.filter { $0.description.isAboutRecording }
      .map(\.description.id)
    return Set(
      analyzer.finish().allFindings.filter { !recording.contains($0.rule) }.map { finding in
        let culprit = finding.culprit.map {
          "\(trace.vocabulary.name(of: $0.writer))#\($0.sequence)"
        }
        return "\(finding.rule) \(culprit ?? "-")"
      })
  }

  /// The trace as a reader tells a slice of it that begins with the event at `start`.
  private func slice(_ trace: Trace, from start: Int) throws -> Trace {
    var prefix = LogPrefix(LogBeginning(), trace.vocabulary)
    for event in trace.events[..<start] { prefix.pass(event) }
    let sink = MemoryLogSink()
    let writer = try LogWriter(
      to: sink, vocabulary: trace.vocabulary, identity: .imported(originWall: nil),
      after: prefix.beginning())
    try writer.append(trace.events[start...])
    try writer.close()
    return try Trace(log: sink.bytes)
  }

  private func expectNothingIsInvented(_ trace: Trace, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = findings(trace)
    for _ in 0..<4 {
      let start = Int.random(in: 0..<trace.events.count, using: &random)
      let invented = findings(try slice(trace, from: start)).subtracting(whole)
      #expect(invented == [], "seed \(seed), from \(start)")
    }
  }

  @MainActor @Test func nothingIsInventedInSlicesOfSessions() throws {
    for seed in Self.seeds.prefix(12) {
      var session = try RandomSession(seed: seed)
      session.run()
      try expectNothingIsInvented(session.trace(), seed)
    }
  }

  /// The examples show what a rule is about, and most of them what it finds.
  @Test func nothingIsInventedInSlicesOfCleanExamples() throws {
    for rule in RuleRegistry.all {
      for example in rule.description.examples where !example.isViolating {
        let trace = try TraceNotation.parse(example.notation)
        let whole = findings(trace)
        for start in trace.events.indices {
          let invented = findings(try slice(trace, from: start)).subtracting(whole)
          #expect(invented == [], "\(rule.description.id), \(example.title), from \(start)")
        }
      }
    }
  }
}
