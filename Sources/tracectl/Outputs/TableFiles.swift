import Platform
import TraceReport

/// Where the rows of tables go: a file a table in a directory, one file, or standard output.
///
/// Files are replaced as a whole when all is written. Rows are taken by one thread at a time.
final class TableFiles: Sendable {
  private struct File {
    var writer: TableLines
    /// Rows that wait until there are enough for a chunk.
    var waiting: TableChunk
    let output: Output
    /// How many bytes the logs have.
    let logBytes: Int

    mutating func take(_ chunk: TableChunk) throws {
      if waiting.rowCount == 0 && chunk.isFull { return try add(chunk) }
      waiting.add(chunk)
      if waiting.isFull { try addWaiting() }
    }

    mutating func finish() throws {
      if waiting.rowCount > 0 { try addWaiting() }
      try output.append(writer.takeBytes(), of: logBytes)
      try output.finish()
    }

    private mutating func addWaiting() throws {
      try add(waiting)
      waiting.removeAll()
    }

    private mutating func add(_ chunk: TableChunk) throws {
      var pieces = writer
      try pieces.add(chunk) { try output.append($0, of: logBytes) }
      writer = pieces
    }
  }

  private let files: Lock<[LogTable: File]>

  /// Begins the files of the tables of a plan: the `file` of one table, files in a `folder`, or standard output
  /// without either; `inputs` are not overwritten, and no file is longer than `limit` allows of `logs`.
  init(
    _ plan: TablePlan, _ form: TableForm, file: String?, folder: String?, inputs: [String],
    _ limit: ExpansionLimit, of logs: [TabledLog]
  ) throws {
    if let folder { try WholeFile.makeFolder(folder) }
    let logBytes = ExpansionLimit.bytes(of: logs.map(\.path))
    var files: [LogTable: File] = [:]
    for table in LogTable.allCases where plan.wants(table) {
      let chunk = plan.chunk(of: table)
      let path =
        file ?? folder.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + "\(table).\(form)" }
      let file = try path.map {
        try ReportFile($0, inputs: inputs, what: "the table", isNamed: folder == nil)
      }
      let isWire = path == nil && form == .ndjson
      files[table] = File(
        writer: TableLines(form, table, schema: chunk.schema, naming: isWire), waiting: chunk,
        output: try Output(file, limit), logBytes: logBytes)
    }
    self.files = Lock(files)
  }

  /// Takes rows of a table.
  func take(_ chunk: TableChunk) throws {
    try files.withLock { try $0[chunk.table]?.take(chunk) }
  }

  /// Writes what is left, and puts all files in their places.
  func finish() throws {
    try files.withLock { files in
      for table in LogTable.allCases { try files[table]?.finish() }
    }
  }
}
