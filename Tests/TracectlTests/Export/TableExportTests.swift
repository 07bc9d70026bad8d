import Foundation
import TestTime
import Testing

/// What `tracectl export --tables` does with logs, directories, lists and wrong input.
@Suite struct TableExportTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.path("logs"), withIntermediateDirectories: true)
    for number in 1...9 {
      let version = number % 3 == 0 ? "4.2" : "4.1"
      try scratch.file("logs/\(number).trace", Self.life(version: version, pid: number))
    }
  }

  private static func life(version: String, pid: Int) -> String {
    """
    0s - profile mode=app hooks=app-delegate,work,process version=\(version) os=18.2
    0s - process.start app pid=\(pid)
    1s main call applicationDidBecomeActive app
    \(pid + 1)s main return applicationDidBecomeActive app
    20s main work timer app "tick"
    40s - kill app code=0x8badf00d

    """
  }

  private func export(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(["export"] + arguments, input: input, in: scratch.url)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
  }

  /// The members of each line of NDJSON.
  private func rows(_ text: String) throws -> [[String: String]] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any]).mapValues { "\($0)" }
    }
  }

  @Test func everyTableIsAFile() throws {
    for form in ["csv", "ndjson"] {
      let run = try export("logs", "--tables", "all", "--format", form, "-o", form)
      #expect(run.status == 0 && run.output == "" && run.errors == "", "\(run.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path(form)).sorted()
      let tables = [
        "durations", "events", "findings", "gaps", "logs", "processes", "rules", "spans", "states",
        "witnesses", "writers",
      ]
      #expect(names == tables.map { "\($0).\(form)" })
    }
    let again = try export("logs", "--tables", "all", "-o", "again")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try bytes("again/logs.ndjson") == bytes("ndjson/logs.ndjson"))
  }

  @Test func oneTableMayBeOneFile() throws {
    let run = try export("logs", "--tables", "processes", "-o", "sessions.csv")
    #expect(run.status == 0, "\(run.errors)")
    let lines = try String(decoding: bytes("sessions.csv"), as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 10 && lines[0].hasPrefix("log,process,ts,dur,"))
    #expect(lines[1].hasPrefix("logs/1.trace,1,0,40000000000,"))
  }

  @Test func theNumberOfThreadsChangesNothing() throws {
    for index in 0..<200 {
      try scratch.file("logs/x\(index).trace", Self.life(version: "4.1", pid: index % 9 + 1))
    }
    for form in ["csv", "ndjson"] {
      let one = try export("logs", "--tables", "all", "--format", form, "--jobs", "1", "-o", "one")
      let two = try export("logs", "--tables", "all", "--format", form, "--jobs", "2", "-o", "two")
      #expect(one.status == 0 && two.status == 0)
      for name in try FileManager.default.contentsOfDirectory(atPath: scratch.path("one")) {
        #expect(try bytes("one/\(name)") == bytes("two/\(name)"), "\(name)")
      }
    }
  }

  @Test func standardOutputHasTheLinesOfAllTables() throws {
    let run = try export("logs", "--tables", "logs,processes", "--format", "ndjson")
    #expect(run.status == 0, "\(run.errors)")
    let rows = try rows(run.output)
    #expect(rows.filter { $0["table"] == "logs" }.count == 9)
    #expect(
      rows.filter { $0["table"] == "processes" }.map { $0["cause"] }
        == Array(
          repeating: "0x8badf00d", count: 9))
    let csv = try export("logs", "--tables", "logs,processes", "--format", "csv")
    #expect(csv.status == 2 && csv.errors.contains("-o takes the directory"), "\(csv.errors)")
  }

  @Test func durationsAndRulesAreSummedByCohort() throws {
    let arguments = ["logs", "--tables", "durations,rules", "--by", "version"]
    let run = try CommandRun(
      ["export"] + arguments + ["--format", "ndjson"], input: "", in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    let rows = try rows(run.output)
    #expect(rows.allSatisfy { $0["log"] == nil && $0["version"] != nil })

    func calls(_ version: String) -> Int {
      rows.filter { $0["kind"] == "callback" && $0["version"] == version }
        .reduce(0) { $0 + (Int($1["count"] ?? "") ?? 0) }
    }
    #expect(calls("4.1") == 6 && calls("4.2") == 3)
    let deaths = rows.filter { $0["rule"] == "death" }
    #expect(deaths.map { $0["version"] } == ["4.1", "4.2"])
    #expect(deaths.map { $0["logs"] } == ["6", "3"])
    #expect(deaths.allSatisfy { $0["verdict"] == "violated" })
  }

  /// One bad log among many is a row, and the rest is there.
  @Test func aLogThatCannotBeReadIsARow() throws {
    try scratch.file("logs/5.trace", "0s - process.start app\nthis is no event\n")
    try scratch.file("logs/7.bin", "")
    let run = try export("logs", "--tables", "logs,processes", "--format", "ndjson")
    #expect(run.status == 3)
    #expect(run.errors.contains("logs/5.trace: ") && run.errors.contains("logs/7.bin: "))
    let rows = try rows(run.output)
    let failed = rows.filter { $0["error"] != nil }
    #expect(failed.map { $0["log"] } == ["logs/5.trace", "logs/7.bin"])
    #expect(failed[0]["error"]?.contains("line 2") == true, "\(failed)")
    #expect(rows.filter { $0["table"] == "logs" }.count == 10)
    #expect(rows.filter { $0["table"] == "processes" && $0["cause"] != nil }.count == 8)
  }

  @Test func standardInputIsALog() throws {
    let temporary = scratch.path("logs")
    for name in ["logs/1.trace", "logs/2.trace"] {
      let text = try String(decoding: bytes(name), as: UTF8.self)
      let run = try CommandRun(
        ["export", "-", "--tables", "logs,processes", "--format", "ndjson"], input: text,
        in: scratch.url, environment: ["TMPDIR": temporary])
      #expect(run.status == 0, "\(run.errors)")
      #expect(try rows(run.output).map { $0["log"] } == ["-", "-"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).count == 9)
    }
  }

  @Test(.enabled(if: CommandRun.machineHas("gzip"))) func anArchiveIsRefused() throws {
    try scratch.file("a.tar", String(repeating: "a", count: 257) + "ustar\0")
    #expect(try CommandRun(program: ["gzip", "-k", "a.tar"], in: scratch.url).status == 0)
    for name in ["a.tar", "a.tar.gz"] {
      let words = "\(name): is a tar archive; unpack it, and name the folder: tar -xf \(name)"
      let run = try export(name, "logs/1.trace", "--tables", "logs", "--format", "ndjson")
      #expect(run.status == 3 && run.errors == "tracectl: \(words)\n", "\(run.errors)")
      #expect(try rows(run.output).compactMap { $0["error"] } == [words])
      let alone = try CommandRun(["analyze", "-v", name], in: scratch.url)
      #expect(alone.status == 3 && alone.errors == run.errors, "\(alone.errors)")
    }
  }

  /// A time of the day means nothing to a log that knows none: that log is told, and the others are read.
  @Test func aPartThatALogCannotKnowIsItsError() throws {
    let run = try export(
      "logs/1.trace", "--tables", "logs", "--format", "ndjson", "--from", "10:00")
    #expect(run.status == 3)
    #expect(try rows(run.output).first?["error"]?.contains("--from") == true, "\(run.output)")
  }

  @Test func aListNamesTheLogs() throws {
    try scratch.file("list", "logs/2.trace\nlogs/1.trace\n")
    let run = try export("--files-from", "list", "--tables", "logs", "--format", "ndjson")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows(run.output).map { $0["log"] } == ["logs/1.trace", "logs/2.trace"])
    let input = try export(
      "--files-from", "-", "--tables", "logs", "--format", "ndjson", input: "logs/3.trace\n")
    #expect(try rows(input.output).map { $0["log"] } == ["logs/3.trace"])
    let windows = try export("--files-from", "-", "--tables", "logs", input: "logs/3.trace\r\n")
    #expect(windows.status == 0 && windows.output == input.output)
    let nul = try export("--files-from", "-", "--tables", "logs", input: "logs/3.trace\0")
    #expect(nul.status == 3 && nul.errors.contains("contains a NUL"), "\(nul.errors)")
    let empty = try export("--files-from", "-", "--tables", "logs", "--format", "ndjson")
    #expect(empty.status == 3 && empty.errors.contains("names no log"), "\(empty.errors)")
  }

  @Test func aPartOfARunHasTheRowsOfThatPart() throws {
    let run = try export(
      "logs/1.trace", "--tables", "events,spans,processes", "--format", "ndjson", "--from", "5s",
      "--to", "30s")
    let rows = try rows(run.output)
    #expect(rows.map { $0["table"] } == ["processes", "events"])
    #expect(rows.last?["name"] == "timer" && rows.last?["event"] == "5")
  }

  @Test func wrongWordsAreExplained() throws {
    let cases: [([String], String)] = [
      (["--tables", "proceses"], "proceses is no table; did you mean processes?"),
      (["--tables", "logs,"], "is no table"),
      (["--tables", "durations", "--by", "vresion"], "did you mean version?"),
      (["--tables", "logs", "--by", "version"], "--by sums durations and rules"),
      (["--tables", "rules", "--by", "os,os"], "--by names a column twice"),
      (["--by", "version", "--format", "csv"], "--by, --files-from and --jobs are about tables"),
      (["--tables", "logs", "--format", "perfetto"], "tables have the formats csv and ndjson"),
      (["--tables", "logs,rules", "--format", "csv"], "-o takes the directory of the tables"),
    ]
    for (arguments, message) in cases {
      let run = try CommandRun(["export", "logs/1.trace"] + arguments, input: "", in: scratch.url)
      #expect(run.status == 2 && run.errors.contains(message), "\(arguments): \(run.errors)")
    }
    let two = try export("logs/1.trace", "logs/2.trace", "--format", "perfetto")
    #expect(two.status == 2 && two.errors.contains("say --tables for tables of many"))
    let input = try export("logs", "--tables", "logs", "-o", "logs/1.trace")
    #expect(input.status == 3, "a file is no directory: \(input.errors)")
  }
}
