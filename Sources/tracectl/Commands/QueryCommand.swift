import ArgumentParser
import Platform
import TraceQuery
import TraceReport

/// `tracectl query`: SQL over the tables of logs.
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Ask logs a question in SQL, or one that has a name.",
    discussion: """
        tracectl query --view
        tracectl query runs/*.bin --view deaths
        tracectl query log.bin "select name, p95(dur) from calls group by name"

      The SQL is that of SQLite, and only reads. --schema lists the tables and what their columns mean. Several logs are one set of tables; the column log tells them apart. Instants and lengths are nanoseconds. SQL has these functions besides SQLite's:
        ms(x), s(x)        nanoseconds as milliseconds, as seconds
        human(x)           nanoseconds as reports write them: 1.784s
        p50(x), p95(x), p99(x), percentile(x, p)
                           exact percentiles of a group; NULL is left out
        overlap(ts, dur, ts, dur)
                           how long two stretches of time lie upon each other

      Formats: table for people; csv, where what looks like a formula begins with '; json, an array of objects, or an array of such arrays for several statements; ndjson; markdown. Other forms than json separate the answers of several statements by an empty line.

      Exit status: 2 for SQL that has an error or is refused; 3 if a log cannot be read, after the answer from the others. The table logs says why it cannot be read.
      """)

  @OptionGroup var question: QuestionOptions

  @OptionGroup var list: LogListOption

  @OptionGroup var answer: AnswerFormOptions

  @OptionGroup var saving: SavedDatabaseOptions

  @OptionGroup var window: WindowOptions

  @OptionGroup var limits: QueryLimitOptions

  @OptionGroup var baseline: BaselineOption

  @OptionGroup var jobs: JobsOption

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  func validate() throws {
    let namesLogs = !question.words.isEmpty || list.filesFrom != nil
    try refuse(
      question.isAboutTables && (saving.save != nil || namesLogs),
      "--schema, and --view without a name, are about all logs; name none with them")
    try refuse(
      question.file == "-" && (question.words.contains("-") || list.filesFrom == "-"),
      "standard input is either the SQL or names logs; save one of them in a file")
    if question.schema, let format = answer.format, format != .json {
      throw ValidationError("--schema prints SQL, or JSON with --format json")
    }
  }

  func run() throws {
    do {
      if question.isAboutTables { return try printTables() }
      try ask()
    } catch let error as QueryError {
      if Interrupt.isRequested { throw ExitStatus.interrupted }
      // The line of SQL, and a mark below the place in it, stand on lines of their own.
      let lines = error.description.split(separator: "\n").map(String.init)
      throw CommandError(lines, status: .badUsage)
    }
  }

  /// Prints what there is to be asked.
  private func printTables() throws {
    var output = try AnswerOutput(answer, statementCount: 1, inputs: [])
    if question.schema {
      try output.write(answer.form == .json ? LogSchema.json : LogSchema.sql)
    } else {
      try output.print(
        ["view", "question"], LogView.all.map { [.text($0.name), .text($0.question)] })
    }
    try output.finish()
  }

  /// The bytes of texts that are loaded of any logs.
  private static let textBytes = 64 << 20

  private func ask() throws {
    Interrupt.catchSignals()
    let asked = try question.read(isSaved: saving.save != nil)
    if asked.sql == nil && (answer.format != nil || answer.output != nil) {
      throw CommandError.usage(
        "nothing is asked, so there is no answer to write; leave out its form")
    }
    // Threads that read logs load their rows in turn.
    let database = Lock(try LogDatabase(limits.limits))
    let query = try asked.sql.map { sql in
      try database.withLock { try $0.prepare(sql, named: asked.name) }
    }
    let wanted = saving.save == nil ? query?.reads ?? [:] : LogDatabase.everything
    let logs = wanted.isEmpty ? nil : try list.logs(asked.words)
    // What is named is not overwritten, though nothing of it may be read.
    let named = logs?.inputs ?? (try? LogFinder.paths(asked.words)) ?? asked.words
    if logs == nil, let missing = named.first(where: { $0 != "-" && access($0, F_OK) != 0 }) {
      throw CommandError.unreadable("\(missing): no such file; check the name")
    }
    let inputs =
      named + reading.crash + [question.file, baseline.named].compactMap(\.self)
    if let file = answer.file, file == saving.save {
      throw CommandError.usage("\(file): is named by -o and --save; give each its own file")
    }
    let saved = try saving.target(inputs: inputs)
    let output = try AnswerOutput(
      answer, statementCount: query?.statements.count ?? 0, inputs: inputs)

    let logBytes = ExpansionLimit.bytes(of: logs?.logs.map(\.path) ?? [])
    let textBytes = max(QueryCommand.textBytes, ExpansionLimit.longest(of: logBytes))
    database.withLock { $0.limitTexts(to: textBytes) }
    let failures = try load(logs, wanted, into: database)
    let count = logs?.logs.count ?? 0
    if failures.count > 0, failures.count == count, wanted[.logs] == nil {
      throw CommandError(failures.told, status: .unreadable)
    }
    if failures.count > 0 { Terminal.printError(failures.told) }
    try database.withLock { database in
      try output.print(query, of: database)
      try saved?.write(database)
    }
    if failures.count > 0 { throw ExitStatus.unreadable }
  }

  /// Reads logs into the tables that are wanted.
  private func load(
    _ logs: TabledLogs?, _ wanted: [LogTable: Set<Int>], into database: Lock<LogDatabase>
  ) throws -> ManyTables.Failures {
    guard let logs else { return ManyTables.Failures() }
    let plan = TablePlan(wanted)
    let task = TableReading.Task(
      plan: plan, logs: try reading.task(baseline, judges: plan.needsRules), window: window)
    return try ManyTables.read(logs, task, threads: jobs.count) { chunk in
      try database.withLock { try $0.load(chunk) }
    }
  }
}
