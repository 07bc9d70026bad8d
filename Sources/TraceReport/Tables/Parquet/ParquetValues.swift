/// What a data page of Parquet holds, as bytes, and what is said of it; it keeps its memory from column to
/// column.
struct ParquetValues {
  /// How values are written; the numbers are Parquet's.
  enum Encoding: Int { case plain = 0, deltas = 5, lengthsThenTexts = 6, places = 8 }

  /// The page: which rows have a value, then the values.
  private(set) var page: [UInt8] = []
  private(set) var encoding = Encoding.plain
  /// How many rows have no value.
  private(set) var nullCount = 0
  /// The least and the greatest value as bytes; `nil` when nobody asks for them.
  private(set) var bounds: (least: [UInt8], greatest: [UInt8])?

  /// Writes the values of a column, which has a row at least.
  mutating func write(_ column: TableChunk.Column) {
    page.removeAll(keepingCapacity: true)
    (encoding, bounds) = (.plain, nil)
    let (rows, isValid) = (column.values, column.isValid)
    nullCount = isValid.count(where: { !$0 })
    var levels: [UInt8] = []
    levels.appendRun(count: isValid.count, width: 1) { isValid[$0] ? 1 : 0 }
    page.append(littleEndian: UInt32(levels.count))
    page += levels
    if nullCount == rows.count { return }

    let values = nullCount == 0 ? rows : rows.indices.lazy.filter { isValid[$0] }.map { rows[$0] }
    switch column.kind {
    case .integer:
      encoding = .deltas
      values.withUnsafeBufferPointer { page.appendDeltas($0) }
      bounds = (.init(littleEndian: values.min() ?? 0), .init(littleEndian: values.max() ?? 0))
    case .boolean:
      page.appendPacked(count: values.count, width: 1) { UInt64(bitPattern: values[$0]) }
    case .text: write(texts: column.texts, values)
    }
  }

  /// Texts that mostly differ stand one after the other; others are places in a dictionary.
  private mutating func write(texts: [String], _ places: [Int64]) {
    // Long ones would make a long footer.
    if texts.allSatisfy({ $0.utf8.count <= 64 }) {
      let bytes = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
      bounds = (bytes[0], bytes[bytes.count - 1])
    }
    if texts.count * 2 > places.count {
      encoding = .lengthsThenTexts
      places.map { Int64(texts[Int($0)].utf8.count) }
        .withUnsafeBufferPointer { page.appendDeltas($0) }
      for place in places { page += texts[Int(place)].utf8 }
      return
    }

    encoding = .places
    // Whole bytes, for zlib.
    let bits = Int.bitWidth - (texts.count - 1).leadingZeroBitCount
    let width = max(1, (bits + 7) / 8) * 8
    page.append(UInt8(width))
    page.appendRun(count: places.count, width: width) { UInt64(bitPattern: places[$0]) }
  }
}
