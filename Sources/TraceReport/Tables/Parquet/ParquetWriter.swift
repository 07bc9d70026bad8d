import LifecycleModel

/// Writes a table as Parquet: a group of rows for each chunk, every column optional, packed with gzip.
///
/// Integers are `INT64`, texts `BYTE_ARRAY` that are strings, truth values `BOOLEAN`. Memory: what a chunk
/// becomes, and some bytes a column of each group, which the footer has.
struct ParquetWriter: TableWriter {
  private static let magic = Array("PAR1".utf8)
  /// Above 4 takes more time than it saves bytes.
  private static let level = 4

  private let table: LogTable
  private let columns: [(place: Int, column: TableColumn)]
  private let deflater = ZlibDeflater(.gzip, level: ParquetWriter.level)
  private var values = ParquetValues()
  private var bytes = ParquetWriter.magic
  /// How many bytes were taken.
  private var taken = 0
  private var rowCount = 0
  /// What the footer says of the groups so far, one after the other.
  private var groups: (count: Int, bytes: [UInt8]) = (0, [])

  /// Begins a file of a table with the `wanted` columns, by their places; with all by default.
  init(_ table: LogTable, schema: [TableColumn]? = nil, wanted: Set<Int>? = nil) {
    self.table = table
    columns = table.columns(of: schema, wanted: wanted)
  }

  mutating func takeBytes() -> [UInt8] {
    taken += bytes.count
    return bytes.takeAll()
  }

  /// Writes a group of rows; best are some ten thousand of them.
  mutating func add(_ chunk: TableChunk) throws {
    precondition(chunk.table == table, "a file has the rows of one table")
    if chunk.rowCount == 0 { return }
    let start = offset
    var (plainLength, content) = (0, [UInt8]())
    for (place, column) in columns {
      precondition(chunk.columns[place].isWanted, "a chunk lacks the column \(column.name)")
      let written = try write(column, chunk.columns[place])
      content += written.metadata
      plainLength += written.plainLength
    }

    let (packedLength, columnCount) = (offset - start, columns.count)
    groups.count += 1
    rowCount += chunk.rowCount
    groups.bytes += ThriftWriter.structure { group in
      group.structures(1, count: columnCount, content)
      group.integer64(2, plainLength)
      group.integer64(3, chunk.rowCount)
      group.integer64(5, start)
      group.integer64(6, packedLength)
    }
  }

  private var offset: Int { taken + bytes.count }

  // MARK: A column of a group

  /// Writes the pages of a column; returns what the footer says of them.
  private mutating func write(
    _ column: TableColumn, _ rows: TableChunk.Column
  ) throws -> (metadata: [UInt8], plainLength: Int) {
    values.write(rows)
    let start = offset
    var plainLength = 0
    let hasDictionary = values.encoding == .places
    if hasDictionary { plainLength += try writeDictionary(column, rows.texts) }

    let data = offset
    let (encoding, rowCount) = (values.encoding.rawValue, rows.values.count)
    plainLength += try write(column, page: values.page, kind: 0) { header in
      header.structure(5) { page in
        page.integer32(1, rowCount)
        page.integer32(2, encoding)
        // Levels are runs.
        page.integer32(3, 3)
        page.integer32(4, 3)
      }
    }

    let (packedLength, values) = (offset - start, values)
    let metadata = ThriftWriter.structure { chunk in
      chunk.integer64(2, 0)
      chunk.structure(3) { chunk in
        chunk.integer32(1, column.kind.number)
        chunk.integers32(2, Set([0, 3, encoding]).sorted())
        chunk.list(3, of: column.name)
        // Packed with gzip.
        chunk.integer32(4, 2)
        chunk.integer64(5, rowCount)
        chunk.integer64(6, plainLength)
        chunk.integer64(7, packedLength)
        chunk.integer64(9, data)
        if hasDictionary { chunk.integer64(11, start) }
        chunk.structure(12) { statistics in
          statistics.integer64(3, values.nullCount)
          guard let bounds = values.bounds else { return }
          statistics.bytes(5, bounds.greatest)
          statistics.bytes(6, bounds.least)
        }
      }
    }
    return (metadata, plainLength)
  }

  private mutating func writeDictionary(_ column: TableColumn, _ texts: [String]) throws -> Int {
    var page: [UInt8] = []
    for text in texts {
      page.append(littleEndian: UInt32(truncatingIfNeeded: text.utf8.count))
      page += text.utf8
    }

    return try write(column, page: page, kind: 2) { header in
      header.structure(7) { dictionary in
        dictionary.integer32(1, texts.count)
        dictionary.integer32(2, 0)
      }
    }
  }

  /// Writes a page; returns its length with its header before it is packed.
  private mutating func write(
    _ column: TableColumn, page: [UInt8], kind: Int, _ more: (inout ThriftWriter) -> Void
  ) throws -> Int {
    guard page.count <= 2_000_000_000 else {
      throw TableError(
        description: "the table \(table): its column \(column.name) has \(page.count) bytes in a "
          + "group of rows, where Parquet holds 2 GB; export fewer rows, or another form")
    }
    var packed: [UInt8] = []
    deflater.append(page, to: &packed)

    let header = ThriftWriter.structure { header in
      header.integer32(1, kind)
      header.integer32(2, page.count)
      header.integer32(3, packed.count)
      more(&header)
    }
    bytes += header
    bytes += packed
    return header.count + page.count
  }

  // MARK: The footer

  mutating func finish() {
    let facts = [("tracectl.schema", "\(LogTable.schemaVersion)"), ("unit", "ns")].map { fact in
      ThriftWriter.structure {
        $0.bytes(1, fact.0.utf8)
        $0.bytes(2, fact.1.utf8)
      }
    }
    let footer = ThriftWriter.structure { footer in
      footer.integer32(1, 2)
      footer.structures(2, count: columns.count + 1, schema())
      footer.integer64(3, rowCount)
      footer.structures(4, count: groups.count, groups.bytes)
      footer.structures(5, count: facts.count, facts.flatMap(\.self))
      footer.bytes(6, "tracectl".utf8)
      // That the least and the greatest value are in the order of the type, for each column.
      let order = ThriftWriter.structure { $0.structure(1) { _ in } }
      footer.structures(7, count: columns.count, columns.flatMap { _ in order })
    }

    bytes += footer
    bytes.append(littleEndian: UInt32(footer.count))
    bytes += ParquetWriter.magic
  }

  /// The root, and an optional leaf for each column.
  private func schema() -> [UInt8] {
    let root = ThriftWriter.structure { root in
      root.bytes(4, table.rawValue.utf8)
      root.integer32(5, columns.count)
    }
    let leaves = columns.flatMap { _, column in
      ThriftWriter.structure { leaf in
        leaf.integer32(1, column.kind.number)
        leaf.integer32(3, 1)
        leaf.bytes(4, column.name.utf8)
        guard column.kind == .text else { return }
        leaf.integer32(6, 0)
        leaf.structure(10) { $0.structure(1) { _ in } }
      }
    }
    return root + leaves
  }
}

extension TableColumn.Kind {
  /// Parquet's number for the type.
  fileprivate var number: Int { self == .boolean ? 0 : self == .integer ? 2 : 6 }
}
