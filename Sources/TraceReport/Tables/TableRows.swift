/// The rows of the tables that are asked for, which are being made.
struct TableRows {
  private static let tables = LogTable.allCases
  /// In the order of the tables; `nil` for those that are not asked for.
  private var chunks: [TableChunk?]
  /// The first column of all rows that are added: the name of their log.
  private var log: [String?] = [""]

  init(_ plan: TablePlan) {
    chunks = TableRows.tables.map { plan.wants($0) ? plan.chunk(of: $0) : nil }
  }

  /// Begins the rows of a log.
  mutating func begin(_ log: String) { self.log = [log] }

  /// Adds rows to their table, if that is asked for: column by column, which is a third faster than row by
  /// row.
  mutating func add<Row: TableRow>(_ rows: UnsafeBufferPointer<Row>, to table: LogTable) {
    guard let place = TableRows.tables.firstIndex(of: table) else { return }
    chunks[place]?.add(rows, Row.columns, behind: log)
  }

  /// Adds a row to its table, if that is asked for.
  mutating func add<Row: TableRow>(_ row: Row, to table: LogTable) {
    withUnsafePointer(to: row) { add(UnsafeBufferPointer(start: $0, count: 1), to: table) }
  }

  /// Forgets by which numbers words are known: numbers change their meaning.
  mutating func forgetNumbers() {
    for place in chunks.indices { chunks[place]?.forgetNumbers() }
  }

  /// Hands over the rows of each table that has enough of them, or all that are `left`, and forgets them.
  mutating func hand(left: Bool = false, to take: (TableChunk) throws -> Void) throws {
    for place in chunks.indices {
      do {
        guard let chunk = chunks[place], left ? chunk.rowCount > 0 : chunk.isFull else { continue }
        try take(chunk)
      }
      // Nobody else holds it by now, so that it keeps its memory.
      chunks[place]?.removeAll()
    }
  }
}

extension TableChunk {
  /// At most this many rows of a table are handed over at a time, or those whose distinct texts have this
  /// many bytes.
  package static let (fullRows, fullBytes) = (25_000, 4 << 20)

  /// Adds the values of rows to the columns that are wanted, behind those that the rows have in common.
  mutating func add<Row: SendableMetatype>(
    _ rows: UnsafeBufferPointer<Row>, _ values: [TraceReport.Column<Row>],
    behind common: [String?]
  ) {
    for place in common.indices { columns[place].add(common[place], count: rows.count) }
    for place in values.indices where columns[common.count + place].isWanted {
      values[place].add(rows, &columns[common.count + place])
    }
    endRow(rows.count)
  }
}
