import Platform
import TraceQuery

/// A file of SQLite's that is written whole, and takes the place of no other kind of file.
struct SavedDatabase {
  private static let magic = Array("SQLite format 3\0".utf8)

  private let file: ReportFile

  /// Finds out what can be known before there is anything to write.
  init(_ path: String, replaces: Bool, inputs: [String]) throws {
    file = try ReportFile(path, inputs: inputs, what: "the database")
    guard access(path, F_OK) == 0 else { return }
    if !replaces {
      throw CommandError.usage("\(path): already exists; name another file, or pass --replace")
    }
    if LogFinder.head(of: path, Self.magic.count) != Self.magic {
      throw CommandError.usage(
        "\(path): is no SQLite file, so it is not replaced; name another file")
    }
  }

  /// Writes the tables and views, and puts the file in its place.
  func write(_ database: LogDatabase) throws {
    let draft = try file.begin()
    do {
      // A name such as file:… means a file, too.
      try database.save(to: draft.place.hasPrefix("/") ? draft.place : "./" + draft.place)
    } catch {
      throw CommandError.unreadable("\(file.path): cannot be written: \(error.description)")
    }
    try draft.finish()
  }
}
