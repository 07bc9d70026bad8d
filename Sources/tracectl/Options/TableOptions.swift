import ArgumentParser
import TraceReport
import TraceText

/// Which tables are written of which logs.
struct TableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Write tables instead of a run, as csv or ndjson: names separated by commas, or all. \
      Takes any number of logs and directories of logs.
      """,
      valueName: "tables"), transform: TableOptions.read(tables:))
  var tables: [LogTable]?

  @Option(
    help: ArgumentHelp(
      """
      Sum the tables durations and rules over all logs that agree in these columns: of app, version, \
      build, os, device, platform, sdk, mode.
      """,
      valueName: "columns"), transform: TableOptions.read(columns:))
  var by: [TableColumn]?

  mutating func validate() throws {
    guard let tables, let by, !by.isEmpty else { return }
    if !tables.contains(.durations) && !tables.contains(.rules) {
      throw ValidationError("--by sums durations and rules; name one of them in --tables")
    }
  }

  private static func read(tables text: String) throws -> [LogTable] {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if words.contains("all") { return LogTable.allCases }
    let known = LogTable.allCases.map(\.rawValue)
    let tables = try words.map { word in
      guard let table = LogTable(rawValue: word) else {
        throw unknown(word, "table", known + ["all"])
      }
      return table
    }
    return LogTable.allCases.filter(tables.contains)
  }

  private static func read(columns text: String) throws -> [TableColumn] {
    let known = LogTable.cohortColumns
    let columns = try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      guard let column = known.first(where: { $0.name == word }) else {
        throw unknown(String(word), "column of a cohort", known.map(\.name))
      }
      return column
    }
    if Set(columns).count == columns.count { return columns }
    throw ValidationError("--by names a column twice")
  }

  private static func unknown(_ word: String, _ what: String, _ known: [String]) -> ValidationError
  {
    let near = NearestWord.question(
      word, in: known, else: "expected \(known.joined(separator: ", "))")
    return ValidationError("\(InertText.word(word)) is no \(what); \(near)")
  }
}
