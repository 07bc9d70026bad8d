import LifecycleModel

/// The text form of a trace for machines: one JSON object a line; the article
/// `Events`, §7.
///
/// `parse(print(trace)) == trace` for every trace whose events are ordered and numbered as
/// `Trace/orderAndNumber()` does it.
///
/// ```swift
/// import LifecycleModel
/// import TraceText
///
/// let trace = try TraceNotation.parse("2s main work timer app \"autosave\"")
/// let lines = NDJSON.print(trace)
/// print(try NDJSON.parse(lines) == trace)
/// ```
public enum NDJSON {
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
    let vocabulary = Vocabulary()
    var parser = Parser(vocabulary: vocabulary)
    return try Trace(lines: text, in: vocabulary) { line throws(SyntaxError) in
      try parser.event(line: line)
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

    /// Appends the line of `event` with its number as the member `sequence`, and the end of the line.
    package func appendNumbered(_ event: Event, to bytes: inout [UInt8]) {
      append(event, to: &bytes)
      bytes.removeLast(2)
      bytes += ",\"sequence\":\(event.sequence)}\n".utf8
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

}
