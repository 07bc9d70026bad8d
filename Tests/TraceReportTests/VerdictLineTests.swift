import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

/// The lines on many logs say together what the results of all of them say.
@Suite struct VerdictLineTests {
  /// What the violating examples of the rules show.
  private let examples: [(analysis: Analysis, vocabulary: Vocabulary)]

  init() {
    let notations = RuleRegistry.all.flatMap { $0.description.examples }.filter(\.isViolating)
      .map { $0.notation.replacing(String(RuleExample.mark), with: "") }
    let program = RuleProgram()
    examples = notations.enumerated().compactMap { index, notation in
      guard index % 3 == 0, let trace = try? TraceNotation.parse(notation) else { return nil }
      var analyzer = program.analyzer(trace.vocabulary)
      analyzer.observe(trace.events)
      return (analyzer.finish(), trace.vocabulary)
    }
  }

  private func results(_ index: Int, log: String) -> AnalysisResults {
    AnalysisResults(examples[index].analysis, of: log, examples[index].vocabulary)
  }

  /// Logs that show the same things now and then, and a baseline of some of them.
  private func logs(
    _ generator: inout SeededGenerator
  ) -> (logs: [(name: String, results: AnalysisResults)], known: Baseline) {
    let few = (0..<6).map { _ in Int.random(in: examples.indices, using: &generator) }
    let count = Int.random(in: 1...30, using: &generator)
    let logs: [(name: String, results: AnalysisResults)] = (10..<10 + count).map { number in
      let name = "log\(number).bin"
      return (name, results(few.randomElement(using: &generator) ?? 0, log: name))
    }
    var known = AnalysisResults()
    for log in logs where generator.oneIn(2) { known.merge(log.results) }
    return (logs: logs, known: known.baseline())
  }

  @Test(arguments: 0..<12) func theyShareOutWhatIsKnown(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (logs, known) = logs(&generator)
    var total = logs.reduce(into: AnalysisResults()) { $0.merge($1.results) }
    total.compare(with: known)
    var lines = logs.map { VerdictLine($0.results, of: $0.name, known) }
    VerdictLine.settle(&lines, total)

    let parts = lines.flatMap(\.findings).joined()
    #expect(parts.reduce(0) { $0 + $1.new } == total.comparison?.new, "seed \(seed)")
    #expect(parts.reduce(0) { $0 + $1.times } == total.causes.reduce(0) { $0 + $1.count })
    #expect(parts.filter { $0.new > 0 }.map(\.severity).max() == total.worst)
    // Where all findings are kept, each example says what its line says.
    for group in total.groups where group.count == group.examples.count {
      for (log, found) in Dictionary(grouping: group.examples, by: \.log) {
        let line = lines.first { $0.log == log }?.findings ?? []
        guard known.count(of: group.fingerprint) > 0 else { continue }
        let told = line.compactMap(\.first).filter { $0.known == group.fingerprint }
        #expect(told.reduce(0) { $0 + $1.new } == found.count { $0.baselineState == .new })
      }
    }
    // The order in which lines come makes no difference.
    var shuffled = logs.shuffled(using: &generator).map {
      VerdictLine($0.results, of: $0.name, known)
    }
    VerdictLine.settle(&shuffled, total)
    #expect(shuffled.map(\.text).sorted() == lines.map(\.text).sorted())
  }

  @Test func whatNoBaselineHasNeedsNoOtherLog() throws {
    let one = results(0, log: "a")
    #expect(VerdictLine(one, of: "a", nil).isSettled)
    #expect(VerdictLine(one, of: "a", Baseline()).isSettled)
    let known = one.baseline()
    #expect(!VerdictLine(one, of: "a", known).isSettled)
    #expect(VerdictLine(AnalysisResults(), of: "a", known).isSettled)
    #expect(VerdictLine(AnalysisResults(), of: "a", known).text == "a: no events\n")
    let unreadable = AnalysisResults(unreadable: .init(log: "b", error: "b: no such file"))
    #expect(VerdictLine(unreadable, of: "b", known).text == "b: no such file\n")
  }

  /// A log whose scene takes so many seconds to go into the background.
  private func slow(_ name: String, _ seconds: Int) throws -> (String, AnalysisResults) {
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=scene hooks=scene-delegate,system
      1s main call sceneDidEnterBackground scene:1
      \(1 + seconds)s main return sceneDidEnterBackground scene:1
      """)
    var analyzer = Analyzer(trace.vocabulary)
    analyzer.observe(trace.events)
    return (name, AnalysisResults(analyzer.finish(), of: name, trace.vocabulary))
  }

  /// The surplus of one fingerprint is new: first what is most serious, wherever it stands.
  @Test func theMostSeriousIsNewFirst() throws {
    let logs = [try slow("a", 3), try slow("b", 9), try slow("c", 3)]
    let prints = logs.map { log in
      log.1.groups.filter { $0.examples[0].rule == "budget-did-enter-background" }
    }
    #expect(Set(prints.flatMap { $0.map(\.fingerprint) }).count == 1)
    #expect(prints.map { $0.first?.examples[0].severity } == [.warning, .error, .warning])

    var known = Baseline(logs[0].1.causes.map(\.entry))
    func text() -> [String] {
      var total = logs.reduce(into: AnalysisResults()) { $0.merge($1.1) }
      total.compare(with: known)
      #expect(total.worst == .error)
      var lines = logs.map { VerdictLine($0.1, of: $0.0, known) }
      VerdictLine.settle(&lines, total)
      return lines.map(\.text)
    }

    let rule = "(budget-did-enter-background)"
    #expect(
      text() == ["a: 1 warning \(rule)\n", "b: 1 error \(rule)\n", "c: no new findings; 1 known\n"])
    known = Baseline(
      known.entries.map { entry in
        var entry = entry
        entry.count = 2
        return entry
      })

    #expect(
      text() == [
        "a: no new findings; 1 known\n", "b: 1 error \(rule)\n", "c: no new findings; 1 known\n",
      ])
  }

  /// Of many logs the most serious finding is kept, however late its log comes.
  @Test func theMostSeriousIsKept() throws {
    var total = AnalysisResults()
    for number in 100..<130 { total.merge(try slow("log\(number)", 3).1) }
    total.merge(try slow("log999", 9).1)
    let group = try #require(
      total.groups.first { $0.examples[0].rule == "budget-did-enter-background" })
    #expect(group.count == 31 && group.examples.count == 20)
    #expect(group.examples.map(\.log) == ["log999"] + (100..<119).map { "log\($0)" })
    #expect(group.examples.map(\.severity) == [.error] + Array(repeating: .warning, count: 19))
  }

  /// What is counted and not kept is known as far as the baseline goes.
  @Test func whatIsNotKeptIsCountedAsTheBaselineSays() throws {
    var total = AnalysisResults()
    for number in 100..<150 { total.merge(try slow("log\(number)", 3).1) }
    let count = total.groups.reduce(0) { $0 + $1.count }
    #expect(count == 50 && total.standing.counted == [.warning: 50])

    for known in [0, 5, 30, 45, 50, 60] {
      var held = total
      held.compare(
        with: Baseline(
          total.baseline().entries.map { entry in
            var entry = entry
            entry.count = known
            return entry
          }))
      let standing = held.standing
      #expect(standing.known == min(known, 50) && standing.accepted == 0)
      #expect(standing.counted[.warning] ?? 0 == max(0, 50 - known))
      #expect(standing.counted.values.reduce(0, +) == held.comparison?.new)
    }
  }
}
