import LifecycleModel
import Testing
import TraceAnalysis

@testable import TraceReport
@testable import TraceResults

@Suite struct MarkdownReportTests {
  @Test func theReportBeginsWithTheVerdictAndATable() throws {
    let bench = try FormatBench.sample()
    let text = MarkdownReport(results: bench.results).text
    let lines = text.components(separatedBy: "\n")
    #expect(lines[0] == "### tracectl: killed by the watchdog (0x8badf00d); 1 error, 2 warnings")
    #expect(
      lines[2].hasPrefix(
        "**cause** likely: background task \"save\", not ended after 33.5s in the background"))
    #expect(lines[2].hasSuffix("  "))
    #expect(lines[3].hasPrefix("**fix** Call `endBackgroundTask(_:)` where the work ends"))
    #expect(lines[5] == "| | process | how it ended |")
    #expect(
      lines[7].hasPrefix(
        "| fault | `pid 412` | The system killed the app: the app exceeded a watchdog time limit "
          + "(0x8badf00d, appWatchdog). The app was in the background for 33.5s. Likely cause: "))
    #expect(lines[9] == "| | rule | what | findings |")
    #expect(
      lines[11].hasPrefix(
        "| error | `task-leak-at-suspend (R78)` | `task:1 \"save\" was open when the process ended")
    )

    // Each of the same cause has a row of its own.
    #expect(
      lines[12...14].allSatisfy { $0.contains(" same cause as `task-leak-at-suspend` | 1 |") })
    #expect(text.components(separatedBy: "<details>").count == 8)
    #expect(text.components(separatedBy: "</details>").count == 8)
    #expect(text.contains("<details><summary>10 rules cannot tell</summary>"))
    #expect(text.contains("(3 times)\nopens   main#13   12.61s "))
    #expect(text.hasSuffix("Checked 27 events in 1 log, no gaps. 31 rules passed.\n"))
  }

  @Test func theHeadlineCountsWhatCounts() throws {
    var bench = try FormatBench.sample()
    bench.compare("task-leak-at-suspend", .known)
    bench.compare("budget-did-enter-background", .new)
    bench.accept("work-timer-while-inactive", "by | design", at: "t.yml:3")
    let text = MarkdownReport(results: bench.results).text

    #expect(
      text.hasPrefix(
        "### tracectl: killed by the watchdog (0x8badf00d); 1 warning; 1 known; 1 accepted\n"))
    #expect(text.contains("| new warning | `budget-did-enter-background (R47)` |"))
    #expect(text.contains(#" `accepted: by \u007c design (t.yml:3)` | 1 |"#))
    #expect(text.contains("| known | `task-one-end (R74)` |"))
  }

  @Test func whatIsFixedIsListed() throws {
    let text = MarkdownReport(
      results:
        try FormatBench.sample().results(fixed: FormatBench.fixed)
    ).text
    #expect(
      text.hasPrefix(
        "### tracectl: killed by the watchdog (0x8badf00d); no new findings; 6 known; 2 fixed\n"))
    #expect(text.contains("<summary>2 fixed</summary>"))
    #expect(text.contains("| `budget-resign` | `2 × it took 3s` |"))
  }

  @Test func manyLogsAreCounted() throws {
    var results = try FormatBench(FormatBench.hole, log: "a").results
    results.merge(try FormatBench(FormatBench.hole, log: "b").results)
    results.merge(AnalysisResults(unreadable: .init(log: "c", error: "c: the file is empty")))
    let text = MarkdownReport(results: results).text

    #expect(
      text.hasPrefix(
        "### tracectl: cannot tell: events are missing, and no rule could check these logs; "
          + "2 warnings about the recording; 1 log could not be read\n"))
    #expect(text.contains("- `c: the file is empty`"))
    #expect(text.contains("| 2 in 2 logs |"))
    #expect(text.contains("Checked 2 events in 2 logs, 2 gaps."))
  }

  @Test func nothingFoundIsSaid() throws {
    let clean = try FormatBench("0s - profile hooks=work\n1s main note").results
    #expect(
      MarkdownReport(results: clean).text.hasPrefix(
        "### tracectl: cannot tell: no rule could check this log\n"))
    #expect(
      MarkdownReport(results: AnalysisResults()).text.hasPrefix(
        "### tracectl: no log was analyzed\n"))
  }

  @Test func whatDoesNotFitIntoAnIssueIsLeftOutAndCounted() throws {
    let results = try FormatBench(FormatBench.gaps(400)).results
    let text = MarkdownReport(results: results).text
    #expect(text.utf8.count < 65_536)
    #expect(text.contains("\nand 300 more\n"))
    #expect(text.contains(#/\n[0-9]+ more are not shown in detail\.\n/#))
  }
}
