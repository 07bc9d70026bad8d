import LifecycleModel

/// How long the columns are whose length does not follow from the number of rows.
struct ColumnLengths {
  var values = 0
  var numbers = 0
  var jumps = 0
  var sequences = 0
  var lists = 0
  var lines = 0
  /// Follow from the shapes, and are not written.
  var timeGroups: [Int] = []
  /// Not in the deflate stream; the block's header has it.
  var mantissas = 0

  /// The parts of the stream that repeat nothing: behind texts, tables and shapes, times and values.
  static let noise = 3..<3 + LogFormat.timeGroups + 1

  func encode(to sink: inout ByteSink) {
    for length in [values, numbers, jumps, sequences, lists, lines] {
      sink.putVarint(UInt64(length))
    }
  }

  init() {}

  init(decoding source: inout ByteSource) throws(BlockDamage) {
    let limit = LogFormat.maxPlainBytes
    values = try source.getCount(limit: limit, "a column exceeds the limit")
    numbers = try source.getCount(limit: limit, "a column exceeds the limit")
    jumps = try source.getCount(limit: limit, "a column exceeds the limit")
    sequences = try source.getCount(limit: limit, "a column exceeds the limit")
    lists = try source.getCount(limit: limit, "a column exceeds the limit")
    lines = try source.getCount(limit: limit, "a column exceeds the limit")
  }

  /// The columns behind the shape ids, in the order of the format.
  func parts(of columns: BlockColumns) -> [UnsafeRawBufferPointer] {
    var start = 0
    let times = timeGroups.map { length in
      defer { start += length }
      return UnsafeRawBufferPointer(start: columns.groupedTimes + start, count: length)
    }
    return times + [
      UnsafeRawBufferPointer(start: columns.valueClasses, count: values),
      UnsafeRawBufferPointer(start: columns.numbers, count: numbers),
      UnsafeRawBufferPointer(start: columns.jumps, count: jumps),
      UnsafeRawBufferPointer(start: columns.sequences, count: sequences),
      UnsafeRawBufferPointer(start: columns.lists, count: lists),
      UnsafeRawBufferPointer(start: columns.lines, count: lines),
    ]
  }
}

/// What runs on from row to row while columns are written.
private struct RowWriter {
  var mantissas: MantissaWriter
  var numbers: VarintColumn
  var lists: VarintColumn
  var lines: VarintColumn
  var values = 0
  var instant: Int64 = 0
  var line: Int64 = 0
  var lastNumbers: (scene: Int64, session: Int64, task: Int64) = (0, 0, 0)

  init(_ columns: BlockColumns) {
    mantissas = MantissaWriter(columns.mantissas)
    numbers = VarintColumn(columns.numbers)
    lists = VarintColumn(columns.lists)
    lines = VarintColumn(columns.lines)
  }

  /// Writes the time's mantissa and returns its class.
  @inline(__always)
  mutating func time(_ now: Int64) -> UInt8 {
    let (delta, overflow) = now.subtractingReportingOverflow(instant)
    instant = now
    guard !overflow, delta >= 0 else {
      mantissas.putWide(UInt64(bitPattern: now), 64)
      return TimeClass.absolute
    }
    let size = TimeClass.of(UInt64(bitPattern: delta))
    mantissas.putWide(UInt64(bitPattern: delta), TimeClass.width(size))
    return size
  }

  /// Writes a value difference's mantissa and returns its class.
  @inline(__always)
  mutating func difference(_ difference: Int64) -> UInt8 {
    let size = ValueClass.of(difference.magnitude)
    mantissas.putWide(difference.magnitude, ValueClass.width(size))
    return difference < 0 ? size | ValueClass.sign : size
  }

  mutating func number(_ event: Event) {
    let number = Int64(event.subjectNumber)
    switch event.subjectKind {
    case .scene:
      numbers.putZigzag(number &- lastNumbers.scene)
      lastNumbers.scene = number
    case .session:
      numbers.putZigzag(number &- lastNumbers.session)
      lastNumbers.session = number
    default:
      numbers.putZigzag(number &- lastNumbers.task)
      lastNumbers.task = number
    }
  }

  mutating func line(_ event: Event) {
    let next = Int64(event.attributes.line ?? 0)
    lines.putZigzag(next &- line)
    line = next
  }
}

extension BlockEncoder {
  /// Fills all columns, and in `header` what it says of the events.
  func fillColumns(
    _ checkpoint: UnsafeBufferPointer<Event>, _ events: UnsafeBufferPointer<Event>,
    _ header: inout BlockHeader
  ) -> ColumnLengths {
    var writer = RowWriter(columns)
    lastValues.update(repeating: 0, count: shapes.count)
    fillRows(checkpoint, from: 0, &writer)
    fillRows(events, from: checkpoint.count, &writer)
    var sequences = VarintColumn(columns.sequences)
    for event in checkpoint { sequences.put(event.sequence) }
    var lengths = ColumnLengths()
    lengths.timeGroups = groupTimes(rows: checkpoint.count + events.count)
    lengths.jumps = fillJumps(events, from: checkpoint.count, &header)
    lengths.sequences = sequences.byteCount
    lengths.values = writer.values
    lengths.numbers = writer.numbers.byteCount
    lengths.lists = writer.lists.byteCount
    lengths.lines = writer.lines.byteCount
    lengths.mantissas = writer.mantissas.byteCount
    return lengths
  }

