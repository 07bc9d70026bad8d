import Foundation
import Testing

/// A log and the report of its process that are named together, or lie in one directory.
@Suite struct FoundTogetherTests {
  private static let folder = CommandRun.root.appending(path: "samples/ios-app")
  private static let report = "Notes-2026-11-22-173146.ips"
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for name in ["flight.trace", Self.report] {
      try FileManager.default.copyItem(
        at: Self.folder.appending(path: name), to: scratch.url.appending(path: name))
    }
  }

  @Test(arguments: [["flight.trace", report], [report, "flight.trace"], ["."]])
  func theReportOfItsProcessIsJoined(_ inputs: [String]) throws {
    let asked = try CommandRun(
      ["analyze", "--config", "none", "flight.trace", "--crash", Self.report], in: scratch.url)
    let found = try CommandRun(["analyze", "--config", "none"] + inputs, in: scratch.url)
    #expect(found.errors.contains("\(Self.report): joined to the log of its process"))
    #expect(found.status == asked.status)
    let verdict = asked.output.split(separator: "\n")[0]
    #expect(found.output.contains(verdict), "\(found.output)")
  }

  @Test func theReportOfAnotherProcessStandsBesideTheLog() throws {
    let url = scratch.url.appending(path: Self.report)
    let text = try String(contentsOf: url, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.contains("\"pid\"") })
    try text.replacing(line, with: "  \"pid\" : 99999,").write(
      to: url, atomically: true, encoding: .utf8)
    let run = try CommandRun(
      "analyze", "--config", "none", "flight.trace", Self.report, in: scratch.url)
    #expect(!run.errors.contains("joined"))
    #expect(run.output.contains("2 logs"), "\(run.output)")
  }
}
