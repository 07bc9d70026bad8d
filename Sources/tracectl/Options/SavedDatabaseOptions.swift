import ArgumentParser

/// Where the tables of logs are kept.
struct SavedDatabaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Keep all tables and views in this SQLite file, which sqlite3, datasette and others open; \
      nothing has to be asked then.
      """,
      valueName: "file"), completion: .file())
  var save: String?

  @Flag(help: "Replace an existing SQLite file.")
  var replace = false

  func validate() throws {
    if save == "" || save == "-" { throw ValidationError("--save takes the name of a file") }
    if replace && save == nil { throw ValidationError("--replace needs --save") }
  }

  /// The file, if one is to be written; it is none of the `inputs`.
  func target(inputs: [String]) throws -> SavedDatabase? {
    try save.map { try SavedDatabase($0, replaces: replace, inputs: inputs) }
  }
}
