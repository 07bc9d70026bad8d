import LifecycleModel
import Testing
import TraceAnalysis

@testable import TraceReport
@testable import TraceResults

@Suite struct XcodeReportTests {
  /// What Xcode takes for an issue: a path, a line, a severity and a message.
  private static func isIssue(_ line: Substring) -> Bool {
    line.wholeMatch(of: #/[^:]+:[1-9]\d*: (error|warning|note): .+ \[[a-z0-9-]+\]/#) != nil
  }

  @Test func eachLineIsAnIssue() throws {
    let lines = XcodeReport(results: try FormatBench.sample().results).text.split(separator: "\n")
    #expect(lines.count == 6)
    for line in lines { #expect(Self.isIssue(line), "\(line)") }
    #expect(lines[0].hasPrefix("logs/run.bin:1: error: "), "\(lines[0])")
    #expect(lines[0].contains("; fix: "), "\(lines[0])")
  }

  @Test func itLeadsToTheLineOfTheCode() throws {
    let results = try FormatBench(
      """
      0s - profile mode=app hooks=app-delegate,work
      1s main call applicationWillResignActive app
      1.1s main return applicationWillResignActive app
      2s main work timer app "autosave" at=Notes/Editor.swift:42
      """
    ).results

    let text = XcodeReport(results: results).text
    #expect(text.hasPrefix("Notes/Editor.swift:42: warning: "), "\(text)")
    #expect(text.hasSuffix(" [work-timer-while-inactive]\n"), "\(text)")
  }
}
