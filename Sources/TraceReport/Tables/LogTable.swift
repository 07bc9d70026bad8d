/// A table in which logs can be asked for: by SQL, in CSV or NDJSON.
///
/// All forms have the same tables and columns, which the article `Tables` explains. Instants and lengths are
/// whole nanoseconds; `ts` counts from the log's origin.
package enum LogTable: String, CaseIterable, Sendable {
  case logs, processes, events, spans, states, findings, witnesses, rules, gaps, durations, writers

  /// The version of all tables; it changes when a column changes its meaning or goes.
  package static let schemaVersion = 1

  private var type: any TableRow.Type {
    switch self {
    case .logs: LogRow.self
    case .processes: ProcessRow.self
    case .events: EventRow.self
    case .spans: SpanRow.self
    case .states: StateRow.self
    case .findings: FindingRow.self
    case .witnesses: WitnessRow.self
    case .rules: RuleRow.self
    case .gaps: GapRow.self
    case .durations: DurationRow.self
    case .writers: WriterRow.self
    }
  }

  private static let schemas = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.type.schema) })

  /// What a row is, in a phrase.
  package var row: String { type.meaning }

  /// The columns, in order; the first is the log's name.
  package var columns: [TableColumn] { LogTable.schemas[self] ?? [] }

  /// The place of the column with this name; `nil` when there is none.
  package func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

/// A column of a ``LogTable``.
package struct TableColumn: Hashable, Sendable {
  /// What its values are.
  package enum Kind: String, Sendable {
    /// 64 bits with a sign.
    case integer
    /// UTF-8.
    case text
    /// True or false; SQLite has 1 and 0.
    case boolean
  }

  /// Its name, of lower-case letters and underscores.
  package let name: String
  /// What its values are.
  package let kind: Kind
  /// What a value says, in a phrase.
  package let meaning: String
}

/// A row of a table, from which its columns take their values.
protocol TableRow: SendableMetatype {
  /// What a row is, in a phrase.
  static var meaning: String { get }
  /// The columns, in order, behind that with the log's name.
  static var columns: [Column<Self>] { get }
}

extension TableRow {
  fileprivate static var schema: [TableColumn] {
    let log = TableColumn(name: "log", kind: .text, meaning: "the log's file, as it was named")
    return [log] + columns.map(\.schema)
  }
}

/// A column of a table: its name, its meaning, and its value in a row.
struct Column<Row: SendableMetatype>: Sendable {
  let schema: TableColumn
  /// Adds the values of rows.
  let add: @Sendable (UnsafeBufferPointer<Row>, inout TableChunk.Column) -> Void

  init(
    _ schema: TableColumn, addOne: @escaping @Sendable (Row, inout TableChunk.Column) -> Void
  ) {
    self.schema = schema
    add = { rows, column in
      for place in rows.indices { addOne(rows[place], &column) }
    }
  }

  /// A column of values, NULL for `nil`.
  @inline(__always)
  init<Value: CellValue>(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value?
  ) {
    schema = TableColumn(name: name, kind: Value.kind, meaning: meaning)
    add = { rows, column in
      for place in rows.indices { column.add(value(rows[place])?.number(in: &column)) }
    }
  }

  /// A column of words with numbers, NULL for `nil`: `text` is called once for a number.
  @inline(__always)
  init(
    _ name: String, _ meaning: String, by number: @escaping @Sendable (Row) -> UInt64?,
    _ text: @escaping @Sendable (Row) -> String
  ) {
    schema = TableColumn(name: name, kind: .text, meaning: meaning)
    add = { rows, column in
      for place in rows.indices { column.add(number(rows[place])) { text(rows[place]) } }
    }
  }
}

extension Column where Row: TableRow {
  static func process(_ value: @escaping @Sendable (Row) -> Int?) -> Column {
    Column(
      "process",
      "its process in the log, from 1; NULL between processes, and of what announces the next",
      value)
  }
}

/// What the value of a column can be.
protocol CellValue: SendableMetatype {
  static var kind: TableColumn.Kind { get }
  /// The number that stands for it in a column.
  func number(in column: inout TableChunk.Column) -> Int64
}

extension CellValue where Self: BinaryInteger {
  static var kind: TableColumn.Kind { .integer }
  func number(in column: inout TableChunk.Column) -> Int64 { Int64(clamping: self) }
}

extension Int: CellValue {}
extension Int64: CellValue {}
extension UInt64: CellValue {}

extension Bool: CellValue {
  static var kind: TableColumn.Kind { .boolean }
  func number(in column: inout TableChunk.Column) -> Int64 { self ? 1 : 0 }
}

extension String: CellValue {
  static var kind: TableColumn.Kind { .text }
  func number(in column: inout TableChunk.Column) -> Int64 { column.place(of: self) }
}
