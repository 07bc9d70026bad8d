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
    var lengths: [Int] = []
    for _ in 0..<6 {
      lengths.append(
        try source.getCount(limit: LogFormat.maxPlainBytes, "a column exceeds the limit"))
    }

    shapesLow = try source.take(rows)
    shapesHigh = try source.take(shapeCount > 256 ? rows : 0)
    times = try source.take(rows)
    values = try ByteColumn(source.take(lengths[0]))
    numbers = try ByteColumn(source.take(lengths[1]))
    jumps = try ByteColumn(source.take(lengths[2]))
    sequences = try ByteColumn(source.take(lengths[3]))
    lists = try ByteColumn(source.take(lengths[4]))
    lines = try ByteColumn(source.take(lengths[5]))
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
  @inline(__always)
  mutating func next() -> UInt64 {
    let first = bytes[position]
    if first >= 0x80 {
      let (number, end) = VarintReader.long(bytes, position, count)
      position = end
      return number
    }
    position &+= 1
    return UInt64(first)
  }

  /// Reads so many zigzag numbers modulo 2^32, most of which have one byte.
  mutating func read(_ count: Int, into numbers: UnsafeMutablePointer<UInt32>) {
    var done = 0
    while done < count {
      let eight = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self)
      if eight & 0x8080_8080_8080_8080 == 0, count - done >= 8 {
        for index in 0..<8 {
          let byte = UInt32(bytes[position &+ index])
          numbers[done &+ index] = byte &>> 1 ^ (0 &- byte & 1)
        }
        done &+= 8
        position &+= 8
      } else {
        numbers[done] = UInt32(truncatingIfNeeded: nextZigzag())
        done &+= 1
      }
    }
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
  mutating func nextZigzag() -> Int64 { unzigzag(next()) }

  /// Whether exactly the whole column was read.
  var isSpent: Bool { position == count }
}

extension BlockDecoder {
  /// Checks all that the loop over the rows relies on: shapes and classes exist, and for each row that has
  /// them there are a value class, a number, and a time class of the row's group.
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

    try readShapes(columns)
    countRows(checkpoint: Int(header.checkpointCount), events: Int(header.eventCount))
    Running.begin(running, shapes: shapeCount)
    var (valueRows, numberRows) = (0, 0)
    for shape in 0..<shapeCount {
      let rows = shapes[shape].rows
      if shapes[shape].has(ShapeLayout.value) { valueRows += rows }
      if shapes[shape].has(ShapeLayout.number) { numberRows += rows }
      running[Int(shapes[shape].times)] += Int64(rows)
    }
    guard valueRows == columns.values.count else {
      throw BlockDamage("the number of values does not match the rows that have one")
    }
    guard readNumbers(columns.numbers, count: numberRows) else {
      throw BlockDamage("the columns do not match the rows")
    }
    beginTimes()
  }

  /// Notes the shape of each row, which exists.
  private func readShapes(_ columns: DecodedColumns) throws(BlockDamage) {
    let rowShapes = self.rowShapes
    var largest: UInt16 = 0
    if columns.shapesHigh.isEmpty {
      for row in columns.shapesLow.indices {
        let shape = UInt16(columns.shapesLow[row])
        rowShapes[row] = shape
        largest = max(largest, shape)
      }
    } else {
      for row in columns.shapesLow.indices {
        let shape = UInt16(columns.shapesLow[row]) | UInt16(columns.shapesHigh[row]) << 8
        rowShapes[row] = shape
        largest = max(largest, shape)
      }
    }
    guard largest < shapeCount else { throw BlockDamage("a shape is invalid") }
  }

  /// Counts how many rows have each shape.
  ///
  /// Two counters take turns: one would wait for itself when a shape comes again and again.
  private func countRows(checkpoint: Int, events: Int) {
    let shapes = self.shapes
    for row in 0..<checkpoint { shapes[Int(rowShapes[row])].checkpointRows &+= 1 }
    let rowShapes = self.rowShapes + checkpoint
    var row = 0
    while row &+ 1 < events {
      shapes[Int(rowShapes[row])].eventRows &+= 1
      shapes[Int(rowShapes[row &+ 1])].otherEventRows &+= 1
      row &+= 2
    }
    if row < events { shapes[Int(rowShapes[row])].eventRows &+= 1 }
    for shape in 0..<shapeCount { shapes[shape].eventRows &+= shapes[shape].otherEventRows }
  }

  /// Reads the differences of subjects' numbers; false when the column does not have so many.
  private func readNumbers(_ column: ByteColumn, count: Int) -> Bool {
    var reader = VarintReader(column)
    reader.read(count, into: numbers)
    return reader.isSpent
  }

  /// Turns how many time classes each group has into where they begin.
  private func beginTimes() {
    var start: Int64 = 0
    for group in Running.times..<Running.times + LogFormat.timeGroups {
      let length = running[group]
      running[group] = start
      start += length
    }
  }
}
