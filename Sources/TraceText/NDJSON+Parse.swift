import LifecycleModel

extension NDJSON {
  /// Parses lines of one trace, one after another.
  ///
  /// Cost: about a nanosecond for each byte of a line whose words were met before.
  public struct Parser {
    private let vocabulary: Vocabulary
    private var instant: Instant
    private let words = WordCache()

    /// Makes a parser whose events belong to `vocabulary`; `instant` is that of the event before.
    public init(vocabulary: Vocabulary, after instant: Instant = .origin) {
      self.vocabulary = vocabulary
      self.instant = instant
    }

    /// Parses one line; `nil` for a blank line.
    ///
    /// A line without `t` has the instant of the line before it. The event has no sequence yet.
    /// Throws a ``SyntaxError`` without a line number.
    public mutating func event(line: ArraySlice<UInt8>) throws(SyntaxError) -> Event? {
      try line.withUnsafeBufferPointer { bytes throws(SyntaxError) -> Event? in
        try event(bytes)
      }
    }

    /// Parses one line as if the event before it were at `instant`.
    package mutating func event(
      line: ArraySlice<UInt8>, after instant: Instant
    ) throws(SyntaxError) -> Event? {
      self.instant = instant
      return try event(line: line)
    }

    private mutating func event(
      _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(SyntaxError) -> Event? {
      var reader = JSONReader(bytes)
      reader.skipBlanks()
      if reader.index == bytes.count { return nil }
      words.follow(vocabulary)
      var line = LineReader(reader: reader, vocabulary: vocabulary, words: words)
      let event = try line.event(after: instant)
      instant = event.instant
      return event
    }
  }
}

/// Reads one line, and collects what its members say.
private struct LineReader {
  /// The keys that have a meaning; any other key is kept as an attribute.
  private enum Key: String, CaseIterable {
    case t, writer, verb, name, subject, label, value, attributes
  }

  var reader: JSONReader
  let vocabulary: Vocabulary
  let words: WordCache

  private var seen: UInt8 = 0
  private var instant: Int64?
  private var writer = WriterID.system
  private var verb: Verb?
  private var name: Symbol?
  private var subject = Subject.none
  private var label = Symbol.none
  private var value: Int64?
  /// The object `attributes` alone; unknown keys make a list of it.
  private var attributes = AttributesID.none
  private var others: [Attribute] = []
  private var otherKeys = ReadKeys()

  init(reader: JSONReader, vocabulary: Vocabulary, words: WordCache) {
    self.reader = reader
    self.vocabulary = vocabulary
    self.words = words
  }

  mutating func event(after instant: Instant) throws(SyntaxError) -> Event {
    try reader.beginObject()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      if let known = known(key) {
        try take(known, at: key.range.lowerBound - 1)
      } else {
        try takeOther(key)
      }
    }

    try reader.end()
    guard let verb else {
      throw SyntaxError(
        column: 1, expected: "the key \"verb\"", found: "an object without it")
    }

    if let takesName = verb.takesName, takesName != (name != nil) {
      throw SyntaxError(
        column: 1,
        expected: takesName ? "the key \"name\", which this verb takes" : "no key \"name\"",
        found: name.map { JSONText.quoted(vocabulary.text($0)) } ?? "an object without it")
    }

    return Event(
      instant: self.instant.map { Instant(nanoseconds: $0) } ?? instant, writer: writer,
      verb: verb, name: name ?? .none, subject: subject, label: label, value: value,
      attributes: others.isEmpty ? attributes : vocabulary.attributes(others))
  }

  @inline(__always)
  private func known(_ key: JSONReader.RawString) -> Key? {
    if key.hasEscapes { return (try? reader.text(key)).flatMap(Key.init) }
    // The words of eight bytes, the first one lowest.
    switch (key.range.count, reader.bytes.word(of: key.range)) {
    case (1, 0x74): return .t
    case (4, 0x6272_6576): return .verb
    case (4, 0x656d_616e): return .name
    case (5, 0x6c_6562_616c): return .label
    case (5, 0x65_756c_6176): return .value
    case (6, 0x7265_7469_7277): return .writer
    case (7, 0x74_6365_6a62_7573): return .subject
    case (10, 0x7475_6269_7274_7461):
      let end = key.range.upperBound
      let isWhole =
        reader.bytes[end - 2] == UInt8(ascii: "e") && reader.bytes[end - 1] == UInt8(ascii: "s")
      return isWhole ? .attributes : nil
    default: return nil
    }
  }

