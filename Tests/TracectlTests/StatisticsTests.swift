import Foundation
import Testing

/// `tracectl analyze --stats`.
@Suite struct StatisticsTests {
  private let log = """
    0s - profile os=18.2
    1s main call applicationWillTerminate app
    2.5s main return applicationWillTerminate app
    """

  @Test func statsAddATableToTheReport() throws {
    let run = try CommandRun("analyze", "-v", "--stats", "-", input: log)
    #expect(
      run.output.contains(
        """
        Durations
          count   p50   p95   p99   max       used  budget  what
              1  1.5s  1.5s  1.5s  1.5s  30% of 5s    1.6s  callback applicationWillTerminate

        """), "\(run.output)")
    #expect(try !CommandRun("analyze", "-v", "-", input: log).output.contains("Durations"))
  }

  @Test func statsAddAMemberToTheJSON() throws {
    let run = try CommandRun("analyze", "--stats", "--format", "json", "-", input: log)
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let rows = try #require(json?["statistics"] as? [[String: Any]])
    #expect(rows.count == 1 && rows.first?["max"] as? Int == 1_500_000_000)
  }
}
