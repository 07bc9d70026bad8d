import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis

@testable import TraceConfiguration

/// Rules that ask for words of the app's own, on logs with more of them than are remembered.
@Suite struct LongLogTests {
  private func rule(_ pattern: String) throws -> ActiveRule {
    let body = pattern.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let text = """
      patterns:
        - id: mine
          summary: s
          why: w
          remedy: r
          clean: 0s - note
          violating: 0s - note ◀
      """ + "\n" + body
    let result = ConfigurationFiles.readRules(text: text)
    return try #require(result.configuration.ownRules.first?.active, "\(result.problems)")
  }

  /// An analyzer that has seen a profile, and a way to show it work with a label.
  private struct Bench {
    let vocabulary = Vocabulary()
    var analyzer: Analyzer
    var now: Nanoseconds = 0

    init(_ rule: ActiveRule) {
      analyzer = Analyzer(vocabulary, rules: [rule])
      let hooks = vocabulary.attributes([Attribute(.hooks, "work,resources,data")])
      analyzer.observe([
        Event(instant: .origin, writer: .system, verb: .profile, attributes: hooks)
      ])
    }

    mutating func see(_ verb: Verb, _ name: Symbol, _ label: String) {
      now += 1_000_000
      analyzer.observe([
        Event(
          instant: Instant(nanoseconds: now), writer: .main, verb: verb, name: name, subject: .app,
          label: vocabulary.symbol(label))
      ])
      analyzer.forgetUnusedWords()
    }
  }

  @Test func theWordsThatARuleAsksForAreNotForgotten() throws {
    var bench = Bench(try rule("never: work timer \"wanted\""))
    let timer = WorkCategory.timer.symbol
    for number in 0..<200_000 { bench.see(.work, timer, "label \(number)") }
    bench.see(.work, timer, "wanted")
    #expect(bench.vocabulary.heldCount < 150_000)
    let findings = bench.analyzer.finish().allFindings
    #expect(findings.map(\.ordinal) == [200_002])
  }

  @Test func anOrderKeepsItsLabelsApart() throws {
    var bench = Bench(try rule("order: data.save\nthen: work load\nhow: once\nper: label"))
    let load = WorkCategory.load.symbol
    bench.see(.dataSave, .none, "first")
    // Another word must not take the place of the one whose order is settled.
    for number in 0..<200_000 { bench.see(.work, WorkCategory.ui.symbol, "label \(number)") }
    bench.see(.work, load, "second")
    bench.see(.dataSave, .none, "second")
    bench.see(.work, load, "first")
    bench.see(.dataSave, .none, "first")
    #expect(bench.analyzer.finish().allFindings.map(\.ordinal) == [200_003])
  }

  @Test func labelsWithoutNumberAreNotFollowedForEver() throws {
    var bench = Bench(
      try rule("never: data.save\nbetween: {from: data.dirty, until: process-end}\nper: label"))
    for number in 0..<10_000 { bench.see(.dataDirty, .none, "label \(number)") }
    bench.see(.dataSave, .none, "label 4095")
    bench.see(.dataSave, .none, "label 4096")
    let analysis = bench.analyzer.finish()
    #expect(analysis.allFindings.map(\.ordinal) == [10_002])
    let doubts = analysis.outcomes[0].doubts
    #expect(doubts.map(\.doubt) == [.tooManyInstances])
    #expect(doubts.map(\.count) == [10_000 - 4096])
  }
}
