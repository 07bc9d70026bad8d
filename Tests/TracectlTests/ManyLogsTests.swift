import Foundation
import Testing

/// `tracectl analyze` of many logs.
@Suite struct ManyLogsTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private let clean = "0s - profile hooks=work,app-delegate mode=app\n1s main note \"x\"\n"

  /// A timer of this label fires in the background.
  private func timer(_ label: String) -> String {
    """
    0s - profile mode=app hooks=app-delegate,work
    10s main call applicationDidBecomeActive app
    10s main return applicationDidBecomeActive app
    11s main return applicationWillResignActive app
    12s main work timer app "\(label)"

    """
  }

  private func file(_ path: String, _ content: String) throws {
    let url = scratch.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(content.utf8).write(to: url)
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(arguments, in: scratch.url)
  }

  @Test func eachLogHasALineAndAllAReport() throws {
    try file("runs/b.trace", timer("poll"))
    try file("runs/a/deep.trace", timer("poll") + timer("sync"))
    try file("runs/c.ndjson", "{\"t\":0,\"verb\":\"note\"}\n")
    try file("runs/notes.txt", "no log")
    try file("runs/.hidden.trace", "no log")
    let run = try run("analyze", "-v", "runs")
    #expect(run.status == 1)
    #expect(
      run.output.hasPrefix(
        """
        runs/a/deep.trace: 2 warnings (work-timer-while-inactive)
        runs/b.trace: 1 warning (work-timer-while-inactive)
        runs/c.ndjson: no findings; inconclusive

        3 logs: 2 with findings, 1 without findings; 1 inconclusive

        warning work-timer-while-inactive (R57): 2 in 2 logs: the timer "poll" of app fired
        """), "\(run.output)")
    #expect(run.output.contains("    also in runs/b.trace\n"))
    #expect(run.output.contains("16 events in 3 logs, no gaps"))
  }

  @Test func aLogThatCannotBeReadIsListed() throws {
    try file("bad.trace", "half(")
    try file("clean.trace", clean)
    let some = try run("analyze", "-v", "bad.trace", "clean.trace", "missing.bin")
    #expect(some.status == 3)
    #expect(some.output.hasPrefix("bad.trace: is in no format that tracectl reads"))
    #expect(some.output.contains("\nmissing.bin: no such file; check the name\n"))
    #expect(some.output.contains("1 log: 1 without findings; 1 inconclusive; 2 could not be read"))
    #expect(some.output.contains("\nUnreadable logs\n  bad.trace: is in no format"))

    // A finding is certain, whatever else could not be read.
    try file("found.trace", timer("poll"))
    #expect(try run("analyze", "-v", "bad.trace", "found.trace").status == 1)
    #expect(try run("analyze", "-v", "bad.trace", "found.trace", "--fail-on", "never").status == 3)
    #expect(try run("analyze", "-v", "clean.trace", "clean.trace", "--strict").status == 4)
    #expect(
      try run("analyze", "-v", "clean.trace", "found.trace", "--fail-on", "error").status == 0)
  }

  @Test func argumentsAreFilesDirectoriesAndPatterns() throws {
    try file("a.trace", clean)
    try file("b.trace", clean)
    try file("sub/c.trace", clean)
    try file("sub/empty/readme.md", "x")
    let both = try run("analyze", "-v", "*.trace", "sub", "a.trace", "--fail-on", "never")
    let lines = both.output.split(separator: "\n").prefix(3).map(String.init)
    #expect(lines.map { $0.prefix { $0 != ":" } } == ["a.trace", "b.trace", "sub/c.trace"])

    // A pattern that matches one log is many logs that happen to be one.
    #expect(try run("analyze", "-v", "sub/*.trace").output.hasPrefix("sub/c.trace: "))
    #expect(try run("analyze", "-v", "sub/c.trace").output.hasPrefix("cannot tell: no rule"))
    let none = try run("analyze", "-v", "*.bin")
    #expect(none.status == 3 && none.errors.contains("no file matches; check the pattern"))

    let empty = try run("analyze", "-v", "sub/empty")
    #expect(empty.status == 3 && empty.errors.contains("this directory contains no log; "))
    let pipe = try run("analyze", "-v", "-", "a.trace")
    #expect(pipe.status == 2 && pipe.errors.contains("name no other logs with it"))
    let reduce = try run("analyze", "-v", "sub", "--reduce", "out")
    #expect(reduce.status == 2 && reduce.errors.contains("--reduce takes one log"))
  }

  @Test func thePartsOfARotatedLogAreOneLog() throws {
    var lines = clean
    for second in 2...60_000 { lines += "\(second)s main note \"note \(second * second)\"\n" }
    try file("in.txt", lines)
    try file("logs/notes.txt", "no log")
    let record = try run(
      "record", "--source", "trace", "-o", "logs/log.bin", "--max-size", "16K", "-q", "in.txt")
    #expect(record.status == 0, "\(record.errors)")

    let files = try FileManager.default.contentsOfDirectory(
      atPath: scratch.url.appendingPathComponent("logs").path)
    #expect(files.contains("log.bin.2") && files.contains("log.bin"), "\(files)")
    let whole = try run("analyze", "-v", "logs")
    #expect(whole.output.contains("60001 events in 1 log, no gaps"), "\(whole.output)")

    // What stands in a ring belongs to its log.
    try file("logs/log.bin.ring", "damaged")
    let all = try run("analyze", "-v", "logs")
    #expect(all.output.hasPrefix("logs/log.bin: 1 warning (lost-events); inconclusive\n\n1 log: "))
    #expect(try run("analyze", "-v", "logs/log.bin*").output == all.output)
    // Alone a part is a log.
    #expect(try run("analyze", "-v", "logs/log.bin.2").status != 3)

    // Also when the head is lost.
    let logs = scratch.url.appendingPathComponent("logs")
    try FileManager.default.removeItem(at: logs.appendingPathComponent("log.bin.ring"))
    try FileManager.default.removeItem(at: logs.appendingPathComponent("log.bin"))
    let rest = try run("analyze", "-v", "logs")
    #expect(
      rest.errors.contains("logs/log.bin, the head of the log, is lost: it is missing"), "\(rest)")
    #expect(rest.output.contains(" in 1 log, "), "\(rest.output)")
  }

  @Test func theOutputDoesNotDependOnThreads() throws {
    for index in 0..<60 {
      let labels = (0...(index % 3)).map { timer("poll\($0)x") }.joined()
      try file(
        "runs/log\(index).trace", index % 20 == 7 ? "half(" : index % 4 == 0 ? clean : labels)
    }

    let formats = ["--stats", "--format", "text", "--format"]
    func analyze(_ jobs: String, _ file: String) throws -> CommandRun {
      try CommandRun(
        ["analyze", "-v", "runs", "--jobs", jobs] + formats + ["json=\(file)"], in: scratch.url)
    }
    let (one, two) = (try analyze("1", "one.json"), try analyze("2", "two.json"))
    #expect(one.status == 1 && one.output == two.output && one.errors == two.errors)
    #expect(one.output.split(separator: "\n").count { $0.hasPrefix("runs/log") } == 60)
    let results = try Data(contentsOf: scratch.url.appendingPathComponent("one.json"))
    #expect(try Data(contentsOf: scratch.url.appendingPathComponent("two.json")) == results)
    let json = try run("analyze", "runs", "--format", "json", "--stats")
    #expect(Data(json.output.utf8) == results)
    #expect(try run("analyze", "-v", "runs", "--jobs", "0").status == 2)
  }
}

extension ManyLogsTests {
  @Test func whatIsAcceptedIsNoFindingInAnyLog() throws {
    try file("runs/a.trace", timer("poll"))
    try file("runs/b.trace", timer("poll"))
    try file(
      ".tracectl.yml",
      """
      suppressions:
        - rule: work-timer-while-inactive
          reason: the poll is cheap
        - rule: task-count
          reason: is there any?
      """)

    let run = try run("analyze", "-v", "runs")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.hasPrefix("runs/a.trace: no findings: 3 rules could check\nruns/b.trace: "))
    #expect(!run.output.contains("warning work-timer"))
    #expect(run.output.contains("2 findings accepted by the configuration\n"))
    #expect(run.output.contains("unused suppression of task-count at .tracectl.yml:4\n"))

    #expect(try self.run("analyze", "-v", "--config", "none", "runs").status == 1)
  }
}
