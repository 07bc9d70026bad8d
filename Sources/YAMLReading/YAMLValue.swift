import LifecycleModel
import TraceText

/// A value in a YAML file, and what it can be read as.
///
/// What cannot be read is a problem that says what was expected there, and reading goes on.
package struct YAMLValue {
  private let number: Int
  /// The file.
  package let file: YAMLFile

  /// The value with this number in the file.
  init(_ number: Int, _ file: YAMLFile) { (self.number, self.file) = (number, file) }

  private var node: YAMLNode { file.nodes[number] }

  /// Where it stands.
  package var place: YAMLPlace {
    YAMLPlace(file: file.name, line: node.line, column: node.column)
  }

  /// Where a character of a text stands in the file: `line` from 0 and `column` from 1, in the text.
  package func place(line: Int, column: Int) -> YAMLPlace {
    guard case .scalar(let text, let style) = node.content else { return place }
    var place = place
    switch style {
    case .literal:
      // A block of text begins on the line after its key.
      place.line += line + 1
      let text = text.split(separator: "\n", omittingEmptySubsequences: false)
      guard text.indices.contains(line), file.lines.indices.contains(place.line - 1) else {
        return place
      }
      let indent = file.lines[place.line - 1].unicodeScalars.count - text[line].unicodeScalars.count
      place.column = max(0, indent) + column
    case .folded: break
    case .plain, .quoted:
      // What is folded into one line has the place of its beginning.
      let isOneLine = !text.contains("\n")
      if isOneLine { place.column += column - 1 + (style == .plain ? 0 : 1) }
    }
    return place
  }

  // MARK: Problems

  /// Says what was expected, what is there, and which of `known` was probably meant.
  package func expected(_ expected: String, oneOf known: [String] = []) {
    if file.problems.isFull { return }
    var message = "expected \(expected), found \(found)"
    if let word = scalar, let near = NearestWord.of(word, in: known) {
      message += "; did you mean \(YAMLValue.quoted(near))?"
    } else if known.count > 1 && known.count <= 16 {
      message += "; known: \(known.joined(separator: ", "))"
    }
    fail(message)
  }

  /// What was read here; where nothing could be, it says what was expected.
  package func read<Value>(
    _ value: Value?, orExpect expected: String, oneOf known: [String] = []
  ) -> Value? {
    if value == nil { self.expected(expected, oneOf: known) }
    return value
  }

  /// Says what is wrong here.
  package func fail(_ message: String) { file.problems.add(.error, place, message) }

  /// Says what somebody should look at here.
  package func warn(_ message: String) { file.problems.add(.warning, place, message) }

  private var found: String {
    switch node.content {
    case .scalar(let text, _): text.isEmpty ? "nothing" : YAMLValue.quoted(text)
    case .mapping: "a mapping"
    case .list: "a list"
    }
  }

  /// The text in quotes, its first 60 characters at the most.
  package static func quoted(_ text: some StringProtocol) -> String {
    JSONText.quoted(text.count > 60 ? text.prefix(60) + "…" : String(text))
  }

  // MARK: Shapes

  /// Whether it has keys.
  package var isMapping: Bool { if case .mapping = node.content { true } else { false } }
  /// Whether nothing stands there.
  package var isEmpty: Bool {
    if case .scalar(let text, .plain) = node.content {
      ["", "~", "null"].contains(text)
    } else {
      false
    }
  }

  /// The keys and values of a mapping; each repeat of a key is a problem, and the last counts.
  package func mapping(_ expected: String) -> [(key: YAMLValue, value: YAMLValue)]? {
    guard case .mapping(let items) = node.content else {
      self.expected(expected)
      return nil
    }
    let pairs = stride(from: 0, to: items.count, by: 2).map { place in
      (key: YAMLValue(items[place], file), value: YAMLValue(items[place + 1], file))
    }
    var firstLines: [String: Int] = [:]
    var last: [String: Int] = [:]
    for (place, pair) in pairs.enumerated() {
      let name = pair.key.scalar ?? ""
      last[name] = place
      if let line = firstLines[name] {
        pair.key.fail("\(YAMLValue.quoted(name)) is a duplicate; line \(line) already has it")
      } else {
        firstLines[name] = pair.key.place.line
      }
    }

    if last.count == pairs.count { return pairs }
    return pairs.enumerated().filter { place, pair in
      pair.key.scalar.map { last[$0] == place } ?? true
    }.map(\.element)
  }

  /// The members of a mapping that is `told`; every key that is not in `keys` is a problem, and so is
  /// a key of `required` that is not there.
  ///
  /// What stands under a misspelled key is read under the key that was probably meant, so that its
  /// mistakes are told too.
  package func members(
    _ told: String, keys: [String], required: [String] = []
  ) -> YAMLMembers? {
    let example = keys.prefix(3).map { "\($0): …" }.joined(separator: ", ")
    guard let pairs = mapping("\(told), as {\(example)}") else { return nil }

    var members: [String: YAMLValue] = [:]
    var misspelled: [(word: String, value: YAMLValue)] = []
    for (key, value) in pairs {
      if let word = key.word("a key of \(told)", keys) {
        members[word] = value
      } else if let near = key.slip(of: keys) {
        misspelled.append((near, value))
      }
    }
    for (word, value) in misspelled where members[word] == nil { members[word] = value }

    for name in required where members[name] == nil {
      fail("expected the key \(YAMLValue.quoted(name)) in \(told)")
    }
    return YAMLMembers(owner: self, keys: keys, members: members)
  }

  /// The key that this one is a slip of: few letters are other, or two have changed places.
  private func slip(of keys: [String]) -> String? {
    guard !file.problems.isFull, let word = scalar, let near = NearestWord.of(word, in: keys) else {
      return nil
    }
    let distance = NearestWord.distance(Array(word), Array(near))
    return distance * 3 <= word.count || word.sorted() == near.sorted() ? near : nil
  }

  /// The values of a list.
  package func list(_ expected: String) -> [YAMLValue]? { read(listed, orExpect: expected) }

  /// A list, or one value that stands for a list of one.
  package var items: [YAMLValue] { listed ?? [self] }

  private var listed: [YAMLValue]? {
    guard case .list(let items) = node.content else { return nil }
    return items.map { YAMLValue($0, file) }
  }

  /// Texts that stand here together, as the list that they mean.
  package func parts(_ texts: [String]) -> YAMLValue {
    let scalars = texts.map { YAMLNode.Content.scalar($0, .quoted) }
    var parts = file
    parts.nodes = (scalars + [.list(Array(texts.indices))]).map {
      YAMLNode(content: $0, line: node.line, column: node.column)
    }
    return YAMLValue(texts.count, parts)
  }

  /// A text that is a part of the one here.
  package func part(_ text: String) -> YAMLValue { parts([text]).items[0] }

  // MARK: Scalars

  /// What stands there, when it is one word or text.
  package var scalar: String? {
    if case .scalar(let text, _) = node.content { text } else { nil }
  }

  /// A text that is not empty.
  package func text(_ expected: String) -> String? {
    read(scalar.flatMap { $0.isEmpty ? nil : $0 }, orExpect: expected)
  }

  /// A text that is shown and never compared, in which no line has a hidden character.
  package func prose(_ expected: String) -> String? {
    text(expected).map { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.map { InertText.line(String($0)) }.joined(separator: "\n")
    }
  }

  /// One of `known`.
  package func word(_ expected: String, _ known: [String]) -> String? {
    read(scalar.flatMap { known.contains($0) ? $0 : nil }, orExpect: expected, oneOf: known)
  }

  /// One of the words of an enumeration.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ expected: String, _: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    word(expected, Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
  }

  /// `true` or `false`.
  package func flag() -> Bool? {
    read(scalar.flatMap { Bool($0) }, orExpect: "true or false")
  }

  /// A whole number.
  package func number(_ expected: String, in range: ClosedRange<Int>) -> Int? {
    let number = scalar.flatMap { Int($0) }
    return read(number.flatMap { range.contains($0) ? $0 : nil }, orExpect: expected)
  }

  /// A time with its unit, more than nothing and at most a year.
  package func time() -> Nanoseconds? {
    let units = [
      ("ns", 1), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
    ]
    guard let text = scalar, let unit = units.first(where: { text.hasSuffix($0.0) }),
      let count = Double(text.dropLast(unit.0.count)), count.isFinite
    else {
      expected("a time such as 20ms, 5s, 2m, 1.5h or 1d")
      return nil
    }

    let nanoseconds = (count * unit.1).rounded()
    if nanoseconds < 1 {
      expected("a time of at least 1ns")
      return nil
    }
    let isShort = nanoseconds <= Double(Nanoseconds.seconds(366 * 86_400))
    return read(isShort ? Nanoseconds(nanoseconds) : nil, orExpect: "a time of at most 366d")
  }
}

/// The members of a mapping, by its keys.
package struct YAMLMembers {
  /// The mapping.
  package let owner: YAMLValue
  fileprivate let keys: [String]
  fileprivate let members: [String: YAMLValue]

  /// The value of one of the keys; `nil` when it is not there.
  package subscript(_ key: String) -> YAMLValue? {
    assert(keys.contains(key), "\(key) is not read")
    return members[key]
  }
}
