import Foundation
import Testing

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

  @Test func everyMemberIsDescribed() throws {
    let analysis = try CommandRun(
      "analyze", "--stats", "--baseline", "b.jsonl", "--format", "json", "a.trace", in: written())
    #expect(analysis.status == 0, "\(analysis.errors)")
    let data = Data(analysis.output.utf8)
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
