import Foundation
import LifecycleModel
import Testing
import TraceAnalysis

@testable import TraceReport
@testable import TraceResults

@Suite struct JUnitReportTests {
  private func lines(_ results: AnalysisResults, of name: String = "run") -> [Substring] {
    JUnitReport(results, of: name).text.split(separator: "\n")
  }

  private func attribute(_ name: String, _ lines: [Substring]) -> String? {
    let suite = lines.first { $0.contains("<testsuite ") } ?? ""
    let parts = suite.components(separatedBy: " \(name)=\"")
    return parts.count > 1 ? parts[1].components(separatedBy: "\"")[0] : nil
  }

  @Test func aRuleAndASubjectAreACase() throws {
    let lines = lines(try FormatBench.sample().results)
    func follows(_ testCase: String, _ next: String) -> Bool {
      guard let index = lines.firstIndex(where: { $0.hasSuffix(testCase) }) else { return false }
      return lines[index + 1].trimmingPrefix(while: \.isWhitespace).hasPrefix(next)
    }

    // 6 rules found something, 31 were kept and 10 could not tell: the text report counts them.
    #expect(attribute("tests", lines) == "47" && attribute("failures", lines) == "6")
    #expect(attribute("skipped", lines) == "10" && attribute("errors", lines) == "0")
    #expect(
      follows(
        #"<testcase name="task:1" classname="task-leak-at-suspend" time="0">"#,
        #"<failure message="task:1 &quot;save&quot; was open when the process ended"#))
    #expect(
      follows(
        #"<testcase name="task:1" classname="task-one-end" time="0">"#,
        #"<failure message="task:1 &quot;save&quot; never ended"#))
    #expect(
      follows(
        #"<testcase name="every subject" classname="launch-scene-adoption" time="0">"#,
        #"<skipped message="cannot tell: the profile does not state sdk"/>"#))
    #expect(
      lines.contains(#"    <testcase name="every subject" classname="launch-order" time="0"/>"#))
    // What had nothing to check is no case.
    #expect(!lines.contains { $0.contains("classname=\"scene-connection\"") })
  }

  @Test func whatDoesNotCountPassesAndIsTold() throws {
    var bench = try FormatBench.sample()
    bench.compare("task-leak-at-suspend", .known)
    bench.accept("work-timer-while-inactive", "by design", at: "t.yml:3")
    let text = JUnitReport(bench.results, of: "run").text
    let lines = text.split(separator: "\n")
    #expect(attribute("failures", lines) == "1")
    #expect(
      lines.contains(
        #"    <testcase name="task:1" classname="task-leak-at-suspend" time="0"/>"#))
    #expect(text.contains("<system-out>"))
    #expect(lines.contains { $0.hasSuffix("task-leak-at-suspend task:1: known") })
    #expect(
      lines.contains {
        $0.hasSuffix("work-timer-while-inactive app: accepted: by design (t.yml:3)")
      })
  }

  @Test func whatIsFixedIsTold() throws {
    let results = try FormatBench.sample().results(fixed: FormatBench.fixed)
    let lines = lines(results)
    #expect(attribute("failures", lines) == "0")
    #expect(lines.contains { $0.contains("fixed: 2 × budget-resign: it took 3s") })
  }

  @Test func aNotePasses() throws {
    let results = try FormatBench(FormatBench.tornTail).results
    let lines = lines(results)
    #expect(attribute("failures", lines) == "0")
    #expect(lines.contains { $0.contains("lost-events log: note") })
  }

  @Test func anEndThatNobodyCanJudgeIsSkippedAndNeverPasses() throws {
    let unknown = "0s - profile mode=app hooks=process\n1s - process.start app\n3s - kill app"
    let normal = "0s - profile hooks=process\n1s - process.start app\n3s - exit app status=0"
    var results = try FormatBench(unknown).results
    func death() -> [String] {
      let lines = lines(results)
      let place = lines.firstIndex { $0.contains(#"classname="death""#) } ?? lines.endIndex
      return lines[place...].prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    let reason = "the state at that point is not known"
    #expect(
      death() == [
        #"<testcase name="every subject" classname="death" time="0">"#,
        #"<skipped message="cannot tell: \#(reason)"/>"#,
      ])
    results.merge(try FormatBench(normal, log: "b").results)
    #expect(death().last == #"<skipped message="cannot tell in 1 of 2 logs: \#(reason)"/>"#)
  }

  @Test func aLogThatCannotBeReadIsAnError() throws {
    var results = try FormatBench(FormatBench.hole).results
    results.merge(AnalysisResults(unreadable: .init(log: "b.bin", error: "the file is empty")))
    let lines = lines(results, of: "2 logs")
    #expect(attribute("errors", lines) == "1" && attribute("name", lines) == "2 logs")
    #expect(lines.contains { $0.contains(#"<testcase name="b.bin" classname="tracectl""#) })
    #expect(
      lines.contains { $0.contains(#"<error message="the file is empty" type="unreadable"/>"#) })
  }

  @Test func aRuleThatCouldNotTellInSomeLogsSaysInHowMany() throws {
    var results = try FormatBench("0s - profile mode=app\n1s main note").results
    results.merge(try FormatBench("0s - profile\n1s main note", log: "b").results)
    let skipped = lines(results).filter { $0.contains("<skipped") }
    #expect(!skipped.isEmpty)
    #expect(skipped.allSatisfy { $0.contains(" of 2 logs: ") })
  }
}
