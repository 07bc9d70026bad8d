import LifecycleModel

/// Makes events out of blocks; the mirror image of ``BlockEncoder``.
///
/// The payload may come from anywhere: whatever its bytes are, the decoder throws ``BlockDamage``
/// or returns events, and touches no memory but its own. Each column is checked as a whole before
/// the loop over the rows, see ``checkColumns(_:_:)``.
final class BlockDecoder {
  let shapes: UnsafeMutablePointer<DecodedShape>
  private let shapeTexts: UnsafeMutablePointer<ShapeTexts>
  /// The shape of each row.
  let rowShapes: UnsafeMutablePointer<UInt16>
  /// The differences of subjects' numbers, of the rows that have one.
  let numbers: UnsafeMutablePointer<UInt32>
  /// What runs on from row to row: ``Running``.
  let running: UnsafeMutablePointer<Int64>
  var notes: RowNotes
  /// The events that have an attribute list, whose number stands for it.
  let listRows: UnsafeMutablePointer<UInt16>
  var listRowCount = 0
  /// The events that rebuild the state before the block that was decoded last, not named.
  let checkpoint: UnsafeMutablePointer<Event>
  let classes: UnsafeMutablePointer<SizeClass>
  private let memory = OwnedMemory()
  private(set) var shapeCount = 0
  private var words = BlockWordTable()
  private var unknownVerbs: [UInt32] = []
  private let inflater: Inflater
  private var plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)
  private var mantissas = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)

  init(inflater: Inflater) {
    self.inflater = inflater
    shapes = memory.allocate(LogFormat.maxRows)
    shapeTexts = memory.allocate(LogFormat.maxRows)
    rowShapes = memory.allocate(LogFormat.maxRows)
    numbers = memory.allocate(LogFormat.maxRows + 1)
    listRows = memory.allocate(LogFormat.maxRows)
    checkpoint = memory.allocate(LogFormat.maxCheckpointEvents)
    running = memory.allocate(Running.count)
    notes = RowNotes(memory)
    classes = ClassTable.make(in: memory)
  }

  deinit {
    plain.deallocate()
    mantissas.deallocate()
  }

  /// Decodes the block of `header` into `events`, which have its event count.
  ///
  /// `payload` has the length that `header` says, and the right CRC.
  func decode(
    _ header: BlockHeader, _ payload: UnsafeRawBufferPointer,
    to events: UnsafeMutableBufferPointer<Event>, in vocabulary: Vocabulary
  ) throws(BlockDamage) {
    guard let base = events.baseAddress else { return }
    let columns = try unpack(header, payload)
    try nameShapes(header, in: vocabulary)
    try decodeRows(columns, header, to: base)
    nameLists(events, in: vocabulary)
  }

  /// Checks the payload, and finds shapes and columns in it.
  func unpack(
    _ header: BlockHeader, _ payload: UnsafeRawBufferPointer
  ) throws(BlockDamage) -> DecodedColumns {
    let rows = Int(header.eventCount) + Int(header.checkpointCount)
    reserve(plain: Int(header.plainLength), rows: rows)
    let inflated = UnsafeMutableRawBufferPointer(rebasing: plain[..<Int(header.plainLength)])
    let deflatedLength = Int(header.deflatedLength)
    try inflater.inflate(UnsafeRawBufferPointer(rebasing: payload[..<deflatedLength]), to: inflated)
    guard header.mantissaLength <= mantissas.count - 8 else {
      throw BlockDamage("there are more mantissas than rows")
    }

    mantissas.copyMemory(from: UnsafeRawBufferPointer(rebasing: payload[deflatedLength...]))
    var source = try words.read(UnsafeRawBufferPointer(inflated))
    try decodeVerbs(from: &source)
    try decodeShapes(from: &source, writers: header.writers.count)
    let columns = try DecodedColumns(
      from: &source, rows: rows, shapeCount: shapeCount, mantissas: mantissas)
    try checkColumns(columns, header)
    return columns
  }

  private func reserve(plain plainLength: Int, rows: Int) {
    let behind = ByteColumn.readableBytesBehind
    if plain.count < plainLength + behind {
      plain.deallocate()
      plain = .allocate(byteCount: plainLength + behind, alignment: 8)
      UnsafeMutableRawBufferPointer(rebasing: plain[plainLength...])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
    if mantissas.count < 16 * rows + 16 {
      mantissas.deallocate()
      mantissas = .allocate(byteCount: 16 * rows + 16, alignment: 8)
      mantissas.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }

  private func decodeVerbs(from source: inout ByteSource) throws(BlockDamage) {
    unknownVerbs.removeAll(keepingCapacity: true)
    let count = try source.getCount(
      limit: LogFormat.maxUnknownVerbs, "there are too many unknown verbs")
    for _ in 0..<count {
      unknownVerbs.append(try source.getTextNumber(limit: words.textCount))
    }
  }

  private func decodeShapes(from source: inout ByteSource, writers: Int) throws(BlockDamage) {
    shapeCount = try source.getCount(limit: LogFormat.maxRows, "there are too many shapes")
    let codes = try source.take(shapeCount)
    let layouts = try source.take(shapeCount)
    let writerBytes = try source.take(shapeCount)
    let groups = try source.take(shapeCount)

    for shape in 0..<shapeCount {
      guard writerBytes[shape] < writers else {
        throw BlockDamage("a shape refers to a verb or writer that is not in the block")
      }
      guard groups[shape] < LogFormat.timeGroups else {
        throw BlockDamage("a shape is in an invalid time group")
      }
      try setShape(shape, code: Int(codes[shape]), layouts[shape])
      shapes[shape].writer = writerBytes[shape]
      if !shapes[shape].has(ShapeLayout.uncounted) {
        shapes[shape].sequence = UInt8(Running.sequences) &+ writerBytes[shape]
      }
      shapes[shape].times &+= groups[shape]
    }

    let textCount = words.textCount
    for shape in 0..<shapeCount {
      shapeTexts[shape].name = try source.getTextNumber(limit: textCount)
    }
    for shape in 0..<shapeCount {
      shapeTexts[shape].label = try source.getTextNumber(limit: textCount)
    }
    // Absolute values are differences to the last one of a shape that no row has.
    for shape in 0..<shapeCount where shapes[shape].has(ShapeLayout.value) {
      let reference = try source.getCount(limit: shapeCount + 1, "a shape refers to none")
      let shapeOfReference = reference == 1 ? shape : reference - 2
      shapes[shape].reference = UInt16(reference == 0 ? shapeCount : shapeOfReference)
    }
  }

  private func setShape(_ shape: Int, code: Int, _ layout: UInt8) throws(BlockDamage) {
    guard code < LogFormat.firstUnknownVerb + unknownVerbs.count else {
      throw BlockDamage("a shape refers to a verb or writer that is not in the block")
    }
    var event = Event(
      instant: .origin, writer: .system, verb: Verb(code: UInt8(code)),
      subject: Subject(try subject(of: layout)))
    event.hasValue = layout & ShapeLayout.value != 0
    (shapes + shape).initialize(
      to: DecodedShape(event: event, layout: layout, reference: UInt16(shapeCount)))
  }

  private func subject(of layout: UInt8) throws(BlockDamage) -> Subject.Kind {
    guard let kind = Subject.Kind(rawValue: layout >> ShapeLayout.kindShift) else {
      throw BlockDamage("a shape has an unknown kind of subject")
    }
    guard Subject(kind).isNumbered == (layout & ShapeLayout.number != 0) else {
      throw BlockDamage("a shape's subject and columns do not match")
    }
    return kind
  }
}

extension BlockDecoder {
  /// Gives the shapes that the events have their words in `vocabulary`.
  private func nameShapes(
    _ header: BlockHeader, in vocabulary: Vocabulary
  ) throws(BlockDamage) {
    try nameRoles(header, in: vocabulary)
    for shape in 0..<shapeCount where shapes[shape].eventRows > 0 {
      nameShape(shape, in: vocabulary)
    }
  }

  /// Gives the events that have an attribute list that of `vocabulary`.
  private func nameLists(
    _ events: UnsafeMutableBufferPointer<Event>, in vocabulary: Vocabulary
  ) {
    for index in 0..<listRowCount {
      let row = Int(listRows[index])
      events[row].attributes = words.attributes(events[row].attributes.rawValue, in: vocabulary)
    }
  }

  /// The events that rebuild the state before the block, once its events are named.
  func namedCheckpoint(_ count: Int, in vocabulary: Vocabulary) -> [Event] {
    for shape in 0..<shapeCount where shapes[shape].checkpointRows > 0 {
      nameShape(shape, in: vocabulary)
    }

    var events = Array(UnsafeBufferPointer(start: checkpoint, count: count))
    for row in events.indices where shapes[Int(rowShapes[row])].has(ShapeLayout.list) {
      events[row].attributes = words.attributes(events[row].attributes.rawValue, in: vocabulary)
    }
    events.withUnsafeMutableBufferPointer { nameRows($0, from: 0) }
    return events
  }

  /// Whether an event of the block has one of these verbs.
  func hasEvent(_ verb: Verb) -> Bool {
    (0..<shapeCount).contains { shapes[$0].event.verb == verb && shapes[$0].eventRows > 0 }
  }

  /// Gives events the words of their shapes; the first one is the row `first` of the block.
  private func nameRows(_ events: UnsafeMutableBufferPointer<Event>, from first: Int) {
    let (shapes, rowShapes) = (self.shapes, self.rowShapes + first)
    for row in events.indices {
      let shape = shapes + Int(rowShapes[row])
      events[row].name = shape.pointee.event.name
      events[row].label = shape.pointee.event.label
      events[row].writer = shape.pointee.event.writer
      events[row].verb = shape.pointee.event.verb
    }
  }

  private func nameShape(_ shape: Int, in vocabulary: Vocabulary) {
    shapes[shape].event.name = words.symbol(shapeTexts[shape].name, in: vocabulary)
    shapes[shape].event.label = words.symbol(shapeTexts[shape].label, in: vocabulary)
  }

  /// Gives all shapes their writers and verbs, of which a vocabulary has only so many.
  private func nameRoles(_ header: BlockHeader, in vocabulary: Vocabulary) throws(BlockDamage) {
    var verbs: [Verb] = []
    for number in unknownVerbs {
      let word = vocabulary.text(words.symbol(number, in: vocabulary))
      do { verbs.append(try vocabulary.verb(word)) } catch {
        throw BlockDamage("the log has too many unknown verbs")
      }
    }

    var writers: [WriterID] = []
    for writer in header.writers {
      do { writers.append(try vocabulary.writer(writer.name)) } catch {
        throw BlockDamage("the log has too many writers")
      }
    }

    for shape in 0..<shapeCount {
      shapes[shape].event.writer = writers[Int(shapes[shape].writer)]
      let verb = shapes[shape].event.verb
      if verb.isKnown { continue }
      shapes[shape].event.verb = verbs[Int(verb.code) - LogFormat.firstUnknownVerb]
    }
  }
}
