/// A function, initializer, subscript or computed property, as the formatter lays it out: it ends at the
/// first closing brace that is indented as its declaration.
package struct SourceFunction {
  /// The file that it stands in.
  package let path: String
  /// The line of its declaration, from 1.
  package let line: Int
  /// What stands in that line.
  package let declaration: String
  /// How many lines it has, from its declaration to its closing brace.
  package let length: Int
  /// What stands between its braces.
  package let body: [String]

  /// A body of more lines wants paragraphs.
  package static let longBody = 10

  /// Whether it is so long that it wants paragraphs.
  package var isLong: Bool { body.count > SourceFunction.longBody }

  /// Whether a blank line stands in it.
  package var hasParagraphs: Bool { body.contains(where: \.isBlank) }
}

extension SourceFile {
  /// The functions of a Swift file that have a body, also those inside of others.
  package var functions: [SourceFunction] {
    guard path.hasSuffix(".swift") else { return [] }
    return lines.indices.compactMap { index in
      isText[index] || lines[index].withoutIndent.hasPrefix("//")
        || !lines[index].declaresFunction ? nil : function(at: index)
    }
  }

  private func function(at start: Int) -> SourceFunction? {
    guard let end = end(ofFunctionAt: start) else { return nil }
    let opening = (start...end).first { lines[$0].hasSuffix("{") }
    let body = opening.map { $0 < end ? Array(lines[($0 + 1)..<end]) : [] } ?? []
    return SourceFunction(
      path: path, line: start + 1, declaration: String(lines[start].withoutIndent),
      length: end - start + 1, body: body)
  }

  /// The index of the line in which a function ends; `nil` when it has no body.
  private func end(ofFunctionAt start: Int) -> Int? {
    let line = lines[start]
    if line.hasSuffix("}") { return line.contains("{ get") ? nil : start }

    for index in lines.indices.dropFirst(start + 1) where !isText[index] && !lines[index].isBlank {
      let (indent, text) = (lines[index].indent, lines[index].withoutIndent)
      if indent > line.indent { continue }
      if indent == line.indent, text.hasPrefix("}") { return index }
      // The end of the parameters, or a brace behind a clause of conditions.
      guard indent == line.indent, text.hasPrefix(")") || text.hasPrefix("{") else { return nil }
    }
    return nil
  }
}

extension String {
  fileprivate var declaresFunction: Bool {
    let text = withoutIndent
    if text.hasPrefix("func ") || text.contains(" func ") { return true }
    var words = text.split(separator: " ")[...]
    while let word = words.first, word.hasPrefix("@") || String.modifiers.contains(word) {
      words.removeFirst()
    }

    guard let word = words.first else { return false }
    if word == "deinit" || word.hasPrefix("subscript") { return true }
    if word.hasPrefix("init(") || word.hasPrefix("init?(") || word.hasPrefix("init<") {
      return true
    }

    // A property that is computed; one that is stored has a value in front of its brace.
    return word == "var" && (hasSuffix("{") || hasSuffix("}")) && !contains(" = ")
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "private", "fileprivate", "internal", "open", "static", "class",
    "mutating",
    "nonmutating", "override", "final", "required", "convenience", "nonisolated", "prefix",
    "consuming",
    "borrowing", "nonisolated(unsafe)",
  ]
}
