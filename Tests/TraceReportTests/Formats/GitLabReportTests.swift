import LifecycleModel
import Testing
import TraceAnalysis

@testable import TraceReport
@testable import TraceResults

@Suite struct GitLabReportTests {
  private func entries(_ results: AnalysisResults) throws -> [JSON] {
    try JSON(GitLabReport(results: results).text).list
  }

  @Test func anEntryHasWhatGitLabReads() throws {
    let entries = try entries(FormatBench.sample().results)
    #expect(
      Set(entries.compactMap(\.["check_name"].text)) == [
        "task-leak-at-suspend", "task-one-end", "task-end-in-expiration", "budget-assertion-total",
        "budget-did-enter-background", "work-timer-while-inactive",
      ])

    for entry in entries {
      #expect(
        entry.keys == ["description", "check_name", "fingerprint", "severity", "location"])
      #expect(entry["location"]["path"].text == "logs/run.bin")
      #expect(entry["location"]["lines"]["begin"].number == 1)
    }

    #expect(
      entries.compactMap(\.["severity"].text)
        == Array(repeating: "critical", count: 4) + ["major", "major"])
    #expect(entries[0]["check_name"].text == "task-leak-at-suspend")
    #expect(
      entries[1]["description"].text?.hasSuffix("(same cause as task-leak-at-suspend)") == true)
  }

  @Test func aFingerprintHasOneEntry() throws {
    var results = try FormatBench(
      """
      0s - profile hooks=work
      1s - gap ring-full 3 writer=main
      2s - gap ring-full 5 writer=main
      """, log: "./a"
    ).results

    results.merge(try FormatBench(FormatBench.hole, log: "b").results)
    let entries = try entries(results)
    #expect(entries.count == 1)
    #expect(entries[0]["description"].text?.hasSuffix("(3 findings in 2 logs)") == true)
    #expect(entries[0]["location"]["path"].text == "a")
  }

  @Test func whatDoesNotCountIsInfoAndSaysWhy() throws {
    var bench = try FormatBench.sample()
    bench.compare("budget-did-enter-background", .known)
    bench.accept("work-timer-while-inactive", "by design", at: "t.yml:3")
    let entries = try entries(bench.results).suffix(2)
    #expect(entries.map(\.["severity"].text) == ["info", "info"])
    let texts = entries.compactMap(\.["description"].text)
    #expect(texts.contains { $0.hasPrefix("[known] applicationDidEnterBackground") })
    #expect(texts.contains { $0.hasPrefix("[accepted: by design (t.yml:3)] the timer") })
  }

  /// GitLab compares two reports: the entry of a log that cannot be read is the same in both.
  @Test func aLogThatCannotBeReadIsAnEntry() throws {
    var results = try FormatBench.sample().results
    let count = try entries(results).count
    for log in ["./c", "d"] {
      results.merge(
        AnalysisResults(unreadable: .init(log: log, error: "\(log): the file is empty")))
    }

    let entries = try entries(results)
    #expect(entries.count == count + 2)
    #expect(entries[0]["description"].text == "the log cannot be read: ./c: the file is empty")
    #expect(entries[0]["check_name"].text == "unreadable-log")
    #expect(entries[0]["severity"].text == "blocker")
    #expect(entries[0]["location"]["path"].text == "c")
    let other = AnalysisResults(unreadable: .init(log: "./c", error: "./c: permission denied"))
    #expect(try self.entries(other)[0]["fingerprint"].text == entries[0]["fingerprint"].text)
    #expect(entries[0]["fingerprint"].text != entries[1]["fingerprint"].text)
  }

  @Test func nothingIsAnEmptyList() throws {
    #expect(GitLabReport(results: AnalysisResults()).text == "[]\n")
  }
}
