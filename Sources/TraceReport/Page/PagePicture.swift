import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// The picture of a page for paper, and for where scripts and styles are forbidden: an SVG with attributes
/// alone, which no policy stops.
///
/// It takes the memory of what can be seen of it: a bar that is narrower than a cell is drawn with those
/// beside it.
struct PagePicture {
  /// A flag at the instant of a finding.
  typealias Flag = (number: Int, instant: Instant, severity: Severity)

  /// Bars that are disjoint and in order.
  fileprivate struct Row {
    /// The bars by their color, as the lines of a path that is as wide as the row is high.
    var bars: [String: String] = [:]
    /// Where the last bar ends.
    var right = 0.0
    var words = ""
    /// The ends of bars whose process ended.
    var cuts = ""
  }

  /// A line through all lanes, of which those at one place are one.
  private struct Line: Hashable {
    let x: String
    let color: String
  }

  private static let (left, right, top, rowHeight) = (140.0, 990.0, 26.0, 16.0)
  /// At most this many rows of a lane, and this many lanes, are drawn.
  private static let (rowLimit, laneLimit) = (4, 40)
  /// A run of more events is drawn in wider cells, so that the picture is a small part of the page.
  private static let fewEvents: UInt64 = 1000

  private let axis: TimeAxis
  private let cell: Double
  private let texts: LaneText
  /// The rows of the lanes, with the marks of each as its last row.
  private var grid = Array(
    repeating: Array(repeating: Row(), count: rowLimit + 1), count: laneLimit)
  private var lines: Set<Line> = []

  init(_ axis: TimeAxis, _ vocabulary: Vocabulary, events: UInt64) {
    self.axis = axis
    cell = events > PagePicture.fewEvents ? 4 : 1
    texts = LaneText(vocabulary)
  }

  private func x(_ instant: Instant) -> Double {
    PagePicture.left + (PagePicture.right - PagePicture.left) * axis.position(of: instant)
  }

  // MARK: Drawing

  /// Draws what an event changed; `lanes` are those of the fold.
  mutating func observe(_ change: LaneChange, _ lanes: [Lane]) {
    switch change {
    case .end(let bar, let end): draw(bar, end, lanes[bar.lane])
    case .mark(let lane, _, _, let instant), .value(let lane, _, _, let instant):
      guard lane < PagePicture.laneLimit, axis.extent.contains(instant) else { return }
      let color = PageColor.fill(.span, "", lanes[lane])
      _ = grid[lane][PagePicture.rowLimit].add(x(instant), x(instant), color, cell)
    case .gap(_, _, let from, let to):
      for instant in [from, to] { drawLine(at: instant, PageColor.warning) }
    case .death(_, _, let instant): drawLine(at: instant, PageColor.error)
    case .begin: break
    }
  }

  private mutating func drawLine(at instant: Instant, _ color: String) {
    if axis.extent.contains(instant) { lines.insert(Line(x: x(instant).short, color: color)) }
  }

  private mutating func draw(_ bar: LaneBar, _ end: RunEnd, _ lane: Lane) {
    guard let row = bar.row, row < PagePicture.rowLimit, bar.lane < PagePicture.laneLimit,
      (bar.begin...end.instant).overlaps(axis.extent)
    else { return }
    let (left, right, word) = (x(bar.begin), x(end.instant), texts.shortText(bar.run))
    let color = PageColor.fill(bar.content, word, lane)
    if grid[bar.lane][row].add(left, right, color, cell) {
      grid[bar.lane][row].write(word, left, right, color)
    }
    if end.cause == .died, case .span = bar.content, axis.extent.contains(end.instant) {
      grid[bar.lane][row].cuts += "M\(right.short) -6v12"
    }
  }

  // MARK: Writing