  private mutating func take(_ key: Key, at place: Int) throws(SyntaxError) {
    guard seen & 1 << key.ordinal == 0 else {
      throw reader.error(at: place, expected: "each key only once")
    }

    seen |= 1 << key.ordinal
    if reader.takeNull() { return }
    switch key {
    case .t: instant = try integer("t, a whole number of nanoseconds")
    case .value: value = try integer("value, a 64-bit integer")
    case .writer: writer = WriterID(rawValue: UInt16(truncatingIfNeeded: try word(.writer)))
    case .verb: verb = Verb(code: UInt8(truncatingIfNeeded: try word(.verb)))
    case .name: name = Symbol(rawValue: try word(.symbol))
    case .label: label = Symbol(rawValue: try word(.symbol))
    case .subject: subject = try takeSubject()
    case .attributes: try takeAttributes()
    }
  }

  private mutating func integer(_ expected: String) throws(SyntaxError) -> Int64 {
    guard let integer = reader.integer() else { throw reader.error(expected: expected) }
    return integer
  }

  /// Takes a string, and returns its id in the vocabulary.
  @inline(__always)
  private mutating func word(_ kind: WordCache.Kind) throws(SyntaxError) -> UInt32 {
    let string = try reader.string()
    // A text with escapes is remembered as it is written.
    let key = WordCache.key(reader.bytes, string.range, kind)
    if let key, let id = words.id(key) { return id }
    let id = try intern(string, kind)
    if let key { words.remember(id, for: key) }
    return id
  }

  private func intern(
    _ string: JSONReader.RawString, _ kind: WordCache.Kind
  ) throws(SyntaxError) -> UInt32 {
    let text = try reader.text(string)
    do throws(Vocabulary.Overflow) { return try kind.id(of: text, in: vocabulary) } catch {
      throw reader.error(
        at: string.range.lowerBound - 1,
        expected: "a known word, as there are \(error.description)")
    }
  }

  private mutating func takeSubject() throws(SyntaxError) -> Subject {
    let string = try reader.string()
    let text = UnsafeBufferPointer(rebasing: reader.bytes[string.range])
    guard !string.hasEscapes, let subject = Subject(text) else {
      throw reader.error(
        at: string.range.lowerBound - 1, expected: "app, scene:N, session:N, task:N or nil")
    }
    return subject
  }

  private mutating func takeAttributes() throws(SyntaxError) {
    let start = reader.index
    guard reader.next == UInt8(ascii: "{") else {
      throw reader.error(expected: "attributes, an object of strings")
    }

    let isAlone = others.isEmpty
    // What was read before is known by its bytes up to the first closing brace: with a brace inside
    // a string they are no whole object, and not remembered.
    let close = reader.bytes.index(of: UInt8(ascii: "}"), from: start).map { $0 + 1 }
    let key = close.flatMap { WordCache.key(reader.bytes, start..<$0, .attributes) }

    if isAlone, let close, let key, let id = words.id(key) {
      attributes = AttributesID(rawValue: id)
      reader.index = close
      return
    }

    reader.index += 1
    var isFirst = true
    var list: [Attribute] = []
    var keys = ReadKeys()
    while let key = try reader.nextKey(&isFirst) { try add(key, to: &list, &keys) }
    if !isAlone {
      for attribute in list {
        guard !otherKeys.isKnown(attribute.key, in: others) else {
          throw reader.error(at: start, expected: "each attribute only once")
        }
        others.append(attribute)
      }
      return
    }

    attributes = vocabulary.attributes(list)
    if let key, reader.index == close { words.remember(attributes.rawValue, for: key) }
  }

  /// Keeps a member that has no meaning as an attribute.
  private mutating func takeOther(_ key: JSONReader.RawString) throws(SyntaxError) {
    var list = others.isEmpty ? vocabulary.attributes(attributes) : others
    others = []
    var keys = otherKeys
    otherKeys = ReadKeys()
    try add(key, to: &list, &keys)
    (others, otherKeys) = (list, keys)
  }

  private mutating func add(
    _ key: JSONReader.RawString, to list: inout [Attribute], _ keys: inout ReadKeys
  ) throws(SyntaxError) {
    let text = try reader.text(key)
    guard !keys.isKnown(text, in: list) else {
      throw reader.error(at: key.range.lowerBound - 1, expected: "each attribute only once")
    }
    if reader.next == UInt8(ascii: "\"") {
      list.append(Attribute(text, try reader.text(try reader.string())))
    } else {
      let range = try reader.value()
      list.append(Attribute(text, String(decoding: reader.bytes[range], as: UTF8.self)))
    }
  }
}
