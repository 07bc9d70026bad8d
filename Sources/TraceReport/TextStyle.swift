import TraceAnalysis

/// Colours for a terminal, or none.
public struct TextStyle: Sendable {
  private let isColored: Bool

  private init(isColored: Bool) { self.isColored = isColored }

  /// No escape sequences: for files, pipes and people who set `NO_COLOR`.
  public static let plain = TextStyle(isColored: false)

  /// ANSI colours.
  public static let colored = TextStyle(isColored: true)

  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func good(_ text: String) -> String { wrap(text, "32") }

  func severity(_ severity: Severity, _ text: String) -> String {
    switch severity {
    case .error: wrap(text, "1;31")
    case .warning: wrap(text, "1;33")
    case .info: wrap(text, "1;36")
    }
  }

  /// A title in bold, and lines under it.
  func section(_ title: String, _ lines: [String]) -> String {
    ([bold(title)] + lines.map { "  \($0)" }).joined(separator: "\n")
  }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Breaks text into lines.
enum Wrap {
  /// `text` in lines of at most `width` characters, each after `indent`.
  ///
  /// No line begins with a word's `::`: a build server would take it for a command.
  static func lines(_ text: String, indent: String, width: Int = 96) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !line.isEmpty && indent.count + line.count + 1 + word.count > width
        && !word.hasPrefix("::")
      {
        lines.append(indent + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    if !line.isEmpty { lines.append(indent + line) }
    return lines.joined(separator: "\n")
  }

  /// `text` after a heading of a fixed width; further lines stand under its first word.
  static func entry(_ heading: String, _ text: String, indent: String) -> String {
    let padded = pad(heading, 9)
    let hanging = indent + String(repeating: " ", count: padded.count)
    return indent + padded + lines(text, indent: hanging).dropFirst(hanging.count)
  }
}
