import Foundation
import Testing

/// A log and the report of its process that are named together, or lie in one directory.
@Suite struct FoundTogetherTests {
  private static let report = "Notes-2026-11-22-173146.ips"
  /// The last lines of the process that the report is about, by the same clock.
  private static let console = """
    2026-11-22 17:31:05.500000+0100 Notes[412:1] Deactivation reason added: 10; \
    deactivation reasons: 0 -> 1024; animating application lifecycle event: 0
    2026-11-22 17:31:05.700000+0100 Notes[412:1] Deactivation reason removed: 10; \
    deactivation reasons: 1024 -> 0; animating application lifecycle event: 0
    2026-11-22 17:31:21.000000+0100 Notes[412:1] Deactivation reason added: 0; \
    deactivation reasons: 0 -> 1; animating application lifecycle event: 1

    """
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file("console.trace", Self.console)
    try FileManager.default.copyItem(
      at: CommandRun.root.appending(path: "samples/ios-app/\(Self.report)"),
      to: scratch.url.appending(path: Self.report))
  }

  private func analyze(_ inputs: [String]) throws -> CommandRun {
    try CommandRun(["analyze", "-v", "--config", "none"] + inputs, in: scratch.url)
  }

  @Test(arguments: [["console.trace", report], [report, "console.trace"], ["."]])
  func theReportOfItsProcessIsJoined(_ inputs: [String]) throws {
    let asked = try analyze(["console.trace", "--crash", Self.report])
    let found = try analyze(inputs)
    #expect(found.errors.contains("\(Self.report): joined to the log of its process"))
    #expect(found.status == asked.status)
    let verdict = asked.output.split(separator: "\n")[0]
    #expect(verdict.hasPrefix("killed by the watchdog"))
    #expect(found.output.hasPrefix(verdict), "\(found.output)")
  }

  /// A report may be longer than what is looked at to recognize it.
  @Test func aLongReportIsJoinedAsAWhole() throws {
    let url = scratch.url.appending(path: Self.report)
    let text = try String(contentsOf: url, encoding: .utf8)
    let filler = "\"filler\": \"\(String(repeating: "x", count: 1 << 17))\",\n  \"termination\""
    let long = text.replacing("\"termination\"", with: filler)
    try #require(long.utf8.count > text.utf8.count)
    try scratch.file(Self.report, long)

    let found = try analyze(["."])
    #expect(found.errors.contains("\(Self.report): joined to the log of its process"))
    #expect(found.output.hasPrefix("killed by the watchdog"), "\(found.output)")
  }

  @Test func aReportOfAnotherProcessStandsBesideTheLog() throws {
    try scratch.file("console.trace", Self.console.replacing("[412:", with: "[413:"))
    let run = try analyze(["console.trace", Self.report])
    #expect(!run.errors.contains("joined"), "\(run.errors)")
    #expect(run.output.contains("2 logs"), "\(run.output)")
  }

  /// Without a common clock the number and the age of the process must do.
  @Test func aReportIsJoinedByNumberAndAge() throws {
    let log = CommandRun.root.appending(path: "samples/ios-app/flight.trace")
    try FileManager.default.copyItem(at: log, to: scratch.url.appending(path: "flight.trace"))
    let run = try analyze(["flight.trace", Self.report])
    #expect(run.errors.contains("joined to the log of its process"), "\(run.errors)")
    #expect(run.output.contains("background task \"upload\", not ended"), "\(run.output)")
  }

  /// Of two processes that fit nobody knows which one it was.
  @Test func aReportThatMayBelongToTwoLogsStandsBesideThemWithTheReason() throws {
    let log = CommandRun.root.appending(path: "samples/ios-app/flight.trace")
    for name in ["flight.trace", "other.trace"] {
      try FileManager.default.copyItem(at: log, to: scratch.url.appending(path: name))
    }
    let run = try analyze(["flight.trace", "other.trace", Self.report])
    #expect(run.errors.contains("may be about a process of flight.trace, by process number"))
    #expect(run.output.contains("3 logs"), "\(run.output)")
  }

  /// What --crash names counts once, also where it lies in the directory that is analyzed.
  @Test func aReportThatIsNamedAndFoundCountsOnce() throws {
    let log = CommandRun.root.appending(path: "samples/ios-app/flight.trace")
    try FileManager.default.copyItem(at: log, to: scratch.url.appending(path: "flight.trace"))
    let run = try analyze([".", "--crash", "."])
    #expect(run.output.contains("1 log"), "\(run.output)")
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  @Test func aReportWithoutALogIsAnalyzedByItself() throws {
    let run = try analyze(["--crash", Self.report])
    #expect(run.output.hasPrefix("killed by the watchdog"), "\(run.errors)")
  }

  @Test func aFileInThePlaceOfACommandIsAnalyzed() throws {
    let run = try CommandRun(Self.report, "--config", "none", in: scratch.url)
    let analyzed = try CommandRun("analyze", "--config", "none", Self.report, in: scratch.url)
    #expect(run.output == analyzed.output, "\(run.errors)")
  }

  /// A shell reads its script from the file that its commands have as standard input, too.
  @Test func theRestOfAScriptIsNoLog() throws {
    try scratch.file("script.sh", "\"$TRACECTL\" analyze --config none\nexit 7\n")
    let run = try CommandRun(
      program: ["bash", "-c", "bash < script.sh"], in: scratch.url,
      environment: ["TRACECTL": CommandRun.command.path])
    #expect(run.status == 7, "\(run.errors)")
    #expect(run.errors.contains("no binary recording in this directory"), "\(run.errors)")
  }

  @Test func standardInputIsReadWhereNoLogIsNamed() throws {
    let text = try String(contentsOf: scratch.url.appending(path: Self.report), encoding: .utf8)
    let run = try CommandRun(["analyze", "-v", "--config", "none"], input: text, in: scratch.url)
    #expect(run.output.hasPrefix("killed by the watchdog"), "\(run.errors)")
  }
}
