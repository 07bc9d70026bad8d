import CSQLite
import TraceReport

/// The tables and views of logs, of which SQL can be asked that only reads.
///
/// ``prepare(_:named:)`` says which tables and columns a query reads; ``load(_:)`` takes rows of those, all
/// before the first ``run(_:_:)``. A row takes 50 bytes or more, in memory or in a temporary file. One thread
/// may use it at a time.
package final class LogDatabase {
  /// Every column of every table.
  package static let everything = Dictionary(
    uniqueKeysWithValues: LogTable.allCases.map { ($0, Set($0.columns.indices)) })

  private let connection: Connection
  private let readingGuard: ReadingGuard
  private let limits: QueryLimits
  private let loader: RowLoader

  /// A database without rows.
  package init(_ limits: QueryLimits = QueryLimits()) throws(QueryError) {
    self.limits = limits
    connection = try Connection()
    readingGuard = ReadingGuard(connection, views: Set(LogView.all.map(\.name)))
    loader = RowLoader(connection, limits)
    try connection.execute(LogSchema.sql)
    try connection.execute("pragma user_version = \(LogTable.schemaVersion)")
    QueryFunctions.add(to: connection)
    try TextFormat.add(to: connection)
    // SQLite makes these tables up when they are first read, which a query may not cause.
    try connection.execute("select 1 from json_each('[]'), json_tree('[]')")
  }

  /// Compiles one statement or several, separated by `;`, without running them.
  ///
  /// Throws for what does not read only, and for SQL that has an error, whose place it shows; `name` is what
  /// the SQL is called there.
  package func prepare(_ sql: String, named name: String = "SQL") throws(QueryError) -> LogQuery {
    readingGuard.watch()
    let text = QueryText(sql, named: name)
    let reader = StatementReader(connection: connection, readingGuard: readingGuard, text: text)
    let statements = try reader.statements()
    var reads = readingGuard.reads
    // SQLite does not tell the columns that such joins compare.
    if !text.words.isDisjoint(with: ["using", "natural"]) {
      let named = LogTable.allCases.filter { text.words.contains($0.rawValue) }
      for table in named + reads.keys { reads[table] = Set(table.columns.indices) }
    }
    return LogQuery(statements: statements, reads: reads)
  }

  /// Refuses rows from now on when the texts of all take more than so many bytes: many rows of a small log
  /// can share a long text.
  package func limitTexts(to bytes: Int) { loader.limits.textBytes = bytes }

  /// Adds rows; columns without values are NULL.
  ///
  /// Cost: half a microsecond a row of five columns.
  package func load(_ chunk: TableChunk) throws(QueryError) {
    try readingGuard.trusting { () throws(QueryError) in try loader.load(chunk) }
  }

  /// Runs a statement, and calls `body` with the values of one row after another.
  ///
  /// Throws what `body` throws, and a ``QueryError`` when SQL fails or a limit is reached.
  package func run(_ statement: LogStatement, _ body: ([QueryValue]) throws -> Void) throws {
    try readingGuard.trusting { () throws(QueryError) in try loader.finish() }
    try StatementRun(connection: connection, statement: statement, limits: limits).rows(body)
  }

  /// Writes tables and views into a new SQLite file, which needs nothing of ours to be read.
  package func save(to path: String) throws(QueryError) {
    try readingGuard.trusting { () throws(QueryError) in
      try loader.finish()
      // SQLite attaches the new file meanwhile.
      sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 1)
      defer { sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0) }
      try connection.execute("vacuum into '\(path.replacing("'", with: "''"))'")
    }
  }
}

/// A query that can be run.
package struct LogQuery {
  /// Its statements, in order.
  package let statements: [LogStatement]
  /// The tables that they read, with the places of the columns in ``LogTable/columns``: without any where
  /// only the number of rows counts.
  package let reads: [LogTable: Set<Int>]
}

/// A statement that reads.
package final class LogStatement {
  let handle: OpaquePointer
  /// The connection, which must live as long as its statements.
  private let connection: Connection
  /// The names of the columns of its rows.
  package let columns: [String]

  init(_ handle: OpaquePointer, of connection: Connection) {
    (self.handle, self.connection) = (handle, connection)
    columns = (0..<sqlite3_column_count(handle)).map { column in
      sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }
  }

  deinit { sqlite3_finalize(handle) }
}
