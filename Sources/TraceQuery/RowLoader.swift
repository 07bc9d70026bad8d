import CSQLite
import TraceReport

/// Inserts rows, all in one transaction.
final class RowLoader {
  private let connection: Connection
  private let limit: Int
  private var count = 0
  private var isOpen = false

  init(_ connection: Connection, limit: Int) { (self.connection, self.limit) = (connection, limit) }

  /// Inserts the rows of a chunk.
  func load(_ chunk: TableChunk) throws(QueryError) {
    count += chunk.rowCount
    if count > limit {
      throw QueryError(
        """
        the query reads more than \(limit) rows; choose a part with --from and --to, pass \
        --limit-rows, or export the tables to Parquet and ask DuckDB
        """)
    }
    if chunk.rowCount == 0 { return }
    if !isOpen { try connection.execute("begin") }
    isOpen = true

    let wanted = chunk.columns.indices.filter { chunk.columns[$0].isWanted }
    let statement = try connection.statement(insertion(into: chunk.table, wanted))
    defer { sqlite3_finalize(statement) }
    let columns = wanted.map { LoadedColumn(chunk.columns[$0]) }
    for row in 0..<chunk.rowCount {
      for place in columns.indices { columns[place].bind(row, to: statement, Int32(place + 1)) }
      let status = sqlite3_step(statement)
      sqlite3_reset(statement)
      if status != SQLITE_DONE { throw QueryError("rows cannot be loaded: \(connection.message)") }
    }
  }

  /// Ends the transaction.
  func finish() throws(QueryError) {
    if isOpen { try connection.execute("commit") }
    isOpen = false
  }

  private func insertion(into table: LogTable, _ wanted: [Int]) -> String {
    if wanted.isEmpty { return "insert into \(table.rawValue) default values" }
    let names = wanted.map { table.columns[$0].name }.joined(separator: ", ")
    let marks = repeatElement("?", count: wanted.count).joined(separator: ", ")
    return "insert into \(table.rawValue) (\(names)) values (\(marks))"
  }
}

/// The values of a column where SQLite can take them: each distinct text once.
private final class LoadedColumn {
  private let isText: Bool
  private let values: [Int64]
  private let isValid: [Bool]
  private let bytes: UnsafeMutableBufferPointer<CChar>
  /// Where each text begins, and where the last one ends.
  private var starts = [0]

  init(_ column: TableChunk.Column) {
    isText = column.kind == .text
    (values, isValid) = (column.values, column.isValid)
    let length = column.texts.reduce(0) { $0 + $1.utf8.count }
    bytes = .allocate(capacity: length)
    starts.reserveCapacity(column.texts.count + 1)

    var end = 0
    for text in column.texts {
      for byte in text.utf8 {
        bytes.initializeElement(at: end, to: CChar(bitPattern: byte))
        end += 1
      }
      starts.append(end)
    }
  }

  deinit { bytes.deallocate() }

  /// Binds the value of a row, which must be inserted while the column lives.
  @inline(__always)
  func bind(_ row: Int, to statement: OpaquePointer, _ parameter: Int32) {
    guard isValid[row] else {
      sqlite3_bind_null(statement, parameter)
      return
    }
    guard isText else {
      sqlite3_bind_int64(statement, parameter, values[row])
      return
    }

    let place = Int(values[row])
    let (start, end) = (starts[place], starts[place + 1])
    // An empty buffer may have no address, and that would be NULL.
    guard let base = bytes.baseAddress, end > start else {
      sqlite3_bind_text(statement, parameter, "", 0, nil)
      return
    }
    sqlite3_bind_text(statement, parameter, base + start, Int32(end - start), nil)
  }
}
