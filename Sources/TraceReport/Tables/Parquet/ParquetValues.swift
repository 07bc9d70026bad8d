/// What a data page of Parquet holds, as bytes, and what is said of it.
///
/// It keeps its memory from column to column.
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
  private var lengths: [Int64] = []

  /// Writes the values of a column.
  mutating func write(_ column: TableChunk.Column) {
    page.removeAll(keepingCapacity: true)
    bounds = nil
    nullCount = column.isValid.count(where: { !$0 })
    writeLevels(column.isValid)
    encoding = .plain
    if nullCount == column.isValid.count { return }

    if nullCount == 0 { return write(column.values, column) }
    keepPresent(column)
    let values = present
    write(values, column)
  }

  private mutating func write(_ values: [Int64], _ column: TableChunk.Column) {
    switch column.kind {
    case .integer:
      encoding = .deltas
      page.appendDeltas(values)
      values.withUnsafeBufferPointer { bounds = ParquetValues.bounds($0) }
    case .boolean:
      page.appendPacked(values, width: 1)
    case .text:
      write(texts: column.texts, values)
      bounds = ParquetValues.bounds(column.texts)
    }
  }

  /// Texts that mostly differ stand one after the other; others are the places in a dictionary.
  private mutating func write(texts: [String], _ places: [Int64]) {
    if texts.count * 2 > places.count {
      encoding = .lengthsThenTexts
      lengths.removeAll(keepingCapacity: true)
      lengths += places.lazy.map { Int64(texts[Int($0)].utf8.count) }
      page.appendDeltas(lengths)
      for place in places { page += texts[Int(place)].utf8 }
      return
    }

    encoding = .places
    let most = UInt64(texts.count - 1)
    let bits = UInt64.bitWidth - most.leadingZeroBitCount
    // zlib sees repetitions of bytes, and not of bits.
    let width = max(1, (bits + 7) / 8) * 8
    page.append(UInt8(width))
    page.appendRunOrPacked(places, width: width)
  }

  /// The definition levels, behind their length.
  private mutating func writeLevels(_ isValid: [Bool]) {
    page.append(littleEndian: UInt32(0))
    if nullCount == 0 || nullCount == isValid.count {
      page.appendRun(nullCount == 0 ? 1 : 0, count: isValid.count, width: 1)
    } else {
      page.append(varint: UInt64((isValid.count + 7) / 8) << 1 | 1)
      page.appendBits(isValid)
    }

    let length = UInt32(page.count - 4)
    for index in 0..<4 { page[index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * index)) }
  }

  /// Moves the values of rows that have one together.
  private mutating func keepPresent(_ column: TableChunk.Column) {
    present.removeAll(keepingCapacity: true)
    present.reserveCapacity(column.values.count)
    column.values.withUnsafeBufferPointer { values in
      column.isValid.withUnsafeBufferPointer { isValid in
        for index in values.indices where isValid[index] { present.append(values[index]) }
      }
    }
  }

  private static func bounds(
    _ values: UnsafeBufferPointer<Int64>
  ) -> (least: [UInt8], greatest: [UInt8]) {
    var (least, greatest) = (Int64.max, Int64.min)
    for value in values {
      least = min(least, value)
      greatest = max(greatest, value)
    }

    var bytes: ([UInt8], [UInt8]) = ([], [])
    bytes.0.append(littleEndian: least)
    bytes.1.append(littleEndian: greatest)
    return bytes
  }

  /// The first and the last text in the order of bytes; `nil` when a text is longer than what a reader
  /// compares with.
  private static func bounds(_ texts: [String]) -> (least: [UInt8], greatest: [UInt8])? {
    guard var least = texts.first?.utf8, texts.allSatisfy({ $0.utf8.count <= 64 }) else {
      return nil
    }

    var greatest = least
    for text in texts {
      if text.utf8.lexicographicallyPrecedes(least) { least = text.utf8 }
      if greatest.lexicographicallyPrecedes(text.utf8) { greatest = text.utf8 }
    }
    return (Array(least), Array(greatest))
  }
}
