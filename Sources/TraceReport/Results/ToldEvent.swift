import LifecycleModel
import TraceText

/// An event in words: it stands by itself, without the log's vocabulary.
///
/// The members have the names that they have in a line of NDJSON. Only ``line`` is inert.
public struct ToldEvent: Hashable, Codable, Sendable {
  /// Its number among the events of its writer.
  public var sequence: UInt64
  /// Its instant, in nanoseconds.
  public var t: Int64
  /// Who recorded it; `-` is the system.
  public var writer: String
  /// The verb.
  public var verb: String
  /// The name; `nil` when the verb has none.
  public var name: String?
  /// What it is about; `nil` when it is about nothing.
  public var subject: String?
  /// The app's own words.
  public var label: String?
  /// The value.
  public var value: Int64?
  /// What else it says; `nil` when that is nothing.
  public var attributes: ToldAttributes?
  /// The event in notation.
  public var line: String
  /// The line of the log that it stands in, from 1; `nil` when the log is no text.
  public var sourceLine: Int?

  /// When it happened.
  var instant: Instant { Instant(nanoseconds: t) }

  /// How reports name the event: `main#12`.
  var reference: String { ToldPlace(writer: writer, sequence: sequence).reference }

  /// What it says under `key`.
  subscript(key: AttributeKey) -> String? { attributes?.list[key] }

  /// An event that belongs to the printer's vocabulary; `lines` are those of a log that is a text.
  init(_ event: Event, _ printer: TraceNotation.Printer, _ lines: EventLines? = nil) {
    let vocabulary = printer.vocabulary
    (sequence, t) = (event.sequence, event.instant.nanoseconds)
    writer = vocabulary.name(of: event.writer)
    verb = vocabulary.word(of: event.verb)

    let hasName = event.verb.takesName ?? !event.name.isNone
    name = hasName ? vocabulary.text(event.name) : nil
    subject = event.subjectKind == .none ? nil : event.subject.description
    label = event.label.isNone ? nil : vocabulary.text(event.label)
    value = event.value
    attributes =
      event.attributes.isNone ? nil : ToldAttributes(vocabulary.attributes(event.attributes))

    line = printer.line(event)
    sourceLine = lines?.line(of: event, in: vocabulary)
  }
}

/// An event of the log by its number.
public struct ToldPlace: Hashable, Codable, Sendable {
  /// Who recorded it.
  public var writer: String
  /// Its number among the events of its writer.
  public var sequence: UInt64

  /// How reports name the event: `main#12`.
  public var reference: String { "\(InertText.word(writer))#\(sequence)" }

  init(writer: String, sequence: UInt64) { (self.writer, self.sequence) = (writer, sequence) }

  init(_ event: Event, _ vocabulary: Vocabulary) {
    self.init(writer: vocabulary.name(of: event.writer), sequence: event.sequence)
  }
}

/// Attributes in their order; in JSON an object, which has none: read back they are ordered by key.
public struct ToldAttributes: Hashable, Codable, Sendable {
  /// The attributes.
  var list: [Attribute]

  init(_ list: [Attribute]) { self.list = list }

  private var byKey: [String: String] { Dictionary(list.map { ($0.key, $0.value) }) { $1 } }

  /// Whether both say the same, in whatever order.
  public static func == (first: ToldAttributes, second: ToldAttributes) -> Bool {
    first.byKey == second.byKey
  }

  /// Hashes what does not depend on the order.
  public func hash(into hasher: inout Hasher) { hasher.combine(list.count) }

  /// Reads an object of strings.
  public init(from decoder: any Decoder) throws {
    let members = try [String: String](from: decoder)
    list = members.sorted { $0.key < $1.key }.map { Attribute($0.key, $0.value) }
  }

  /// Writes an object of strings.
  public func encode(to encoder: any Encoder) throws {
    try byKey.encode(to: encoder)
  }
}
