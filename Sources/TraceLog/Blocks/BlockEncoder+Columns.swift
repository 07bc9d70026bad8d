import LifecycleModel

/// The columns behind the shape ids, as far as they are filled, in the order of the format.
struct FilledColumns {
  /// The time classes of each group; how long they are follows from the shapes, and is not written.
  var times: [UnsafeRawBufferPointer]
  /// Value classes, numbers, jumps, sequences, lists and lines.
  var others: [UnsafeRawBufferPointer]
  /// Not in the deflate stream; the block's header has the length.
  var mantissas: UnsafeRawBufferPointer
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
  /// The last number of each kind of subject.
  var lastNumbers = SIMD8<Int64>.zero

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
    let (number, kind) = (Int64(event.subjectNumber), Int(event.subjectKind.rawValue))
    numbers.putZigzag(number &- lastNumbers[kind])
    lastNumbers[kind] = number
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
  ) -> FilledColumns {
    var writer = RowWriter(columns)
    lastValues.update(repeating: 0, count: shapes.count)
    fillRows(checkpoint, from: 0, &writer)
    fillRows(events, from: checkpoint.count, &writer)
    var sequences = VarintColumn(columns.sequences)
    for event in checkpoint { sequences.put(event.sequence) }

    return FilledColumns(
      times: groupTimes(rows: checkpoint.count + events.count),
      others: [
        UnsafeRawBufferPointer(start: columns.valueClasses, count: writer.values),
        writer.numbers.bytes, fillJumps(events, from: checkpoint.count, &header), sequences.bytes,
        writer.lists.bytes, writer.lines.bytes,
      ],
      mantissas: UnsafeRawBufferPointer(
        start: columns.mantissas, count: writer.mantissas.byteCount))
  }

  /// Writes the time classes again, group after group; returns those of each group.
  ///
  /// ```
  ///   times of group 0 │ of group 1 │ … │ of group 7      each in the order of the rows
  /// ```
  ///
  /// Each group's classes are a column of their own, so that deflate gives each its own codes: a timer
  /// and a return have little in common.
  private func groupTimes(rows: Int) -> [UnsafeRawBufferPointer] {
    let (classes, ids, groups) = (columns.timeClasses, columns.shapes, groups)
    groupChoice.choose(groups, classes, ids, rows: rows, shapeCount: shapes.count)
    var lengths = [Int](repeating: 0, count: LogFormat.timeGroups)
    for row in 0..<rows { lengths[Int(groups[Int(ids[row])])] &+= 1 }

    var places = lengths.indices.map { lengths[..<$0].reduce(0, +) }
    for row in 0..<rows {
      let group = Int(groups[Int(ids[row])])
      columns.groupedTimes[places[group]] = classes[row]
      places[group] &+= 1
    }
    return zip(lengths, places).map { length, end in
      UnsafeRawBufferPointer(start: columns.groupedTimes + end - length, count: length)
    }
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
  ) -> UnsafeRawBufferPointer {
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
    return jumps.bytes
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
