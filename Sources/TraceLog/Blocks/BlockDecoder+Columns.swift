import LifecycleModel

/// The columns of a block that was inflated; the bytes belong to the decoder.
struct DecodedColumns {
  let shapesLow: UnsafeRawBufferPointer
  /// The second byte plane; empty when a byte a shape is enough.
  let shapesHigh: UnsafeRawBufferPointer
  let times: UnsafeRawBufferPointer
  let values: UnsafeRawBufferPointer
  let numbers: UnsafeRawBufferPointer
  let jumps: UnsafeRawBufferPointer
  let sequences: UnsafeRawBufferPointer
  let lists: UnsafeRawBufferPointer
  let lines: UnsafeRawBufferPointer
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
    values = try source.take(lengths.values)
    numbers = try source.take(lengths.numbers)
    jumps = try source.take(lengths.jumps)
    sequences = try source.take(lengths.sequences)
    lists = try source.take(lengths.lists)
    lines = try source.take(lengths.lines)
    self.mantissas = UnsafeRawPointer(base)
  }

  /// The shape of a row.
  @inline(__always)
  func shape(_ row: Int) -> Int {
    let low = Int(shapesLow[row])
    return shapesHigh.isEmpty ? low : low | Int(shapesHigh[row]) << 8
  }
}

/// Reads one column of varints; past its end it reads zeros, and ``isSpent`` is false.
struct VarintReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var isBroken = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  @inline(__always)
  mutating func next() -> UInt64 {
    guard position < bytes.count else {
      isBroken = true
      return 0
    }
    let first = bytes[position]
    position &+= 1
    return first < 0x80 ? UInt64(first) : nextLong(UInt64(first & 0x7F))
  }

  @inline(never)
  private mutating func nextLong(_ start: UInt64) -> UInt64 {
    var value = start
    var shift: UInt64 = 7
    while shift < 70, position < bytes.count {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }

    isBroken = true
    return 0
  }

  @inline(__always)
  mutating func nextZigzag() -> Int64 { unzigzag(next()) }

  /// Whether exactly the whole column was read.
  var isSpent: Bool { position == bytes.count && !isBroken }
}

/// What runs on from row to row while columns are read.
private struct RowReader {
  var mantissas: MantissaReader
  var numbers: VarintReader
  var lists: VarintReader
  var lines: VarintReader
  var values = 0
  var instant: Int64 = 0
  var line: Int64 = 0
  var lastNumbers: (scene: Int64, session: Int64, task: Int64) = (0, 0, 0)

  init(_ columns: DecodedColumns) {
    mantissas = MantissaReader(columns.mantissas)
    numbers = VarintReader(columns.numbers)
    lists = VarintReader(columns.lists)
    lines = VarintReader(columns.lines)
  }

  /// The instant of a row with this time class.
  @inline(__always)
  mutating func time(_ size: UInt8, _ table: UnsafeMutablePointer<UInt64>) -> Int64 {
    let base = table[2 &* Int(size)]
    let mantissa = mantissas.takeWide(table[2 &* Int(size) &+ 1])
    instant =
      size == TimeClass.absolute
      ? Int64(bitPattern: mantissa) : instant &+ Int64(bitPattern: base &+ mantissa)
    return instant
  }

  /// The value difference of a row with this value class.
  @inline(__always)
  mutating func difference(_ size: UInt8, _ table: UnsafeMutablePointer<UInt64>) -> Int64 {
    let base = table[2 &* Int(size)]
    let magnitude = base &+ mantissas.takeWide(table[2 &* Int(size) &+ 1])
    return Int64(bitPattern: size >= ValueClass.sign ? 0 &- magnitude : magnitude)
  }

  mutating func number(_ kind: Subject.Kind) -> UInt32 {
    let delta = numbers.nextZigzag()
    switch kind {
    case .scene:
      lastNumbers.scene &+= delta
      return UInt32(truncatingIfNeeded: lastNumbers.scene)
    case .session:
      lastNumbers.session &+= delta
      return UInt32(truncatingIfNeeded: lastNumbers.session)
    default:
      lastNumbers.task &+= delta
      return UInt32(truncatingIfNeeded: lastNumbers.task)
    }
  }

  mutating func nextLine() -> AttributesID {
    line &+= lines.nextZigzag()
    return AttributesID(line: UInt32(truncatingIfNeeded: line) & ~(1 << 31))
  }
}

extension BlockDecoder {
  /// Checks all that the loop over the rows relies on: shapes and classes exist, there is a value
  /// class for each row with a value.
  ///
  /// The mantissas need no check before: their memory is larger than what any classes can ask for.
  func checkColumns(_ columns: DecodedColumns, rows: Int) throws(BlockDamage) {
    var largestTime: UInt8 = 0
    for size in columns.times { largestTime = max(largestTime, size) }
    var largestValue: UInt8 = 0
    for size in columns.values { largestValue = max(largestValue, size & ~ValueClass.sign) }
    guard largestTime <= TimeClass.absolute, largestValue <= ValueClass.largest else {
      throw BlockDamage("a size class is invalid")
    }

    var largestShape = 0
    if columns.shapesHigh.isEmpty {
      var low: UInt8 = 0
      for shape in columns.shapesLow { low = max(low, shape) }
      largestShape = Int(low)
    } else {
      for row in 0..<rows { largestShape = max(largestShape, columns.shape(row)) }
    }

    guard largestShape < shapeCount else { throw BlockDamage("a shape is invalid") }
    var valueRows = 0
    for row in 0..<rows {
      valueRows &+= Int(layouts[columns.shape(row)] & ShapeLayout.value)
    }

    _ = groups.begin(rows: rows) { columns.shape($0) }
    guard valueRows == columns.values.count else {
      throw BlockDamage("the number of values does not match the rows that have one")
    }
  }

