import LifecycleModel
import Testing
import TraceAnalysis

@testable import TraceReport
@testable import TraceResults

@Suite struct GitHubReportTests {
  /// A command, taken apart as the runner does it.
  private struct Command {
    var kind: Substring
    var properties: [String: String] = [:]
    var message: String

    init(_ line: Substring) throws {
      #expect(line.hasPrefix("::"))
      let parts = line.dropFirst(2).split(separator: "::", maxSplits: 1)
      try #require(parts.count == 2, "\(line)")
      let head = parts[0].split(separator: " ", maxSplits: 1)
      kind = head[0]

      for property in head.count > 1 ? head[1].split(separator: ",") : [] {
        let pair = property.split(separator: "=", maxSplits: 1)
        try #require(pair.count == 2, "\(line)")
        properties[String(pair[0])] = Command.plain(
          String(pair[1]).replacing("%3A", with: ":").replacing("%2C", with: ","))
      }
      message = Command.plain(String(parts[1]))
    }

    private static func plain(_ text: String) -> String {
      text.replacing("%0D", with: "\r").replacing("%0A", with: "\n").replacing("%25", with: "%")
    }
  }

  private func commands(_ results: AnalysisResults) throws -> [Command] {
    try GitHubReport(results: results).text.split(separator: "\n").map(Command.init)
  }

  @Test func findingsAreAnnotationsTheMostSeriousFirst() throws {
    let commands = try commands(FormatBench.sample().results)
    #expect(commands.map(\.kind) == ["error", "warning", "warning", "notice"])
    #expect(
      commands[0].properties == [
        "file": "logs/run.bin", "title": "tracectl: task-leak-at-suspend (R78)",
      ])

    let lines = commands[0].message.split(separator: "\n")
    #expect(lines[0].hasPrefix(#"task:1 "save" was open when the process ended"#))
    #expect(lines[1].hasPrefix("fix: Call endBackgroundTask"))
    #expect(lines[2] == "legal: end task:1 within 30s in the background")

    // What has the same cause is named by its own rules.
    #expect(lines[3].hasPrefix("also task-one-end (R74): "))
    #expect(lines[4].hasPrefix("also task-end-in-expiration (R75): "))
    #expect(lines[5].hasPrefix("also budget-assertion-total (R51): "))
    #expect(commands[3].message == "10 rules cannot tell")
  }

  private func many(_ count: Int, _ log: String) throws -> AnalysisResults {
    try FormatBench(FormatBench.gaps(count), log: log).results
  }

  @Test func tenOfAKindAreShownAndTheRestIsCounted() throws {
    let all = try commands(many(10, "a"))
    #expect(all.count { $0.kind == "warning" } == 10)
    #expect(all.allSatisfy { !$0.message.contains("more warning") })
    let cut = try commands(many(13, "a"))
    #expect(cut.count { $0.kind == "warning" } == 10)
    #expect(cut.count { $0.kind == "notice" } == 1)
    #expect(cut.last?.message.hasPrefix("3 more warnings") == true)
  }

  @Test func whatIsFrequentComesFirst() throws {
    var results = try many(12, "a")
    let rare = try FormatBench(
      "0s - profile hooks=work\n5s - gap \(FormatBench.cause(11)) 3 writer=main", log: "b"
    ).results
    results.merge(rare)
    let first = try #require(try commands(results).first)
    #expect(first.message.contains("(2 findings in 2 logs)"), "\(first.message)")
    #expect(first.message.contains(FormatBench.cause(11)))
  }

  @Test func whatDoesNotCountIsCountedOnly() throws {
    var bench = try FormatBench.sample()
    bench.compare("task-leak-at-suspend", .known)
    bench.accept("work-timer-while-inactive", "by design", at: "t.yml:3")
    let commands = try commands(bench.results)
    #expect(commands.map(\.kind) == ["warning", "notice"])
    #expect(
      commands[1].message
        == "killed by the watchdog (0x8badf00d), 1 known, 1 accepted, 10 rules cannot tell")
  }

  @Test func whatIsFixedIsCounted() throws {
    let results = try FormatBench.sample().results(fixed: FormatBench.fixed)
    let commands = try commands(results)
    #expect(
      commands.map(\.message) == [
        "killed by the watchdog (0x8badf00d), 6 known, 2 fixed, 10 rules cannot tell"
      ])
  }

  @Test func whatCountsUnderAFindingThatDoesNotIsAnnotated() throws {
    var bench = try FormatBench.sample()
    bench.compare("task-leak-at-suspend", .known)
    bench.compare("task-one-end", .new)
    let first = try #require(try commands(bench.results).first)
    #expect(first.properties["title"] == "tracectl: task-one-end (R74)" && first.kind == "error")
  }

  @Test func aLogThatCannotBeReadIsAnError() throws {
    let results = AnalysisResults(
      unreadable: .init(log: "a,b:c%.bin", error: "line 1\n::error::x 100%"))
    let command = try #require(try commands(results).first)
    #expect(command.kind == "error" && command.properties["file"] == "a,b:c%.bin")
    #expect(command.message == #"line 1\u000a:\u003aerror::x 100%"#)
  }

  @Test func standardInputIsNoFile() throws {
    let commands = try commands(FormatBench(FormatBench.hole, log: "-").results)
    #expect(commands.allSatisfy { $0.properties["file"] == nil })
  }
}
