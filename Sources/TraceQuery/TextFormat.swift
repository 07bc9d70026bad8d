import CSQLite

/// SQLite's `printf` and `format`, which make NULL of a text that is longer than texts may be; here that is an
/// error, as it is in its other functions.
///
/// SQLite's own are asked on a connection of their own, since these take their names.
final class TextFormat {
  private let connection: Connection
  /// What was asked before.
  private var statements: [String: OpaquePointer] = [:]

  private init() throws(QueryError) { connection = try Connection() }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
  }

  /// Replaces the functions of a connection, which keeps what they need.
  static func add(to connection: Connection) throws(QueryError) {
    for name in ["printf", "format"] {
      let own = Unmanaged.passRetained(try TextFormat()).toOpaque()
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
      sqlite3_create_function_v2(
        connection.handle, name, -1, flags, own,
        { context, count, values in
          guard let own = sqlite3_user_data(context) else { return }
          Unmanaged<TextFormat>.fromOpaque(own).takeUnretainedValue().call(context, count, values)
        }, nil, nil, { own in own.map { Unmanaged<TextFormat>.fromOpaque($0).release() } })
    }
  }

  private func call(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let values, count > 0 else { return sqlite3_result_null(context) }
    run("?1", count, values) { text in
      // NULL is also what SQLite makes of a text that is empty.
      let isEmpty = sqlite3_column_type(text, 0) == SQLITE_NULL
      if isEmpty && isTooLong(count, values) {
        sqlite3_result_error_toobig(context)
      } else {
        sqlite3_result_value(context, sqlite3_column_value(text, 0))
      }
    } orFail: { status in
      sqlite3_result_error_code(context, status)
    }
  }

  /// Whether a text that begins with a letter is NULL all the same.
  private func isTooLong(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
    if sqlite3_value_type(values[0]) == SQLITE_NULL { return false }
    var isTooLong = true
    run("'x' || ?1", count, values) { text in
      isTooLong = sqlite3_column_type(text, 0) == SQLITE_NULL
    } orFail: { _ in
    }
    return isTooLong
  }

  /// Calls `body` with the statement that has formatted the values, with `format` for the first.
  private func run(
    _ format: String, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>,
    _ body: (OpaquePointer) -> Void, orFail fail: (Int32) -> Void
  ) {
    let marks = [format] + (1..<max(1, count)).map { "?\($0 + 1)" }
    let sql = "select printf(\(marks.joined(separator: ", ")))"
    guard let statement = statements[sql] ?? (try? connection.statement(sql)) else {
      return fail(SQLITE_NOMEM)
    }
    statements[sql] = statement
    for place in 0..<count { sqlite3_bind_value(statement, place + 1, values[Int(place)]) }
    let status = sqlite3_step(statement)
    if status == SQLITE_ROW { body(statement) } else { fail(status) }
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }
}
