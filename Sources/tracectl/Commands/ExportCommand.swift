import ArgumentParser
import LifecycleModel
import TraceConfiguration
import TraceLog
import TraceReport
import TraceText

/// `tracectl export`: a run, or its events, for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a run for a trace viewer, or tables of many for analysis.",
    discussion: """
        tracectl export log.bin -o run.pftrace
        tracectl export log.bin -o run.otlp.jsonl
        tracectl export log.bin --tables events -o events.csv
        tracectl export logs/ --tables processes,findings -o tables/

      Without --tables it writes a trace for ui.perfetto.dev (.pftrace), or traces of OpenTelemetry for Grafana, Jaeger and others: OTLP in JSON, a request a line (.otlp.jsonl).

      With --tables the formats are csv and ndjson; tracectl query --schema lists the tables, and tracectl query --save writes them as an SQLite database. In CSV, what looks like a formula begins with '. -o names a directory, which gets a file for each table, or the file of one table. NDJSON on standard output has the lines of all tables, each with its table's name. A log that cannot be read is a row of the table logs with its error; then the command exits with 3 when all is written.
      """)

  @OptionGroup var input: LogsArgument

  @Option(
    help: ArgumentHelp(
      """
      The format: perfetto or otlp; of tables csv or ndjson. By default the one that the name of FILE ends \
      with, and ndjson for several tables.
      """,
      valueName: "form"), completion: .list(ExportForm.allCases.map(\.rawValue)),
    transform: ExportCommand.read(form:))
  var format: ExportForm?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write; - is standard output, the default. Of several tables a directory.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup(title: "Tables") var tables: TableOptions

  @OptionGroup(title: "Tables") var list: LogListOption

  @OptionGroup(title: "Tables") var jobs: JobsOption

  @OptionGroup var window: WindowOptions

  @Flag(help: "Write everything, however long it is compared with the log.")
  var noLimit = false

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  func validate() throws {
    if output == "" { throw ValidationError("-o takes the name of a file") }
    if tables.tables != nil { return try checkTables() }
    if tables.by != nil || list.filesFrom != nil || jobs.jobs != nil {
      throw ValidationError("--by, --files-from and --jobs are about tables; say --tables, too")
    }
    guard let told else {
      let file = output.map { "\(InertText.word($0)) ends with no format; " } ?? ""
      let runs = ExportForm.allCases.filter { $0.run != nil }.map(\.rawValue)
      throw ValidationError(
        "\(file)say --format \(runs.joined(separator: " or ")), or --tables for tables")
    }
    if told.tables != nil {
      throw ValidationError("\(told.rawValue) holds tables; say which, such as --tables events")
    }
  }

  /// The format that a word names; a retired one is an error that names what to use instead.
  private static func read(form word: String) throws -> ExportForm {
    if let form = ExportForm(rawValue: word) { return form }
    switch word {
    case "chrome":
      throw ValidationError("chrome is not written any more; use --format perfetto")
    case "parquet":
      throw ValidationError(
        "parquet is not written any more; write ndjson, of which DuckDB makes Parquet: "
          + "duckdb -c \"copy (from 'tables/events.ndjson') to 'events.parquet'\"")
    default:
      let known = ExportForm.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(InertText.word(word)) is no format; expected \(known)")
    }
  }

  private func checkTables() throws {
    guard let form = tableForm else {
      throw ValidationError("tables have the formats csv and ndjson")
    }
    try refuse(
      output ?? "-" == "-" && form != .ndjson && tables.tables?.count != 1,
      "-o takes the directory of the tables; only --format ndjson prints several tables")
    if let output, tables.tables?.count != 1, ExportForm(fileName: output) != nil,
      !LogFinder.isDirectory(output)
    {
      throw ValidationError(
        "\(InertText.word(output)) is the name of one table's file; -o takes the directory of several"
      )
    }
  }

  /// The form that was given, or else the one that the file's name ends with.
  private var told: ExportForm? { format ?? output.flatMap { ExportForm(fileName: $0) } }

  /// The form of tables; `nil` where a form was given that has none.
  private var tableForm: TableForm? { told.map(\.tables) ?? .ndjson }

  func run() throws {
    if let tables = tables.tables { return try exportTables(tables) }
    guard let form = told, let writer = form.run else { return }
    guard input.logs.count < 2 else {
      throw CommandError.usage(
        "an export is of one log; name one, or say --tables for tables of many")
    }
    let log = try input.logs.first ?? NewestLog.path()
    if let name = form.binaryName { try NewLog.refuseTerminal(output ?? "-", name) }
    let file = output.flatMap { $0 == "-" ? nil : $0 }
    let target = try file.map {
      try ReportFile($0, inputs: [log] + reading.crash, what: "the export")
    }
    let task = try reading.task()

    let limit = ExpansionLimit(
      path: log, isOff: noLimit, advice: "export a part with --from and --to")
    let output = try Output(target, limit)
    try exportRun(log, task, by: writer, to: output)
    try output.finish()
  }

  // MARK: Tables

  private func exportTables(_ tables: [LogTable]) throws {
    guard let form = tableForm else { return }
    let (team, settings) = try reading.load()
    let plan = TablePlan(tables, by: self.tables.by ?? [])
    let logs = try list.logs(input.logs)
    let known = try team.baseline.map { try BaselineFile.read($0.value, warningOf: team) }
    let task = LogTask(team, settings, known: known, judges: plan.needsRules)

    let limit = ExpansionLimit(
      path: "the tables", isOff: noLimit, advice: "export a part with --from and --to")
    let place = output == "-" ? nil : output
    // The name of one table's file has its form's ending.
    let isFile =
      tables.count == 1
      && place.map { ExportForm(fileName: $0) != nil && !LogFinder.isDirectory($0) } ?? true
    let files = try TableFiles(
      plan, form, file: isFile ? place : nil, folder: isFile ? nil : place,
      inputs: logs.inputs + reading.crash, limit, of: logs.logs)
    let reading = TableReading.Task(plan: plan, logs: task, window: window)
    let failures = try ManyTables.read(logs, reading, threads: jobs.count) { try files.take($0) }
    try files.finish()
    if failures.count == 0 { return }
    Terminal.printError(failures.told)
    throw ExitStatus.unreadable
  }

  // MARK: A run

  /// Writes a run with the results of its analysis: the log is read twice.
  private func exportRun(
    _ log: String, _ task: LogTask, by writer: any RunExport.Type, to output: Output
  ) throws {
    try ByteInput.checkFile(log, "an export with findings")
    let analyzed = try task.analyze(log)
    let part = try window.range(by: analyzed.clock)
    guard let extent = analyzed.analysis.extent, part.overlaps(extent) else {
      throw CommandError.usage("\(analyzed.name): has no events\(window.inPart)")
    }

    var input = try task.reopen(log)
    let head = ExportHead(analyzed.analysis, of: log, analyzed.vocabulary, analyzed.clock)
    var export: any RunExport = writer.init(head, input.vocabulary, in: part)
    var events: [Event] = []
    while try input.read(into: &events) {
      for event in events {
        export.draw(event)
        if export.isLong { try output.append(export.takeBytes(), of: input.log?.byteCount) }
      }
      export.forgetUnusedWords()
    }
    export.finish()
    try output.append(export.takeBytes(), of: input.log?.byteCount)
  }
}
