import Foundation

/// What a terminal shows, as a picture: text with the colours that the program prints, in SVG.
///
/// The card is dark on every page. Each run of one colour stands at its own column, so that the
/// columns stay whatever font the reader has.
struct TerminalPicture {
  private static let columnWidth = 8.0
  private static let lineHeight = 19.0
  private static let fontSize = 13.2
  private static let margin = 20.0

  /// A run of characters that look the same.
  private struct Run {
    var text: String
    var column: Int
    var isBold: Bool
    var color: String
  }

  private let lines: [String]
  private let title: String

  /// Makes a picture of `text`, in which escape sequences set the colours; `title` says what it
  /// shows to who cannot see it.
  init(_ text: String, title: String) {
    lines = text.components(separatedBy: "\n")
    self.title = title
  }

  /// The picture.
  var svg: String {
    let rows = lines.map(TerminalPicture.runs)
    let columns = rows.compactMap(\.last).map { $0.column + $0.text.count }.max() ?? 0
    let width = Int(Double(columns) * Self.columnWidth + 2 * Self.margin)
    let height = Int(Double(rows.count) * Self.lineHeight + 2 * Self.margin)

    var svg = """
      <!-- Generated from a run of tracectl. Do not edit: PictureTests says how it is made. -->
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-label="\(TerminalPicture.escaped(title))">
      <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="9" fill="#161b22" \
      stroke="#57606a"/>
      <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" \
      font-size="\(Self.fontSize)" xml:space="preserve">

      """
    for (row, runs) in rows.enumerated() {
      let baseline = Self.margin + (Double(row) + 0.75) * Self.lineHeight
      svg += runs.map { TerminalPicture.element($0, baseline) }.joined()
    }
    return svg + "</g>\n</svg>\n"
  }

  private static func element(_ run: Run, _ baseline: Double) -> String {
    let weight = run.isBold ? " font-weight=\"bold\"" : ""
    let place = "x=\"\(margin + Double(run.column) * columnWidth)\" y=\"\(baseline)\""
    let length = "textLength=\"\(Double(run.text.count) * columnWidth)\""
    return "<text \(place) \(length) fill=\"\(run.color)\"\(weight)>\(escaped(run.text))</text>\n"
  }

  /// The runs of a line; blanks between them are left out.
  private static func runs(_ line: String) -> [Run] {
    var runs: [Run] = []
    var column = 0
    var look = (isBold: false, color: "#d1d7e0")
    for (index, part) in line.components(separatedBy: "\u{1b}[").enumerated() {
      var text = part[...]
      if index > 0, let end = text.firstIndex(of: "m") {
        look = self.look(of: text[..<end])
        text = text[text.index(after: end)...]
      }
      for match in text.matches(of: /[^ ]+(?: [^ ]+)*/) {
        let place = column + text.distance(from: text.startIndex, to: match.startIndex)
        runs.append(
          Run(text: String(match.0), column: place, isBold: look.isBold, color: look.color))
      }
      column += text.count
    }
    return runs
  }

  private static func look(of codes: Substring) -> (isBold: Bool, color: String) {
    var look = (isBold: false, color: "#d1d7e0")
    for code in codes.split(separator: ";") {
      switch code {
      case "1": look = (true, "#f0f3f6")
      case "2": look.color = "#9198a1"
      case "31": look.color = "#ff8e86"
      case "32": look.color = "#56d364"
      case "33": look.color = "#e3b341"
      case "36": look.color = "#56d4dd"
      default: break
      }
    }
    return look
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
