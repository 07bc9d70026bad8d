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
  private static let seeds = Nightly.seeds(10, all: 300)

  /// What is concluded about an app.
  private struct Conclusions {
    var findings: [Finding] = []
    /// The rules that found something.
    var rules: Set<String> = []
    /// What findings are about.
    var subjects: Set<Subject> = []
    /// The ends that are not known to be normal.
    var deaths: Set<UInt64> = []

    /// What is found here and not in `whole`: neither by this rule, nor about the same thing.
    ///
    /// Where a finding covers another one, the slice may lack what the first one rests on: then the
    /// other is told. So it is with a death that a finding explains.
    func invented(beside whole: Conclusions) -> [String] {
      var invented = findings.filter { finding in
        let isAboutInstance = [.scene, .session, .task].contains(finding.subject.kind)
        return finding.rule != "death" && !whole.rules.contains(finding.rule)
          && !(isAboutInstance && whole.subjects.contains(finding.subject))
      }.map { "\($0.rule) about \($0.subject)" }
      invented += deaths.subtracting(whole.deaths).map { "a fault in the end \($0)" }
      return invented
    }
  }

  /// What is said of the recording itself is left out.
  private func conclusions(_ trace: Trace) -> Conclusions {
    var analyzer = Analyzer(trace.vocabulary, rules: RuleRegistry.all)
    analyzer.observe(trace.events)
    let recording = RuleRegistry.all.filter { $0.description.isAboutRecording }
      .map(\.description.id)
    let analysis = analyzer.finish()

    var conclusions = Conclusions()
    conclusions.findings = analysis.allFindings.filter { !recording.contains($0.rule) }
    conclusions.rules = Set(conclusions.findings.map(\.rule))
    conclusions.subjects = Set(conclusions.findings.map(\.subject))
    conclusions.deaths = Set(
      analysis.deaths.verdicts.filter { [.fault, .unexplained].contains($0.deathClass) }
        .map(\.end.sequence))
    return conclusions
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
    let whole = conclusions(trace)
    for _ in 0..<4 {
      let start = Int.random(in: 0..<trace.events.count, using: &random)
      let invented = conclusions(try slice(trace, from: start)).invented(beside: whole)
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
  @Test(.tags(.nightly)) func nothingIsInventedInSlicesOfCleanExamples() throws {
    for rule in RuleRegistry.all {
      for example in rule.description.examples where !example.isViolating {
        let trace = try TraceNotation.parse(example.notation)
        let whole = conclusions(trace)
        let step = Nightly.count(6, all: 1)
        for start in stride(from: 0, to: trace.events.count, by: step) {
          let invented = conclusions(try slice(trace, from: start)).invented(beside: whole)
          #expect(invented == [], "\(rule.description.id), \(example.title), from \(start)")
        }
      }
    }
  }
}
