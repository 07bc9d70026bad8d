import LifecycleModel
import Yams

/// A value of a scenario, and what it can be read as; errors say what was expected there.
struct YAMLValue {
  private let node: Node

  init(_ node: Node) { self.node = node }

  /// The whole text as one value; `nil` when it is empty.
  static func parse(_ text: String) throws(ScenarioError) -> YAMLValue? {
    do {
      return try Yams.compose(yaml: text).map(YAMLValue.init)
    } catch let error as YamlError {
      throw YAMLValue.error(error)
    } catch {
      throw ScenarioError(line: 1, column: 1, message: "\(error)")
    }
  }

  private static func error(_ error: YamlError) -> ScenarioError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ScenarioError(line: mark.line, column: mark.column, message: "this is not YAML: \(problem)")
    case .duplicatedKeysInMapping(let keys, let context):
      ScenarioError(
        line: context.mark.line, column: context.mark.column,
        message: "expected each key once, found \(keys.map(quoted).joined(separator: ", ")) again")
    default: ScenarioError(line: 1, column: 1, message: "this is not YAML: \(error)")
    }
  }

  /// An error here: what was expected, what is there, and which of `known` was probably meant.
  func error(expected: String, oneOf known: [String] = []) -> ScenarioError {
    let found: String
    switch node {
    case .scalar(let scalar): found = scalar.string.isEmpty ? "nothing" : quoted(scalar.string)
    case .mapping: found = "a mapping"
    case .sequence: found = "a list"
    case .alias: found = "an alias"
    }
    var message = "expected \(expected), found \(found)"
    if case .scalar(let scalar) = node, let near = NearestWord.of(scalar.string, in: known) {
      message += "; did you mean \(quoted(near))?"
    } else if !known.isEmpty && known.count <= 12 {
      message += "; known: \(known.joined(separator: ", "))"
    }
    return ScenarioError(
      line: node.mark?.line ?? 1, column: node.mark?.column ?? 1, message: message)
  }

  private func quoted(_ text: String) -> String { YAMLValue.quoted(text) }
  private static func quoted(_ text: String) -> String { "\"\(text.prefix(60))\"" }

  // MARK: Shapes

  var isMapping: Bool { if case .mapping = node { true } else { false } }

  func mapping(
    _ expected: String
  ) throws(ScenarioError) -> [(key: YAMLValue, value: YAMLValue)] {
    guard case .mapping(let mapping) = node else { throw error(expected: expected) }
    return mapping.map { (YAMLValue($0.key), YAMLValue($0.value)) }
  }

  /// A mapping with one key: what is to be done, and with what.
  func single(_ expected: String) throws(ScenarioError) -> (key: YAMLValue, value: YAMLValue) {
    let pairs = try mapping(expected)
    guard let pair = pairs.first, pairs.count == 1 else {
      throw pairs.count > 1
        ? pairs[1].key.error(expected: "a list item of its own, with a dash in front")
        : error(expected: expected)
    }
    return pair
  }

  func list(_ expected: String) throws(ScenarioError) -> [YAMLValue] {
    guard case .sequence(let sequence) = node else { throw error(expected: expected) }
    return sequence.map(YAMLValue.init)
  }

  // MARK: Scalars

  func text(_ expected: String) throws(ScenarioError) -> String {
    guard case .scalar(let scalar) = node, !scalar.string.isEmpty else {
      throw error(expected: expected)
    }
    return scalar.string
  }

  /// One of `known`.
  func word(_ expected: String, _ known: [String]) throws(ScenarioError) -> String {
    guard case .scalar(let scalar) = node, known.contains(scalar.string) else {
      throw error(expected: expected, oneOf: known)
    }
    return scalar.string
  }

  func flag() throws(ScenarioError) -> Bool {
    switch try text("true or false") {
    case "true": return true
    case "false": return false
    default: throw error(expected: "true or false")
    }
  }

  func number(_ expected: String) throws(ScenarioError) -> UInt32 {
    guard let number = UInt32(try text(expected)) else { throw error(expected: expected) }
    return number
  }

  /// A time with its unit, in seconds.
  func seconds() throws(ScenarioError) -> Double {
    let expected = "a time such as 20ms, 5s, 2m or 1.5h"
    let text = try text(expected)
    let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
    guard let unit = units.first(where: { text.hasSuffix($0.0) }),
      let count = Double(text.dropLast(unit.0.count)), count >= 0, count * unit.1 <= 1e8
    else { throw error(expected: expected) }
    return count * unit.1
  }
}

/// The members of a mapping, each read once; what is left over is an error.
struct YAMLMembers {
  private let owner: YAMLValue
  private let known: [String]
  private var members: [String: YAMLValue] = [:]

  init(_ value: YAMLValue, _ expected: String, known: [String]) throws(ScenarioError) {
    owner = value
    self.known = known
    for (key, member) in try value.mapping(expected) {
      let name = try key.word("a key of \(expected)", known)
      members[name] = member
    }
  }

  subscript(_ key: String) -> YAMLValue? {
    assert(known.contains(key), "\(key) is not read")
    return members[key]
  }

  func required(_ key: String) throws(ScenarioError) -> YAMLValue {
    guard let value = self[key] else { throw owner.error(expected: "the key \"\(key)\"") }
    return value
  }
}
