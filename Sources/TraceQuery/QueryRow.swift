import CSQLite

/// A row of an answer, while it is shown.
package struct QueryRow {
  private let statement: LogStatement

  init(_ statement: LogStatement) { self.statement = statement }

  /// How many values it has.
  package var count: Int { statement.columns.count }

  /// The value in a column, from 0.
  package subscript(column: Int) -> QueryValue {
    let (handle, column) = (statement.handle, Int32(column))
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(handle, column)
      let bytes = UnsafeBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(handle, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, column)
      let count = Int(sqlite3_column_bytes(handle, column))
      return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }
}

/// A value in a row of an answer.
package enum QueryValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
