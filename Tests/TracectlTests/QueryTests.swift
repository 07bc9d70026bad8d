import Foundation
import Testing
import TraceQuery

/// `tracectl query`, from logs to answers.
@Suite struct QueryTests {
  private static let notes = "samples/reports/notes.trace"
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func query(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(["query"] + arguments, input: input)
  }

  // MARK: What is asked

  @Test func sqlIsAnswered() throws {
    let run = try query(
      Self.notes, "select name, label, human(dur) as held, ended from spans where kind = 'held'")
    #expect(run.output == "name,label,held,ended\r\nlock,notes.db,830ms,end-of-log\r\n")
    #expect(run.status == 0 && run.errors.isEmpty)
  }

  @Test func sqlComesFromAFileAndFromStandardInput() throws {
    try scratch.file("question.sql", "-- how many\nselect count(*) as n\nfrom processes;\n")
    let path = scratch.path("question.sql")
    for run in [
      try query(Self.notes, "-f", path),
      try query(Self.notes, "--file", "-", input: "select count(*) as n from processes"),
    ] {
      #expect(run.output == "n\r\n1\r\n", "\(run.errors)")
    }
    try scratch.file("wrong.sql", "select count(*)\nfrom proceses")
    let wrong = try query(Self.notes, "-f", scratch.path("wrong.sql"))
    #expect(wrong.status == 2)
    #expect(
      wrong.errors.contains("wrong.sql:2:6: no such table: proceses; did you mean processes?"))
  }

  @Test func aViewIsAsked() throws {
    let run = try query(Self.notes, "--view", "time_in_states", "--format", "ndjson")
    let same = try query(Self.notes, "--format", "ndjson", "select * from time_in_states")
    #expect(run.status == 0 && !run.output.isEmpty && run.output == same.output)
    let wrong = try query(Self.notes, "--view", "deths")
    #expect(wrong.status == 2 && wrong.errors.contains("no view deths; did you mean deaths?"))
  }

  @Test func thereAreViewsAndASchema() throws {
    let views = try query("--view", "--format", "csv").output.split(whereSeparator: \.isNewline)
    #expect(views.first == "view,question")
    #expect(views.count == LogView.all.count + 1)
    #expect(try query("--schema").output == LogSchema.sql)
    #expect(try query("--schema", "--format", "json").output == LogSchema.json)
  }

  @Test func theNewestRecordingIsAsked() throws {
    let log = scratch.path("log.bin")
    let text = try String(
      contentsOf: CommandRun.root.appendingPathComponent(Self.notes), encoding: .utf8)
    #expect(
      try CommandRun(["record", "--source", "trace", "-q", "-o", log, "-"], input: text).status == 0
    )
    let run = try CommandRun("query", "select log from logs", in: scratch.url)
    #expect(run.output == "log\r\nlog.bin\r\n", "\(run.errors)")
    // What reads no log needs none.
    let empty = try ScratchFolder()
    #expect(try CommandRun("query", "select 1 as x", in: empty.url).output == "x\r\n1\r\n")
  }

  @Test func severalLogsAreOneSetOfTables() throws {
    let run = try query("samples/traces", Self.notes, "select log from logs order by log")
    #expect(
      run.output == "log\r\nsamples/reports/notes.trace\r\nsamples/traces/slow-background.trace\r\n"
    )
  }

  @Test func aListNamesTheLogs() throws {
    let list = Self.notes + "\nsamples/traces/slow-background.trace\n"
    let sql = "select log from logs"
    let named = try query(Self.notes, "samples/traces/slow-background.trace", sql)
    #expect(try query("--files-from", "-", sql, input: list).output == named.output)
    try scratch.file("list", list)
    #expect(try query("--files-from", scratch.path("list"), sql).output == named.output)
  }

  @Test func aPartIsAsked() throws {
    let all = try query(Self.notes, "select min(ts), max(ts) from events").output
    let part = try query(
      Self.notes, "--from", "1s", "--to", "12.5s",
      "select min(ts) >= 1e9, max(ts) <= 125e8, count(*) > 0 from events")
    #expect(part.output.hasSuffix("\r\n1,1,1\r\n"))
    #expect(!all.isEmpty && part.status == 0)
  }

  // MARK: What is refused

  @Test(arguments: [
    ([notes], "is not SQL; write the SQL before or after the logs"),
    ([], "write the SQL before or after the logs"),
    ([notes, "nothing.sql"], "nothing.sql is not SQL"),
    ([notes, "delete from events"], "SQL:1:1: DELETE is refused; a query only reads"),
    ([notes, "-f", "-", "--view", "deaths"], "exclude each other"),
    (["-", "-f", "-"], "standard input is either"),
    (["--files-from", "-", "-f", "-"], "standard input is either"),
    ([notes, "--view"], "name none with them"),
    (["--schema", "--format", "csv"], "prints SQL, or JSON"),
    ([notes, "select 1", "--replace"], "--replace needs --save"),
    ([notes, "select 1", "--timeout", "soon"], "a time is a positive number"),
    ([notes, "select 1", "--limit-rows", "3"], "now 'query --no-limit'"),
    ([notes, "select 1", "-o", notes], "overwrite one of its inputs"),
  ])
  func badUsageIsTold(arguments: [String], message: String) throws {
    let run = try CommandRun(["query"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func memoryAndTimeHaveLimits() throws {
    let endless =
      "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r"
    let run = try query("--timeout", "200ms", endless)
    #expect(run.status == 2 && run.errors.contains("not done after 200ms"))
    let hungry = """
      with recursive r(x) as (select zeroblob(9000000) union all select zeroblob(9000000) from r)
      select count(*) from (select x from r order by x)
      """
    // In a process of its own, because SQLite has one limit of memory for each.
    let other = try CommandRun(program: [CommandRun.command.path, "query", hungry])
    #expect(
      other.status == 2 && other.errors.contains("needs more than 1024 MiB"), "\(other.errors)")
  }

  @Test func aLogThatCannotBeReadIsTold() throws {
    try scratch.file("broken.bin", "TRACECTL? no, something else\n")
    let broken = scratch.path("broken.bin")
    let run = try query(Self.notes, broken, "select count(*) as n from processes")
    #expect(run.status == 3 && run.output == "n\r\n1\r\n")
    #expect(run.errors.contains("broken.bin"))
    let errors = try query(Self.notes, broken, "select count(error) as n from logs")
    #expect(errors.status == 3 && errors.output == "n\r\n1\r\n")
    let none = try query(broken, "select count(*) as n from processes")
    #expect(none.status == 3 && none.output.isEmpty && none.errors.contains("broken.bin"))
  }

  // MARK: Where answers go

  @Test func aFileIsWritten() throws {
    let path = scratch.path("answer.json")
    let run = try query(Self.notes, "-o", path, "select 1 as x")
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[\n{\"x\":1}\n]\n")
    #expect(try query(Self.notes, "-o", path, "select nothing from events").status == 2)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[\n{\"x\":1}\n]\n")
  }

  @Test func tablesAreSaved() throws {
    let path = scratch.path("saved.db")
    #expect(try query(Self.notes, "--save", path).status == 0)
    let again = try query(Self.notes, "--save", path)
    #expect(again.status == 2 && again.errors.contains("already exists"))
    let replaced = try query(Self.notes, "--save", path, "--replace", "select count(*) from logs")
    #expect(replaced.status == 0 && replaced.output == "count(*)\r\n1\r\n")

    try scratch.file("notes.txt", "mine")
    let other = try query(Self.notes, "--save", scratch.path("notes.txt"), "--replace")
    #expect(other.status == 2 && other.errors.contains("is no SQLite file"))
    #expect(try query(Self.notes, "--save", Self.notes, "--replace").status == 2)
    #expect(try query(Self.notes, "--save", scratch.path("no/where.db")).status == 3)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() == [
        "notes.txt", "saved.db",
      ])
  }

  /// As with `-o`: what a link leads to is written, and the link stays.
  @Test func tablesAreSavedWhereALinkLeads() throws {
    let (folder, link) = (scratch.path("there"), scratch.path("link.db"))
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "second.db")
    try manager.createSymbolicLink(
      atPath: scratch.path("second.db"), withDestinationPath: "there/saved.db")
    #expect(try query(Self.notes, "--save", link).status == 0)
    #expect(try manager.destinationOfSymbolicLink(atPath: link) == "second.db")
    #expect(try manager.contentsOfDirectory(atPath: folder) == ["saved.db"])

    let answer = scratch.path("answer.csv")
    try manager.createSymbolicLink(atPath: answer, withDestinationPath: "there/answer.csv")
    #expect(try query(Self.notes, "-o", answer, "select 1 as x").status == 0)
    #expect(try manager.contentsOfDirectory(atPath: folder).sorted() == ["answer.csv", "saved.db"])
    try manager.createSymbolicLink(atPath: scratch.path("loop"), withDestinationPath: "loop")
    #expect(try query(Self.notes, "--save", scratch.path("loop")).status == 3)
  }

  // MARK: The views

  @Test func viewsAnswerTheSameInSQLiteAndDuckDB() throws {
    _ = try SampleReports.made.get()
    let logs = [
      SampleReports.folder.appendingPathComponent("*.bin").path, "samples/traces", Self.notes,
      "samples/ios-app/flight.trace",
    ]
    let (saved, schema, tables) = (
      scratch.path("x.db"), scratch.path("s.json"), scratch.path("tables")
    )
    #expect(try CommandRun(["query"] + logs + ["--save", saved]).status == 0)
    #expect(try query("--schema", "--format", "json", "-o", schema).status == 0)
    let exported = try CommandRun(["export"] + logs + ["--tables", "all", "-o", tables])
    #expect(exported.status == 0, "\(exported.errors)")

    let script = CommandRun.root.appendingPathComponent("Tests/Support/compare-views").path
    let run = try CommandRun(program: ["python3", script, saved, schema, tables])
    if run.status == 42 || run.status == 127 { return print("skipped: \(run.errors)") }
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    // What samples show is found.
    let empty = run.output.split(separator: "\n").filter { $0.hasSuffix(": 0") }
    #expect(empty.count <= 4, "\(empty)")
  }

  @Test func theCommandNeedsNoLibraryOfSQLite() throws {
    guard CommandRun.machineHas("ldd") else { return print("skipped: there is no ldd") }
    let run = try CommandRun(program: ["ldd", CommandRun.command.path])
    #expect(run.status == 0 && !run.output.contains("sqlite"))
  }
}
