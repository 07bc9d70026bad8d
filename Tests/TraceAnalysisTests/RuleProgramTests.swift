import LifecycleModel
import TestTime
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

/// Rules that were made ready once say of every log what rules made for it say.
@Suite struct RuleProgramTests {
  private func told(_ analyzer: Analyzer, _ trace: Trace) -> [String] {
    var analyzer = analyzer
    analyzer.observe(trace.events)
    return conclusions(&analyzer)
  }

  private func conclusions(_ analyzer: inout Analyzer) -> [String] {
    let analysis = analyzer.finish()
    return analysis.allFindings.map { "\($0.rule) \($0.ordinal) \($0.fingerprint) \($0.message)" }
      + analysis.outcomes.map { "\($0.rule.id) \($0.outcome) \($0.checks)" }
      + ["\(analysis.eventCount) \(analysis.statistics?.rows.count ?? -1)"]
  }

  @Test func oneLogLeavesNothingToTheNext() throws {
    let program = RuleProgram(statistics: true)
    var found = 0
    for example in RuleRegistry.all.flatMap({ $0.description.examples }) {
      let trace = try TraceNotation.parse(
        example.notation.replacing(String(RuleExample.mark), with: ""))
      let prepared = told(program.analyzer(trace.vocabulary), trace)
      #expect(prepared == told(Analyzer(trace.vocabulary, statistics: true), trace))
      if example.isViolating { found += 1 }
    }
    #expect(found > 100)
  }

  @Test func anyNumberOfProfilesMayCome() throws {
    let program = RuleProgram()
    for round in 0..<3 {
      for index in 0..<50 {
        let hooks = Hook.allCases.enumerated().filter { (index >> ($0.offset % 6)) & 1 == 1 }
        let trace = try TraceNotation.parse(
          """
          0s - profile mode=\(index % 2 == 0 ? "app" : "scene") os=\(index % 7 + 12).0 \
          hooks=\((hooks.map(\.element.rawValue) + ["work"]).joined(separator: ","))
          1s main return applicationWillResignActive app
          2s main work timer app "poll"
          """)
        #expect(
          told(program.analyzer(trace.vocabulary), trace)
            == told(Analyzer(trace.vocabulary), trace),
          "round \(round), profile \(index)")
      }
    }
  }

  /// A copy goes its own way, whichever of both goes on first.
  @Test(.tags(.nightly)) func copiesOfAnAnalyzerShareNothing() throws {
    let most = Nightly.count(1, all: .max)
    for example in RuleRegistry.all.flatMap({ $0.description.examples.prefix(most) }) {
      let trace = try TraceNotation.parse(
        example.notation.replacing(String(RuleExample.mark), with: ""))
      let alone = told(Analyzer(trace.vocabulary, statistics: true), trace)
      let half = trace.events.count / 2
      for firstGoesOn in [true, false] {
        var first = Analyzer(trace.vocabulary, statistics: true)
        first.observe(Array(trace.events[..<half]))
        var second = first
        for event in trace.events[half...] {
          if firstGoesOn { first.observe([event]) }
          second.observe([event])
          if !firstGoesOn { first.observe([event]) }
        }
        #expect(conclusions(&first) == alone)
        #expect(conclusions(&second) == alone)
      }
    }
  }

  /// The catalogue is made ready once, for all threads; what one asks of it another does not see.
  @Test func threadsShareTheCatalogue() async throws {
    let texts = RuleRegistry.all.compactMap { $0.description.examples.first }.prefix(40).map {
      $0.notation.replacing(String(RuleExample.mark), with: "")
    }

    let alone = try texts.map { text in
      let trace = try TraceNotation.parse(text)
      return told(Analyzer(trace.vocabulary), trace)
    }
    try await withThrowingTaskGroup(of: [[String]].self) { group in
      for _ in 0..<4 {
        group.addTask {
          try texts.map { text in
            let trace = try TraceNotation.parse(text)
            return told(RuleProgram.catalogue.analyzer(trace.vocabulary), trace)
          }
        }
      }
      for try await shared in group { #expect(shared == alone) }
    }
  }

  /// Rules that somebody wrote are made anew, and say the same.
  @Test func rulesOfOnesOwnAreApplied() throws {
    let own = RuleRegistry.all.filter { $0.description.id == "work-timer-while-inactive" }
      .map { ActiveRule(patternsOf: $0.description) }
    let program = RuleProgram(own)
    for label in ["a", "b"] {
      let trace = try TraceNotation.parse(
        """
        0s - profile mode=app hooks=app-delegate,work
        1s main return applicationWillResignActive app
        2s main work timer app "\(label)"
        """)
      let prepared = told(program.analyzer(trace.vocabulary), trace)
      #expect(prepared == told(Analyzer(trace.vocabulary, rules: own), trace))
      #expect(prepared[0].hasPrefix("work-timer-while-inactive 3"))
    }
  }
}
