import CPage

/// The script and the style of a page, without what a browser does not need: comments, indentation, and
/// blanks beside punctuation; and with short names for what has a long one.
///
/// In the script no line begins with a regular expression or inside of a text; the page's checks run it.
enum PageSource {
  /// The script, in one scope.
  static let script = tightScript(text(page_script, page_script_length))

  /// The style.
  static let style = tightStyle(text(page_style, page_style_length))

  private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    let bytes = UnsafeRawBufferPointer(start: start, count: length)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: The script

  static func tightScript(_ source: String) -> String {
    var script = ""
    for line in source.split(separator: "\n") {
      let line = tightLine(line.drop { $0 == " " })
      if line.isEmpty { continue }
      // A line's end may end a statement, but not behind these, nor before those.
      let isOpen = script.last.map { ";{,(".contains($0) } ?? true
      if !isOpen && !"})]?:&|".contains(line.first ?? " ") { script += "\n" }
      script += line
    }
    script = script.replacing(";}", with: "}").replacing(#/\bconst\b ?([\[{]| )/#) {
      "let\($0.output.1)"
    }
    if script.contains("undefined") {
      script = script.replacing("undefined", with: "_") + "\nvar _"
    }
    return shortened(script)
      .replacing(#/([^\w$])\((\w+)\)=>/#) { "\($0.output.1)\($0.output.2)=>" }
      .replacing(#/(let [\w$]+=[^;{}()\n`]*);let (?=[\w$])/#) { "\($0.output.1)," }
  }

  /// The script with short names for what has long ones of several words, or of capitals.
  ///
  /// No text has such a word; what is a member of an object somewhere keeps its name.
  private static func shortened(_ script: String) -> String {
    let declaration = #/(?:^|[;{})\n])(?:async )?(?:function|let) ([a-z]{2,}[A-Z]\w+|[A-Z_]{5,})/#
    let members = Set(script.matches(of: #/\.([a-z]\w+)/#).map(\.output.1))
    var short: [Substring: String] = [:]
    for match in script.matches(of: declaration)
    where short[match.output.1] == nil && !members.contains(match.output.1) {
      short[match.output.1] = "_" + String(short.count, radix: 36)
    }

    var text = ""
    var rest = script[...]
    while let start = rest.utf8.firstIndex(where: isOfName) {
      let word = rest[start...].prefix { $0.utf8.allSatisfy(isOfName) }
      text += rest[..<start]
      text += short[word] ?? String(word)
      rest = rest[word.endIndex...]
    }
    return text + rest
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (0x30...0x39).contains(byte)
      || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  /// A line without blanks at punctuation; texts keep theirs, and so do lines with regular expressions.
  private static func tightLine(_ line: Substring) -> String {
    if line.hasPrefix("//") { return "" }
    if ["(/", "= /", ": /", ", /"].contains(where: { line.contains($0) }) { return String(line) }
    var tight = ""
    var quote: Character?
    for index in line.indices {
      let character = line[index]
      if character == quote {
        quote = nil
      } else if quote == nil, "'\"`".contains(character) {
        quote = character
      }

      let next = line[line.index(after: index)...].first ?? " "
      let isSpare =
        quote == nil && character == " "
        && (isMark(tight.last ?? " ") || isMark(next)) && !isSign(tight.last, next)
      if !isSpare { tight.append(character) }
    }
    return tight
  }

  private static func isMark(_ character: Character) -> Bool {
    "=<>?:,;{}()&|*+-![]/%".contains(character)
  }

  /// Whether a blank keeps two signs from becoming another one, as in `a - -b`.
  private static func isSign(_ last: Character?, _ next: Character) -> Bool {
    last.map { "+-".contains($0) } ?? false && "+-".contains(next)
  }

  // MARK: The style

  static func tightStyle(_ source: String) -> String {
    let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }
    let text = lines.filter { !$0.hasPrefix("/*") }.joined(separator: " ")
    return text.replacing(#/ *([{};,>]) */#) { String($0.output.1) }
      .replacing(": ", with: ":").replacing(";}", with: "}")
      .replacing("grid-template-columns:", with: "grid:none/")
  }
}
