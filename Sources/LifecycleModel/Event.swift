/// A recording thread or an import source, by its number in a ``Vocabulary``.
@frozen
public struct WriterID: Hashable, Sendable {
  /// The number of the writer.
  public let rawValue: UInt16

  /// Makes a writer of its number.
  @inlinable
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The system, `-` in the notation.
  @inlinable
  public static var system: WriterID { WriterID(rawValue: 0) }

  /// The main thread, `main` in the notation.
  @inlinable
  public static var main: WriterID { WriterID(rawValue: 1) }
}

/// One fact of a trace: a value of fixed layout whose strings live in a ``Vocabulary``.
///
/// See the article `Events`, §1, for the fields. An event means something only together with the
/// vocabulary that it was made with.
@frozen
public struct Event: Hashable, Sendable {
  /// Dense per writer, from 1; a hole is a loss.
  ///
  /// 0 for a `gap`, which stands outside the count.
  public var sequence: UInt64
  /// When it happened.
  public var instant: Instant
  /// The value, or 0; ``value`` knows whether there is one.
  public var rawValue: Int64
  /// The callback, notification, category or identifier.
  public var name: Symbol
  /// The app's own words.
  public var label: Symbol
  /// Further facts, on rare events.
  public var attributes: AttributesID
  /// The number of the subject.
  public var subjectNumber: UInt32
  /// Who recorded it.
  public var writer: WriterID
  /// What happened.
  public var verb: Verb
  /// The kind of the subject.
  public var subjectKind: Subject.Kind
  /// Whether there is a value.
  public var hasValue: Bool

  /// Makes an event.
  @inlinable
  public init(
    sequence: UInt64 = 0, instant: Instant, writer: WriterID, verb: Verb, name: Symbol = .none,
    subject: Subject = .none, label: Symbol = .none, value: Int64? = nil,
    attributes: AttributesID = .none
  ) {
    self.sequence = sequence
    self.instant = instant
    self.rawValue = value ?? 0
    self.name = name
    self.label = label
    self.attributes = attributes
    self.subjectNumber = subject.number
    self.writer = writer
    self.verb = verb
    self.subjectKind = subject.kind
    self.hasValue = value != nil
  }

  /// What the event is about.
  @inlinable
  public var subject: Subject {
    get { Subject(subjectKind, subjectNumber) }
    set {
      subjectKind = newValue.kind
      subjectNumber = newValue.number
    }
  }

  /// One number whose meaning the verb fixes.
  @inlinable
  public var value: Int64? {
    get { hasValue ? rawValue : nil }
    set {
      rawValue = newValue ?? 0
      hasValue = newValue != nil
    }
  }
}
