import TraceReport

/// The tables and views of logs, as SQL that creates them.
package enum LogSchema {
  /// All tables and views, with what each is and what its columns mean in comments.
  package static var sql: String {
    (LogTable.allCases.map(table) + LogView.all.map(view)).joined(separator: "\n")
  }

  /// Creates a table; the comments stay in the schema of a database.
  static func table(_ table: LogTable) -> String {
    let last = table.columns.count - 1
    let columns = table.columns.enumerated().map { place, column in
      "  \(column.name) \(column.kind.rawValue)\(place == last ? "" : ",") -- \(column.meaning)\n"
    }
    return "create table \(table.rawValue) ( -- \(table.row)\n\(columns.joined()));\n"
  }

  /// Creates a view.
  static func view(_ view: LogView) -> String { "create view \(view.name) as \(view.sql);\n" }
}
