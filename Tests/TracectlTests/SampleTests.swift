import Foundation
import Testing

/// Every sample, and every input of tests alone, has its expected report beside it.
@Suite struct SampleTests {
  /// The files of a folder in `samples` and in `Tests/Inputs`, by their names.
  static func samples(_ folder: String, _ ending: String) -> [URL] {
    let files = ["samples", "Tests/Inputs"].flatMap { root in
      let url = CommandRun.root.appendingPathComponent("\(root)/\(folder)")
      return
        (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil))
        ?? []
    }
    return files.filter { $0.pathExtension == ending }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// The scenario with this name.
  static func scenario(_ name: String) throws -> URL {
    let all = samples("scenarios", "yml")
    return try #require(all.first { $0.lastPathComponent == "\(name).yml" })
  }

  /// The verdict on a log, and the whole report under it.
  private func answers(_ log: String, in folder: URL = CommandRun.root) throws -> String {
    let runs = try [[], ["-v"]].map { options in
      try CommandRun(["analyze", "--fail-on", "never", log] + options, in: folder)
    }
    for run in runs { #expect(run.status == 0 && run.errors == "") }
    return runs.map(\.output).joined(separator: "\n")
  }

  private func report(beside sample: URL) -> URL {
    sample.deletingPathExtension().appendingPathExtension("report.txt")
  }

  static var reports: [URL] {
    ["ips", "crash", "json"].flatMap { samples("reports", $0) + samples("report-forms", $0) }
  }

  @Test func thereAreSamples() {
    #expect(Self.reports.count >= 14)
    #expect(Self.samples("console", "log").count >= 3)
    #expect(Self.samples("traces", "trace").count >= 1)
    #expect(Self.samples("scenarios", "yml").count >= 23)
  }

  @Test(arguments: samples("console", "log")) func aCaptureGivesItsReport(_ capture: URL) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let recorded = try CommandRun(
      "record", "--source", "console", "--app", "Notes", "-o", log, "-q", capture.path)
    #expect(recorded.status == 0 && recorded.errors == "")
    // The report ends with commands that name the log as it was named.
    try Snapshot.expect(answers("log.bin", in: scratch.url), at: report(beside: capture))
  }

  @Test(arguments: samples("traces", "trace")) func aTraceGivesItsReport(_ trace: URL) throws {
    let path = "samples/traces/\(trace.lastPathComponent)"
    try Snapshot.expect(answers(path), at: report(beside: trace))
  }

  @Test(arguments: reports) func aCrashReportGivesItsReport(_ report: URL) throws {
    let path = String(report.path.dropFirst(CommandRun.root.path.count + 1))
    try Snapshot.expect(answers(path), at: report.appendingPathExtension("report.txt"))
  }

  @Test(arguments: samples("scenarios", "yml")) func aScenarioGivesItsReport(
    _ scenario: URL
  ) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let played = try CommandRun("simulate", "-o", log, "-q", scenario.path)
    #expect(played.status == 0 && played.errors == "")
    // The report ends with commands that name the log as it was named.
    try Snapshot.expect(answers("log.bin", in: scratch.url), at: report(beside: scenario))
    let again = scratch.path("again.bin")
    _ = try CommandRun("simulate", "-o", again, "-q", scenario.path)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: log))
        == Data(contentsOf: URL(fileURLWithPath: again)))
    #expect(try CommandRun("verify", log).status == 0)
  }

  /// What each scenario is there to show: the rules that find something in it.
  ///
  /// A clean one has none; a push that is never completed has no rule of its own yet.
  private static let shown: [String: Set<String>] = [
    "launch-and-leave": [], "app-without-scenes": [], "background-launch": [], "prewarmed": [],
    "interruption": [], "swipe-away": [], "two-scenes": [],
    "slow-background": ["budget-did-enter-background"],
    "forgotten-timer": ["work-timer-while-inactive"],
    "gpu-in-background": ["work-gpu-in-background"],
    "leaked-task": ["task-one-end", "task-end-in-expiration"],
    "task-ended-twice": ["task-one-end"],
    "locked-at-suspension": ["lock-at-suspend"],
    "notification-by-hand": ["notification-after-call"],
    "callback-by-hand": ["excl-one-delegate", "ident-notification-object"],
    "resigns-twice": ["active-alternates", "active-alternates"],
    "uncompleted-push": ["completion-handlers-called"],
    "keychain-before-unlock": ["work-protected-file-while-locked"],
    "background-of-one-window": ["agg-state-differs-from-scenes"],
    "authentication-loop": ["authentication-loop"],
    "timers-pile-up": ["timers-pile-up"],
    "playback-without-mode": ["audio-location-without-mode"],
    "socket-over-suspension": ["death"],
    "slow-return": ["budget-main-blocked-foreground"], "slow-launch": ["launch-slow"],
    "upload-cut": ["work-survives-suspension"], "completed-early": ["work-survives-suspension"],
    "session-not-completed": ["completion-handlers-called"],
    "left-in-app-delegate": ["excl-one-delegate"],
  ]

  @Test(arguments: samples("scenarios", "yml")) func aScenarioShowsWhatItIsFor(
    _ scenario: URL
  ) throws {
    let name = scenario.deletingPathExtension().lastPathComponent
    let expected = try #require(Self.shown[name], "\(name) is not listed")
    let report = try String(contentsOf: report(beside: scenario), encoding: .utf8)
    let found = report.split(separator: "\n").compactMap { line -> String? in
      // What has the same cause stands under a finding as `also`.
      let words = line.split(separator: " ")
      guard words.count > 2, ["error", "warning", "also"].contains(words[0])
      else { return nil }
      return words[1].trimmingCharacters(in: CharacterSet(charactersIn: ":"))
    }
    #expect(expected.isSubset(of: found), "\(found)")
    if expected.isEmpty { #expect(found == []) }
  }

  @Test(arguments: samples("traces", "trace") + samples("console", "log"))
  func theLogSaysWhatItsSourceSays(_ sample: URL) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let source = sample.pathExtension == "log" ? "console" : "trace"
    _ = try CommandRun("record", "--source", source, "-o", log, "-q", sample.path)
    let notation = try CommandRun("dump", log)
    let lines = try CommandRun("dump", "--format", "ndjson", log)
    #expect(notation.status == 0 && !notation.output.isEmpty)

    let again = scratch.path("again.bin")
    _ = try CommandRun("record", "--source", "trace", "-o", again, "-q", input: notation.output)
    #expect(try CommandRun("dump", again).output == notation.output)
    let third = scratch.path("third.bin")
    _ = try CommandRun("record", "--source", "ndjson", "-o", third, "-q", input: lines.output)
    #expect(try CommandRun("dump", third).output == notation.output)

    let reports = try [log, again, third].map {
      // The last lines name the log.
      try CommandRun("analyze", "-v", $0).output.components(separatedBy: "\n\nNext\n")[0]
    }
    #expect(Set(reports).count == 1)
  }
}
