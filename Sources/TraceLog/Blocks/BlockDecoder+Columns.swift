import LifecycleModel

/// The columns of a block that was inflated; the bytes belong to the decoder.
struct DecodedColumns {
  let shapesLow: UnsafeRawBufferPointer
  /// The second byte plane; empty when a byte a shape is enough.
  let shapesHigh: UnsafeRawBufferPointer
  let times: UnsafeRawBufferPointer
  let values: ByteColumn
  let numbers: ByteColumn
  let jumps: ByteColumn
  let sequences: ByteColumn
  let lists: ByteColumn
  let lines: ByteColumn
  let mantissas: UnsafeRawPointer

  init(
    from source: inout ByteSource, rows: Int, shapeCount: Int,
    mantissas: UnsafeMutableRawBufferPointer
  ) throws(BlockDamage) {
    guard let base = mantissas.baseAddress else { throw BlockDamage("there are no mantissas") }
    let lengths = try ColumnLengths(decoding: &source)
    shapesLow = try source.take(rows)
    shapesHigh = try source.take(shapeCount > 256 ? rows : 0)
    times = try source.take(rows)
    values = try ByteColumn(source.take(lengths.values))
    numbers = try ByteColumn(source.take(lengths.numbers))
    jumps = try ByteColumn(source.take(lengths.jumps))
    sequences = try ByteColumn(source.take(lengths.sequences))
    lists = try ByteColumn(source.take(lengths.lists))
    lines = try ByteColumn(source.take(lengths.lines))
    self.mantissas = UnsafeRawPointer(base)
  }
}

/// One column of bytes.
struct ByteColumn {
  /// How many bytes behind each column may be read, of no meaning: two for each row.
  ///
  /// The loop over the rows looks at the end of a column once, when it is over.
  static let readableBytesBehind = 2 * LogFormat.maxRows + 8

  let bytes: UnsafePointer<UInt8>
  let count: Int

  /// `column` is a part of bytes that are that much longer.
  init(_ column: UnsafeRawBufferPointer) throws(BlockDamage) {
    guard let base = column.baseAddress else { throw BlockDamage("there are no columns") }
    bytes = base.assumingMemoryBound(to: UInt8.self)
    count = column.count
  }
}

/// Reads one column of varints; once it is read past its end, ``isSpent`` is false.
struct VarintReader {
  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  private var position = 0

  init(_ column: ByteColumn) { (bytes, count) = (column.bytes, column.count) }

  /// The next number; behind the end at most ``ByteColumn/readableBytesBehind`` are asked for.
  ///
  /// Where `mask` is 0 and not ones, it is 0 and nothing is read.
  @inline(__always)
  mutating func next(mask: UInt8 = .max) -> UInt64 {
    let first = bytes[position] & mask
    if first >= 0x80 {
      let (number, end) = VarintReader.long(bytes, position, count)
      position = end
      return number
    }
    position &+= Int(mask & 1)
    return UInt64(first)
  }

  /// A number of several bytes, and where it ends.
  ///
  /// It has no reader, which would be in memory instead of registers.
  @inline(never)
  private static func long(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ count: Int
  ) -> (number: UInt64, end: Int) {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var position = start
    while shift < 70, position < count {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return (value, position) }
      shift += 7
    }
    return (0, max(position, count + 1))
  }

  @inline(__always)
  mutating func nextZigzag(mask: UInt8 = .max) -> Int64 { unzigzag(next(mask: mask)) }

  /// Whether exactly the whole column was read.
  var isSpent: Bool { position == count }
}

extension BlockDecoder {
  /// Checks all that the loop over the rows relies on: shapes and classes exist, there is a value
  /// class for each row with a value, and a time class of the row's group for each row.
  ///
  /// The mantissas need no check before: their memory is larger than what any classes can ask for.
  func checkColumns(_ columns: DecodedColumns, _ header: BlockHeader) throws(BlockDamage) {
    var largestTime: UInt8 = 0
    for size in columns.times { largestTime = max(largestTime, size) }
    var largestValue: UInt8 = 0
    for index in 0..<columns.values.count {
      largestValue = max(largestValue, columns.values.bytes[index] & ~ValueClass.sign)
    }
    guard largestTime <= TimeClass.absolute, largestValue <= ValueClass.largest else {
      throw BlockDamage("a size class is invalid")
    }

    hasWideValues = largestValue >= ValueClass.firstWide
    try readShapes(columns)
    countRows(checkpoint: Int(header.checkpointCount), events: Int(header.eventCount))
    var valueRows = 0
    for shape in 0..<shapeCount where shapes[shape].has(ShapeLayout.value) {
      valueRows += shapes[shape].rows
    }
    guard valueRows == columns.values.count else {
      throw BlockDamage("the number of values does not match the rows that have one")
    }
    orderTimes(columns)
  }

  /// Notes the shape of each row, which exists.
  private func readShapes(_ columns: DecodedColumns) throws(BlockDamage) {
    let rowCodes = self.rowCodes
    var largest: UInt16 = 0
    if columns.shapesHigh.isEmpty {
      for row in columns.shapesLow.indices {
        let shape = UInt16(columns.shapesLow[row])
        rowCodes[row] = RowCode(shape: shape)
        largest = max(largest, shape)
      }
    } else {
      for row in columns.shapesLow.indices {
        let shape = UInt16(columns.shapesLow[row]) | UInt16(columns.shapesHigh[row]) << 8
        rowCodes[row] = RowCode(shape: shape)
        largest = max(largest, shape)
      }
    }
    guard largest < shapeCount else { throw BlockDamage("a shape is invalid") }
  }

  /// Counts how many rows have each shape.
  private func countRows(checkpoint: Int, events: Int) {
    let shapes = self.shapes
    let rowCodes = self.rowCodes
    for row in 0..<checkpoint { shapes[rowCodes[row].shape].checkpointRows &+= 1 }
    for row in checkpoint..<checkpoint + events { shapes[rowCodes[row].shape].eventRows &+= 1 }
  }

  /// Brings the time classes, which stand group after group, into the order of the rows.
  private func orderTimes(_ columns: DecodedColumns) {
    let (shapes, rowCodes, cursors) = (self.shapes, self.rowCodes, self.cursors)
    cursors.update(repeating: 0, count: LogFormat.timeGroups)
    for shape in 0..<shapeCount { cursors[Int(shapes[shape].group)] += shapes[shape].rows }

    var start = 0
    for group in 0..<LogFormat.timeGroups {
      let length = cursors[group]
      cursors[group] = start
      start += length
    }

    for row in columns.times.indices {
      let shape = rowCodes[row].shape
      let cursor = cursors + Int(shapes[shape].group)
      rowCodes[row] = RowCode(
        shape: UInt16(truncatingIfNeeded: shape), time: columns.times[cursor.pointee])
      cursor.pointee &+= 1
    }
  }
}
