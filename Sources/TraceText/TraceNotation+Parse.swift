import LifecycleModel

extension TraceNotation {
  /// The instant with which a line begins; `nil` when it begins with none.
  package static func instant(ofLine line: ArraySlice<UInt8>) -> Instant? {
    line.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      reader.skipSpaces()
      return reader.instant(reader.takeWord())
    }
  }

  /// Parses one line; `nil` for a blank line and a comment.
  ///
  /// The event has no sequence yet. Throws a ``SyntaxError`` without a line number.
  public static func parse(
    line: ArraySlice<UInt8>, in vocabulary: Vocabulary
  ) throws(SyntaxError) -> Event? {
    try Parser(vocabulary: vocabulary).event(line: line)
  }

  /// Parses lines of one trace, one after another.
  package struct Parser {
    private let vocabulary: Vocabulary
    private let words = WordCache()

    /// Makes a parser whose events belong to `vocabulary`.
    package init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

    /// Parses one line; `nil` for a blank line and a comment.
    package func event(line: ArraySlice<UInt8>) throws(SyntaxError) -> Event? {
      words.follow(vocabulary)
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return try line.withUnsafeBufferPointer { bytes throws(SyntaxError) -> Event? in
        var reader = NotationReader(JSONReader(bytes), vocabulary, words)
        return try reader.event()
      }
    }
  }
}

/// Reads one line of notation.
private struct NotationReader {
  /// A word, or a string with its quotation marks away.
  private struct Token {
    var string: JSONReader.RawString
    var isString: Bool
    var isEmpty: Bool { string.range.isEmpty }
  }

  private var reader: JSONReader
  private let vocabulary: Vocabulary
  private let words: WordCache

  init(_ reader: JSONReader, _ vocabulary: Vocabulary, _ words: WordCache) {
    (self.reader, self.vocabulary, self.words) = (reader, vocabulary, words)
  }

  private var isAtEnd: Bool { reader.index == reader.bytes.count }

  mutating func event() throws(SyntaxError) -> Event? {
    reader.skipSpaces()
    if isAtEnd || reader.next == UInt8(ascii: "#") { return nil }
    let instant = try instant()
    let writer = try id(.writer, "a writer, such as main, or - for the system")
    let verb = Verb(
      code: UInt8(truncatingIfNeeded: try id(.verb, "a verb, such as call or notify")))
    var event = Event(
      instant: instant, writer: WriterID(rawValue: UInt16(truncatingIfNeeded: writer)), verb: verb)

    if let takesName = verb.takesName {
      if takesName {
        event.name = Symbol(rawValue: try id(.symbol, "the name that this verb takes"))
      }
    } else if let name = try nameOfUnknownVerb() {
      event.name = vocabulary.symbol(name)
    }

    try rest(&event)
    return event
  }

  private mutating func instant() throws(SyntaxError) -> Instant {
    let start = reader.index
    guard let instant = reader.instant(reader.takeWord()) else {
      throw error(
        at: start,
        expected: "a time with its unit, no finer than 1ns, such as 4.2s, 12ms, 7us or 30ns")
    }
    try blank()
    return instant
  }

  // MARK: Columns that every line has

  /// Takes a column, and returns its id in the vocabulary.
  @inline(__always)
  private mutating func id(
    _ kind: WordCache.Kind, _ expected: StaticString
  ) throws(SyntaxError) -> UInt32 {
    let start = reader.index
    let token = try token()
    if token.isEmpty && !token.isString { throw error(at: start, expected: "\(expected)") }
    // A text with escapes is remembered as it is written; no word has a backslash.
    let key = WordCache.key(reader.bytes, token.string.range, kind)
    if let key, let id = words.id(key) {
      try blank()
      return id
    }

    let text = try reader.text(token.string)
    try blank()
    let id = try intern(text, kind, start)
    if let key { words.remember(id, for: key) }
    return id
  }

  private func intern(
    _ text: String, _ kind: WordCache.Kind, _ start: Int
  ) throws(SyntaxError) -> UInt32 {
    do throws(Vocabulary.Overflow) { return try kind.id(of: text, in: vocabulary) } catch {
      let what = kind == .writer ? "writer" : "verb"
      throw self.error(at: start, expected: "a known \(what), as there are \(error.description)")
    }
  }

  /// Takes a string, or a word, which may be empty.
  @inline(__always)
  private mutating func token() throws(SyntaxError) -> Token {
    if reader.next == UInt8(ascii: "\"") {
      return Token(string: try reader.string(), isString: true)
    }
    return Token(
      string: JSONReader.RawString(range: reader.takeWord(), hasEscapes: false), isString: false)
  }

  // MARK: Verbs that are not known

