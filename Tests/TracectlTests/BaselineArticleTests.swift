import Foundation
import Testing
import TraceAnalysis

@testable import TraceReport

/// What the article `Baseline` shows is what the command does.
@Suite struct BaselineArticleTests {
  private let scratch: ScratchFolder
  private let article: String
  private let blocks: [String]

  init() throws {
    scratch = try ScratchFolder()
    let file = CommandRun.root.appendingPathComponent(
      "Sources/TraceReport/TraceReport.docc/Baseline.md")
    article = try String(contentsOf: file, encoding: .utf8)
    blocks = article.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
  }

  private func block(_ words: String) throws -> String {
    let block = try #require(blocks.first { $0.contains(words) })
    return block.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .joined(separator: "\n")
  }

  @Test func theLogGivesTheBaseline() throws {
    try scratch.file("a.trace", block("-    profile mode=app"))
    let run = try CommandRun("baseline", "write", "a.trace", in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    let written = try String(
      contentsOf: scratch.url.appendingPathComponent("tracectl-baseline.jsonl"), encoding: .utf8)
    #expect(try written == block("tracectl-baseline"))
  }

  @Test func theResultsAreAFile() throws {
    let json = try block("tracectl-analysis")
    var results = try JSONReport.read(Array(json.utf8))
    #expect(results.logs == 3 && results.groups.map(\.count) == [3])
    results.merge(results)
    #expect(results.groups.map(\.count) == [6] && results.events == 42)
    try scratch.file("a.json", json)
    let run = try CommandRun("merge-results", "a.json", in: scratch.url)
    #expect(run.status == 1 && run.output.hasPrefix("3 logs: 3 with findings\n"), "\(run.errors)")
  }

  @Test func everyMemberIsDescribed() throws {
    let analysis = try CommandRun(
      "analyze", "--stats", "--results", "r.json", "--baseline", "b.jsonl", "--format", "json",
      "a.trace", in: written())
    #expect(analysis.status == 0, "\(analysis.errors)")
    let data = try Data(contentsOf: scratch.url.appendingPathComponent("r.json"))
    #expect(Data(analysis.output.utf8) == data)

    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let members = try String(
      contentsOf: CommandRun.root.appendingPathComponent(
        "Sources/TraceReport/TraceReport.docc/JSONReportFormat.md"), encoding: .utf8)
    #expect(object.count == 21)

    for member in object.keys {
      let words = ["\n| `\(member)`", "`, `\(member)`"]
      #expect(words.contains { members.contains($0) }, "\(member)")
    }
  }

  /// A folder with a log and its baseline.
  private func written() throws -> URL {
    try scratch.file("a.trace", block("-    profile mode=app"))
    _ = try CommandRun("baseline", "write", "a.trace", "--baseline", "b.jsonl", in: scratch.url)
    return scratch.url
  }
}
