import LifecycleModel

/// Makes blocks out of events; the mirror image of ``BlockDecoder``.
///
/// `LogFormat.md`, "Payload", has the order of what is written. Memory is reserved once, for the
/// most rows of a block; an event costs no allocation.
final class BlockEncoder {
  let vocabulary: Vocabulary
  let shapes: ShapeTable
  let columns: BlockColumns
  var words: BlockWords
  /// Per shape: 0 for absolute values, 1 for the last value of the same shape, else 2 + another's.
  let references: UnsafeMutablePointer<UInt16>
  let lastValues: UnsafeMutablePointer<Int64>
  private let memory = OwnedMemory()
  /// The time group of each shape.
  let groups: UnsafeMutablePointer<UInt8>
  let groupChoice: TimeGroupChoice
  private let deflater: Deflater
  private var compressed: UnsafeMutablePointer<UInt8>
  private var compressedCapacity = 0
  private var plain = ByteSink()

  init(vocabulary: Vocabulary, maxEvents: Int, level: Int) throws {
    self.vocabulary = vocabulary
    let rows = maxEvents + LogFormat.maxCheckpointEvents
    deflater = try Deflater(level: level)
    groups = memory.allocate(rows)
    groupChoice = TimeGroupChoice(rows: rows)
    shapes = ShapeTable(rows: rows)
    columns = BlockColumns(rows: rows, in: memory)
    words = BlockWords(vocabulary)
    references = memory.allocate(rows)
    lastValues = memory.allocate(rows)
    compressed = .allocate(capacity: 0)
  }

  deinit { compressed.deallocate() }

  /// Appends a block with as many of `events` as fit to `output`, and returns how many those are:
  /// at least one.
  ///
  /// `header` has tag, number, chain and events before; the rest is filled in. A checkpoint that is
  /// over the limits is left out, and the header says so.
  func encode(
    checkpoint: [Event]?, events: UnsafeBufferPointer<Event>, header: inout BlockHeader,
    to output: inout ByteSink
  ) -> Int {
    let checkpointCount = assignCheckpoint(checkpoint)
    header.flags = checkpointCount == nil ? LogFormat.flagCheckpointOmitted : 0
    let before = checkpointCount ?? 0
    let taken = shapes.assign(
      events, to: columns.shapes + before, &words, maxWriters: LogFormat.maxWriters)
    header.checkpointCount = UInt32(before)
    header.eventCount = UInt32(taken)
    (checkpoint ?? []).withUnsafeBufferPointer { checkpoint in
      let checkpoint = UnsafeBufferPointer(rebasing: checkpoint[..<before])
      let events = UnsafeBufferPointer(rebasing: events[..<taken])
      chooseReferences(checkpoint, events)
      let filled = fillColumns(checkpoint, events, &header)
      pack(filled, rows: before + taken, &header, to: &output)
    }
    return taken
  }

  /// Gives the checkpoint's events their shapes; `nil` when they are over the limits.
  private func assignCheckpoint(_ checkpoint: [Event]?) -> Int? {
    forget()
    guard let checkpoint, checkpoint.count <= LogFormat.maxCheckpointEvents else { return nil }
    let assigned = checkpoint.withUnsafeBufferPointer {
      shapes.assign($0, to: columns.shapes, &words, maxWriters: LogFormat.maxCheckpointWriters)
    }
    if assigned == checkpoint.count, !words.isFull { return assigned }
    forget()
    return nil
  }

  private func forget() {
    shapes.removeAll()
    words.removeAll()
  }

  /// Deflates tables and columns and appends the whole block.
  private func pack(
    _ filled: FilledColumns, rows: Int, _ header: inout BlockHeader, to output: inout ByteSink
  ) {
    plain.removeAll()
    encodeTexts(to: &plain)
    let textEnd = plain.bytes.count
    encodeTables(to: &plain)
    for column in filled.others { plain.putVarint(UInt64(column.count)) }
    plain.bytes.withUnsafeBytes { tables in
      let texts = UnsafeRawBufferPointer(rebasing: tables[..<textEnd])
      let others = UnsafeRawBufferPointer(rebasing: tables[textEnd...])
      let parts = [texts, others, shapeColumn(rows)] + filled.times + filled.others
      let length = parts.reduce(0) { $0 + $1.count }
      reserve(deflater.bound(length, parts: parts.count))
      header.plainLength = UInt32(length)
      // Times and value classes repeat nothing.
      let noise = 3..<3 + filled.times.count + 1
      header.deflatedLength = UInt32(deflater.deflate(parts, noise: noise, to: compressed))
    }

    header.mantissaLength = UInt32(filled.mantissas.count)
    let deflated = UnsafeRawBufferPointer(start: compressed, count: Int(header.deflatedLength))
    header.payloadChecksum = checksum(deflated).continued(over: filled.mantissas)
    header.encode(to: &output)
    output.put(deflated)
    output.put(filled.mantissas)
  }

  private func reserve(_ capacity: Int) {
    guard capacity > compressedCapacity else { return }
    compressed.deallocate()
    compressed = .allocate(capacity: capacity)
    compressedCapacity = capacity
  }

  /// The shape ids as bytes: one plane when they fit, else the low bytes and then the high bytes.
  private func shapeColumn(_ rows: Int) -> UnsafeRawBufferPointer {
    let ids = columns.shapes
    let bytes = columns.shapeBytes
    for row in 0..<rows { bytes[row] = UInt8(truncatingIfNeeded: ids[row]) }
    guard shapes.count > 256 else { return UnsafeRawBufferPointer(start: bytes, count: rows) }
    for row in 0..<rows { bytes[rows + row] = UInt8(truncatingIfNeeded: ids[row] >> 8) }
    return UnsafeRawBufferPointer(start: bytes, count: 2 * rows)
  }

  private func encodeTexts(to sink: inout ByteSink) {
    sink.putVarint(UInt64(words.texts.count))
    for text in words.texts { sink.putText(text, limit: LogFormat.maxTextBytes) }
  }

  /// Attribute lists, unknown verbs and shapes; each table as columns.
  private func encodeTables(to sink: inout ByteSink) {
    sink.putVarint(UInt64(words.lists.count))
    for list in words.lists {
      sink.putVarint(UInt64(list.count))
      for attribute in list {
        sink.putVarint(UInt64(attribute.key))
        sink.putVarint(UInt64(attribute.value))
      }
    }

    sink.putVarint(UInt64(words.unknownVerbs.count))
    for word in words.unknownVerbs { sink.putVarint(UInt64(word)) }
    let range = 0..<shapes.count
    sink.putVarint(UInt64(range.count))
    for shape in range { sink.put(words.code(of: shapes.examples[shape].verb)) }
    for shape in range { sink.put(shapes.layouts[shape]) }
    for shape in range { sink.put(shapes.writers[shape]) }
    for shape in range { sink.put(groups[shape]) }
    for shape in range { sink.putVarint(UInt64(words.number(of: shapes.examples[shape].name))) }
    for shape in range { sink.putVarint(UInt64(words.number(of: shapes.examples[shape].label))) }
    for shape in range where shapes.layouts[shape] & ShapeLayout.value != 0 {
      sink.putVarint(UInt64(references[shape]))
    }
  }
}
