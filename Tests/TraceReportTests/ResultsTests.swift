import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

/// Results of many logs: they merge to the same, whatever the order.
@Suite struct ResultsTests {
  /// What the violating examples of the rules show, as the logs of many machines: some have the same
  /// name, some are the same log.
  private static var examples: [(log: String, analysis: Analysis, vocabulary: Vocabulary)] {
    let notations = RuleRegistry.all.flatMap { $0.description.examples }.filter(\.isViolating)
      .map { $0.notation.replacing(String(RuleExample.mark), with: "") }
    let program = RuleProgram(statistics: true)
    return notations.enumerated().compactMap { index, notation in
      guard index % 4 == 0, let trace = try? TraceNotation.parse(notation) else { return nil }
      var analyzer = program.analyzer(trace.vocabulary)
      analyzer.observe(trace.events)
      return ("log\(index % 3).bin", analyzer.finish(), trace.vocabulary)
    }
  }

  /// The results of each, which most tests merge many times.
  private static let results = examples.map {
    AnalysisResults($0.analysis, of: $0.log, $0.vocabulary)
  }

  /// What a baseline of some of the findings knows.
  private func baseline(_ generator: inout SeededGenerator) -> Baseline {
    var known = AnalysisResults()
    for _ in 0..<20 {
      guard let one = Self.results.randomElement(using: &generator) else { continue }
      known.merge(one)
    }
    return known.baseline()
  }

  private func results(_ generator: inout SeededGenerator) -> AnalysisResults {
    var results = AnalysisResults()
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      guard let one = Self.results.randomElement(using: &generator) else { continue }
      results.merge(one)
    }

    if generator.oneIn(2) {
      results.merge(
        AnalysisResults(
          unreadable: .init(log: "log\(Int.random(in: 0...3, using: &generator))", error: "e")))
    }

    if !generator.oneIn(3) { results.compare(with: baseline(&generator)) }
    return results
  }

  private func merged(_ all: AnalysisResults...) -> AnalysisResults {
    all.dropFirst().reduce(into: all[0]) { $0.merge($1) }
  }

  // MARK: The laws

  @Test(arguments: 0..<12) func mergingIsAssociativeAndCommutative(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (a, b, c) = (
      results(&generator), results(&generator), results(&generator)
    )
    let all = merged(a, b, c)
    #expect(all.logs == a.logs + b.logs + c.logs)
    #expect(merged(a, merged(b, c)) == all, "seed \(seed)")
    #expect(merged(c, b, a) == all && merged(b, a, c) == all, "seed \(seed)")
    #expect(merged(all, AnalysisResults()) == all && merged(AnalysisResults(), all) == all)
    let bytes = try all.json
    #expect(try merged(c, merged(a, b)).json == bytes)
    #expect(TextReport(merged(b, c, a)).text == TextReport(all).text)
  }

  /// A baseline can be applied by each shard, by some, or at last.
  @Test(arguments: 0..<8) func aBaselineMayComeAtAnyTime(seed: UInt64) {
    var generator = SeededGenerator(seed: 100 + seed)
    let known = baseline(&generator)
    let parts = (0..<4).map { _ in
      Self.results.randomElement(using: &generator) ?? AnalysisResults()
    }

    var late = parts.reduce(into: AnalysisResults()) { $0.merge($1) }
    late.compare(with: known)
    var early = AnalysisResults()
    for var part in parts {
      part.compare(with: known)
      early.merge(part)
    }

    var once = parts[0]
    once.compare(with: known)
    for part in parts.dropFirst() { once.merge(part) }
    #expect(early == late && once == late, "seed \(seed)")
    #expect(late.comparison != nil && late.findings.allSatisfy { $0.baselineState != nil })
  }

  @Test(arguments: [0, 1, 2, 3, 7, 64, 100]) func aPileIsTheSumOfItsParts(count: Int) {
    var generator = SeededGenerator(seed: 5)
    var pile = ResultsPile()
    var sum = AnalysisResults()
    for _ in 0..<count {
      guard let results = Self.results.randomElement(using: &generator) else { continue }
      pile.add(results)
      sum.merge(results)
    }
    #expect(pile.total == sum && sum.logs == count)
  }

  @Test func countsAddUp() throws {
    let one = Self.examples[0]
    let single = AnalysisResults(one.analysis, of: "a.bin", one.vocabulary)
    var many = AnalysisResults()
    for index in 0..<50 {
      many.merge(AnalysisResults(one.analysis, of: "log\(index)", one.vocabulary))
    }

    #expect(many.logs == 50 && many.events == 50 * single.events)
    #expect(many.groups.map(\.count) == single.groups.map { 50 * $0.count })
    #expect(many.groups.allSatisfy { $0.logs == 50 && $0.examples.count == 20 })
    #expect(many.groups[0].examples[0].log == "log0")
    let known = single.baseline()
    many.compare(with: known)
    #expect(many.comparison?.known == known.entries.map(\.count).reduce(0, +))
    #expect(many.comparison?.new == 49 * known.entries.map(\.count).reduce(0, +))
  }

  /// One log's results say what its analysis says.
  @Test func oneLogIsJudgedAlikeByBoth() {
    var generator = SeededGenerator(seed: 9)
    for one in Self.examples {
      let known = baseline(&generator)
      let results = AnalysisResults(one.analysis, of: "x", one.vocabulary, known)
      // How a process ended stands with its verdict in the analysis, and with the finding here.
      var findings = results.findings
      for index in findings.indices { findings[index].ending = nil }
      let told = AnalysisResults.findings(one.analysis, of: "x", one.vocabulary, known)
      #expect(findings == told)
      let open = AnalysisResults(one.analysis, of: "x", one.vocabulary)
      #expect(open.worst == one.analysis.worst)
    }
  }

  @Test func writingAgainKeepsWordsAndPruningKeepsTheRest() {
    let examples = Self.examples
    let (first, second) = (examples[0], examples[8])
    let one = AnalysisResults(first.analysis, of: "x", first.vocabulary)
    var both = one
    both.merge(AnalysisResults(second.analysis, of: "y", second.vocabulary))
    var old = one.baseline().entries
    old[0].message = "as it was"

    let written = both.baseline(updating: Baseline(old))
    #expect(written.entries.contains { $0.message == "as it was" })
    #expect(Set(written.entries.map(\.fingerprint)) == Set(both.causes.map(\.fingerprint)))

    // Only what the rules of this log judged is taken out.
    let pruned = one.pruned(written)
    let judged = Set(one.rules.filter { $0.violated + $0.satisfied + $0.idle > 0 }.map(\.rule.id))
    #expect(
      Set(pruned.entries.map(\.fingerprint))
        == Set(
          written.entries.filter { entry in
            !judged.contains(entry.rule)
              || one.causes.contains { $0.fingerprint == entry.fingerprint }
          }.map(\.fingerprint)))
    #expect(both.pruned(written) == written)
  }
}
