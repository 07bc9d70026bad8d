import LifecycleModel
import TraceText
import Yams

/// A value in a YAML file, and what it can be read as.
///
/// What cannot be read is a problem that says what was expected there, and reading goes on.
package struct YAMLValue {
  private let node: Node
  /// The file.
  package let file: YAMLFile

  init(_ node: Node, _ file: YAMLFile) { (self.node, self.file) = (node, file) }

  /// Where it stands.
  package var place: YAMLPlace {
    YAMLPlace(file: file.name, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  // MARK: Problems

  /// Says what was expected, what is there, and which of `known` was probably meant.
  package func expected(_ expected: String, oneOf known: [String] = []) {
    if file.problems.isFull { return }
    var message = "expected \(expected), found \(found)"
    if case .scalar(let scalar) = node, let near = NearestWord.of(scalar.string, in: known) {
      message += "; did you mean \(YAMLValue.quoted(near))?"
    } else if !known.isEmpty && known.count <= 16 {
      message += "; known: \(known.joined(separator: ", "))"
    }
    fail(message)
  }

  /// Says what is wrong here.
  package func fail(_ message: String) { file.problems.add(.error, place, message) }

  /// Says what somebody should look at here.
  package func warn(_ message: String) { file.problems.add(.warning, place, message) }

  private var found: String {
    switch node {
    case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : YAMLValue.quoted(scalar.string)
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .alias: "an alias"
    }
  }

  /// The text in quotes, its first 60 characters at the most.
  package static func quoted(_ text: some StringProtocol) -> String {
    JSONText.quoted(text.count > 60 ? text.prefix(60) + "…" : String(text))
  }

  // MARK: Shapes

  /// Whether it has keys.
  package var isMapping: Bool { if case .mapping = node { true } else { false } }
  /// Whether nothing stands there.
  package var isEmpty: Bool {
    if case .scalar(let scalar) = node {
      scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
    } else {
      false
    }
  }

  /// The keys and values of a mapping; keys that stand twice are told, and the last counts.
  package func mapping(_ expected: String) -> [(key: YAMLValue, value: YAMLValue)]? {
    guard case .mapping(let mapping) = node else {
      self.expected(expected)
      return nil
    }
    var pairs: [(key: YAMLValue, value: YAMLValue)] = []
    var aside: [(word: String, line: Int)] = []
    for (key, value) in mapping {
      let word = key.string ?? ""
      if let word = file.wordSetAside(word) {
        aside.append((word, key.mark?.line ?? 0))
        continue
      }

      if let first = aside.first(where: { $0.word == word }) {
        YAMLValue(key, file).fail(
          "\(YAMLValue.quoted(word)) is a duplicate; line \(first.line) already has it")
      }
      pairs.append((YAMLValue(key, file), YAMLValue(value, file)))
    }
    return pairs
  }

  /// The members of a mapping that is `told`; every key but `keys` is a problem, and so is a key of
  /// `required` that is not there.
  package func members(
    _ told: String, keys: [String], required: [String] = []
  ) -> YAMLMembers? {
    let example = keys.prefix(3).map { "\($0): …" }.joined(separator: ", ")
    guard let pairs = mapping("\(told), as {\(example)}") else { return nil }

    var members: [String: YAMLValue] = [:]
    for (key, value) in pairs {
      guard let word = key.word("a key of \(told)", keys) else { continue }
      members[word] = value
    }

    for name in required where members[name] == nil {
      fail("expected the key \(YAMLValue.quoted(name)) in \(told)")
    }
    return YAMLMembers(owner: self, keys: keys, members: members)
  }

  /// The values of a list.
  package func list(_ expected: String) -> [YAMLValue]? {
    guard case .sequence(let sequence) = node else {
      self.expected(expected)
      return nil
    }
    return sequence.map { YAMLValue($0, file) }
  }

  /// A list, or one value that stands for a list of one.
  package var items: [YAMLValue] {
    if case .sequence(let sequence) = node { return sequence.map { YAMLValue($0, file) } }
    return [self]
  }

  // MARK: Scalars

  /// What stands there, when it is one word or text.
  package var scalar: String? { if case .scalar(let scalar) = node { scalar.string } else { nil } }

  /// A text that is not empty.
  package func text(_ expected: String) -> String? {
    guard let text = scalar, !text.isEmpty else {
      self.expected(expected)
      return nil
    }
    return text
  }

  /// One of `known`.
  package func word(_ expected: String, _ known: [String]) -> String? {
    guard let word = scalar, known.contains(word) else {
      self.expected(expected, oneOf: known)
      return nil
    }
    return word
  }

  /// One of the words of an enumeration.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ expected: String, _: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    word(expected, Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
  }

  /// `true` or `false`.
  package func flag() -> Bool? { word("true or false", ["true", "false"]).map { $0 == "true" } }

  /// A whole number.
  package func number(_ expected: String, in range: ClosedRange<Int>) -> Int? {
    guard let number = scalar.flatMap({ Int($0) }), range.contains(number) else {
      self.expected(expected)
      return nil
    }
    return number
  }

  /// A time with its unit, more than nothing and at most a year.
  package func time() -> Nanoseconds? {
    let expected = "a time such as 20ms, 5s, 2m, 1.5h or 1d"
    let units = [
      ("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
    ]
    guard let text = scalar, let unit = units.first(where: { text.hasSuffix($0.0) }),
      let count = Double(text.dropLast(unit.0.count)), count > 0,
      let time = Nanoseconds(exactly: (count * unit.1).rounded()), time > 0,
      time <= .seconds(366 * 86_400)
    else {
      self.expected(expected)
      return nil
    }
    return time
  }
}

/// The members of a mapping, by its keys.
package struct YAMLMembers {
  /// The mapping.
  package let owner: YAMLValue
  private let keys: [String]
  private let members: [String: YAMLValue]

  fileprivate init(owner: YAMLValue, keys: [String], members: [String: YAMLValue]) {
    (self.owner, self.keys, self.members) = (owner, keys, members)
  }

  /// The value of one of the keys; `nil` when it is not there.
  package subscript(_ key: String) -> YAMLValue? {
    assert(keys.contains(key), "\(key) is not read")
    return members[key]
  }

  /// The keys that are there, in the order of those that may be.
  package var present: [String] { keys.filter { members[$0] != nil } }
}
