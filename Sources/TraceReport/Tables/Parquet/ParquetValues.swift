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
  /// The values of the rows that have one, where some have none.
  private var present: [Int64] = []

  /// Writes the values of a column, which has a row at least.
  mutating func write(_ column: TableChunk.Column) {
    page.removeAll(keepingCapacity: true)
    (encoding, bounds) = (.plain, nil)
    let (rows, isValid) = (column.values, column.isValid)
    nullCount = isValid.count(where: { !$0 })
    writeLevels(isValid)
    if nullCount == rows.count { return }

    if nullCount > 0 {
      present.removeAll(keepingCapacity: true)
      for row in rows.indices where isValid[row] { present.append(rows[row]) }
    }
    let values = nullCount == 0 ? rows : present
    switch column.kind {
    case .integer: values.withUnsafeBufferPointer { write(integers: $0) }
    case .boolean:
      page.appendPacked(count: values.count, width: 1) { UInt64(bitPattern: values[$0]) }
    case .text: write(texts: column.texts, values)
    }
  }

  /// Writes which rows have a value, behind the length of that.
  private mutating func writeLevels(_ isValid: [Bool]) {
    var levels: [UInt8] = []
    levels.appendRun(count: isValid.count, width: 1) { isValid[$0] ? 1 : 0 }
    page.append(littleEndian: UInt32(levels.count))
    page += levels
  }

  private mutating func write(integers values: UnsafeBufferPointer<Int64>) {
    encoding = .deltas
    page.appendDeltas(values)

    var (least, greatest) = (Int64.max, Int64.min)
    for value in values {
      least = min(least, value)
      greatest = max(greatest, value)
    }
    var bytes: (least: [UInt8], greatest: [UInt8]) = ([], [])
    bytes.least.append(littleEndian: least)
    bytes.greatest.append(littleEndian: greatest)
    bounds = bytes
  }

  /// Texts that mostly differ stand one after the other; others are places in a dictionary.
  private mutating func write(texts: [String], _ places: [Int64]) {
    bounds = ParquetValues.bounds(texts)
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

  /// The first and the last text in the order of bytes; `nil` when one is long, as readers' footers are
  /// not.
  private static func bounds(_ texts: [String]) -> (least: [UInt8], greatest: [UInt8])? {
    guard var least = texts.first?.utf8, texts.allSatisfy({ $0.utf8.count <= 64 }) else {
      return nil
    }

    var greatest = least
    for text in texts.lazy.map(\.utf8) {
      if text.lexicographicallyPrecedes(least) { least = text }
      if greatest.lexicographicallyPrecedes(text) { greatest = text }
    }
    return (Array(least), Array(greatest))
  }
}
