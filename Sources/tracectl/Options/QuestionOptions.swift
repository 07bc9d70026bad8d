import ArgumentParser
import LifecycleModel
import Platform
import TraceQuery
import TraceText

/// Which logs are asked, and what.
struct QuestionOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      The logs to read: files, directories and quoted patterns, by default the newest recording in \
      this directory; then the SQL, unless -f or --view says it.
      """,
      valueName: "log-or-sql"), completion: .file())
  var words: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file with the SQL; - is standard input.", valueName: "file"), completion: .file())
  var file: String?

  @Option(
    defaultAsFlag: "",
    help: ArgumentHelp(
      "Ask the question of this name; without a name, list those that have one.", valueName: "name"),
    completion: .list(LogView.all.map(\.name)))
  var view: String?

  @Flag(help: "Print the SQL of all tables and views, with comments; JSON with --format json.")
  var schema = false

  /// Whether no log is asked.
  var isAboutTables: Bool { view == "" || schema }

  func validate() throws {
    if [file != nil, view != nil, schema].count(where: \.self) > 1 {
      throw ValidationError("-f, --view and --schema exclude each other")
    }
    guard let view, !view.isEmpty else { return }
    let known = LogView.all.map(\.name)
    if known.contains(view) { return }
    let near = NearestWord.question(view, in: known, else: "tracectl query --view lists all")
    throw ValidationError("--view: there is no view \(InertText.word(view)); \(near)")
  }

  /// The SQL with its name in messages, and the logs as they were named; where tables are saved, nothing has
  /// to be asked.
  func read(isSaved: Bool) throws -> (sql: String?, name: String, words: [String]) {
    if let view { return ("select * from \(view)", view, words) }
    if let file {
      let sql = String(decoding: try WholeFile.read(ByteInput(file)), as: UTF8.self)
      return (sql, file == "-" ? "SQL" : InertText.word(file), words)
    }

    for place in [words.count - 1, 0] where words.indices.contains(place) && isSQL(words[place]) {
      var logs = words
      let sql = logs.remove(at: place)
      return (sql, "SQL", logs)
    }
    if isSaved { return (nil, "SQL", words) }
    let last = words.last.map { "\(InertText.word($0)) is not SQL; " } ?? ""
    throw CommandError.usage(
      "\(last)write the SQL before or after the logs, or ask a question by its name: --view deaths")
  }

  /// Whether a word is SQL: not the name of a file, and more than a word.
  private func isSQL(_ word: String) -> Bool {
    let first = word.prefix { $0.isLetter }.lowercased()
    let isStatement = ["select", "with", "values", "explain"].contains(first)
    return (isStatement || word.contains(where: \.isWhitespace) || word.isEmpty)
      && access(word, F_OK) != 0
  }
}

/// How much a query may take.
struct QueryLimitOptions: ParsableArguments {
  @Flag(help: "Load as many rows into the tables as there are, and not 10000000 at most.")
  var noLimit = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Stop a statement that computes for longer than this, such as 10m; by default 60s, and 0 is \
      no limit. Reading the logs does not count.
      """,
      valueName: "time"), transform: QueryLimitOptions.time)
  var timeout: Nanoseconds?

  var limits: QueryLimits {
    var limits = QueryLimits()
    if noLimit { limits.rows = .max }
    if let timeout { limits.time = timeout }
    limits.isStopped = { Interrupt.isRequested }
    return limits
  }

  private static func time(_ text: String) throws -> Nanoseconds {
    try text == "0" ? 0 : Quantity.readTime(text)
  }
}
