import LifecycleModel

/// What the loops over the rows read from front to back.
private struct RowColumns {
  var mantissas: MantissaReader
  var instant: Int64 = 0
  /// The number of the next row with a numbered subject.
  var number = 0
  /// The value class of the next row with a value.
  var value = 0
  private var lists: VarintReader
  private var lines: VarintReader
  private var line: Int64 = 0

  init(_ columns: DecodedColumns) {
    mantissas = MantissaReader(columns.mantissas)
    lists = VarintReader(columns.lists)
    lines = VarintReader(columns.lines)
  }

  mutating func nextLine() -> AttributesID {
    line &+= lines.nextZigzag()
    return AttributesID(line: UInt32(truncatingIfNeeded: line) & ~(1 << 31))
  }

  /// The number of an attribute list.
  mutating func nextList() -> AttributesID {
    AttributesID(rawValue: UInt32(clamping: lists.next()))
  }

  /// Whether exactly the columns of attributes were read.
  var isSpent: Bool { lists.isSpent && lines.isSpent }
}

/// What the second loop over some rows needs of the first, and the third of the second.
struct RowNotes {
  /// So many rows are filled at a time: their events lie in the nearest cache.
  static let capacity = 256
  /// Stands beside the time class of a row with a value.
  static let hasValue: UInt16 = 1 << 8

  /// The time class of each row.
  let times: UnsafeMutablePointer<UInt16>
  /// The rows that have attributes, or are not counted.
  let rareRows: UnsafeMutablePointer<UInt8>
  var rareCount = 0
  /// The rows with a value, and at which bits their mantissas begin.
  let valueRows: UnsafeMutablePointer<UInt8>
  let valueBits: UnsafeMutablePointer<UInt64>
  var valueCount = 0

  init(_ memory: OwnedMemory) {
    times = memory.allocate(RowNotes.capacity)
    rareRows = memory.allocate(RowNotes.capacity)
    valueRows = memory.allocate(RowNotes.capacity)
    valueBits = memory.allocate(RowNotes.capacity)
  }
}

extension BlockDecoder {
  /// Fills the checkpoint and `events`, then checks that every column was used up.
  func decodeRows(
    _ columns: DecodedColumns, _ header: BlockHeader, to events: UnsafeMutablePointer<Event>
  ) throws(BlockDamage) {
    var rows = RowColumns(columns)
    let before = Int(header.checkpointCount)
    fillRows(0..<before, columns, &rows, to: checkpoint)

    var sequences = VarintReader(columns.sequences)
    for row in 0..<before { checkpoint[row].sequence = sequences.next() }
    for (index, writer) in header.writers.enumerated() {
      running[Running.sequences + index] = Int64(bitPattern: writer.first)
    }
    let end = before + Int(header.eventCount)
    // The lists of the checkpoint are named when it is asked for.
    fillRows(before..<end, columns, &rows, to: events)

    let jumpsAreWhole = applyJumps(columns, from: before, count: end - before, to: events)
    guard rows.mantissas.byteCount == Int(header.mantissaLength), rows.isSpent,
      sequences.isSpent, jumpsAreWhole
    else { throw BlockDamage("the columns do not match the rows") }
  }

  /// Fills all of the events but their words.
  ///
  /// Each loop does little, so that all that it needs is in registers. What few rows have waits for a loop
  /// over those.
  private func fillRows(
    _ rows: Range<Int>, _ columns: DecodedColumns, _ next: inout RowColumns,
    to events: UnsafeMutablePointer<Event>
  ) {
    listRowCount = 0
    for start in stride(from: 0, to: rows.count, by: RowNotes.capacity) {
      let first = rows.lowerBound + start
      let part = first..<min(first + RowNotes.capacity, rows.upperBound)
      fillFacts(part, columns, &next, to: events + start)
      fillTimes(part.count, columns, &next, to: events + start)
      if notes.valueCount > 0 { fillValues(part.lowerBound, columns, &next, to: events + start) }
      if notes.rareCount > 0 { fillRare(part.lowerBound, start, &next, to: events) }
    }
  }

  /// Fills what an event has from its shape and from the numbers, and notes its time class.
  ///
  /// Which rows have a number is not to be foreseen: to read none costs less than a wrong guess.
  private func fillFacts(
    _ rows: Range<Int>, _ columns: DecodedColumns, _ next: inout RowColumns,
    to events: UnsafeMutablePointer<Event>
  ) {
    guard let times = columns.times.baseAddress else { return }
    let (shapes, rowShapes) = (self.shapes, self.rowShapes + rows.lowerBound)
    let (running, rowTimes, rareRows) = (self.running, notes.times, notes.rareRows)
    var numbers = UnsafePointer(self.numbers + next.number)
    var rareCount = 0

    for row in 0..<rows.count {
      let shape = shapes + Int(rowShapes[row])
      let event = events + row
      event.pointee = shape.pointee.event

      let sequence = running + Int(shape.pointee.sequence)
      event.pointee.sequence = UInt64(bitPattern: sequence.pointee)
      sequence.pointee &+= 1

      let number = running + Int(shape.pointee.number)
      let mask = shape.pointee.numberMask
      number.pointee &+= Int64(numbers.pointee & mask)
      event.pointee.subjectNumber = UInt32(truncatingIfNeeded: number.pointee)
      numbers += Int(mask & 1)

      let time = running + Int(shape.pointee.times)
      let place = Int(time.pointee)
      time.pointee &+= 1
      let layout = shape.pointee.layout
      rowTimes[row] =
        UInt16(times.load(fromByteOffset: place, as: UInt8.self))
        | UInt16(layout & ShapeLayout.value) &* RowNotes.hasValue
      if layout & (ShapeLayout.line | ShapeLayout.list | ShapeLayout.uncounted) != 0 {
        rareRows[rareCount] = UInt8(truncatingIfNeeded: row)
        rareCount &+= 1
      }
    }
    next.number = numbers - UnsafePointer(self.numbers)
    notes.rareCount = rareCount
  }

