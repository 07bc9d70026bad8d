import ArgumentParser
import Platform
import TraceQuery

/// The form of an answer, and where it goes.
struct AnswerFormOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The format: table, csv, json, ndjson or markdown; by default the one that the name of FILE \
      tells, else table on a terminal and csv elsewhere.
      """,
      valueName: "form"))
  var format: ResultForm?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - is standard output, the default.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The file; `nil` for standard output.
  var file: String? { output.flatMap { $0 == "-" ? nil : $0 } }

  func validate() throws {
    if output == "" { throw ValidationError("-o takes the name of a file") }
  }

  /// The form that was given, or else the one that fits where the answer goes.
  var form: ResultForm {
    if let format { return format }
    guard let file else { return isatty(STDOUT_FILENO) == 1 ? .table : .csv }
    let ending = file.split(separator: ".").last.map(String.init) ?? ""
    return ending == "md" ? .markdown : ResultForm(rawValue: ending) ?? .csv
  }
}

extension ResultForm: ExpressibleByArgument {}

/// An answer on its way to a file, which is replaced as a whole, or to standard output.
struct AnswerOutput {
  private var printer: ResultPrinter
  private let output: Output?

  /// Finds out before logs are read whether the answers of `statementCount` statements can be written.
  init(_ options: AnswerFormOptions, statementCount: Int, inputs: [String]) throws {
    let file = try options.file.map { try ReportFile($0, inputs: inputs, what: "the answer") }
    output = statementCount > 0 ? try Output(file) : nil
    printer = ResultPrinter(
      options.form, statementCount: statementCount,
      width: options.file == nil ? TerminalWidth.columns : nil)
  }

  /// Runs a query and prints all that it answers.
  func print(_ query: LogQuery?, of database: LogDatabase) throws {
    guard let query else { return }
    var output = self
    for statement in query.statements {
      output.printer.begin(statement.columns)
      try database.run(statement) { row in
        output.printer.add((0..<row.count).map { row[$0] })
        if output.printer.isLong { try output.flush() }
      }
      output.printer.end()
    }
    try output.finish()
  }

  /// Prints rows of our own.
  mutating func print(_ columns: [String], _ rows: [[QueryValue]]) throws {
    printer.begin(columns)
    for row in rows { printer.add(row) }
    printer.end()
  }

  /// Writes a text as it is.
  func write(_ text: String) throws { try output?.append(Array(text.utf8)) }

  /// Writes the rest, and puts the file in its place.
  mutating func finish() throws {
    printer.finish()
    try flush()
    try output?.finish()
  }

  private mutating func flush() throws { try output?.append(printer.takeBytes()) }
}
