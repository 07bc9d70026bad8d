/// A text file of the tree, by lines.
package struct SourceFile {
  /// The path below the root of the tree.
  package let path: String
  /// The lines, without their ends.
  package let lines: [String]
  /// For each line whether it lies in a text of several lines, which is no code.
  package let isText: [Bool]

  /// Makes a file of its text.
  package init(path: String, text: String) {
    self.path = path
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
    guard path.hasSuffix(".swift") else {
      isText = lines.map { _ in false }
      return
    }

    var isInside = false
    isText = lines.map { line in
      let wasInside = isInside
      if line.numberOfTextMarks % 2 == 1 { isInside.toggle() }
      return wasInside
    }
  }

  /// The last part of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The end of the name, without the dot; empty when there is none.
  package var ending: String {
    name.contains(".") ? name.split(separator: ".").last.map(String.init) ?? "" : ""
  }

  /// Whether it is a file of code.
  package var isCode: Bool { ["swift", "c", "h"].contains(ending) }

  /// The lines of code, each with its number from 1: no text, no comment.
  package var code: [(number: Int, line: String)] {
    lines.indices.filter { !isText[$0] && !lines[$0].withoutIndent.hasPrefix("//") }
      .map { ($0 + 1, lines[$0]) }
  }

  /// How many lines are examples of a rule.
  package var exampleLines: Int {
    guard path.contains("Rule") else { return 0 }
    var count = 0
    var isInside = false
    for line in lines.map(\.withoutIndent) {
      let isEnd = line.hasPrefix("\"\"\"")
      if line.hasPrefix("examples: \"\"\"") { isInside = true }
      if isInside { count += 1 }
      if isEnd { isInside = false }
    }
    return count
  }
}

extension String {
  /// How many blanks it begins with.
  package var indent: Int { utf8.prefix { $0 == UInt8(ascii: " ") }.count }

  /// The line without the blanks at its beginning.
  package var withoutIndent: Substring { self[utf8.index(startIndex, offsetBy: indent)...] }

  /// Whether there is nothing but blanks.
  package var isBlank: Bool { utf8.allSatisfy { $0 == UInt8(ascii: " ") } }

  fileprivate var numberOfTextMarks: Int {
    var (count, quotes) = (0, 0)
    for byte in utf8 {
      quotes = byte == UInt8(ascii: "\"") ? quotes + 1 : 0
      if quotes == 3 { (count, quotes) = (count + 1, 0) }
    }
    return count
  }
}
