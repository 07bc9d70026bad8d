import Foundation
import LifecycleModel
import Testing
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

@Suite struct IndexPageTests {
  private static let day: Nanoseconds = .seconds(86_400)

  /// The page of logs in which a timer fires in the background, each of its release and its day.
  private static func page(_ logs: [(release: String, days: Int64, label: String)]) throws -> String
  {
    var pile = ResultsPile()
    var rows: [IndexPage.Row] = []

    for (number, log) in logs.enumerated() {
      let trace = try TraceNotation.parse(
        """
        0s - profile mode=app hooks=app-delegate,work version=\(log.release)
        1s main call applicationWillResignActive app
        1.1s main return applicationWillResignActive app
        2s main work timer app "\(log.label)"
        """)
      let name = "runs/\(number).bin"
      let results = AnalysisResults(
        Analyzer.analyze(trace), of: name, trace.vocabulary,
        clock: WallClock(origin: 20_000 * day + log.days * day))
      rows.append(IndexPage.Row(results, log: name, page: "pages/\(number).html"))
      pile.add(results)
    }
    return IndexPage(pile.total, rows).html
  }

  private static func rows(_ page: String) -> [Substring] {
    page.components(separatedBy: "<tr class=\"warning\"").dropFirst()
      .map { $0.prefix(upTo: $0.range(of: "</tr>")?.lowerBound ?? $0.endIndex) }
  }

  @Test func oneCauseIsARowWithItsReleasesAndDays() throws {
    let page = try Self.page([("1.0", 0, "save"), ("1.1", 3, "save"), ("1.1", 3, "sync")])
    let rows = Self.rows(page)
    try #require(rows.count == 2)

    #expect(rows[0].contains("data-name=\"times\" data-value=\"2\""), "\(rows[0])")
    #expect(rows[0].contains("data-releases=\"1.0 | 1.1\""), "\(rows[0])")
    #expect(rows[0].contains("<time>2024-10-04</time>"), "\(rows[0])")
    #expect(rows[0].contains("<time>2024-10-07</time>"), "\(rows[0])")
    #expect(rows[0].contains("M73 20v-20M76 20v-1M79 20v-1M82 20v-20\""), "\(rows[0])")
    #expect(page.contains("<option value=\"1.1\">1.1</option>"))
    #expect(page.contains("<a href=\"pages/0.html\">0.bin</a>"))
  }

  @Test func withoutDaysAndReleasesTheirColumnsAreNotThere() throws {
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=app hooks=app-delegate,work
      1s main call applicationWillResignActive app
      2s main work timer app "save"
      """)

    let results = AnalysisResults(Analyzer.analyze(trace), of: "a.bin", trace.vocabulary)
    let page = IndexPage(results, [IndexPage.Row(results, log: "a.bin", page: "a.html")]).html
    #expect(page.contains("<th scope=\"col\"><button type=\"button\">times</button></th>"))
    #expect(!page.contains("first seen") && !page.contains("all releases"))
  }
}
