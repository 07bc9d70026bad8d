/// A `key=value` of an event, resolved to text.
public struct Attribute: Hashable, Sendable {
  /// The key; one event has a key at most once.
  public var key: String
  /// The value.
  public var value: String

  /// Makes an attribute.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  /// Makes an attribute with a key of the article `Events`.
  public init(_ key: AttributeKey, _ value: String) {
    self.init(key.rawValue, value)
  }
}

/// An interned list of attributes of one ``Vocabulary``.
///
/// Importers put their line on every event, so a list that is only `line=N` is held in the id itself
/// and takes no memory in the vocabulary.
@frozen
public struct AttributesID: Hashable, Sendable {
  /// 0 for no attributes; with the top bit set a line number; else an index.
  public let rawValue: UInt32

  /// Makes an id of its raw value.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// No attributes.
  @inlinable
  public static var none: AttributesID { AttributesID(rawValue: 0) }

  /// Whether there are no attributes.
  @inlinable
  public var isNone: Bool { rawValue == 0 }

  /// The line, when the list is only `line=N` and therefore held in the id itself.
  @inlinable
  public var line: UInt32? {
    rawValue & 1 << 31 == 0 ? nil : rawValue & ~(1 << 31)
  }

  /// The id of the list that is only `line=N`; lines have 31 bits.
  @inlinable
  public init(line: UInt32) {
    self.init(rawValue: line | 1 << 31)
  }

  init?(onlyLine attributes: [Attribute]) {
    guard attributes.count == 1, attributes[0].key == AttributeKey.line.rawValue,
      let line = UInt32(attributes[0].value), line < 1 << 31,
      String(line) == attributes[0].value
    else { return nil }
    self.init(line: line)
  }
}

extension [Attribute] {
  /// The value of the attribute with this key.
  public subscript(key: AttributeKey) -> String? {
    self.first { $0.key == key.rawValue }?.value
  }
}
