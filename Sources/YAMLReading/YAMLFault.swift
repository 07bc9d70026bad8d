import CYAML

/// Why a text is not YAML, in words that help.
struct YAMLFault: Error {
  /// The line, from 1.
  let line: Int
  /// The character in the line, from 1.
  let column: Int
  /// Whether the characters are wrong, whatever they mean.
  let isOfCharacters: Bool
  /// The parser's words; `nil` when it has none.
  private let problem: String?

  /// A problem at a place.
  init(_ problem: String?, line: Int, column: Int) {
    (self.problem, self.line, self.column, isOfCharacters) = (problem, line, column, false)
  }

  /// The problem that stopped a parser of these bytes.
  init(_ parser: yaml_parser_t, _ bytes: [UInt8]) {
    problem = parser.problem.map { String(cString: $0) }
    isOfCharacters = parser.error == YAML_READER_ERROR
    if isOfCharacters {
      let newline = UInt8(ascii: "\n")
      (line, column) = (bytes.prefix(parser.problem_offset).count { $0 == newline } + 1, 1)
    } else {
      let mark = parser.problem_mark
      (line, column) = (Int(mark.line) + 1, Int(mark.column) + 1)
    }
  }

  /// What is wrong and what to do.
  var message: String {
    guard let problem else { return "the file is not valid YAML" }
    if problem == YAMLFault.tooManyAliases { return problem }
    let known = YAMLFault.messages.first { problem.contains($0.part) }?.message
    return "invalid YAML: " + (known ?? "expected a key with a value, or an item of a list")
  }

  /// The problem of a text that is YAML, but might grow without end.
  static let tooManyAliases = "there are more than \(YAMLNodes.maximumAliases) aliases (*name)"

  /// Parts of the parser's problems; the first that a problem contains counts.
  private static let messages: [(part: String, message: String)] = [
    (
      "another document",
      "expected one document, found another behind ---; move it to a file of its own"
    ),
    ("nesting level", "expected at most 1000 levels of lists and mappings"),
    ("',' or ']'", "expected , or ] in a list that [ begins"),
    ("',' or '}'", "expected , or } in a mapping that { begins"),
    ("'-' indicator", "expected -, as in the other items of this list"),
    ("expected ':'", "expected : after a key"),
    (
      "mapping values are not allowed",
      "expected no : here; put a text that contains : in quotes, or correct the indentation"
    ),
    (
      "block sequence entries are not allowed",
      "expected no - here; begin the list on its own line"
    ),
    ("mapping keys are not allowed", "expected no key here; begin the mapping on its own line"),
    (
      "did not find expected key",
      "expected a key; correct the indentation, or put the text before in quotes"
    ),
    ("node content", "expected a value"),
    ("unexpected end of stream", "expected the quote that ends a text, found the end of the file"),
    ("document indicator", "expected the quote that ends a text, found --- or ..."),
    ("cannot start any token", "expected a text in quotes: it begins with a special character"),
    ("alphabetic or numeric character", "expected a name after & or *"),
    (
      "unknown escape",
      "expected a known escape after \\; a text in single quotes takes \\ as it is"
    ),
    ("hexdecimal", "expected hexadecimal digits after \\x, \\u or \\U"),
    ("escape character code", "expected the code of a character after \\x, \\u or \\U"),
    ("tab character", "expected spaces, found a tab"),
    ("undefined alias", "expected an alias (*name) whose anchor (&name) stands before it"),
    ("anchor", "expected an alias (*name) whose anchor (&name) stands before it"),
    ("tag", "expected no tag (!) here"),
    ("directive", "expected no directive (%) here; put a text that begins with % in quotes"),
    ("YAML document", "expected no directive (%) here; put a text that begins with % in quotes"),
    ("<document start>", "expected one mapping or list, found text behind it"),
    ("indentation indicator", "expected an indentation from 1 to 9 after | or >"),
    ("comment or line break", "expected the end of the line after | or >"),
    ("control characters", "expected text without control characters"),
    ("UTF-", "expected UTF-8 text"),
    ("surrogate", "expected UTF-8 text"),
    ("Unicode", "expected UTF-8 text"),
  ]
}
