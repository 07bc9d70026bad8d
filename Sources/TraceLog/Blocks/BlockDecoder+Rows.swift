import LifecycleModel

/// The mantissas of rows, and the classes that say how long they are.
private struct MantissaColumn {
  var mantissas: MantissaReader
  /// The value class of the next row with a value.
  var values: UnsafePointer<UInt8>
  var instant: Int64 = 0

  init(_ columns: DecodedColumns) {
    mantissas = MantissaReader(columns.mantissas)
    values = columns.values.bytes
  }

  /// Moves the instant on to that of a row with this time class; returns its value difference, 0 if the
  /// mask is 0.
  ///
  /// With `isWide` an instant may be absolute, and a mantissa may have more than 56 bits.
  @inline(__always)
  mutating func next(
    _ classes: UnsafePointer<SizeClass>, time: Int, _ mask: UInt8, isWide: Bool
  ) -> Int64 {
    let delta = classes + time
    if isWide, time == Int(TimeClass.absolute) { instant = 0 }
    instant &+= Int64(bitPattern: delta.pointee.base &+ take(delta, isWide: isWide))

    // Class 0 is the difference 0, without a mantissa.
    let difference = classes + ClassTable.values + Int(values.pointee & mask)
    values += Int(mask & 1)
    let magnitude = difference.pointee.base &+ take(difference, isWide: isWide)
    let sign = difference.pointee.sign
    return Int64(bitPattern: (magnitude ^ sign) &- sign)
  }

  @inline(__always)
  private mutating func take(_ size: UnsafePointer<SizeClass>, isWide: Bool) -> UInt64 {
    isWide ? mantissas.takeWide(size.pointee.width) : mantissas.take(size)
  }
}

/// The columns of numbers that not every row has.
private struct NumberColumns {
  var numbers: VarintReader
  var lists: VarintReader
  var lines: VarintReader
  private var line: Int64 = 0

  init(_ columns: DecodedColumns) {
    numbers = VarintReader(columns.numbers)
    lists = VarintReader(columns.lists)
    lines = VarintReader(columns.lines)
  }

  @inline(__always)
  mutating func nextLine() -> AttributesID {
    line &+= lines.nextZigzag()
    return AttributesID(line: UInt32(truncatingIfNeeded: line) & ~(1 << 31))
  }

  /// The number of an attribute list.
  @inline(__always)
  mutating func nextList() -> AttributesID {
    AttributesID(rawValue: UInt32(clamping: lists.next()))
  }
}

extension BlockDecoder {
  /// So many rows are filled at a time: their events lie in the nearest cache.
  private static var rowsAtOnce: Int { 256 }

  /// Fills the checkpoint and `events`, then checks that every column was used up.
  func decodeRows(
    _ columns: DecodedColumns, _ header: BlockHeader, to events: UnsafeMutablePointer<Event>
  ) throws(BlockDamage) {
    var (numbers, mantissas) = (NumberColumns(columns), MantissaColumn(columns))
    let before = Int(header.checkpointCount)
    listRowCount = 0
    nextSequences.update(repeating: 0, count: LogFormat.maxWriters)
    lastNumbers.update(repeating: 0, count: Subject.Kind.allCases.count)
    decodeRows(0..<before, &numbers, &mantissas, to: checkpoint)

    var sequences = VarintReader(columns.sequences)
    for row in 0..<before { checkpoint[row].sequence = sequences.next() }
    for (index, writer) in header.writers.enumerated() { nextSequences[index] = writer.first }
    let end = before + Int(header.eventCount)
    // The lists of the checkpoint are named when it is asked for.
    listRowCount = 0
    decodeRows(before..<end, &numbers, &mantissas, to: events)

    let jumpsAreWhole = applyJumps(columns, from: before, count: end - before, to: events)
    guard mantissas.mantissas.byteCount == Int(header.mantissaLength), numbers.numbers.isSpent,
      numbers.lists.isSpent, numbers.lines.isSpent, sequences.isSpent, jumpsAreWhole
    else { throw BlockDamage("the columns do not match the rows") }
  }

