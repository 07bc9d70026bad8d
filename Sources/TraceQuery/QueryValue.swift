import CSQLite

/// A value in a row of an answer.
package enum QueryValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The value in a column of the row at which a statement is.
  init(_ column: Int32, of statement: OpaquePointer) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, column)
      let bytes = UnsafeBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(statement, column)))
      self = .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    default: self = .null
    }
  }
}
