import CSQLite
import LifecycleModel

/// One run of a statement, within its limits.
struct StatementRun {
  /// So many steps of SQLite's machine lie between two looks at the clock.
  private static let stepsBetweenLooks: Int32 = 10_000

  let connection: Connection
  let statement: LogStatement
  let limits: QueryLimits

  /// Calls `body` with each row.
  func rows(_ body: ([QueryValue]) throws -> Void) throws {
    let deadline = Deadline(limits.time, limits.isStopped)
    let columns = statement.columns.indices.map { Int32($0) }
    // SQLite has one limit for the process.
    let before = sqlite3_hard_heap_limit64(sqlite3_memory_used() + limits.bytes)
    defer { sqlite3_hard_heap_limit64(before) }
    defer { sqlite3_reset(statement.handle) }

    try withExtendedLifetime(deadline) {
      watch(deadline)
      defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
      while true {
        let status = sqlite3_step(statement.handle)
        if status == SQLITE_DONE { return }
        guard status == SQLITE_ROW else { throw error(status, deadline) }
        try deadline.pausing {
          try body(columns.map { QueryValue($0, of: statement.handle) })
        }
      }
    }
  }

  private func watch(_ deadline: Deadline) {
    sqlite3_progress_handler(
      connection.handle, Self.stepsBetweenLooks,
      { deadline in
        guard let deadline else { return 0 }
        return Unmanaged<Deadline>.fromOpaque(deadline).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(deadline).toOpaque())
  }

  private func error(_ status: Int32, _ deadline: Deadline) -> QueryError {
    switch status {
    case SQLITE_INTERRUPT where limits.isStopped(): return QueryError("the query was stopped")
    case SQLITE_INTERRUPT:
      return QueryError(
        """
        the query is not done after \(InstantText.rounded(limits.time)); ask for less, or pass \
        a longer --timeout, 0 for none
        """)
    case SQLITE_NOMEM: return tooMuch("\(limits.bytes >> 20) MiB beside the tables")
    case SQLITE_FULL:
      return tooMuch(
        "\(TemporaryFiles.mostBytes >> 20) MiB of temporary files, or than the disk has room for")
    case SQLITE_TOOBIG: return QueryError("the query makes a text or blob of more than 64 MiB")
    default: return QueryError("the query fails: \(connection.message)")
    }
  }

  private func tooMuch(_ amount: String) -> QueryError {
    QueryError(
      """
      the query needs more than \(amount); ask for less: fewer rows in a join, a recursion that \
      ends, a LIMIT
      """)
  }
}

/// When a statement must be done; the time that others take does not count.
private final class Deadline {
  private let clock = ContinuousClock()
  private var end: ContinuousClock.Instant?

  private let isStopped: @Sendable () -> Bool

  init(_ time: Nanoseconds, _ isStopped: @escaping @Sendable () -> Bool) {
    end = time > 0 ? clock.now + .nanoseconds(time) : nil
    self.isStopped = isStopped
  }

  var isOver: Bool { isStopped() || (end.map { clock.now > $0 } ?? false) }

  /// Lets `work` take its time.
  func pausing(_ work: () throws -> Void) rethrows {
    guard let end else { return try work() }
    let start = clock.now
    try work()
    self.end = end + (clock.now - start)
  }
}
