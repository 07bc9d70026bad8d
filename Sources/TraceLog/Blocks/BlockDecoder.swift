import LifecycleModel

/// Makes events out of blocks; the mirror image of ``BlockEncoder``.
///
/// The payload may come from anywhere: whatever its bytes are, the decoder throws ``BlockDamage``
/// or returns events, and touches no memory but its own. Each column is checked as a whole before
/// the loop over the rows, see ``checkColumns(_:rows:)``.
final class BlockDecoder {
  let vocabulary: Vocabulary
  /// An event of each shape, which the rows are copies of.
  let templates: UnsafeMutablePointer<Event>
  let layouts: UnsafeMutablePointer<UInt8>
  let writers: UnsafeMutablePointer<UInt8>
  let references: UnsafeMutablePointer<UInt16>
  let lastValues: UnsafeMutablePointer<Int64>
  let nextSequences: UnsafeMutablePointer<UInt64>
  /// The events that rebuild the state before the block that was decoded last.
  let checkpoint: UnsafeMutablePointer<Event>
  let times = ClassTable(base: TimeClass.base, width: TimeClass.width)
  let values = ClassTable(base: ValueClass.base, width: ValueClass.width)
  private(set) var lists: [AttributesID] = []
  private(set) var shapeCount = 0
  let groups = TimeGroups(rows: LogFormat.maxRows)
  private let inflater: Inflater
  private var plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)
  private var mantissas = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)

  init(vocabulary: Vocabulary) throws {
    self.vocabulary = vocabulary
    inflater = try Inflater()
    templates = .allocate(capacity: LogFormat.maxRows)
    layouts = .allocate(capacity: LogFormat.maxRows)
    writers = .allocate(capacity: LogFormat.maxRows)
    references = .allocate(capacity: LogFormat.maxRows)
    // The slot in front of the first shape's is always 0, for absolute values.
    lastValues = .allocate(capacity: LogFormat.maxRows + 1)
    nextSequences = .allocate(capacity: LogFormat.maxWriters)
    checkpoint = .allocate(capacity: LogFormat.maxCheckpointEvents)
  }

  deinit {
    templates.deallocate()
    groups.deallocate()
    layouts.deallocate()
    writers.deallocate()
    references.deallocate()
    lastValues.deallocate()
    nextSequences.deallocate()
    checkpoint.deallocate()
    times.entries.deallocate()
    values.entries.deallocate()
    plain.deallocate()
    mantissas.deallocate()
  }

  /// Decodes the block of `header` into `events`, which has room for its event count.
  ///
  /// `payload` has the length that `header` says, and the right CRC.
  func decode(
    _ header: BlockHeader, _ payload: UnsafeRawBufferPointer, to events: UnsafeMutablePointer<Event>
  ) throws(BlockDamage) {
    let rows = Int(header.eventCount) + Int(header.checkpointCount)
    reserve(plain: Int(header.plainLength), rows: rows)
    let inflated = UnsafeMutableRawBufferPointer(rebasing: plain[..<Int(header.plainLength)])
    let deflatedLength = Int(header.deflatedLength)
    try inflater.inflate(UnsafeRawBufferPointer(rebasing: payload[..<deflatedLength]), to: inflated)
    guard header.mantissaLength <= mantissas.count - 8 else {
      throw BlockDamage("there are more mantissas than rows")
    }

    mantissas.copyMemory(from: UnsafeRawBufferPointer(rebasing: payload[deflatedLength...]))
    var source = ByteSource(UnsafeRawBufferPointer(inflated))
    try decodeTables(from: &source, header)
    let columns = try DecodedColumns(
      from: &source, rows: rows, shapeCount: shapeCount, mantissas: mantissas)
    try checkColumns(columns, rows: rows)
    try decodeRows(columns, header, to: events)
  }

  private func reserve(plain plainLength: Int, rows: Int) {
    if plain.count < plainLength {
      plain.deallocate()
      plain = .allocate(byteCount: plainLength, alignment: 8)
    }
    if mantissas.count < 16 * rows + 16 {
      mantissas.deallocate()
      mantissas = .allocate(byteCount: 16 * rows + 16, alignment: 8)
      mantissas.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }

  /// Strings, attribute lists, unknown verbs and shapes.
  private func decodeTables(
    from source: inout ByteSource, _ header: BlockHeader
  ) throws(BlockDamage) {
    let limit = source.rest.count
    let symbols = try decodeTexts(from: &source, limit)
    try decodeLists(from: &source, symbols, limit)
    let verbs = try decodeVerbs(from: &source, symbols)
    let writerIDs = try internWriters(header)
    shapeCount = try source.getCount(limit: LogFormat.maxRows, "there are too many shapes")

    let codes = try source.take(shapeCount)
    let layoutBytes = try source.take(shapeCount)
    let writerBytes = try source.take(shapeCount)
    let groupBytes = try source.take(shapeCount)

    for shape in 0..<shapeCount {
      let code = Int(codes[shape])
      let writer = Int(writerBytes[shape])
      guard code < LogFormat.firstUnknownVerb + verbs.count, writer < writerIDs.count else {
        throw BlockDamage("a shape refers to a verb or writer that is not in the block")
      }
      guard groupBytes[shape] < LogFormat.timeGroups else {
        throw BlockDamage("a shape is in an invalid time group")
      }
      groups.ofShape[shape] = groupBytes[shape]
      let known = Verb(code: UInt8(code))
      layouts[shape] = layoutBytes[shape]
      writers[shape] = writerBytes[shape]
      templates[shape] = Event(
        instant: .origin, writer: writerIDs[writer],
        verb: known.isKnown ? known : verbs[code - LogFormat.firstUnknownVerb])
      try decodeLayout(of: shape)
    }

    for shape in 0..<shapeCount { templates[shape].name = try symbol(from: &source, symbols) }
    for shape in 0..<shapeCount { templates[shape].label = try symbol(from: &source, symbols) }
    for shape in 0..<shapeCount {
      references[shape] = 0
      guard layouts[shape] & ShapeLayout.value != 0 else { continue }
      let reference = try source.getCount(limit: shapeCount + 1, "a shape refers to none")
      references[shape] = UInt16(reference == 1 ? shape + 1 : max(0, reference - 1))
    }
  }

  private func decodeLayout(of shape: Int) throws(BlockDamage) {
    let layout = layouts[shape]
    guard let kind = Subject.Kind(rawValue: layout >> ShapeLayout.kindShift) else {
      throw BlockDamage("a shape has an unknown kind of subject")
    }
    let hasNumber = Subject(kind).isNumbered
    guard hasNumber == (layout & ShapeLayout.number != 0) else {
      throw BlockDamage("a shape's subject and columns do not match")
    }
    templates[shape].subjectKind = kind
    templates[shape].hasValue = layout & ShapeLayout.value != 0
  }

  private func decodeTexts(
    from source: inout ByteSource, _ limit: Int
  ) throws(BlockDamage) -> [Symbol] {
    var symbols = [Symbol.none]
    for _ in 0..<(try source.getCount(limit: limit, "there are too many texts")) {
      symbols.append(vocabulary.symbol(try source.getText(limit: LogFormat.maxTextBytes)))
    }
    return symbols
  }

  private func decodeLists(
    from source: inout ByteSource, _ symbols: [Symbol], _ limit: Int
  ) throws(BlockDamage) {
    lists.removeAll(keepingCapacity: true)
    for _ in 0..<(try source.getCount(limit: limit, "there are too many attribute lists")) {
      var list: [Attribute] = []
      let count = try source.getCount(limit: LogFormat.maxAttributes, "a list exceeds the limit")
      for _ in 0..<count {
        let key = vocabulary.text(try symbol(from: &source, symbols))
        list.append(Attribute(key, vocabulary.text(try symbol(from: &source, symbols))))
      }
      lists.append(vocabulary.attributes(list))
    }
  }

  private func decodeVerbs(
    from source: inout ByteSource, _ symbols: [Symbol]
  ) throws(BlockDamage) -> [Verb] {
    var verbs: [Verb] = []
    for _ in 0..<(try source.getCount(limit: 192, "there are too many unknown verbs")) {
      let word = vocabulary.text(try symbol(from: &source, symbols))
      do { verbs.append(try vocabulary.verb(word)) } catch {
        throw BlockDamage("the log has too many unknown verbs")
      }
    }
    return verbs
  }

  private func internWriters(_ header: BlockHeader) throws(BlockDamage) -> [WriterID] {
    var ids: [WriterID] = []
    for writer in header.writers {
      do { ids.append(try vocabulary.writer(writer.name)) } catch {
        throw BlockDamage("the log has too many writers")
      }
    }
    return ids
  }

  private func symbol(
    from source: inout ByteSource, _ symbols: [Symbol]
  ) throws(BlockDamage) -> Symbol {
    symbols[try source.getCount(limit: symbols.count - 1, "a text number is out of bounds")]
  }
}
