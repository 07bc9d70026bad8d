import LifecycleModel
import TraceText

/// What comes from a log, a path or a rule is written so that each format shows it and obeys none of it.
extension InertText {
  private static func replace(_ text: String, _ replacements: [Character: String]) -> String {
    var replaced = ""
    // By scalars: a mark that joins the character before it must not hide that one.
    for scalar in text.unicodeScalars {
      if let replacement = replacements[Character(scalar)] {
        replaced += replacement
      } else {
        replaced.unicodeScalars.append(scalar)
      }
    }
    return replaced
  }

  // MARK: XML and HTML

  private static let entities: [Character: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
  ]

  /// Text or an attribute's value in XML or HTML, in one line.
  static func xml(_ text: String) -> String { replace(line(text), entities) }

  // MARK: Markdown

  /// A span of code: nothing in it means anything, in a table neither.
  static func code(_ text: String) -> String {
    let line = codeLine(text)
    return line.isEmpty ? "" : line.allSatisfy { $0 == " " } ? "`\"\(line)\"`" : "`\(line)`"
  }

  /// A line of a fenced block, which it cannot end.
  static func codeLine(_ text: String) -> String {
    replace(line(text), ["`": "\\u0060", "|": "\\u007c"])
  }

  /// Words of a sentence: a word that could mean something to Markdown is a span of code.
  package static func prose(_ text: String) -> String {
    line(text).split(separator: " ").map { word in
      let isActive =
        word.unicodeScalars.contains(where: active.contains) || word.hasPrefix("www.")
        || word.contains("://")
      if !isActive { return String(word) }
      let core = word.last.map { ";,.:".contains($0) } ?? false ? word.dropLast() : word
      return code(String(core)) + word[core.endIndex...]
    }.joined(separator: " ")
  }

  private static let active = Set("\\`*_{}[]<>|~@#&$!^=".unicodeScalars)

  // MARK: Workflow commands

  /// The message of a workflow command: its ends of lines are kept.
  static func commandMessage(_ lines: [String]) -> String {
    lines.map { replace(line($0), ["%": "%25"]) }.joined(separator: "%0A")
  }

  /// The value of a property of a workflow command.
  static func commandProperty(_ text: String) -> String {
    replace(line(text), ["%": "%25", ":": "%3A", ",": "%2C"])
  }

  // MARK: SARIF

  /// A plain message of SARIF, in which braces stand for arguments and brackets for links.
  static func sarif(_ text: String) -> String {
    replace(line(text), ["{": "{{", "}": "}}", "[": "\\[", "]": "\\]"])
  }

  /// The URI of a file: absolute for an absolute path, else relative.
  static func uri(_ path: String) -> String {
    var encoded = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}
