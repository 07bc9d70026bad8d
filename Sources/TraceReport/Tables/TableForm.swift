/// The forms of files of tables.
package enum TableForm: String, CaseIterable, Sendable {
  case csv, ndjson

  /// Begins a file of a table with the `wanted` columns of a schema, by their places; by default with all
  /// columns of the table.
  ///
  /// With `naming`, each line of NDJSON begins with the table's name.
  package func writer(
    _ table: LogTable, schema: [TableColumn]? = nil, wanted: Set<Int>? = nil, naming: Bool = false
  ) -> TableLines {
    switch self {
    case .csv: TableLines(csv: table, schema: schema, wanted: wanted)
    case .ndjson: TableLines(ndjson: table, schema: schema, wanted: wanted, naming: naming)
    }
  }
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
