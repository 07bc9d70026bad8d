/// Writes the rows of one table in the form of a file; what is written is taken in pieces.
///
/// The same rows give the same bytes.
package protocol TableWriter {
  /// Writes the rows of a chunk of the table, which has values of the writer's columns.
  ///
  /// Throws a ``TableError`` when the form cannot hold them.
  mutating func add(_ chunk: TableChunk) throws
  /// The same, and calls `take` with what is written, a megabyte or so at a time where the form allows it.
  mutating func add(_ chunk: TableChunk, handing take: ([UInt8]) throws -> Void) throws
  /// What was written since the last call: whole lines of a text.
  mutating func takeBytes() -> [UInt8]
  /// Writes what stands at the end; no row comes any more.
  mutating func finish()
}

extension TableWriter {
  /// The same, and calls `take` with all that is written.
  package mutating func add(_ chunk: TableChunk, handing take: ([UInt8]) throws -> Void) throws {
    try add(chunk)
    let bytes = takeBytes()
    if !bytes.isEmpty { try take(bytes) }
  }
}

/// The forms of files of tables.
package enum TableForm: String, CaseIterable, Sendable {
  case parquet, csv, ndjson

  /// Begins a file of a table with the `wanted` columns of a schema, by their places; by default with all
  /// columns of the table.
  ///
  /// With `naming`, each line of NDJSON begins with the table's name.
  package func writer(
    _ table: LogTable, schema: [TableColumn]? = nil, wanted: Set<Int>? = nil, naming: Bool = false
  ) -> any TableWriter {
    switch self {
    case .parquet: ParquetWriter(table, schema: schema, wanted: wanted)
    case .csv: TableLines(csv: table, schema: schema, wanted: wanted)
    case .ndjson: TableLines(ndjson: table, schema: schema, wanted: wanted, naming: naming)
    }
  }
}

/// Rows that a form cannot hold.
package struct TableError: Error, CustomStringConvertible {
  /// What cannot be written, and why.
  package let description: String
}

extension LogTable {
  /// The columns at the `wanted` places of a schema, in order, with their places; all of the table by
  /// default.
  func columns(
    of schema: [TableColumn]? = nil, wanted: Set<Int>?
  ) -> [(place: Int, column: TableColumn)] {
    (schema ?? columns).enumerated().filter { wanted?.contains($0.offset) ?? true }
      .map { (place: $0.offset, column: $0.element) }
  }
}
