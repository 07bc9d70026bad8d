import LifecycleModel
import TraceAnalysis
import TraceText

/// The picture of a page for paper, and for where scripts and styles are forbidden: an SVG with attributes
/// alone, which no policy stops.
///
/// It takes the memory of what can be seen of it: what is narrower than a cell is drawn with what is
/// beside it.
struct PagePicture {
  fileprivate struct Row {
    /// The bars by their color: lines as wide as they are high.
    var bars: [String: String] = [:]
    /// Where the last bar ends.
    var right = 0.0
    var words = ""
    var cuts = ""
  }

  private static let width = 1000.0
  private static let left = 140.0
  private static let top = 26.0
  private static let rowHeight = 16.0
  /// So many rows of a lane, and so many lanes, are drawn.
  private static let (rowsDrawn, lanesDrawn) = (4, 40)

  /// A run of more events is drawn in wider cells: the page shall not be a picture for the most part.
  private static let fewEvents: UInt64 = 1000

  private let axis: TimeAxis
  private let cell: Double
  private let texts: LaneText
  private var rows: [[Row]] = []
  private var marks: [Row] = []
  private var lines: Set<Line> = []

  /// A line through all lanes, of which those at one place are one.
  private struct Line: Hashable {
    let x: String
    let color: String
  }

  init(_ axis: TimeAxis, _ vocabulary: Vocabulary, events: UInt64) {
    self.axis = axis
    cell = events > PagePicture.fewEvents ? 4 : 1
    texts = LaneText(vocabulary)
  }

  /// Where an instant lies, of a width of 1000.
  func x(_ instant: Instant) -> Double {
    let place = axis.position(of: instant)
    return PagePicture.left + (PagePicture.width - PagePicture.left - 10) * place
  }

  // MARK: What is drawn

  /// Draws what an event changed; `lanes` are those of the fold.
  mutating func observe(_ change: LaneChange, _ lanes: [Lane]) {
    switch change {
    case .end(let bar, let end): draw(bar, end, lanes[bar.lane])
    case .mark(let lane, _, _, let instant), .value(let lane, _, _, let instant):
      draw(lane, at: instant, lanes[lane])
    case .gap(_, _, let from, let to):
      for instant in [from, to] { drawLine(at: instant, PageColor.warning) }
    case .death(_, _, let instant): drawLine(at: instant, PageColor.error)
    case .begin: break
    }
  }

  private mutating func drawLine(at instant: Instant, _ color: String) {
    if axis.extent.contains(instant) { lines.insert(Line(x: x(instant).short, color: color)) }
  }

  private mutating func draw(_ bar: LaneBar, _ end: LaneEnd, _ lane: Lane) {
    guard let row = bar.row, row < PagePicture.rowsDrawn, bar.lane < PagePicture.lanesDrawn,
      (bar.begin...end.instant).overlaps(axis.extent)
    else { return }
    while rows.count <= bar.lane { rows.append([]) }
    while rows[bar.lane].count <= row { rows[bar.lane].append(Row()) }

    let (left, right) = (x(bar.begin), x(end.instant))
    let color = PageColor.fill(bar.content, lane)
    if rows[bar.lane][row].add(left, right, color, cell) {
      rows[bar.lane][row].write(texts.shortText(bar), left, right, color)
    }
    if end.cause == .died, case .span = bar.content, axis.extent.contains(end.instant) {
      rows[bar.lane][row].cuts += "M\(right.short) -6v12"
    }
  }

  private mutating func draw(_ lane: Int, at instant: Instant, _ kind: Lane) {
    guard lane < PagePicture.lanesDrawn, axis.extent.contains(instant) else { return }
    while marks.count <= lane { marks.append(Row()) }
    let x = x(instant)
    _ = marks[lane].add(x, x, PageColor.fill(.span, kind), cell)
  }

  // MARK: What is written

  /// A flag at the instant of a finding.
  typealias Flag = (number: Int, instant: Instant, severity: Severity)

  /// The picture, with a flag for each finding at its instant.
  func markup(_ lanes: [Lane], _ order: [Int], flags: [Flag]) -> Markup {
    let (rows, height) = drawn(lanes, order)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 \(verbatim: height.short)" \
      width="1000" role="img" aria-label="Timeline; the lists tell the same" \
      font-family="sans-serif" font-size="11" fill="#333" stroke-width="14">\
      <rect width="1000" height="100%" fill="#fff"/>\
      \(rows)\(drawnLines(flags, height))\(flags.map(flag))</svg>
      """
  }

  /// The lanes from top to bottom, and how high they are together.
  private func drawn(_ lanes: [Lane], _ order: [Int]) -> (Markup, height: Double) {
    var y = PagePicture.top
    var body: Markup = ""
    let shown = order.filter { $0 < PagePicture.lanesDrawn }
    for lane in shown {
      let title = InertText.line(lanes[lane].title)
      body += "<text x=\"4\" y=\"\(verbatim: (y + 12).short)\">\(title)</text>"
      var drawn = lane < rows.count ? rows[lane] : []
      if lane < marks.count, drawn.isEmpty { drawn = [marks[lane]] }
      for row in drawn {
        body += row.markup(y)
        y += PagePicture.rowHeight
      }
      y += 4
    }

    if shown.count < order.count {
      let left = CountText.of(order.count - shown.count, "more lane")
      body += "<text x=\"4\" y=\"\(verbatim: (y + 12).short)\">and \(left)</text>"
      y += PagePicture.rowHeight
    }
    return (body, y + 4)
  }

  /// The lines across all lanes, those of one color as one path.
  private func drawnLines(_ flags: [Flag], _ height: Double) -> Markup {
    let all = lines.union(
      flags.map { Line(x: x($0.instant).short, color: PageColor.of($0.severity)) })
    let byColor = Dictionary(grouping: all, by: \.color).sorted { $0.key < $1.key }
    let paths = byColor.map { color, lines in
      let places = lines.map(\.x).sorted()
      let path = places.map { "M\($0) 20V\((height - 4).short)" }.joined()
      return "<path d=\"\(path)\" stroke=\"\(color)\" stroke-width=\"1\"/>"
    }
    return Markup(verbatim: paths.joined())
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
  /// Adds a bar; false where it lies in the same point as the one before.
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

/// The colors of the style's light theme.
enum PageColor {
  static let error = "#b3261e"
  static let warning = "#8a5a00"
  static let inactive = "#bd8519"

  static func of(_ severity: Severity) -> String {
    switch severity {
    case .error: error
    case .warning: warning
    case .info: "#2a5ca8"
    }
  }

  static func fill(_ content: LaneBar.Content, _ lane: Lane) -> String {
    switch content {
    case .state("active"), .state("foregroundActive"): "#2e7d5b"
    case .state("inactive"), .state("foregroundInactive"): inactive
    case .state("background"): "#4a5a78"
    case .state, .suspension, .process: "#6b6f76"
    case .span: fill(PageLanes.group(lane.kind))
    }
  }

  private static func fill(_ group: String) -> String {
    switch group {
    case "thread": "#6656b3"
    case "task": "#0f7686"
    case "held": "#a5532a"
    case "unsaved": "#a8487a"
    case "delivery": "#5e7020"
    case "counter": "#2a5ca8"
    default: "#34373d"
    }
  }
}

extension Double {
  /// In whole numbers.
  fileprivate var short: String { String(Int(rounded())) }
}
