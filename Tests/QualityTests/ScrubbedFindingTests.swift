import AnalysisTestSupport
import LifecycleModel
import LifecycleRules
import TestTime
import Testing
import TraceAnalysis
import TraceText

/// A scrubbed log shows the same findings.
@Suite struct ScrubbedFindingTests {
  private static let seeds = Nightly.seeds(25, all: 400)

  private func scrub(_ trace: Trace) throws -> Trace {
    let vocabulary = Vocabulary()
    let scrubber = Scrubber(
      Scrubber.Policy(), KeyedHash(), systemWords: DeathCauses.publicWords)
    var translation = EventTranslation(from: trace.vocabulary, to: vocabulary, scrubber)
    return Trace(
      vocabulary: vocabulary, events: try trace.events.map { try translation.event($0) })
  }

  /// What is concluded, without the words of the app: each rule's outcome, each finding with its events.
  ///
  /// A finding's bug is that of the first one with its fingerprint.
  private func conclusions(_ trace: Trace) -> [String] {
    var analyzer = Analyzer(trace.vocabulary, rules: RuleRegistry.all)
    analyzer.observe(trace.events)
    let analysis = analyzer.finish()
    var bugs: [String] = []
    let findings = analysis.allFindings.map { finding in
      if !bugs.contains(finding.fingerprint) { bugs.append(finding.fingerprint) }
      let events = finding.witnesses.map { witness in
        let event = witness.event.map {
          "\(trace.vocabulary.word(of: $0.verb))#\($0.sequence)@\($0.instant.nanoseconds)"
        }
        return "\(witness.role) \(event ?? "-")"
      }
      let bug = bugs.firstIndex(of: finding.fingerprint) ?? 0
      return "\(finding.rule) \(finding.severity) bug \(bug): \(events.joined(separator: ", "))"
    }

    let outcomes = analysis.outcomes.map { "\($0.rule.id) \(word($0.outcome)) \($0.checks)" }
    let deaths = analysis.deaths.verdicts.map { "\($0.end.sequence) \($0.suspects.count)" }
    return findings + outcomes + deaths
  }

  private func word(_ outcome: Outcome) -> String {
    switch outcome {
    case .violated: "violated"
    case .satisfied: "satisfied"
    case .cannotTell(let doubts): "cannot tell \(doubts.count)"
    case .notApplicable: "not applicable"
    }
  }

  private func expectTheSame(_ trace: Trace, _ comment: String) throws {
    let (before, after) = (conclusions(trace), conclusions(try scrub(trace)))
    let difference = zip(before, after).first { $0 != $1 }
    #expect(difference == nil && before.count == after.count, "\(comment)")
  }

  @Test(.tags(.nightly)) func itShowsTheSameInAllExamples() throws {
    for rule in RuleRegistry.all {
      for example in rule.description.examples.prefix(Nightly.count(2, all: .max)) {
        let text = example.notation.replacing(String(RuleExample.mark), with: "")
        try expectTheSame(TraceNotation.parse(text), "\(rule.description.id): \(example.title)")
      }
    }
  }

  @Test func itShowsTheSameInArbitraryLives() throws {
    for seed in Self.seeds {
      var maker = ArbitraryLife(seed: seed)
      try expectTheSame(maker.trace(count: 120), "seed \(seed)")
    }
  }

  @MainActor @Test func itShowsTheSameInSessions() throws {
    for seed in Self.seeds.prefix(8) {
      var session = try RandomSession(seed: seed)
      session.run()
      try expectTheSame(session.trace(), "seed \(seed)")
    }
  }
}