  /// The picture with the lanes in this order, and with a flag for each finding that it contains.
  func markup(_ lanes: [Lane], _ order: [Int], flags: [Flag]) -> Markup {
    let shown = order.filter { $0 < PagePicture.laneLimit }
    var y = PagePicture.top
    var body: Markup = ""
    for lane in shown {
      body += text(InertText.line(lanes[lane].title), at: y)
      let bars = grid[lane].dropLast().filter { !$0.bars.isEmpty }
      for row in bars.isEmpty ? grid[lane].suffix(1) : bars[...] {
        body += row.markup(y)
        y += PagePicture.rowHeight
      }
      y += 4
    }
    if shown.count < order.count {
      body += text("and " + CountText.of(order.count - shown.count, "more lane"), at: y)
      y += PagePicture.rowHeight
    }

    let flags = flags.filter { axis.extent.contains($0.instant) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 \(verbatim: (y + 4).short)" \
      width="1000" role="img" aria-label="Timeline; the lists contain the same" \
      font-family="sans-serif" font-size="11" fill="#333" stroke-width="14">\
      <rect width="1000" height="100%" fill="#fff"/>\
      \(body)\(lines(flags, to: y))\(flags.map(flag))</svg>
      """
  }

  private func text(_ text: String, at y: Double) -> Markup {
    "<text x=\"4\" y=\"\(verbatim: (y + 12).short)\">\(text)</text>"
  }

  /// The lines across all lanes, those of one color as one path.
  private func lines(_ flags: [Flag], to bottom: Double) -> [Markup] {
    let all = lines.union(
      flags.map { Line(x: x($0.instant).short, color: PageColor.of($0.severity)) })
    return Dictionary(grouping: all, by: \.color).sorted { $0.key < $1.key }.map { color, lines in
      let path = lines.map(\.x).sorted().map { "M\($0) 20V\(bottom.short)" }.joined()
      return "<path d=\"\(path)\" stroke=\"\(color)\" stroke-width=\"1\"/>"
    }
  }

  private func flag(_ flag: Flag) -> Markup {
    let (x, color) = (x(flag.instant).short, PageColor.of(flag.severity))
    return """
      <circle cx="\(verbatim: x)" cy="12" r="8" fill="\(color)"/><text x="\(verbatim: x)" y="16" \
      fill="#fff" text-anchor="middle">\(flag.number)</text>
      """
  }
}

extension PagePicture.Row {
  /// Adds a bar; false where it lies in the same cell as the one before.
  fileprivate mutating func add(
    _ left: Double, _ right: Double, _ color: String, _ cell: Double
  ) -> Bool {
    let (begin, end) = (max(left, self.right).rounded(), max(right, left + cell).rounded())
    if end < self.right + cell { return false }
    bars[color, default: ""] += "M\(begin.short) 0h\((end - begin).short)"
    self.right = end
    return true
  }

  /// Writes on a bar what it is, where there is room.
  fileprivate mutating func write(
    _ text: String, _ left: Double, _ right: Double, _ color: String
  ) {
    guard right - left > 6.5 * Double(text.count) + 6 else { return }
    let ink = color == PageColor.inactive ? "#111" : "#fff"
    let markup: Markup = """
      <text x="\(verbatim: (left + 4).short)" y="4" fill="\(ink)">\(text)</text>
      """
    words += markup.html
  }

  /// The row at this height.
  fileprivate func markup(_ y: Double) -> Markup {
    let paths = bars.sorted { $0.key < $1.key }.map { color, path in
      "<path d=\"\(path)\" stroke=\"\(color)\"/>"
    }
    let cut =
      cuts.isEmpty ? "" : "<path d=\"\(cuts)\" stroke=\"\(PageColor.error)\" stroke-width=\"3\"/>"
    let parts = paths.joined() + cut + words
    return Markup(verbatim: "<g transform=\"translate(0 \((y + 8).short))\">\(parts)</g>")
  }
}

/// The colors of the style's light theme, by its words.
enum PageColor {
  static let error = "#b3261e"
  static let warning = "#8a5a00"
  static let inactive = "#bd8519"

  private static let states = [
    "active": "#2e7d5b", "inactive": inactive, "background": "#4a5a78",
  ]
  private static let groups = [
    "thread": "#6656b3", "task": "#0f7686", "held": "#a5532a", "unsaved": "#a8487a",
    "delivery": "#5e7020", "counter": "#2a5ca8",
  ]
  private static let severities: [Severity: String] = [
    .error: error, .warning: warning, .info: "#2a5ca8",
  ]

  static func of(_ severity: Severity) -> String { severities[severity] ?? error }

  /// The color of a bar in a lane, on which a state has its shorter word.
  static func fill(_ content: RunBar.Content, _ word: String, _ lane: Lane) -> String {
    switch content {
    case .state: states[word] ?? "#6b6f76"
    case .suspension, .process: "#6b6f76"
    case .span: groups[lane.kind.place.color] ?? "#34373d"
    }
  }
}

extension Double {
  /// In whole numbers.
  fileprivate var short: String { String(Int(rounded())) }
}