  /// Writes the time classes again, group after group; returns how long each group is.
  private func groupTimes(rows: Int) -> [Int] {
    let classes = columns.timeClasses
    let ids = columns.shapes
    groupChoice.choose(groups, classes, ids, rows: rows, shapeCount: shapes.count)
    let lengths = groups.begin(rows: rows) { Int(ids[$0]) }
    let grouped = columns.groupedTimes
    for row in 0..<rows { grouped[groups.next(Int(ids[row]))] = classes[row] }
    return lengths
  }

  private func fillRows(
    _ events: UnsafeBufferPointer<Event>, from start: Int, _ shared: inout RowWriter
  ) {
    var writer = shared
    let ids = columns.shapes + start
    let timeClasses = columns.timeClasses + start
    let valueClasses = columns.valueClasses
    let layouts = shapes.layouts
    let references = self.references
    let lastValues = self.lastValues
    let listNumbers = words.listNumbers

    for row in 0..<events.count {
      let event = events[row]
      let shape = Int(ids[row])
      let layout = layouts[shape]
      timeClasses[row] = writer.time(event.instant.nanoseconds)
      if layout & ShapeLayout.value != 0 {
        let reference = Int(references[shape])
        let base =
          reference == 0 ? 0 : lastValues[reference == 1 ? shape : reference &- 2]
        valueClasses[writer.values] = writer.difference(event.rawValue &- base)
        writer.values &+= 1
        lastValues[shape] = event.rawValue
      }
      if layout & ShapeLayout.number != 0 { writer.number(event) }
      if layout & ShapeLayout.line != 0 { writer.line(event) }
      if layout & ShapeLayout.list != 0 {
        writer.lists.put(UInt64(listNumbers[event.attributes.rawValue] ?? 0))
      }
    }
    shared = writer
  }

  /// Writes where sequences are not the ones before plus one; fills in writers, instants and verbs.
  private func fillJumps(
    _ events: UnsafeBufferPointer<Event>, from start: Int, _ header: inout BlockHeader
  ) -> Int {
    var jumps = VarintColumn(columns.jumps)
    var spans = words.writers.map { WriterSpan(name: $0) }
    var first = Int64.max
    var last = Int64.min
    var verbs: UInt64 = 0
    var lastJump = 0
    spans.withUnsafeMutableBufferPointer { spans in
      for row in 0..<events.count {
        let event = events[row]
        let shape = Int(columns.shapes[start &+ row])
        first = min(first, event.instant.nanoseconds)
        last = max(last, event.instant.nanoseconds)
        verbs |= event.verb.isKnown ? 1 &<< UInt64(event.verb.code) : 1
        var expected: UInt64 = 0
        if shapes.layouts[shape] & ShapeLayout.uncounted == 0 {
          let writer = Int(shapes.writers[shape])
          if spans[writer].count == 0 { spans[writer].first = event.sequence }
          expected =
            spans[writer].count == 0 ? event.sequence : spans[writer].last &+ 1
          spans[writer].last = event.sequence
          spans[writer].count &+= 1
        }
        if event.sequence != expected {
          jumps.put(UInt64(row &- lastJump))
          jumps.putZigzag(Int64(bitPattern: event.sequence &- expected))
          lastJump = row
        }
      }
    }

    header.writers = spans
    header.firstInstant = Instant(nanoseconds: first)
    header.lastInstant = Instant(nanoseconds: last)
    header.verbs = verbs
    return jumps.byteCount
  }

  /// Picks for each shape with values what they are written as a difference to: what costs the
  /// fewest bits in this block.
  func chooseReferences(
    _ checkpoint: UnsafeBufferPointer<Event>, _ events: UnsafeBufferPointer<Event>
  ) {
    let count = shapes.count
    var partners = [Int](repeating: -1, count: count)
    var costs = [(absolute: Int, own: Int, partner: Int)](repeating: (0, 0, 0), count: count)
    for shape in 0..<count where shapes.layouts[shape] & ShapeLayout.value != 0 {
      // What opens a span and what closes it often have the same value.
      guard let family = SpanFamily.closed(by: shapes.examples[shape].verb) else { continue }
      partners[shape] = shapes.sibling(of: shape, verb: family.opening) ?? -1
    }

    lastValues.update(repeating: 0, count: count)
    for (part, start) in [(checkpoint, 0), (events, checkpoint.count)] {
      for row in 0..<part.count {
        let shape = Int(columns.shapes[start &+ row])
        guard shapes.layouts[shape] & ShapeLayout.value != 0 else { continue }
        let value = part[row].rawValue
        costs[shape].absolute += BlockEncoder.bits(value)
        costs[shape].own += BlockEncoder.bits(value &- lastValues[shape])
        if partners[shape] >= 0 {
          costs[shape].partner += BlockEncoder.bits(value &- lastValues[partners[shape]])
        }
        lastValues[shape] = value
      }
    }

    for shape in 0..<count {
      let cost = costs[shape]
      references[shape] = cost.own < cost.absolute ? 1 : 0
      if partners[shape] >= 0, cost.partner < min(cost.own, cost.absolute) {
        references[shape] = UInt16(partners[shape] + 2)
      }
    }
  }

  /// About how many bits a value difference takes: a zero is next to nothing after deflate.
  @inline(__always)
  private static func bits(_ difference: Int64) -> Int {
    difference == 0 ? 1 : 68 &- difference.magnitude.leadingZeroBitCount
  }
}
