import CSQLite
import TraceReport

/// SQLite asks it about everything that a statement does; it lets statements read, and notes what they read.
final class ReadingGuard {
  /// Why a statement was refused.
  enum Refusal {
    /// It does something else than to read.
    case statement(String)
    /// It calls a function.
    case function(String)
    /// It reads a table that is none of the logs.
    case table
  }

  /// What SQLite itself has to offer, and what is harmless: the schema, and JSON as a table.
  private static let otherTables: Set = [
    "sqlite_master", "sqlite_schema", "json_each", "json_tree",
  ]

  private static let refusedFunctions: Set = ["load_extension", "fts3_tokenizer", "sqlite_log"]

  /// Statements that hide behind WITH or EXPLAIN; of others the first word says what they are.
  private static let words: [Int32: String] = [
    SQLITE_INSERT: "INSERT", SQLITE_UPDATE: "UPDATE", SQLITE_DELETE: "DELETE",
    SQLITE_PRAGMA: "PRAGMA", SQLITE_ATTACH: "ATTACH", SQLITE_DETACH: "DETACH",
  ]

  private let views: Set<String>
  private var isWatching = false
  /// What was refused since the last statement began.
  private(set) var refusal: Refusal?
  /// The tables and the places of the columns that were read.
  private(set) var reads: [LogTable: Set<Int>] = [:]

  /// Watches a connection, once it is told to; it must live as long as the connection does.
  init(_ connection: Connection, views: Set<String>) {
    self.views = views
    let own = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      connection.handle,
      { own, action, first, second, _, _ in
        guard let own else { return SQLITE_DENY }
        let judge = Unmanaged<ReadingGuard>.fromOpaque(own).takeUnretainedValue()
        return judge.judge(action, first, second) ? SQLITE_OK : SQLITE_DENY
      }, own)
  }

  /// Begins to watch what statements do, and forgets what others did.
  func watch() { (isWatching, refusal, reads) = (true, nil, [:]) }

  /// Lets our own statements do all while `work` runs.
  func trusting<Value>(_ work: () throws(QueryError) -> Value) throws(QueryError) -> Value {
    let wasWatching = isWatching
    isWatching = false
    defer { isWatching = wasWatching }
    return try work()
  }

  private func judge(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Bool {
    if !isWatching { return true }
    let (first, second) = (first.map { String(cString: $0) }, second.map { String(cString: $0) })
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return true
    case SQLITE_READ: return read(first ?? "", second ?? "")
    case SQLITE_FUNCTION:
      guard let name = second, Self.refusedFunctions.contains(name.lowercased()) else {
        return true
      }
      refusal = refusal ?? .function(name)
    // So a table that SQLite makes up, such as those of pragmas, comes into being.
    case SQLITE_UPDATE where first == "sqlite_master": refusal = refusal ?? .table
    default: refusal = refusal ?? .statement(Self.words[action] ?? "")
    }
    return false
  }

  private func read(_ name: String, _ column: String) -> Bool {
    if let table = LogTable(rawValue: name.lowercased()) {
      // Without a column it is the rows that count.
      reads[table, default: []].formUnion(table.place(of: column).map { [$0] } ?? [])
      return true
    }
    // A name without a column may be one that the statement gives, by WITH.
    if column.isEmpty || views.contains(name) || Self.otherTables.contains(name) { return true }
    refusal = refusal ?? .table
    return false
  }
}
