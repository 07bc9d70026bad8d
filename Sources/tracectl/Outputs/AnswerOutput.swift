import TraceQuery

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
        output.printer.add(row)
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
