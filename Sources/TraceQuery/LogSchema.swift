import TraceReport
import TraceText

/// The tables and views of logs, as SQL that creates them and as JSON.
package enum LogSchema {
  /// SQL that creates all tables and views; comments say what each is and what its columns mean.
  package static var sql: String {
    (LogTable.allCases.map(table) + LogView.all.map(view)).joined(separator: "\n")
  }

  /// The same as one JSON object.
  package static var json: String {
    let tables = LogTable.allCases.map { table in
      let columns = table.columns.map {
        object([("name", $0.name), ("kind", $0.kind.rawValue), ("meaning", $0.meaning)])
      }
      return object([("name", table.rawValue), ("row", table.row)], "columns", columns)
    }
    let views = LogView.all.map {
      object([("name", $0.name), ("question", $0.question), ("sql", $0.sql)])
    }
    return """
      {"schema":\(LogTable.schemaVersion),"tables":[
      \(tables.joined(separator: ",\n"))
      ],"views":[
      \(views.joined(separator: ",\n"))
      ]}

      """
  }

  private static func object(
    _ members: [(key: String, text: String)], _ list: String? = nil, _ elements: [String] = []
  ) -> String {
    var members = members.map { "\"\($0.key)\":\(JSONText.quoted($0.text))" }
    if let list { members.append("\"\(list)\":[\(elements.joined(separator: ","))]") }
    return "{\(members.joined(separator: ","))}"
  }

  private static func table(_ table: LogTable) -> String {
    let last = table.columns.count - 1
    let columns = table.columns.enumerated().map { place, column in
      let comma = place == last ? "" : ","
      return "  \(column.name) \(column.kind.rawValue)\(comma) -- \(column.meaning)\n"
    }
    return "create table \(table.rawValue) ( -- \(table.row)\n\(columns.joined()));\n"
  }

  private static func view(_ view: LogView) -> String {
    "create view \(view.name) as \(view.sql);\n"
  }
}