  /// Fills the checkpoint and `events`, then checks that every column was used up.
  func decodeRows(
    _ columns: DecodedColumns, _ header: BlockHeader, to events: UnsafeMutablePointer<Event>
  ) throws(BlockDamage) {
    var reader = RowReader(columns)
    let before = Int(header.checkpointCount)
    lastValues.update(repeating: 0, count: shapeCount + 1)
    nextSequences.update(repeating: 0, count: LogFormat.maxWriters)
    decodeRows(columns, 0..<before, &reader, to: checkpoint)

    var sequences = VarintReader(columns.sequences)
    for row in 0..<before { checkpoint[row].sequence = sequences.next() }
    for (index, writer) in header.writers.enumerated() { nextSequences[index] = writer.first }
    let end = before + Int(header.eventCount)
    decodeRows(columns, before..<end, &reader, to: events)

    let jumpsAreWhole = applyJumps(columns, from: before, count: end - before, to: events)
    guard reader.mantissas.byteCount == Int(header.mantissaLength), reader.numbers.isSpent,
      reader.lists.isSpent, reader.lines.isSpent, sequences.isSpent, jumpsAreWhole
    else { throw BlockDamage("the columns do not match the rows") }
  }

  private func decodeRows(
    _ columns: DecodedColumns, _ rows: Range<Int>, _ shared: inout RowReader,
    to events: UnsafeMutablePointer<Event>
  ) {
    var reader = shared
    let templates = self.templates
    let groups = self.groups
    let timeClasses = columns.times
    let layouts = self.layouts
    let writers = self.writers
    let nextSequences = self.nextSequences
    let lastValues = self.lastValues
    let timeTable = times.entries
    let plain = ShapeLayout.value | ShapeLayout.number | ShapeLayout.line | ShapeLayout.list

    for row in rows {
      let shape = columns.shape(row)
      let layout = layouts[shape]
      let event = events + (row &- rows.lowerBound)
      event.pointee = templates[shape]
      event.pointee.instant = Instant(
        nanoseconds: reader.time(timeClasses[groups.next(shape)], timeTable))
      if layout & ShapeLayout.uncounted == 0 {
        let writer = Int(writers[shape])
        event.pointee.sequence = nextSequences[writer]
        nextSequences[writer] &+= 1
      }
      if layout & plain == 0 { continue }
      if layout & ShapeLayout.value != 0 {
        let difference = reader.difference(columns.values[reader.values], values.entries)
        reader.values &+= 1
        // Slot 0 is never written: absolute values are differences to 0.
        let value = difference &+ lastValues[Int(references[shape])]
        lastValues[shape &+ 1] = value
        event.pointee.rawValue = value
      }
      if layout & ShapeLayout.number != 0 {
        event.pointee.subjectNumber = reader.number(event.pointee.subjectKind)
      }
      if layout & ShapeLayout.line != 0 { event.pointee.attributes = reader.nextLine() }
      if layout & ShapeLayout.list != 0 { event.pointee.attributes = list(reader.lists.next()) }
    }
    shared = reader
  }

  /// The attribute list with this number; none when there is no such list, which
  /// a later minor version may have meant.
  private func list(_ number: UInt64) -> AttributesID {
    number < UInt64(lists.count) ? lists[Int(number)] : .none
  }

  /// Moves the sequences on from where they are not the ones before plus one; false when the column
  /// makes no sense.
  private func applyJumps(
    _ columns: DecodedColumns, from start: Int, count: Int, to events: UnsafeMutablePointer<Event>
  ) -> Bool {
    var reader = VarintReader(columns.jumps)
    var row = 0
    guard !columns.jumps.isEmpty else { return true }

    var shifts = [UInt64](repeating: 0, count: LogFormat.maxWriters)
    var pending = reader.next()
    guard pending < UInt64(count) else { return false }

    var jump = Int(pending)
    while row < count {
      let shape = columns.shape(start + row)
      let isCounted = layouts[shape] & ShapeLayout.uncounted == 0
      let writer = Int(writers[shape])
      let isJump = row == jump
      let delta = isJump ? UInt64(bitPattern: reader.nextZigzag()) : 0
      if isCounted { shifts[writer] &+= delta }
      events[row].sequence &+= isCounted ? shifts[writer] : delta
      row += 1
      guard isJump, !reader.isSpent else { continue }
      pending = reader.next()
      let next = UInt64(jump) &+ pending
      guard pending > 0, next < UInt64(count) else { return false }
      jump = Int(next)
    }
    return reader.isSpent
  }
}
