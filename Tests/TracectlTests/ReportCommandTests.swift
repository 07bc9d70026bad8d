import Foundation
import Testing

/// Crash reports at the command line: alone, many together, and joined to a log.
@Suite struct ReportCommandTests {
  private static let folder = "samples/reports"
  private static let report = folder + "/Notes-2026-11-21-173054.ips"
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// What was printed, with its lines joined.
  private func plain(_ run: CommandRun) -> String {
    run.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  @Test func aReportGivesTheUsualVerdict() throws {
    let analyzed = try CommandRun("analyze", "-v", Self.report)
    #expect(analyzed.status == 1)
    #expect(analyzed.errors == "")
    #expect(analyzed.output.hasPrefix("killed by the watchdog (0x8badf00d); 1 error\n"))
    #expect(
      analyzed.output.contains(
        "com.example.notes 2.1 (210), pid 412, iOS 18.2, 2026-11-21 16:30:31"))
    #expect(analyzed.output.contains("The app was not on screen."))
    #expect(analyzed.output.contains("the main thread waited for a lock (__psynch_mutexwait)"))
    #expect(analyzed.output.contains("tracectl analyze LOG --crash \(Self.report)"))
  }

  @Test func aDirectoryIsSummarisedByCause() throws {
    let analyzed = try CommandRun("analyze", "-v", Self.folder)
    #expect(analyzed.status == 1)
    #expect(
      analyzed.errors
        == "tracectl: \(Self.folder)/Notes-2026-11-21-173054.crash: is about the same incident as "
        + "\(Self.report), which counts once\n"
        + "tracectl: \(Self.report): joined to the log of its process\n"
    )
    let lines = analyzed.output.split(separator: "\n").prefix(4)
    #expect(lines.filter { $0.contains("killed") }.count == 3, "\(lines)")
  }

  @Test func reportsOfNoDeathAreSkippedInADirectory() throws {
    let folder = scratch.url.appending(path: "reports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let panic = "{\"bug_type\":\"210\",\"timestamp\":\"2026-11-21 17:30:55.00 +0100\"}\n{\"a\":1}\n"
    try Data(panic.utf8).write(to: folder.appending(path: "panic.ips"))
    try FileManager.default.copyItem(
      at: CommandRun.root.appending(path: Self.report), to: folder.appending(path: "a.ips"))

    let analyzed = try CommandRun(["analyze", "-v", "reports"], in: scratch.url)
    #expect(analyzed.status == 1)
    #expect(
      analyzed.errors == "tracectl: reports/panic.ips: is a panic report, which is about the whole "
        + "device (bug type 210); it is not read\n")
  }

  /// A copy that is cut off tells no end: the whole one counts, whatever their names.
  @Test func theCopyCountsThatTellsAnEnd() throws {
    let text = try String(
      contentsOf: CommandRun.root.appending(path: Self.report), encoding: .utf8)
    let folder = scratch.url.appending(path: "copies")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let header = text.prefix { $0 != "\n" } + "\n{\"pid\" : 412,"
    try Data(header.utf8).write(to: folder.appending(path: "a.ips"))
    try Data(text.utf8).write(to: folder.appending(path: "b.ips"))

    let analyzed = try CommandRun(["analyze", "-v", "copies"], in: scratch.url)
    #expect(analyzed.status == 1)
    #expect(
      analyzed.errors
        == "tracectl: copies/a.ips: is about the same incident as copies/b.ips, which "
        + "counts once\n")
    let trace = CommandRun.root.appending(path: "\(Self.folder)/notes.trace").path
    let joined = try CommandRun(["analyze", "-v", trace, "--crash", "copies"], in: scratch.url)
    #expect(joined.output.hasPrefix("killed by the watchdog (0x8badf00d); 1 error"))
  }

  @Test func reportsInJSONAreReadInADirectory() throws {
    let folder = scratch.url.appending(path: "payloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let payload = """
      {"crashDiagnostics":[{"diagnosticMetaData":{"pid":731,"exceptionType":1,"signal":11}}]}
      """
    try Data(payload.utf8).write(to: folder.appending(path: "report-1-731.mx.json"))
    try Data("{\"name\":\"notes\"}".utf8).write(to: folder.appending(path: "package.json"))

    let analyzed = try CommandRun(["analyze", "-v", "payloads"], in: scratch.url)
    #expect(analyzed.status == 1, "\(analyzed.output)")
    #expect(analyzed.output.contains("report-1-731.mx.json"))
    #expect(
      analyzed.errors == "tracectl: payloads: package.json is not read; name such files to read "
        + "them\n")
  }

  /// A report that belongs to no process of the log answers nothing: to say so is not enough in CI.
  @Test func whatJoinsNothingIsInconclusive() throws {
    let trace = "\(Self.folder)/notes.trace"
    let other = "\(Self.folder)/Notes-2026-11-22-081209.ips"
    let lenient = try CommandRun("analyze", "-v", trace, "--crash", other)
    #expect(lenient.status == 0)
    #expect(
      plain(lenient).contains(
        "1 crash report held against the log, and none is about a process of it"))
    #expect(try CommandRun("analyze", "-v", trace, "--crash", other, "--strict").status == 4)
    let both = try CommandRun("analyze", "-v", trace, "--crash", other, "--crash", Self.report)
    #expect(!plain(both).contains("held against the log"))
    let silent = try CommandRun(
      "analyze", "-v", trace, "--crash", "Tests/Inputs/report-forms/MXMetricPayload.json")
    #expect(silent.errors.contains("contains no report that can be joined to a log"))
  }

  @Test func aDoubtfulJoinIsHedged() throws {
    let trace = "\(Self.folder)/notes.trace"
    let joined = try CommandRun("analyze", "-v", trace, "--crash", Self.report)
    #expect(
      plain(joined).contains(
        "Not certain: the report was joined by the process's number and age alone"))

    let crash = try scratch.file(
      "other.crash",
      """
      Process:         Notes [412]
      Identifier:      com.example.notes
      Date/Time:       2026-11-21 17:30:54.7126 +0100
      Launch Time:     2026-11-21 17:30:31.9800 +0100
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      """)
    let both = try CommandRun("analyze", "-v", trace, "--crash", Self.report, "--crash", crash.path)
    let words = "two reports contradict each other (Notes-2026-11-21-173054.ips: it was killed with"
    #expect(both.errors.contains("\(trace): \(words)"))
    #expect(plain(both).contains("Not certain: \(words)"))
  }

  @Test func aReportIsJoinedToItsLog() throws {
    let alone = try CommandRun("analyze", "-v", "\(Self.folder)/notes.trace")
    #expect(!alone.output.contains("0x8badf00d"))

    let joined = try CommandRun(
      "analyze", "-v", "\(Self.folder)/notes.trace", "--crash", Self.report)
    #expect(joined.status == 1)
    #expect(joined.errors == "")
    #expect(joined.output.hasPrefix("killed by the watchdog (0x8badf00d); 1 error"))
    #expect(plain(joined).contains("The code agrees with the trace."))
    #expect(joined.output.contains("sceneDidEnterBackground"))
    #expect(joined.output.contains("173054.ips: joined by process number and the process's age"))
    // All reports of a directory are tried, and one fits.
    let all = try CommandRun("analyze", "-v", "\(Self.folder)/notes.trace", "--crash", Self.folder)
    #expect(all.status == 1)
    #expect(plain(all).contains("The code agrees with the trace."))
    #expect(all.output.contains("173054.ips: joined by process number and the process's age"))
    #expect(
      all.errors.contains(
        "081209.ips: not joined to \(Self.folder)/notes.trace: its process is 977, the log's is 412"
      ))
  }

  @Test func aRecordedLogIsJoinedToo() throws {
    let log = scratch.path("log.bin")
    let recorded = try CommandRun(
      "record", "--source", "trace", "-q", "-o", log, "\(Self.folder)/notes.trace")
    #expect(recorded.status == 0)
    let joined = try CommandRun("analyze", "-v", log, "--crash", Self.report)
    #expect(plain(joined).contains("The code agrees with the trace."))
  }

  @Test func aReportIsJoinedToACapture() throws {
    let text = try String(
      contentsOf: CommandRun.root.appending(path: Self.report), encoding: .utf8)
    // The first process of the capture, which lived for 19.3 s.
    let report = try scratch.file(
      "Notes.ips",
      text.replacing("\"pid\" : 412", with: "\"pid\" : 2051")
        .replacing("17:30:54.7126", with: "17:30:51.2800")
        .replacing("124745572800", with: "124663200000"))
    let capture = "samples/console/two-deaths.log"
    let analyzed = try CommandRun(
      "analyze", "-v", "--app", "Notes", capture, "--crash", report.path)
    #expect(analyzed.errors == "")
    #expect(
      analyzed.output.hasPrefix(
        "2 processes ended: killed by the watchdog (0x8badf00d), exited; 1 error"))
    #expect(plain(analyzed).contains("the main thread waited for a lock (__psynch_mutexwait)"))

    let log = scratch.path("log.bin")
    let recorded = try CommandRun(
      "record", "--source", "console", "--app", "Notes", "-q", "-o", log, capture, "--crash",
      report.path)
    #expect(recorded.status == 0 && recorded.errors == "")
    let again = try CommandRun("analyze", "-v", log)
    #expect(plain(again).contains("the main thread waited for a lock (__psynch_mutexwait)"))
    #expect(try CommandRun("verify", log).status == 0)

    let wrong = try CommandRun("record", "--source", "trace", "--crash", report.path, "x.trace")
    #expect(wrong.status == 2 && wrong.errors.contains("--crash needs --source console"))
  }

  @Test func whatIsNoReportIsRefused() throws {
    let refused = try CommandRun(
      "analyze", "-v", "\(Self.folder)/notes.trace", "--crash", "samples/console/two-deaths.log")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("is no report about the end of a process"))
  }

  @Test func aLogFromAPipeIsJoinedToo() throws {
    let text = try String(
      contentsOf: CommandRun.root.appending(path: "\(Self.folder)/notes.trace"), encoding: .utf8)
    let piped = try CommandRun("analyze", "-v", "-", "--crash", Self.report, input: text)
    #expect(piped.status == 1 && piped.errors == "")
    #expect(plain(piped).contains("The code agrees with the trace."))
  }

  @Test func whatReportsSayIsJoinedWhereverALogIsRead() throws {
    let trace = "\(Self.folder)/notes.trace"
    let analyzed = try CommandRun("analyze", "-v", trace, "--crash", Self.report)
    let next = try #require(analyzed.output.range(of: "\nNext\n"))
    #expect(analyzed.output[next.upperBound...].contains("--crash \(Self.report) \(trace)"))

    let dumped = try CommandRun("dump", "--numbers", trace, "--crash", Self.report)
    let last = try #require(dumped.output.split(separator: "\n").last)
    #expect(last.contains(" kill ") && last.contains("code=0x8badf00d"), "\(last)")
    let number = try #require(last.split(separator: " ").first)
    let why = try CommandRun("why", trace, "death@\(number)", "--crash", Self.report)
    #expect(why.status == 0 && why.errors == "", "\(why.errors)")
    #expect(why.output.contains("0x8badf00d"))
    let summary = try CommandRun(
      "query", trace, "--view", "summary", "--crash", Self.report)
    #expect(summary.output.contains("0x8badf00d"), "\(summary.output)")

    let other = "\(Self.folder)/Notes-2026-11-22-081209.ips"
    for command in [["analyze"], ["dump"], ["why"]] {
      let rule = command == ["why"] ? ["death"] : []
      let run = try CommandRun(command + [trace] + rule + ["--crash", other])
      #expect(
        run.errors == "tracectl: \(other): not joined to \(trace): its process is 977, the log's "
          + "is 412\n", "\(command)")
    }
  }

  @Test func aBaselineKnowsWhatReportsSay() throws {
    let trace = "\(Self.folder)/notes.trace"
    let file = scratch.path("baseline.json")
    let written = try CommandRun(
      "baseline", "write", "--baseline", file, trace, "--crash", Self.report)
    #expect(written.status == 0, "\(written.errors)")
    let known = try CommandRun(
      "analyze", "-v", "--baseline", file, trace, "--crash", Self.report)
    #expect(known.status == 0, "\(known.output)")
  }

  @Test func aReportOfAnotherAppIsRefusedByName() throws {
    let refused = try CommandRun("analyze", "-v", "--app", "Tunes", Self.report)
    #expect(refused.status == 3)
    #expect(
      refused.errors.contains(
        "expected a report about Tunes, found one about Notes, com.example.notes"))
  }
}
