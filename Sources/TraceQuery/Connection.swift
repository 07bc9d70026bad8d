import CSQLite

/// A connection to a new database that nobody else can open, in which SQL can do little harm, whoever wrote it.
///
/// What ``cacheBytes`` do not hold of it lies in a temporary file without a name.
final class Connection {
  /// Other than SQLite's own limits, which are as large as memory.
  private static let limits: [(limit: Int32, value: Int32)] = [
    (SQLITE_LIMIT_LENGTH, 64 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_COLUMN, 500),
    (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (SQLITE_LIMIT_VDBE_OP, 250_000), (SQLITE_LIMIT_FUNCTION_ARG, 100), (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000), (SQLITE_LIMIT_VARIABLE_NUMBER, 100),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  private static let settings: [(option: Int32, value: Int32)] = [
    (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
    (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
  ]

  /// So many bytes of the database are in memory.
  private static let cacheBytes = 8 << 20

  let handle: OpaquePointer

  init() throws(QueryError) {
    var opened: OpaquePointer?
    // A database without a name is SQLite's own temporary file, which is made when memory is full.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let status = sqlite3_open_v2("", &opened, flags, TemporaryFiles.name)
    guard let opened, status == SQLITE_OK else {
      sqlite3_close_v2(opened)
      throw QueryError("SQLite cannot start: \(String(cString: sqlite3_errstr(status)))")
    }

    handle = opened
    for setting in Self.settings { tracectl_sqlite_set(handle, setting.option, setting.value) }
    for limit in Self.limits { sqlite3_limit(handle, limit.limit, limit.value) }
    try execute(
      """
      pragma cache_size = \(-Self.cacheBytes >> 10); pragma temp_store = file;
      pragma journal_mode = off; pragma synchronous = off
      """)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Executes SQL of our own.
  func execute(_ sql: String) throws(QueryError) {
    if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { throw QueryError(message) }
  }

  /// Compiles one statement of our own.
  func statement(_ sql: String) throws(QueryError) -> OpaquePointer {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement else { throw QueryError(message) }
    return statement
  }

  /// What SQLite says of the last error.
  var message: String { String(cString: sqlite3_errmsg(handle)) }
}
