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
    abstract: "Write a run for Perfetto or Firefox Profiler, or tables of many for analysis.",
    discussion: """
        tracectl export log.bin -o run.pftrace
        tracectl export log.bin --format csv --from 12s --to 13s
        tracectl export logs/ --tables processes,findings -o tables/

      Formats, with the endings by which -o FILE tells them:
        perfetto   a trace for ui.perfetto.dev (.pftrace)
        chrome     the same as JSON, for Firefox Profiler (.json)
        csv        the events; what looks like a formula begins with ' (.csv)
        ndjson     the events, as tracectl dump --ndjson --numbers prints (.ndjson)

      With --tables the formats are parquet, csv and ndjson; tracectl query --schema lists the tables. -o names a directory, which gets a file for each table, or the file of one table. NDJSON on standard output has the lines of all tables, each with its table's name. A log that cannot be read is a row of the table logs with its error; then the command exits with 3 when all is written.
      """)

  @OptionGroup var input: ExportedLogsArgument

  @Option(
    help: ArgumentHelp(
      """
      The format: perfetto, chrome, csv, ndjson or parquet; by default the one that the name of FILE \
      tells, and parquet for a directory of tables.
      """,
      valueName: "form"))
  var format: ExportForm?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write; - is standard output, the default. Of several tables a directory.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup(title: "Tables") var tables: TableOptions

  @OptionGroup var window: WindowOptions

  @Flag(help: "Write everything, however long it is compared with the log.")
  var noLimit = false

  @OptionGroup(title: "What the log does not state") var inputOptions: InputOptions

  @OptionGroup var configured: ConfigurationOption

  func validate() throws {
    if output == "" { throw ValidationError("-o takes the name of a file") }
    if tables.tables != nil { return try checkTables() }
    if tables.isGiven {
      throw ValidationError("--by, --files-from and --jobs are about tables; say --tables, too")
    }
    if told == .parquet {
      throw ValidationError("Parquet holds tables; say which, such as --tables events")
    }
    if told != nil { return }
    let file = output.map { "\(InertText.word($0)) tells no format; " } ?? ""
    throw ValidationError("\(file)say --format perfetto, chrome, csv or ndjson")
  }

  private func checkTables() throws {
    guard let form = TableForm(told ?? .parquet) else {
      throw ValidationError("tables have the formats parquet, csv and ndjson")
    }
    if isToStandardOutput, form != .ndjson, format == nil || tables.tables?.count != 1 {
      throw ValidationError(
        "-o takes the directory of the tables; only --format ndjson prints several tables")
    }
  }

  private var isToStandardOutput: Bool { output == nil || output == "-" }

  /// The form that was said, or else the one that the file's name tells.
  private var told: ExportForm? { format ?? output.flatMap { ExportForm(fileName: $0) } }

  func run() throws {
    if let tables = tables.tables { return try exportTables(tables) }
    guard let form = told else { return }
    let log = try input.path()
    if form == .perfetto { try NewLog.refuseTerminal(output ?? "-", "a trace of Perfetto") }
    let file = output.flatMap { $0 == "-" ? nil : $0 }
    let target = try file.map {
      try ReportFile($0, inputs: [log] + inputOptions.crash.crash, what: "the export")
    }
    let team = try configured.load()
    let settings = try inputOptions.settings(team)

    let limit = ExpansionLimit(
      path: log, isOff: noLimit, advice: "export a part with --from and --to")
    var output = ExportOutput(try target?.begin(), limit)
    if let viewer = form.viewer {
      try exportRun(log, viewer, team, settings, to: &output)
    } else {
      try exportEvents(log, isNDJSON: form == .ndjson, settings, to: &output)
    }
    try output.finish()
  }

  // MARK: Tables

  private func exportTables(_ tables: [LogTable]) throws {
    guard let form = TableForm(told ?? .parquet) else { return }
    if form == .parquet { try NewLog.refuseTerminal(output ?? "-", "a Parquet file") }
    let team = try configured.load()
    let plan = TablePlan(tables, by: self.tables.by ?? [])
    let logs = try input.tabled(listedIn: self.tables.filesFrom)
    let known = try team.baseline.map { try BaselineFile.read($0.value, warningOf: team) }
    let task = TableReading.Task(
      plan: plan, team: team, settings: try inputOptions.settings(team), window: window,
      known: known)

    let inputs = logs.inputs + logs.logs.map(\.path) + inputOptions.crash.crash
    let limit = ExpansionLimit(
      path: "the tables", isOff: noLimit, advice: "export a part with --from and --to")
    let files = try TableFiles(
      plan, form, target(of: tables), inputs: inputs, limit, of: logs.logs)
    // What was unpacked stays until all is read.
    let failures = try withExtendedLifetime(logs) {
      try ManyTables(logs, task).run(threads: self.tables.jobs.count) { try files.take($0) }
    }
    try files.finish()
    if failures.count == 0 { return }
    Terminal.printError(failures.told)
    throw ExitStatus.unreadable
  }

  /// Where the tables go: the name of one table's file has its form's ending.
  private func target(of tables: [LogTable]) -> TableFiles.Target {
    guard let output, output != "-" else { return .standardOutput }
    let isFile = tables.count == 1 && ExportForm(fileName: output) != nil
    return isFile && !LogFinder.isDirectory(output) ? .file(output) : .folder(output)
  }

  // MARK: A run

  /// Writes the picture of a run, with what its analysis says: the log is read twice.
  private func exportRun(
    _ log: String, _ viewer: ViewerForm, _ team: Configuration, _ settings: InputSettings,
    to output: inout ExportOutput
  ) throws {
    try ByteInput.checkFile(log, "an export with findings")
    var reading = LogAnalysis(team, statistics: false, settings: settings)
    let (analysis, words, _) = try reading.analyze(log)
    let part = try window.part(by: reading.clock)
    guard let extent = analysis.extent, part?.overlaps(extent) ?? true else {
      throw CommandError.usage("\(InertText.word(log)): has no events\(window.inPart)")
    }

    var input = try reading.reopen(log)
    let head = ExportHead(analysis, of: log, words, reading.clock)
    var export = LaneExport(viewer, analysis, words, head, input.vocabulary, in: part)
    var events: [Event] = []
    while try input.read(into: &events) {
      for event in events {
        export.draw(event)
        if export.isLong { try output.append(export.takeBytes(), of: input.logByteCount) }
      }
      export.forgetUnusedWords()
    }
    export.finish()
    try output.append(export.takeBytes(), of: input.logByteCount)
  }

  // MARK: Events

  private func exportEvents(
    _ log: String, isNDJSON: Bool, _ settings: InputSettings, to output: inout ExportOutput
  ) throws {
    // Where a report belongs is found among all events.
    let blocks = settings.reports.isEmpty ? window.blocks : BlockFilter()
    var input = try TraceInput(log, filter: blocks, settings: settings)
    var table = EventTable(input.vocabulary, isNDJSON: isNDJSON)
    var events: [Event] = []
    var part = window.filter()
    var count = 0

    while try input.read(into: &events) {
      if events.isEmpty { continue }
      let wanted = try part.part(by: input.clock)
      for event in events where wanted.contains(event.instant) {
        table.add(event)
        count += 1
        if table.isLong { try output.append(table.takeBytes(), of: input.logByteCount) }
      }
      try output.append(table.takeBytes(), of: input.logByteCount)
      input.vocabulary.forgetAllIfLarge()
    }
    try output.append(table.takeBytes(), of: input.logByteCount)
    if count == 0 { Terminal.printError("\(InertText.word(log)): has no events\(window.inPart)") }
  }
}

extension ExportForm: ExpressibleByArgument {}

extension TableForm {
  /// The form of tables that an export has; `nil` for one that viewers take.
  fileprivate init?(_ form: ExportForm) {
    switch form {
    case .perfetto, .chrome: return nil
    case .csv: self = .csv
    case .ndjson: self = .ndjson
    case .parquet: self = .parquet
    }
  }
}

/// Where an export goes: a file, which is replaced as a whole, or standard output.
private struct ExportOutput {
  private let draft: ReportFile.Draft?
  private let limit: ExpansionLimit
  private var count = 0

  init(_ draft: ReportFile.Draft?, _ limit: ExpansionLimit) {
    (self.draft, self.limit) = (draft, limit)
  }

  /// Appends bytes that so many bytes of the log say.
  mutating func append(_ bytes: [UInt8], of logBytes: Int?) throws {
    if bytes.isEmpty { return }
    count += bytes.count
    try limit.check(count, of: logBytes)
    try draft.append(bytes)
  }

  /// Puts the file in its place.
  func finish() throws { try draft?.finish() }
}
