import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis
@testable import TraceReport
@testable import TraceResults

/// What is new, known and fixed of the results of a log.
@Suite struct BaselineComparisonTests {
  private func analyze(
    _ notation: String, _ change: (inout Analysis) -> Void = { _ in }
  ) throws -> AnalysisResults {
    let trace = try TraceNotation.parse(notation)
    var analysis = Analyzer.analyze(trace)
    change(&analysis)
    return AnalysisResults(analysis, of: "x", trace.vocabulary)
  }

  /// Timers that fire in the background, one window each.
  private func timers(
    _ labels: [String], _ change: (inout Analysis) -> Void = { _ in }
  ) throws -> AnalysisResults {
    var lines = ["0s - profile mode=app hooks=app-delegate,work"]
    for (cycle, label) in labels.enumerated() {
      lines.append("\(cycle + 1)0s main call applicationDidBecomeActive app")
      lines.append("\(cycle + 1)0s main return applicationDidBecomeActive app")
      lines.append("\(cycle + 1)1s main return applicationWillResignActive app")
      lines.append("\(cycle + 1)2s main work timer app \"\(label)\"")
    }
    return try analyze(lines.joined(separator: "\n"), change)
  }

  @Test func whatIsKnownIsNotCounted() throws {
    let known = try timers(["poll", "poll"]).baseline()
    var same = try timers(["poll", "poll"])
    same.compare(with: known)
    #expect(same.findings.map(\.baselineState) == [.known, .known] && same.worst == nil)
    #expect(same.comparison == BaselineComparison(new: 0, known: 2))
    var more = try timers(["poll", "other", "poll", "poll"])
    more.compare(with: known)
    #expect(more.findings.map(\.baselineState) == [.new, .new, .known, .known])
    #expect(more.worst == .warning)
    #expect(more.comparison?.new == 2 && more.comparison?.known == 2)
  }

  @Test func whatIsGoneIsFixedWhereTheRuleJudged() throws {
    let known = try timers(["poll", "poll", "other"]).baseline()
    var fixed = try timers(["poll"])
    fixed.compare(with: known)
    let entries = try #require(fixed.comparison?.fixed)
    #expect(entries.map(\.count) == [1, 1] && fixed.comparison?.notJudged == [])

    // The rule saw no timer at all: that shows nothing.
    var none = try analyze("0s - profile mode=app hooks=app-delegate,work\n1s main note")
    none.compare(with: known)
    #expect(none.comparison?.fixed == [])
    #expect(none.comparison?.notJudged.map(\.count).reduce(0, +) == 3)

    // It saw one that fired while active.
    var kept = try analyze(
      """
      0s - profile mode=app hooks=app-delegate,work
      1s main call applicationDidBecomeActive app
      2s main work timer app "poll"
      3s main return applicationWillResignActive app
      """)

    kept.compare(with: known)
    #expect(kept.comparison?.fixed.map(\.count).reduce(0, +) == 3)
    // Nothing would have shown them.
    var blind = try analyze("0s - profile mode=app hooks=tasks\n1s main note")
    blind.compare(with: known)
    #expect(blind.comparison?.fixed == [])
    #expect(blind.comparison?.notJudged.map(\.count).reduce(0, +) == 3)
  }

  @Test func whatIsLeftOutCounts() throws {
    let fifty = try timers(Array(repeating: "poll", count: 50))
    let known = fifty.baseline()
    #expect(known.entries.map(\.count) == [50])
    var same = fifty
    same.compare(with: known)
    #expect(same.worst == nil && same.comparison?.known == 50)

    var more = try timers(Array(repeating: "poll", count: 51))
    more.compare(with: known)
    #expect(more.findings.count == 20)
    #expect(more.findings.map(\.baselineState).count { $0 == .new } == 1)
    #expect(more.findings.first?.baselineState == .new)
  }

  @Test func whatIsSuppressedIsNeitherNewNorFixed() throws {
    let known = try timers(["poll"]).baseline()
    var results = try timers(["poll", "other"]) { analysis in
      for index in analysis.findings.indices {
        analysis.findings[index].suppression = Finding.Suppression(reason: "x", place: "a:1")
      }
    }
    results.compare(with: known)
    #expect(results.findings.allSatisfy { $0.baselineState == nil })
    #expect(results.comparison == BaselineComparison())
  }

  /// A finding that stands under another one is known by its own fingerprint, wherever it stands.
  @Test func dependentsHaveFingerprintsOfTheirOwn() throws {
    let log = """
      0s - profile mode=app os=18.2 launch=user background-modes=none hooks=app-delegate,tasks,system
      0s - process.start app launch=user
      1s main task.begin task:1 "save" handler=true
      2s main call applicationDidEnterBackground app
      2.1s main return applicationDidEnterBackground app
      2.2s - state inactive->background app
      40s - kill app code=0x8badf00d
      """

    var results = try analyze(log)
    let finding = try #require(results.findings.first { !$0.dependents.isEmpty })
    let own = finding.dependents.map(\.fingerprint)
    #expect(Set(own + [finding.fingerprint]).count == own.count + 1)
    let all = results.baseline()
    results.compare(with: all)
    #expect(results.listedFindings.map(\.finding).allSatisfy { $0.baselineState == .known })
    results = try analyze(log)
    results.compare(with: Baseline(all.entries.filter { $0.fingerprint != own[0] }))
    let new = results.listedFindings.map(\.finding).filter { $0.baselineState == .new }
    #expect(new.map(\.fingerprint) == [own[0]])
    #expect(results.worst != nil)
  }
}

extension BaselineComparison {
  fileprivate init(new: Int, known: Int) {
    self.init()
    (self.new, self.known) = (new, known)
  }
}
