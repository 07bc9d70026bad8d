import ArgumentParser
import Platform
import TraceQuery

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

  private static let magic = Array("SQLite format 3\0".utf8)

  /// The file, if one is to be written: it is none of the `inputs`, and replaces no other kind of file.
  func target(inputs: [String]) throws -> ReportFile? {
    guard let save else { return nil }
    let file = try ReportFile(save, inputs: inputs, what: "the database")
    guard access(save, F_OK) == 0 else { return file }
    if !replace {
      throw CommandError.usage("\(save): already exists; name another file, or pass --replace")
    }
    if LogFinder.head(of: save, Self.magic.count) != Self.magic {
      throw CommandError.usage(
        "\(save): is no SQLite file, so it is not replaced; name another file")
    }
    return file
  }
}

extension ReportFile {
  /// Writes the tables and views of a database.
  func write(_ database: LogDatabase) throws {
    let draft = try begin()
    do {
      // A name such as file:… means a file, too.
      try database.save(to: draft.place.hasPrefix("/") ? draft.place : "./" + draft.place)
    } catch {
      throw CommandError.unreadable("\(path): cannot be written: \(error.description)")
    }
    try draft.finish()
  }
}
