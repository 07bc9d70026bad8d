/// Writes YAML of few forms: keys with scalars, lists and texts.
struct YAMLWriter {
  private(set) var lines: [String] = []
  private var indent = 0
  private var isItem = false

  var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ line: String) {
    var front = String(repeating: " ", count: indent)
    if isItem { front = String(repeating: " ", count: indent - 2) + "- " }
    isItem = false
    lines.append(line.isEmpty ? "" : front + line)
  }

  /// Writes what `body` writes as one item of a list.
  mutating func item(_ body: (inout YAMLWriter) -> Void) {
    indent += 2
    isItem = true
    body(&self)
    isItem = false
    indent -= 2
  }

  mutating func comment(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) { add("# " + line) }
  }

  /// A key whose value is written as it is.
  mutating func raw(_ key: String, _ value: String) { add("\(key): \(value)") }

  mutating func scalar(_ key: String, _ value: String) { raw(key, YAMLWriter.scalar(value)) }

  /// One value, or a list of several.
  mutating func values(_ key: String, _ values: [String]) {
    if values.count == 1 { return scalar(key, values[0]) }
    add("\(key):")
    for value in values {
      item { $0.add(YAMLWriter.scalar(value)) }
    }
  }

  /// Several lines, as they are.
  mutating func block(_ key: String, _ text: String) {
    add("\(key): |")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(line.isEmpty ? "" : String(repeating: " ", count: indent + 2) + line)
    }
  }

  /// A paragraph, over several lines where it is long.
  mutating func paragraph(_ key: String, _ text: String) {
    // Lines are put together by one space.
    let canBeFolded = !YAMLWriter.mustBeEscaped(text) && !text.contains("  ")
    if text.count + key.count + indent < 90 || !canBeFolded { return scalar(key, text) }
    add("\(key): >-")
    var line = ""
    func end() { lines.append(String(repeating: " ", count: indent + 2) + line) }

    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if !line.isEmpty && line.count + word.count + indent > 90 {
        end()
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    end()
  }

  /// A key with members.
  mutating func members(_ key: String, _ body: (inout YAMLWriter) -> Void) {
    add("\(key):")
    indent += 2
    body(&self)
    indent -= 2
  }

  /// A key with a list.
  mutating func list<Element>(
    _ key: String, _ elements: [Element], _ body: (inout YAMLWriter, Element) -> Void
  ) {
    add("\(key):")
    for element in elements {
      item { body(&$0, element) }
    }
  }

  /// A scalar, in quotes where it must be.
  static func scalar(_ text: String) -> String {
    let isPlain =
      text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.()\/|=> -]*/) != nil && text.last != " "
      && !["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
    if isPlain { return text }
    if mustBeEscaped(text) { return "\"" + text.unicodeScalars.map(escaped).joined() + "\"" }
    return "'" + text.replacing("'", with: "''") + "'"
  }

  /// Whether single quotes do not keep all characters: an end of a line would become a space.
  private static func mustBeEscaped(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: mustBeEscaped)
  }

  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// A character between double quotes.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
    guard mustBeEscaped(scalar) else { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    return scalar == "\n"
      ? "\\n" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
