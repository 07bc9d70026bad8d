import Foundation
import Testing

@testable import TraceReport
@testable import TraceResults

/// The article `Tables` has what the tables have.
@Suite struct TablesArticleTests {
  private static let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/TraceReport/TraceReport.docc/Tables.md").standardized

  @Test func itHasAllTablesAndColumns() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let parts = text.components(separatedBy: "\n## ").dropFirst(2)
    let tables = LogTable.allCases.map { table in
      let rows = table.columns.map { "| `\($0.name)` | \($0.kind.rawValue) | \($0.meaning) |\n" }
      return "\(table)\n\nA row is \(table.row).\n\n| column | kind | is |\n|---|---|---|\n"
        + rows.joined()
    }
    for (part, table) in zip(parts, tables) {
      #expect(part.trimmingCharacters(in: .newlines) == table.trimmingCharacters(in: .newlines))
    }
    #expect(parts.count == tables.count)
  }
}
