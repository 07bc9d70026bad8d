import CSQLite
import TraceReport

/// Inserts rows, all in one transaction.
final class RowLoader {
  private let connection: Connection
  var limits: QueryLimits
  private var count = 0
  private var textBytes = 0
  private var isOpen = false

  init(_ connection: Connection, _ limits: QueryLimits) {
    (self.connection, self.limits) = (connection, limits)
  }

  /// Inserts the rows of a chunk.
  func load(_ chunk: TableChunk) throws(QueryError) {
    count += chunk.rowCount
    if count > limits.rows {
      throw QueryError(
        """
        the query reads more than \(limits.rows) rows; choose a part with --from and --to, pass \
        --no-limit, or export the tables and ask DuckDB
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
      for place in columns.indices {
        textBytes += columns[place].bind(row, to: statement, Int32(place + 1))
      }
      if textBytes > limits.textBytes {
        throw QueryError(
          """
          the tables expand to over \(limits.textBytes >> 20) MiB of texts; choose a part with \
          --from and --to, or ask for fewer columns
          """)
      }
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

  /// Binds the value of a row, which must be inserted while the column lives; the bytes of its text.
  @inline(__always)
  func bind(_ row: Int, to statement: OpaquePointer, _ parameter: Int32) -> Int {
    guard isValid[row] else {
      sqlite3_bind_null(statement, parameter)
      return 0
    }
    guard isText else {
      sqlite3_bind_int64(statement, parameter, values[row])
      return 0
    }

    let place = Int(values[row])
    let (start, end) = (starts[place], starts[place + 1])
    // An empty buffer may have no address, and that would be NULL.
    guard let base = bytes.baseAddress, end > start else {
      sqlite3_bind_text(statement, parameter, "", 0, nil)
      return 0
    }
    sqlite3_bind_text(statement, parameter, base + start, Int32(end - start), nil)
    return end - start
  }
}
