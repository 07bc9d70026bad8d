/// The text form of a trace for machines: one JSON object a line; the article
/// `Events`, §7.
///
/// `parse(print(trace)) == trace` for every trace whose events are ordered and numbered as
/// ``Trace/orderAndNumber()`` does it.
public enum NDJSON {
  /// The keys that have a meaning; any other key is kept as an attribute.
  static let keys: Set<String> = [
    "t", "writer", "verb", "name", "subject", "label", "value", "attributes",
  ]

  /// Prints a whole trace, one event a line.
  public static func print(_ trace: Trace) -> String {
    let printer = Printer(vocabulary: trace.vocabulary)
    var bytes: [UInt8] = []
    for event in trace.events { printer.append(event, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses a whole trace; orders its events by instant and numbers them per writer.
  ///
  /// Throws a ``SyntaxError`` with line and column at the first line that cannot be read.
  public static func parse(_ text: String) throws -> Trace {
    var instant = Instant.origin
    return try Trace(lines: text) { line, vocabulary throws(SyntaxError) in
      var parser = Parser(vocabulary: vocabulary, after: instant)
      let event = try parser.event(line: line)
      instant = event?.instant ?? instant
      return event
    }
  }

  /// Prints events of one vocabulary.
  public struct Printer {
    /// The words that the events refer to.
    public let vocabulary: Vocabulary
    private let names = PrintedTexts()
    private let labels = PrintedTexts()

    /// Makes a printer for events of `vocabulary`.
    public init(vocabulary: Vocabulary) {
      self.vocabulary = vocabulary
    }

    /// Appends the line of `event` and the end of the line.
    public func append(_ event: Event, to bytes: inout [UInt8]) {
      bytes.append(contentsOf: "{\"t\":".utf8)
      bytes.append(contentsOf: String(event.instant.nanoseconds).utf8)
      append("writer", vocabulary.name(of: event.writer), to: &bytes)
      append("verb", vocabulary.word(of: event.verb), to: &bytes)
      if event.verb.takesName ?? !event.name.isNone {
        names.append(vocabulary.text(event.name), to: &bytes) { append("name", $0, to: &$1) }
      }
      if event.subjectKind != .none { append("subject", event.subject.description, to: &bytes) }
      if !event.label.isNone {
        labels.append(vocabulary.text(event.label), to: &bytes) { append("label", $0, to: &$1) }
      }
      if event.hasValue {
        bytes.append(contentsOf: ",\"value\":".utf8)
        bytes.append(contentsOf: String(event.rawValue).utf8)
      }
      if !event.attributes.isNone {
        labels.append(vocabulary.attributes(event.attributes), to: &bytes, append)
      }
      bytes.append(contentsOf: "}\n".utf8)
    }

    private func append(_ attributes: [Attribute], to bytes: inout [UInt8]) {
      bytes.append(contentsOf: ",\"attributes\":{".utf8)
      for (index, attribute) in attributes.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.appendQuoted(attribute.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.appendQuoted(attribute.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }

    private func append(_ key: String, _ text: String, to bytes: inout [UInt8]) {
      bytes.append(contentsOf: ",\"".utf8)
      bytes.append(contentsOf: key.utf8)
      bytes.append(contentsOf: "\":".utf8)
      JSONText.appendQuoted(text, to: &bytes)
    }
  }

  /// Parses lines of one trace, one after another.
  public struct Parser {
    private let vocabulary: Vocabulary
    private var instant: Instant

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
      let isReturn = line.last == UInt8(ascii: "\r")
      let line = isReturn ? line.dropLast() : line
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { return nil }
      var fields = Fields(vocabulary)
      for member in try JSONText.object(line) { try fields.take(member) }
      guard let verb = fields.verb else {
        throw SyntaxError(column: 1, expected: "the key \"verb\"", found: "an object without it")
      }
      if let takesName = verb.takesName, takesName != (fields.name != nil) {
        throw SyntaxError(
          column: 1,
          expected: takesName ? "the key \"name\", which this verb takes" : "no key \"name\"",
          found: fields.name.map { JSONText.quoted($0) } ?? "an object without it")
      }
      instant = fields.instant ?? instant
      return Event(
        instant: instant, writer: fields.writer, verb: verb,
        name: fields.name.map { vocabulary.symbol($0) } ?? .none, subject: fields.subject,
        label: vocabulary.symbol(fields.label), value: fields.value,
        attributes: vocabulary.attributes(fields.attributes))
    }
  }
}

/// What the members of one object have said so far.
private struct Fields {
  let vocabulary: Vocabulary
  var instant: Instant?
  var writer = WriterID.system
  var verb: Verb?
  var name: String?
  var subject = Subject.none
  var label = ""
  var value: Int64?
  var attributes: [Attribute] = []
  private var seen: Set<String> = []

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
  }

  mutating func take(_ member: JSONMember) throws(SyntaxError) {
    guard seen.insert(member.key).inserted else {
      throw error(member, expected: "each key once")
    }
    if member.value == .null, NDJSON.keys.contains(member.key) { return }
    do {
      switch member.key {
      case "t": instant = Instant(nanoseconds: try integer(member))
      case "value": value = try integer(member)
      case "writer": writer = try vocabulary.writer(try string(member))
      case "verb": verb = try vocabulary.verb(try word(member))
      case "name": name = try string(member)
      case "label": label = try string(member)
      case "subject":
        guard let known = Subject(try string(member)) else {
          throw error(member, expected: "app, scene:N, session:N, task:N or nil")
        }
        subject = known
      case "attributes": try takeAttributes(member)
      default: try add(Attribute(member.key, member.value.plainText), of: member)
      }
    } catch let overflow as Vocabulary.Overflow {
      throw error(member, expected: "a known word, as there are \(overflow.description)")
    } catch let syntax as SyntaxError {
      throw syntax
    } catch {
      throw self.error(member, expected: "a value for \(member.key)")
    }
  }

  private mutating func takeAttributes(_ member: JSONMember) throws(SyntaxError) {
    guard case .object(let members, _) = member.value else {
      throw error(member, expected: "an object of strings")
    }
    for inner in members { try add(Attribute(inner.key, inner.value.plainText), of: inner) }
  }

  private mutating func add(_ attribute: Attribute, of member: JSONMember) throws(SyntaxError) {
    guard !attributes.contains(where: { $0.key == attribute.key }) else {
      throw error(member, expected: "each attribute once")
    }
    attributes.append(attribute)
  }

  private func integer(_ member: JSONMember) throws(SyntaxError) -> Int64 {
    guard case .text(let text) = member.value, let integer = Int64(text) else {
      throw error(member, expected: "a whole number of 64 bits as \"\(member.key)\"")
    }
    return integer
  }

  private func string(_ member: JSONMember) throws(SyntaxError) -> String {
    guard case .string(let string) = member.value else {
      throw error(member, expected: "a string as \"\(member.key)\"")
    }
    return string
  }

  private func word(_ member: JSONMember) throws(SyntaxError) -> String {
    let word = try string(member)
    guard TraceNotation.isWord(word) else {
      throw error(member, expected: "a verb, such as call or notify")
    }
    return word
  }

  private func error(_ member: JSONMember, expected: String) -> SyntaxError {
    SyntaxError(
      column: 1, expected: expected,
      found: "\(JSONText.quoted(member.key)): \(member.value.plainText.prefix(40))")
  }
}