  private func decodeRows(
    _ rows: Range<Int>, _ numbers: inout NumberColumns, _ mantissas: inout MantissaColumn,
    to events: UnsafeMutablePointer<Event>
  ) {
    var start = rows.lowerBound
    while start < rows.upperBound {
      let end = min(start + BlockDecoder.rowsAtOnce, rows.upperBound)
      let place = start - rows.lowerBound
      fillFacts(start..<end, &numbers, to: events + place, place: place)
      fillTimes(start..<end, &mantissas, to: events + place)
      start = end
    }
  }

  /// Fills what an event has from its shape and from the columns of numbers.
  ///
  /// Which columns a row has is not to be foreseen: to read nothing costs less than a wrong guess.
  private func fillFacts(
    _ rows: Range<Int>, _ shared: inout NumberColumns, to events: UnsafeMutablePointer<Event>,
    place: Int
  ) {
    var columns = shared
    let (shapes, rowCodes) = (self.shapes, self.rowCodes + rows.lowerBound)
    let (nextSequences, lastNumbers) = (self.nextSequences, self.lastNumbers)

    for row in 0..<rows.count {
      let shape = shapes + rowCodes[row].shape
      let layout = shape.pointee.layout
      let event = events + row
      event.pointee = shape.pointee.event
      if layout & ShapeLayout.uncounted == 0 {
        let next = nextSequences + Int(shape.pointee.writer)
        event.pointee.sequence = next.pointee
        next.pointee &+= 1
      }
      let last = lastNumbers + Int(layout &>> ShapeLayout.kindShift)
      last.pointee &+= columns.numbers.nextZigzag(mask: shape.pointee.numberMask)
      event.pointee.subjectNumber = UInt32(truncatingIfNeeded: last.pointee)

      if layout & (ShapeLayout.line | ShapeLayout.list) == 0 { continue }
      if layout & ShapeLayout.line != 0 { event.pointee.attributes = columns.nextLine() }
      if layout & ShapeLayout.list != 0 {
        event.pointee.attributes = columns.nextList()
        listRows[listRowCount] = UInt16(truncatingIfNeeded: place &+ row)
        listRowCount &+= 1
      }
    }
    shared = columns
  }

  /// Fills what an event has from the mantissas.
  private func fillTimes(
    _ rows: Range<Int>, _ columns: inout MantissaColumn, to events: UnsafeMutablePointer<Event>
  ) {
    // What is rare is asked once for all of them.
    var largest = RowCode(shape: 0)
    for row in rows { largest = max(largest, rowCodes[row]) }
    if hasWideValues || largest.time >= TimeClass.firstWide {
      fillTimes(rows, &columns, to: events, isWide: true)
    } else {
      fillTimes(rows, &columns, to: events, isWide: false)
    }
  }

  @inline(__always)
  private func fillTimes(
    _ rows: Range<Int>, _ shared: inout MantissaColumn, to events: UnsafeMutablePointer<Event>,
    isWide: Bool
  ) {
    var columns = shared
    let (shapes, rowCodes) = (self.shapes, self.rowCodes + rows.lowerBound)
    let classes = UnsafePointer(self.classes)

    for row in 0..<rows.count {
      let code = rowCodes[row]
      let shape = shapes + code.shape
      let event = events + row
      // Each shape keeps its last value; that of the one behind the last is always 0.
      let value =
        columns.next(classes, time: code.time, shape.pointee.valueMask, isWide: isWide)
        &+ shapes[Int(shape.pointee.reference)].event.rawValue
      shape.pointee.event.rawValue = value
      event.pointee.rawValue = value
      event.pointee.instant = Instant(nanoseconds: columns.instant)
    }
    shared = columns
  }

  /// Moves the sequences on from where they are not the ones before plus one; false when the column
  /// makes no sense.
  private func applyJumps(
    _ columns: DecodedColumns, from start: Int, count: Int, to events: UnsafeMutablePointer<Event>
  ) -> Bool {
    var reader = VarintReader(columns.jumps)
    var row = 0
    guard columns.jumps.count > 0 else { return true }

    var shifts = [UInt64](repeating: 0, count: LogFormat.maxWriters)
    var pending = reader.next()
    guard pending < UInt64(count) else { return false }

    var jump = Int(pending)
    while row < count {
      let shape = shapes + rowCodes[start + row].shape
      let isCounted = !shape.pointee.has(ShapeLayout.uncounted)
      let writer = Int(shape.pointee.writer)
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