  /// Fills the instants, and notes where the values' mantissas are.
  private func fillTimes(
    _ count: Int, _ columns: DecodedColumns, _ next: inout RowColumns,
    to events: UnsafeMutablePointer<Event>
  ) {
    var (mantissas, instant) = (next.mantissas, next.instant)
    let classes = UnsafePointer(self.classes)
    let (rowTimes, valueRows, valueBits) = (notes.times, notes.valueRows, notes.valueBits)
    let values = columns.values.bytes + next.value
    var valueCount = 0
    var row = 0
    while true {
      while row < count {
        let code = rowTimes[row]
        let time = UInt8(truncatingIfNeeded: code)
        if time >= TimeClass.firstWide { break }
        let size = classes + Int(time)
        instant &+= Int64(bitPattern: size.pointee.base &+ mantissas.take(size))
        events[row].instant = Instant(nanoseconds: instant)
        if code & RowNotes.hasValue != 0 {
          valueRows[valueCount] = UInt8(truncatingIfNeeded: row)
          valueBits[valueCount] = mantissas.bit
          mantissas.skip(classes[ClassTable.values + Int(values[valueCount])].width)
          valueCount &+= 1
        }
        row &+= 1
      }
      guard row < count else { break }

      // An instant that is absolute, or far from the one before.
      let time = UInt8(truncatingIfNeeded: rowTimes[row])
      let size = classes + Int(time)
      if time == TimeClass.absolute { instant = 0 }
      instant &+= Int64(bitPattern: size.pointee.base &+ mantissas.takeWide(size.pointee.width))
      events[row].instant = Instant(nanoseconds: instant)
      if rowTimes[row] & RowNotes.hasValue != 0 {
        valueRows[valueCount] = UInt8(truncatingIfNeeded: row)
        valueBits[valueCount] = mantissas.bit
        mantissas.skip(classes[ClassTable.values + Int(values[valueCount])].width)
        valueCount &+= 1
      }
      row &+= 1
    }
    (next.mantissas, next.instant) = (mantissas, instant)
    notes.valueCount = valueCount
  }

  /// Fills the values of the rows that have one; the first of them all is the row `first` of the block.
  private func fillValues(
    _ first: Int, _ columns: DecodedColumns, _ next: inout RowColumns,
    to events: UnsafeMutablePointer<Event>
  ) {
    let (shapes, rowShapes) = (self.shapes, self.rowShapes + first)
    let (values, classes) = (running + Running.values, UnsafePointer(self.classes))
    let valueClasses = columns.values.bytes + next.value
    for index in 0..<notes.valueCount {
      let row = Int(notes.valueRows[index])
      let shape = Int(rowShapes[row])
      let size = classes + ClassTable.values + Int(valueClasses[index])
      var mantissas = MantissaReader(columns.mantissas, bit: notes.valueBits[index])
      let magnitude = size.pointee.base &+ mantissas.takeWide(size.pointee.width)
      let difference = Int64(bitPattern: (magnitude ^ size.pointee.sign) &- size.pointee.sign)
      // Each shape keeps its last value; that of the one behind the last is always 0.
      let value = values[Int(shapes[shape].reference)] &+ difference
      values[shape] = value
      events[row].rawValue = value
    }
    next.value += notes.valueCount
  }

  /// Fills what few events have; the part's first row is the row `first` of the block, and `start` of the
  /// events.
  private func fillRare(
    _ first: Int, _ start: Int, _ next: inout RowColumns, to events: UnsafeMutablePointer<Event>
  ) {
    for index in 0..<notes.rareCount {
      let row = Int(notes.rareRows[index])
      let shape = shapes + Int(rowShapes[first + row])
      let event = events + start + row
      if shape.pointee.has(ShapeLayout.uncounted) { event.pointee.sequence = 0 }
      if shape.pointee.has(ShapeLayout.line) { event.pointee.attributes = next.nextLine() }
      guard shape.pointee.has(ShapeLayout.list) else { continue }
      event.pointee.attributes = next.nextList()
      listRows[listRowCount] = UInt16(truncatingIfNeeded: start + row)
      listRowCount += 1
    }
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
      let shape = shapes + Int(rowShapes[start + row])
      let isCounted = !shape.pointee.has(ShapeLayout.uncounted)
      let writer = Int(shape.pointee.writer)
      let isJump = row == jump
      let delta = isJump ? UInt64(bitPattern: reader.nextZigzag()) : 0
      if isCounted { shifts[writer] &+= delta }
      events[row].sequence &+= isCounted ? shifts[writer] : delta
      guard events[row].sequence <= LogFormat.maxNumber else { return false }
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
