import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport

@Suite struct FindingStreamTests {
  /// What a log's stream says, a batch of events after the other, and what it says at the end.
  private func stream(
    _ notation: String, batch: Int
  ) throws -> (lines: [[JSON]], analysis: Analysis) {
    let trace = try TraceNotation.parse(notation)
    var analyzer = Analyzer(trace.vocabulary)
    var stream = FindingStream(of: "log")
    var batches: [String] = []

    for start in Swift.stride(from: 0, to: trace.events.count, by: batch) {
      analyzer.observe(Array(trace.events[start..<min(start + batch, trace.events.count)]))
      batches.append(stream.lines(analyzer, trace.vocabulary))
    }

    let analysis = analyzer.finish()
    let results = AnalysisResults(analysis, of: "log", trace.vocabulary)
    batches.append(stream.end(results))
    let lines = try batches.map { try $0.split(separator: "\n").map { try JSON(String($0)) } }
    return (lines, analysis)
  }

  private static let timers = """
    0s - profile mode=app os=18.2 hooks=app-delegate,work
    1s main call applicationDidEnterBackground app
    2s main return applicationDidEnterBackground app
    3s main work timer app "tick"
    4s main work timer app "tick"
    """

  @Test func aFindingIsToldWhenItIsMadeAndAgainWhenMoreHasBecomeOfIt() throws {
    let (lines, _) = try stream(Self.timers, batch: 1)
    #expect(lines[0].isEmpty && lines[1].isEmpty && lines[2].isEmpty)
    let found = try #require(lines[3].first)
    #expect(found["type"].text == "finding" && found["key"].number == 1)
    #expect(found["rule"].text == "work-timer-while-inactive")
    #expect(found["occurrences"].number == 1 && found["nearest"].list.isEmpty)
    #expect(
      found["message"].text
        == #"the timer "tick" of app fired while inactive, after applicationDidEnterBackground at 1s"#
    )

    // The second one is the same thing in the same window.
    #expect(!lines[4].contains { $0["rule"].text == "work-timer-while-inactive" })
    let update = try #require(lines[5].first { $0["key"].number == 1 })
    #expect(update["type"].text == "update" && update["occurrences"].number == 2)
    #expect(update["nearest"].list.count == 1)
    #expect(lines[5].last?["type"].text == "summary")
  }

  @Test(arguments: [1, 3, 1000]) func theLastLinesOfTheKeysAreTheAnalysis(batch: Int) throws {
    let sample = try #require(FormatBench.sampleText)
    let (lines, analysis) = try stream(sample, batch: batch)
    var last: [Int: JSON] = [:]
    for line in lines.joined() {
      if let key = line["key"].number { last[key] = line }
    }

    #expect(Set(last.keys) == Set(1...analysis.allFindings.count))
    for main in analysis.findings {
      for finding in [main] + main.dependents {
        let line = try #require(last[finding.number])
        #expect(line["rule"].text == finding.rule && line["message"].text == finding.message)
        #expect(line["occurrences"].number == finding.occurrences)
        #expect(line["cause"].number == (finding == main ? nil : main.number))
      }
    }
  }

  @Test func theSummaryCounts() throws {
    let (lines, _) = try stream(Self.timers, batch: 100)
    let summary = try #require(lines.last?.last)
    #expect(summary["worst"].text == "warning" && summary["warning"].number == 1)
    #expect(summary["error"].number == 0 && summary["logs"].number == 1)
    #expect(summary["events"].number == 5)
    let doubts = lines.joined().count { $0["type"].text == "cannot-tell" }
    #expect(summary["cannotTell"].number == doubts && doubts > 0)
  }

  @Test func resultsOfManyLogsAreALineAFinding() throws {
    var results = try FormatBench(FormatBench.hole, log: "a").results
    results.merge(try FormatBench.sample().results)
    results.merge(AnalysisResults(unreadable: .init(log: "c", error: "the file is empty")))
    let lines = try NDJSONReport(results).text.split(separator: "\n").map { try JSON(String($0)) }
    #expect(lines[0].keys == ["type", "schema", "version"])

    let findings = lines.filter { $0["type"].text == "finding" }
    #expect(findings.map(\.["key"].number) == [1, 2, 3, 4, 5, 6, 7])
    #expect(findings.map(\.["cause"].number) == [nil, nil, 2, 2, 2, nil, nil])
    #expect(findings.map(\.["log"].text).first == "a")
    #expect(findings[0]["count"].number == 1 && findings[0]["logs"].number == 1)
    let unreadable = try #require(lines.first { $0["type"].text == "unreadable" })
    #expect(unreadable["error"].text == "the file is empty")
    #expect(lines.last?["unreadable"].number == 1 && lines.last?["logs"].number == 2)
  }

  /// The article names every member of every line.
  @Test func theArticleDescribesEveryMember() throws {
    var bench = try FormatBench.sample()
    bench.accept("work-timer-while-inactive", "by design", at: "t.yml:3")
    var results = bench.results(fixed: FormatBench.fixed)
    results.merge(AnalysisResults(unreadable: .init(log: "c", error: "the file is empty")))
    let article = try FormatBench.document("Formats.md")
    let text = NDJSONReport(results).text
    for type in ["begin", "finding", "unreadable", "cannot-tell", "fixed", "summary"] {
      #expect(text.contains("{\"type\":\"\(type)\""))
    }

    for line in text.split(separator: "\n") {
      let line = try JSON(String(line))
      #expect(article.contains("`\(line["type"].text ?? "")`"))
      for key in line.keys { #expect(article.contains("`\(key)`"), "\(key)") }
    }
  }
}
