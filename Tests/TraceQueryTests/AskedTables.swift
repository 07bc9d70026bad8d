import TraceReport
import Traces

@testable import TraceQuery

/// Tables to be asked, with rows that a test says, or that a seed does.
struct AskedTables {
  /// A row: the values of some columns; the others are NULL.
  typealias Row = [String: QueryValue]

  private var rows: [(table: LogTable, rows: [Row])] = []

  init(_ table: LogTable, _ rows: [Row]) { self.rows = [(table, rows)] }

  /// Some rows of all tables, with words that the views ask for.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    rows = LogTable.allCases.map { table in
      (table, (1...40).map { AskedTables.row(table, $0, &random) })
    }
  }

  private static let words: [String: [String]] = [
    "log": ["a.bin", "b.bin"], "subject": ["app", "scene:1", "scene:2"],
    "verb": ["call", "return", "notify", "state", "work", "suspend", "gap"],
    "kind": ["callback", "work", "task", "held", "unsaved", "suspended"],
    "ended": ["closed", "process-ended", "gap"], "manner": ["kill", "exit"],
    "name": ["sceneWillResignActive", "inactive->background", "frame", "caché", ""],
    "verdict": ["cannot-tell", "satisfied"], "app": ["active", "background"],
  ]

  private static func row(
    _ table: LogTable, _ number: Int, _ random: inout SeededGenerator
  ) -> Row {
    var row: Row = [:]
    for column in table.columns where Int.random(in: 0..<12, using: &random) > 0 {
      switch column.kind {
      case .boolean: row[column.name] = .integer(Int64.random(in: 0...1, using: &random))
      case .text:
        let words = words[column.name] ?? ["x", "y"]
        row[column.name] = .text(words.randomElement(using: &random) ?? "")
      case .integer:
        let isPlace = ["event", "end_event", "span", "parent", "process"].contains(column.name)
        let range: ClosedRange<Int64> = isPlace ? 1...40 : -5_000_000_000...90_000_000_000
        row[column.name] = .integer(Int64.random(in: range, using: &random))
      }
    }
    if table.columns[1].kind == .integer { row[table.columns[1].name] = .integer(Int64(number)) }
    return row
  }

  /// Loads the wanted columns.
  func load(into database: LogDatabase, _ wanted: [LogTable: Set<Int>]) throws {
    for (table, rows) in rows where wanted[table] != nil {
      var chunk = TableChunk(table, wanted: wanted[table])
      for row in rows {
        for (place, column) in table.columns.enumerated() {
          switch row[column.name] {
          case .integer(let number)?: chunk.columns[place].add(number)
          case .text(let text)?: chunk.columns[place].add(text)
          default: chunk.columns[place].add(Int64?.none)
          }
        }
        chunk.endRow()
      }
      try database.load(chunk)
    }
  }

  /// The answers of all statements, one after the other.
  ///
  /// Only what they read is loaded, unless `loadsAll`.
  func ask(
    _ sql: String, loadsAll: Bool = false, _ limits: QueryLimits = QueryLimits()
  ) throws -> [[QueryValue]] {
    let database = try LogDatabase(limits)
    let query = try database.prepare(sql)
    try load(into: database, loadsAll ? LogDatabase.everything : query.reads)
    var answer: [[QueryValue]] = []
    for statement in query.statements {
      try database.run(statement) { answer.append($0) }
    }
    return answer
  }
}

extension QueryValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
}
