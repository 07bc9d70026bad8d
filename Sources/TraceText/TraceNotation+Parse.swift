import LifecycleModel

extension TraceNotation {
  /// The instant with which a line begins; `nil` when it begins with none.
  package static func instant(ofLine line: ArraySlice<UInt8>) -> Instant? {
    let start = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return InstantText.parse(start.prefix(while: isWordByte)).map { Instant(nanoseconds: $0) }
  }

  /// Parses one line; `nil` for a blank line and a comment.
  ///
  /// The event has no sequence yet. Throws a ``SyntaxError`` without a line number.
  public static func parse(
    line: ArraySlice<UInt8>, in vocabulary: Vocabulary
  ) throws(SyntaxError) -> Event? {
    var parser = LineParser(line, vocabulary)
    return try parser.event()
  }
}

/// Parses one line of notation.
private struct LineParser {
  private var scanner: LineScanner
  private let vocabulary: Vocabulary

  init(_ line: ArraySlice<UInt8>, _ vocabulary: Vocabulary) {
    let isReturn = line.last == UInt8(ascii: "\r")
    scanner = LineScanner(isReturn ? line.dropLast() : line)
    self.vocabulary = vocabulary
  }

  mutating func event() throws(SyntaxError) -> Event? {
    scanner.skipBlanks()
    if scanner.isAtEnd || scanner.next == UInt8(ascii: "#") { return nil }
    let instant = try instant()
    let writer = try writer()
    let verb = try verb()
    var event = Event(instant: instant, writer: writer, verb: verb)

    if let takesName = verb.takesName {
      if takesName {
        event.name = vocabulary.symbol(try wordOrString("the name that this verb takes"))
      }
    } else if let name = try nameOfUnknownVerb() {
      event.name = vocabulary.symbol(name)
    }

    try rest(&event)
    return event
  }

  private mutating func instant() throws(SyntaxError) -> Instant {
    let start = scanner.index
    let text = scanner.takeWhile(TraceNotation.isWordByte)
    guard let nanoseconds = InstantText.parse(text) else {
      throw scanner.error(
        at: start,
        expected: "a time with its unit, no finer than 1ns, such as 4.2s, 12ms, 7us or 30ns")
    }
    try blank()
    return Instant(nanoseconds: nanoseconds)
  }

  private mutating func writer() throws(SyntaxError) -> WriterID {
    let start = scanner.index
    let name = try wordOrString("a writer, such as main, or - for the system")
    do {
      return try vocabulary.writer(name)
    } catch {
      throw scanner.error(at: start, expected: "a known writer, as there are \(error.description)")
    }
  }

  private mutating func verb() throws(SyntaxError) -> Verb {
    let start = scanner.index
    let word = try wordOrString("a verb, such as call or notify")
    do {
      return try vocabulary.verb(word)
    } catch {
      throw scanner.error(at: start, expected: "a known verb, as there are \(error.description)")
    }
  }

  /// A column that every line has.
  private mutating func wordOrString(_ expected: String) throws(SyntaxError) -> String {
    let text: String
    if scanner.next == UInt8(ascii: "\"") {
      text = try JSONText.string(&scanner)
    } else {
      text = String(decoding: scanner.takeWhile(TraceNotation.isWordByte), as: UTF8.self)
      if text.isEmpty { throw scanner.error(expected: expected) }
    }
    try blank()
    return text
  }

  /// The name of a verb that this version does not know: a word that is nothing else, or a string
  /// that stands before a subject or before another string.
  private mutating func nameOfUnknownVerb() throws(SyntaxError) -> String? {
    let start = scanner.index
    if scanner.next == UInt8(ascii: "\"") {
      let text = try JSONText.string(&scanner)
      scanner.skipBlanks()
      if isLabelNext || isSubjectNext { return text }
    } else {
      let word = String(decoding: scanner.takeWhile(TraceNotation.isWordByte), as: UTF8.self)
      if scanner.next != UInt8(ascii: "="), !word.isEmpty, !TraceNotation.isAmbiguousName(word) {
        try blank()
        return word
      }
    }

    scanner.index = start
    return nil
  }

  /// Whether a string comes next that is no key of an attribute.
  private var isLabelNext: Bool {
    var ahead = scanner
    guard (try? JSONText.string(&ahead)) != nil else { return false }
    return ahead.next != UInt8(ascii: "=")
  }

  private var isSubjectNext: Bool {
    var ahead = scanner
    let word = String(decoding: ahead.takeWhile(TraceNotation.isWordByte), as: UTF8.self)
    return !word.isEmpty && ahead.next != UInt8(ascii: "=") && Subject(word) != nil
  }

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
    var attributes: [Attribute] = []
    scanner.skipBlanks()
    while !scanner.isAtEnd {
      let start = scanner.index
      let isString = scanner.next == UInt8(ascii: "\"")
      let text =
        isString
        ? try JSONText.string(&scanner)
        : String(decoding: scanner.takeWhile(TraceNotation.isWordByte), as: UTF8.self)
      if scanner.take(UInt8(ascii: "=")), isString || !text.isEmpty {
        column = .attributes
        let value = try wordOrString("the value of \(text)")
        guard !attributes.contains(where: { $0.key == text }) else {
          throw scanner.error(at: start, expected: "each key only once")
        }
        attributes.append(Attribute(text, value))
      } else if isString, column.rawValue <= Column.label.rawValue {
        event.label = vocabulary.symbol(text)
        column = .value
        try blank()
      } else if !isString, column == .subject, !text.isEmpty, let subject = Subject(text) {
        event.subject = subject
        column = .label
        try blank()
      } else if !isString, column != .attributes, let value = TraceNotation.integer(text) {
        event.value = value
        column = .attributes
        try blank()
      } else {
        throw scanner.error(at: start, expected: column.expected)
      }
    }
    event.attributes = vocabulary.attributes(attributes)
  }

  /// A column ends with blanks or with the line.
  private mutating func blank() throws(SyntaxError) {
    guard let byte = scanner.next else { return }
    guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") else {
      throw scanner.error(expected: "a space after the column")
    }
    scanner.skipBlanks()
  }
}