  /// The name of a verb that this version does not know: a word that is nothing else, or a string
  /// that stands before a subject or before another string.
  private mutating func nameOfUnknownVerb() throws(SyntaxError) -> String? {
    let start = reader.index
    let token = try token()
    let text = try reader.text(token.string)
    if token.isString {
      reader.skipSpaces()
      if isLabelNext || isSubjectNext { return text }
    } else if reader.next != UInt8(ascii: "="), !text.isEmpty, !TraceNotation.isAmbiguousName(text)
    {
      try blank()
      return text
    }

    reader.index = start
    return nil
  }

  /// Whether a string comes next that is no key of an attribute.
  private var isLabelNext: Bool {
    var ahead = reader
    guard let string = try? ahead.string(), (try? ahead.text(string)) != nil else { return false }
    return ahead.next != UInt8(ascii: "=")
  }

  private var isSubjectNext: Bool {
    var ahead = reader
    let word = ahead.takeWord()
    return !word.isEmpty && ahead.next != UInt8(ascii: "=")
      && Subject(UnsafeBufferPointer(rebasing: reader.bytes[word])) != nil
  }

  // MARK: Columns that may be absent

  /// The columns that may be absent, in their order.
  private enum Column: Int {
    case subject, label, value, attributes

    var expected: String {
      switch self {
      case .subject: "a subject, a \"label\", a value or key=value"
      case .label: "a \"label\", a value or key=value"
      case .value: "a value or key=value"
      case .attributes: "key=value"
      }
    }
  }

  private mutating func rest(_ event: inout Event) throws(SyntaxError) {
    var column = Column.subject
    reader.skipSpaces()
    while !isAtEnd {
      let start = reader.index
      let token = try token()
      if reader.next == UInt8(ascii: "="), token.isString || !token.isEmpty {
        reader.index = start
        event.attributes = try attributes()
        return
      }

      if token.isString, column.rawValue <= Column.label.rawValue {
        reader.index = start
        event.label = Symbol(rawValue: try id(.symbol, "a label"))
        column = .value
        continue
      }

      if let subject = column == .subject ? subject(token) : nil {
        event.subject = subject
        column = .label
      } else if let value = column != .attributes ? integer(token) : nil {
        event.value = value
        column = .attributes
      } else {
        _ = try reader.text(token.string)
        throw error(at: start, expected: column.expected)
      }
      try blank()
    }
  }

  @inline(__always)
  private func subject(_ token: Token) -> Subject? {
    if token.isString || token.isEmpty { return nil }
    return Subject(UnsafeBufferPointer(rebasing: reader.bytes[token.string.range]))
  }

  private func integer(_ token: Token) -> Int64? {
    if token.isString { return nil }
    var decimal = JSONReader(reader.bytes, at: token.string.range.lowerBound)
    if let number = decimal.integer(), decimal.index == token.string.range.upperBound {
      return number
    }
    return TraceNotation.integer(
      String(decoding: reader.bytes[token.string.range], as: UTF8.self))
  }

  /// Takes the attributes, with which a line ends.
  private mutating func attributes() throws(SyntaxError) -> AttributesID {
    let key = WordCache.key(reader.bytes, reader.index..<reader.bytes.count, .attributes)
    if let key, let id = words.id(key) { return AttributesID(rawValue: id) }

    var list: [Attribute] = []
    var keys = ReadKeys()
    while !isAtEnd {
      let start = reader.index
      let token = try token()
      let name = try reader.text(token.string)
      guard reader.take(UInt8(ascii: "=")), token.isString || !token.isEmpty else {
        throw error(at: start, expected: Column.attributes.expected)
      }

      let value = try value(of: name)
      guard !keys.isKnown(name, in: list) else {
        throw error(at: start, expected: "each key only once")
      }
      list.append(Attribute(name, value))
    }

    let id = vocabulary.attributes(list)
    if let key { words.remember(id.rawValue, for: key) }
    return id
  }

  private mutating func value(of name: String) throws(SyntaxError) -> String {
    let start = reader.index
    let token = try token()
    let text = try reader.text(token.string)
    if token.isEmpty && !token.isString {
      throw error(at: start, expected: "the value of \(name)")
    }
    try blank()
    return text
  }

  /// A column ends with blanks or with the line.
  @inline(__always)
  private mutating func blank() throws(SyntaxError) {
    guard let byte = reader.next else { return }
    guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") else {
      throw error(at: reader.index, expected: "a space after the column")
    }
    reader.skipSpaces()
  }

  private func error(at place: Int, expected: String) -> SyntaxError {
    LineScanner(ArraySlice(reader.bytes)).error(at: place, expected: expected)
  }
}
