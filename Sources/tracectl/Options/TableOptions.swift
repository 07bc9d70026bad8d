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
    if text.split(separator: ",").contains("all") { return LogTable.allCases }
    let tables = try read(text, "table", LogTable.allCases, \.rawValue, or: ["all"])
    return LogTable.allCases.filter(tables.contains)
  }

  private static func read(columns text: String) throws -> [TableColumn] {
    let columns = try read(text, "column of a cohort", LogTable.cohortColumns, \.name)
    if Set(columns).count == columns.count { return columns }
    throw ValidationError("--by names a column twice")
  }

  /// What the words of a list name, among what is known.
  private static func read<Value>(
    _ list: String, _ what: String, _ known: [Value], _ name: (Value) -> String,
    or others: [String] = []
  ) throws -> [Value] {
    try list.split(separator: ",", omittingEmptySubsequences: false).map(String.init).map { word in
      if let value = known.first(where: { name($0) == word }) { return value }
      let names = known.map(name) + others
      let near = NearestWord.question(
        word, in: names, else: "expected \(names.joined(separator: ", "))")
      throw ValidationError("\(InertText.word(word)) is no \(what); \(near)")
    }
  }
}
