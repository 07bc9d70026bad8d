import YAMLReading

/// A key of a mapping, as a row of the table that is read, and from which the JSON schema comes.
///
/// It holds what was read.
final class Key<Value>: AnyKey {
  var name = ""
  let meaning: String
  let isRequired: Bool
  let forms: Set<PatternWord>?
  private let kind: Kind<Value>
  private let mayBeEmpty: Bool
  /// What stands there.
  private(set) var written: YAMLValue?
  /// What it means, as far as it can be read.
  private(set) var value: Value?
  private(set) var isRead = true

  /// A key that only some forms of pattern have, or every mapping with this row.
  init(
    _ kind: Kind<Value>, isRequired: Bool = false, mayBeEmpty: Bool = false,
    of forms: Set<PatternWord>? = nil, _ meaning: String
  ) {
    (self.kind, self.meaning, self.forms) = (kind, meaning, forms)
    (self.isRequired, self.mayBeEmpty) = (isRequired, mayBeEmpty)
  }

  func read(_ written: YAMLValue) {
    if mayBeEmpty && written.isEmpty { return }
    let errors = written.file.problems.errorCount
    self.written = written
    value = kind.read(written)
    isRead = value != nil && written.file.problems.errorCount == errors
  }

  func schema(_ shapes: inout SchemaShapes) -> String { kind.schema(&shapes) }
}

/// A key, whatever its value is.
protocol AnyKey: AnyObject {
  /// The name, which is that of its constant: `failOn` is the key `fail-on`.
  var name: String { get set }
  var meaning: String { get }
  var isRequired: Bool { get }
  /// The forms of pattern that have it; `nil` for all.
  var forms: Set<PatternWord>? { get }
  var written: YAMLValue? { get }
  /// Whether it is absent, or can be read without a problem.
  var isRead: Bool { get }
  /// Reads what stands at the key.
  func read(_ written: YAMLValue)
  /// The JSON schema of its value.
  func schema(_ shapes: inout SchemaShapes) -> String
}

/// Keys, each a constant of its own.
protocol KeyGroup {
  init()
}

extension KeyGroup {
  /// The keys, in their order, also those of the groups among them.
  var all: [any AnyKey] {
    Mirror(reflecting: self).children.flatMap { child -> [any AnyKey] in
      if let key = child.value as? any AnyKey {
        if key.name.isEmpty { key.name = Self.name(child.label ?? "") }
        return [key]
      }
      return (child.value as? any KeyGroup)?.all ?? []
    }
  }

  private static func name(_ label: String) -> String {
    if !label.utf8.contains(where: (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) {
      return label
    }
    return label.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
  }

  /// The names of the keys.
  static var names: [String] { Self().all.map(\.name) }
}

/// What a mapping is called: its name in the JSON schema, and its words behind "expected".
typealias Shape = (name: String, words: String)

/// The keys of a mapping, and what they mean together.
protocol Mapping: KeyGroup {
  associatedtype Model
  /// What such a mapping is called.
  static var shape: Shape { get }
  /// What the keys mean together, of the mapping `owner`; `nil` when they cannot be read.
  func model(_ owner: YAMLValue) -> Model?
}

extension Mapping {
  /// Reads a mapping; every key that is not in the table is a problem, and so is one that it lacks.
  static func read(_ value: YAMLValue) -> Model? {
    if value.file.problems.isFull { return nil }
    let keys = Self()
    let all = keys.all
    let required = all.filter(\.isRequired).map(\.name)
    guard let members = value.members(shape.words, keys: all.map(\.name), required: required)
    else { return nil }
    for key in all {
      if let member = members[key.name] { key.read(member) }
    }
    return keys.model(value)
  }
}
