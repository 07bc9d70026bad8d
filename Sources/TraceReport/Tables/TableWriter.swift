/// Writes the rows of one table in the form of a file; what is written is taken in pieces.
///
/// The same rows give the same bytes.
package protocol TableWriter {
  /// Writes the rows of a chunk of the table, which has values of the writer's columns.
  ///
  /// Throws a ``TableError`` when the form cannot hold them.
  mutating func add(_ chunk: TableChunk) throws
  /// What was written since the last call: whole lines of a text.
  mutating func takeBytes() -> [UInt8]
  /// Writes what stands at the end; no row comes any more.
  mutating func finish()
}

/// The forms of files of tables.
package enum TableForm: String, CaseIterable, Sendable {
  case parquet, csv, ndjson

  /// Begins a file of a table with the `wanted` columns, by their places; with all by default.
  package func writer(_ table: LogTable, wanted: Set<Int>? = nil) -> any TableWriter {
    switch self {
    case .parquet: ParquetWriter(table, wanted: wanted)
    case .csv: TableLines(csv: table, wanted: wanted)
    case .ndjson: TableLines(ndjson: table, wanted: wanted)
    }
  }
}

/// Rows that a form cannot hold.
package struct TableError: Error, CustomStringConvertible {
  package let description: String
}

extension LogTable {
  /// The columns at the `wanted` places, in order, with their places; all by default.
  func columns(wanted: Set<Int>?) -> [(place: Int, column: TableColumn)] {
    columns.enumerated().filter { wanted?.contains($0.offset) ?? true }
      .map { (place: $0.offset, column: $0.element) }
  }
}
