import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

@Suite struct StatisticsReportTests {
  private func analyze(_ trace: Trace) -> Analysis {
    Analyzer.analyze(trace, statistics: true)
  }

  private func results(_ trace: Trace, _ analysis: Analysis) -> AnalysisResults {
    AnalysisResults(analysis, of: "log", trace.vocabulary)
  }

  private func text(_ notation: String) throws -> String {
    let trace = try TraceNotation.parse(notation)
    return TextReport(results(trace, analyze(trace))).text
  }

  private static let notation = """
    0s - profile os=18.2 hooks=app-delegate,work
    1s main call applicationDidEnterBackground app
    1.3s main return applicationDidEnterBackground app
    2s db work.begin save app "notes.db"
    2.004s db work.end save app "notes.db"
    3s db work.begin save app "notes.db"
    3.09s db work.end save app "notes.db"
    4s db work.end load app "\\u001b[31m"
    5s main task.begin task:1 "sync"
    """

  /// 300 ms of 5 s are 6 %.
  ///
  /// The bucket of 4 ms ends at 245 · 2^14 - 1 ns, the longest is 90 ms.
  @Test func theTableHasALineForEachThing() throws {
    let report = try text(Self.notation)
    #expect(
      report.contains(
        #"""

        Durations
          count     p50    p95    p99    max      used  budget  what
              1   300ms  300ms  300ms  300ms  6% of 5s   310ms  callback applicationDidEnterBackground
              2  4.01ms   90ms   90ms   90ms         –    91ms  work save "notes.db"
          used: the largest share of a known limit; budget: the tightest that all keep
          not counted:
            work load "\u001b[31m": 1 without a begin
            task "sync": 1 still open at the end of the log

        """#), "\(report)")
  }

  @Test func aLogWithoutSpansSaysSo() throws {
    #expect(
      try text("1s main note \"x\"").contains(
        "Durations\n  no event in the log has both a begin and an end\n"))
  }

  @Test func withoutStatisticsTheReportsSayNothingOfThem() throws {
    let trace = try TraceNotation.parse(Self.notation)
    let results = results(trace, Analyzer.analyze(trace))
    #expect(!TextReport(results).text.contains("Durations"))
    #expect(try !results.json.contains("\"statistics\""))
  }

  private func json(_ trace: Trace, _ analysis: Analysis) throws -> [[String: Any]] {
    let text = try results(trace, analysis).json
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(object?["statistics"] as? [[String: Any]])
  }

  @Test func theJSONHasTheNumbers() throws {
    let trace = try TraceNotation.parse(Self.notation)
    let rows = try json(trace, analyze(trace))
    #expect(rows.map { $0["kind"] as? String } == ["callback", "work", "work", "task"])
    let callback = try #require(rows.first)
    #expect(callback["p50"] as? Int == 300_000_000 && callback["budget99"] as? Int == 310_000_000)
    let use = try #require((callback["allowances"] as? [[String: Int]])?.first)
    #expect(use == ["allowed": 5_000_000_000, "used": 300_000_000, "permille": 60])
    #expect(rows[3]["notCounted"] as? [String: Int] == ["end-of-log": 1])
    #expect(rows[3]["p50"] == nil && rows[3]["count"] as? Int == 0)
  }

  @Test func theArticleDescribesEveryMember() throws {
    let article = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/TraceReport/TraceReport.docc/JSONReportFormat.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let parts = text.components(separatedBy: "\n## statistics\n")
    let section = try #require(parts.count == 2 ? parts[1] : nil)
    var seen: Set<String> = []
    func check(_ value: Any) {
      if let object = value as? [String: Any] {
        for (key, member) in object {
          seen.insert(key)
          check(member)
        }
      } else if let array = value as? [Any] {
        for element in array { check(element) }
      }
    }

    let trace = try TraceNotation.parse(Self.notation)
    check(try json(trace, analyze(trace)))
    for word in seen.union(Statistics.Kind.allCases.map(\.rawValue))
      .union(Statistics.Omission.allCases.map(\.rawValue)).union(["others"])
    {
      #expect(section.contains("`\(word)`"), "\(word)")
    }
    #expect(seen.isSuperset(of: ["p50", "p95", "p99", "max", "budget", "notCounted", "permille"]))
  }
}
