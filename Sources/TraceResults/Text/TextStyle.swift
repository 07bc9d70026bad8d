import TraceAnalysis

/// How text looks: colours for a terminal, or none, and how wide it is.
public struct TextStyle: Sendable {
  /// How wide prose is where no terminal says: the same bytes in every pipe.
  static let standardWidth = 96
  /// Prose is no wider than this: longer lines are hard to read.
  private static let widestProse = 110
  /// Narrower than this nothing can be laid out.
  private static let narrowest = 40

  private let isColored: Bool
  /// How wide the terminal is; `nil` where there is none.
  private let columns: Int?

  private init(isColored: Bool, columns: Int? = nil) {
    self.isColored = isColored
    self.columns = columns
  }

  /// No escape sequences: for files, pipes and people who set `NO_COLOR`.
  public static let plain = TextStyle(isColored: false)

  /// ANSI colours.
  public static let colored = TextStyle(isColored: true)

  /// The same for a terminal with this number of columns; `nil` and 0 stand for no terminal, where prose is
  /// 96 columns wide and lines of data are never broken.
  public func wide(_ columns: Int?) -> TextStyle {
    TextStyle(
      isColored: isColored,
      columns: columns.flatMap { $0 > 0 ? max($0, TextStyle.narrowest) : nil })
  }

  /// How wide prose is.
  package var width: Int {
    columns.map { min($0, TextStyle.widestProse) } ?? TextStyle.standardWidth
  }

  package func bold(_ text: String) -> String { wrap(text, "1") }
  package func dim(_ text: String) -> String { wrap(text, "2") }
  package func good(_ text: String) -> String { wrap(text, "32") }

  package func severity(_ severity: Severity, _ text: String) -> String {
    tone(Verdict.Tone(severity), text)
  }

  package func tone(_ tone: Verdict.Tone, _ text: String) -> String { wrap(text, tone.look.color) }

  /// A line of data behind `indent`: broken where a terminal is too narrow for it, whole elsewhere.
  ///
  /// Further lines stand `hanging` columns further to the right.
  package func data(_ line: String, indent: String, hanging: Int) -> [String] {
    guard let columns, indent.count + line.count > columns else { return [indent + line] }
    let margin = indent + String(repeating: " ", count: min(hanging, columns / 3))
    let head = line.prefix(hanging)
    // The columns of a line are kept; what stands behind them is broken.
    let rest = Wrap.lines(
      String(line.dropFirst(hanging)), indent: margin, width: columns, keepsBlanks: true)
    let lines = rest.split(separator: "\n").map(String.init)
    guard let first = lines.first else { return [indent + line] }
    return [indent + head + first.dropFirst(margin.count)] + lines.dropFirst()
  }

  /// A line that may have colours in it, broken where a terminal is too narrow for it.
  package func line(_ text: String) -> String {
    columns.map { Wrap.lines(text, indent: "", hanging: "  ", width: $0) } ?? text
  }

  /// A title in bold, and lines under it; `nil` without lines.
  ///
  /// A line that is too long goes on `hanging` columns further to the right.
  package func section(_ title: String, _ lines: [String], hanging: Int = 2) -> String? {
    if lines.isEmpty { return nil }
    return ([bold(title)] + lines.flatMap { data($0, indent: "  ", hanging: hanging) })
      .joined(separator: "\n")
  }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Breaks text into lines.
package enum Wrap {
  /// `text` in lines of at most `width` columns, the first after `indent`, the others after `hanging`.
  ///
  /// Colours take no columns. No line begins with a word's `::`: a build server would take it for a command.
  /// Runs of blanks are one, but for `keepsBlanks`.
  package static func lines(
    _ text: String, indent: String, hanging: String? = nil,
    width: Int = TextStyle.standardWidth, keepsBlanks: Bool = false
  ) -> String {
    var lines: [String] = []
    var line = ""
    var taken = 0
    func margin() -> String { lines.isEmpty ? indent : hanging ?? indent }

    let words = text.split(omittingEmptySubsequences: !keepsBlanks) { $0 == " " || $0 == "\n" }
    for word in words {
      let columns = visible(word)
      if !line.isEmpty && margin().count + taken + 1 + columns > width && !word.hasPrefix("::") {
        lines.append(margin() + line)
        (line, taken) = ("", 0)
      }
      taken += line.isEmpty ? columns : columns + 1
      line += line.isEmpty ? String(word) : " \(word)"
    }

    if !line.isEmpty { lines.append(margin() + line) }
    return lines.joined(separator: "\n")
  }

  /// How many columns a word takes, without the colours in it.
  private static func visible(_ word: Substring) -> Int {
    word.utf8.contains(0x1b) ? word.replacing(/\u{1b}[^m]*m/, with: "").count : word.count
  }

  /// `text` after a heading of a fixed width; further lines stand under its first word.
  package static func entry(
    _ heading: String, _ text: String, indent: String, width: Int = TextStyle.standardWidth
  ) -> String {
    let padded = indent + pad(heading, 9)
    let hanging = String(repeating: " ", count: padded.count)
    let wrapped = lines(text, indent: padded, hanging: hanging, width: width)
    return wrapped.isEmpty ? padded : wrapped
  }

  /// Lines of data, of which the first stands after a heading.
  package static func entries(_ heading: String, _ lines: [String]) -> [String] {
    lines.enumerated().map { "  " + pad($0.offset == 0 ? heading : "", 9) + $0.element }
  }
}
