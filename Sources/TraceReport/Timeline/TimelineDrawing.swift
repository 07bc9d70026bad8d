import LifecycleModel
import Run
import TraceText

/// Draws a run as text, event by event: a row a lane, from left to right along an axis.
///
/// ```
///               0s      0.2s                  12s        12.6s                            46.1s
/// App             ▒▒▒▒▒▒█ active █████████████▒ inactive ░ background ░░░░░░░░░░░░░░░░░░░░░░░░░
/// System        ┣━ process 412 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✗
/// ```
/// It takes the memory of the picture's cells and of what is open: a run may be of any length.
package struct TimelineDrawing {
  /// How a picture looks.
  package struct Look: Sendable {
    /// How many columns it takes.
    package var width: Int
    /// Its characters.
    package var ink: PictureInk
    /// Its colors.
    package var style: TextStyle

    /// Makes a look; a picture takes 50 columns at least.
    package init(width: Int = 100, ink: PictureInk = .unicode, style: TextStyle = .plain) {
      (self.width, self.ink, self.style) = (max(width, 50), ink, style)
    }
  }

  private static let titleWidth = 17
  /// At most this many rows of a lane are drawn.
  private static let rowsDrawn = 4
  /// At most this many ends of processes are named, those at the end of the run.
  private static let deathsDrawn = 8
  /// At most this many lanes are drawn.
  private static let lanesDrawn = 40

  private let axis: TimeAxis
  private let look: Look
  private let results: AnalysisResults
  private let columns: Int
  private let text: LaneText
  private var fold: LaneFold
  /// The rows of each lane, by its place in the fold.
  private var rows: [[PictureRow]] = []
  /// The greatest value in each column of a counter, by its lane.
  private var values: [Int: [Int64?]] = [:]
  /// How many bars of a lane had no row.
  private var leftOut: [Int: Int] = [:]
  private var missing: PictureRow
  /// The last ends of processes, each with its column.
  private var deaths: [(column: Int, text: String)] = []
  /// How many lanes are not drawn, since there are too many.
  private var lanesLeftOut: Set<Int> = []

  /// Begins a picture of a run that was analyzed, whose events belong to `vocabulary`.
  package init(
    _ results: AnalysisResults, on axis: TimeAxis, _ vocabulary: Vocabulary,
    _ look: Look = Look()
  ) {
    (self.results, self.axis, self.look) = (results, axis, look)
    columns = look.width - TimelineDrawing.titleWidth
    fold = LaneFold(vocabulary)
    text = LaneText(vocabulary)
    missing = PictureRow(width: columns)
  }

  /// Draws the next events.
  package mutating func draw(_ events: [Event]) {
    for event in events { draw(fold.observe(event)) }
    fold.forgetUnusedWords()
  }

  /// Draws what is open at the end of the run; the lines of the picture, and under it one for each finding.
  package mutating func finish() -> [String] {
    draw(fold.finish())
    var lines = [line("", ruler)]
    for lane in fold.lanes.pictureOrder { lines += self.lines(of: lane) }
    if !missing.isEmpty { lines.append(line("Events missing", missing)) }
    if !lanesLeftOut.isEmpty { lines.append("+\(CountText.of(lanesLeftOut.count, "more lane"))") }

    let findings = TimelineFindings(results.findings, in: axis.extent)
    let flags = findings.row(columns) { column(of: $0) }
    if !flags.isEmpty { lines.append(line("Findings", flags)) }
    return lines + deaths.map(line) + findings.lines(look.style)
  }

  // MARK: Columns

  /// Whether the instant lies in the part of the run that is drawn.
  private func isShown(_ instant: Instant) -> Bool { axis.extent.contains(instant) }

  private func place(_ instant: Instant) -> Double { axis.position(of: instant) * Double(columns) }

  private func column(of instant: Instant) -> Int { min(columns - 1, Int(place(instant))) }

  // MARK: Bars and marks

  private mutating func draw(_ changes: [LaneChange]) {
    for change in changes {
      switch change {
      case .begin: break
      case .end(let bar, let end): draw(bar, end)
      case .mark(let lane, let event, _, let instant): draw(lane, event, at: instant)
      case .value(let lane, let value, _, let instant): draw(lane, value, at: instant)
      case .gap(_, _, let from, let to): drawGap(from, to)
      case .death(let event, _, let instant) where isShown(instant):
        deaths.append((column(of: instant), text.text(event)))
        if deaths.count > TimelineDrawing.deathsDrawn { deaths.removeFirst() }
      case .death: break
      }
    }
  }

  private mutating func drawGap(_ from: Instant, _ to: Instant) {
    guard from <= axis.extent.upperBound, to >= axis.extent.lowerBound else { return }
    for column in column(of: from)...column(of: to) {
      missing.put(look.ink.missing, .bad, at: column, cover: 1)
    }
  }

  private mutating func draw(_ bar: LaneBar, _ end: RunEnd) {
    guard bar.begin <= axis.extent.upperBound, end.instant >= axis.extent.lowerBound else { return }
    guard let row = row(bar.lane, bar.row) else { return }
    let (left, right) = (place(bar.begin), place(end.instant))
    let first = column(of: bar.begin)
    let last = max(first, min(columns - 1, Int(right.rounded(.up)) - 1))
    let tone = tone(bar, end)

    for column in first...last {
      let cover = min(right, Double(column + 1)) - max(left, Double(column))
      let character = character(bar, end, column, first...last)
      rows[bar.lane][row].put(character, tone, at: column, cover: max(0, cover))
    }
    if last - first >= 4 { write(bar, tone, on: row, first + 1..<last) }
  }

  /// Writes what the bar is, if there is room for some of it.
  private mutating func write(
    _ bar: LaneBar, _ tone: PictureRow.Tone, on row: Int, _ columns: Range<Int>
  ) {
    let room = columns.count - 2
    let whole = [text.text(bar.run), text.shortText(bar.run)].first { $0.count <= room }
    guard whole != nil || room >= 8 else { return }
    let cut = text.text(bar.run).prefix(room - look.ink.ellipsis.count) + look.ink.ellipsis
    let shown = whole ?? String(cut)
    rows[bar.lane][row].write(" \(shown) ", tone, at: columns.lowerBound)
  }

  private func character(
    _ bar: LaneBar, _ end: RunEnd, _ column: Int, _ columns: ClosedRange<Int>
  ) -> Character {
    let ink = look.ink
    if case .state(let word) = bar.content { return ink.fill(word) }
    if bar.content == .suspension { return ink.missing }
    if columns.count == 1 { return end.cause == .died ? ink.died : ink.short }
    if column == columns.lowerBound { return ink.begin }
    guard column == columns.upperBound else { return ink.run }

    switch end.cause {
    case .closed, .replaced, .givenUp: return ink.end
    case .died: return ink.died
    case .endOfLog: return ink.open
    }
  }

  private func tone(_ bar: LaneBar, _ end: RunEnd) -> PictureRow.Tone {
    switch bar.content {
    case .state("active"), .state("foregroundActive"): .active
    case .state("inactive"), .state("foregroundInactive"): .inactive
    case .state("background"): .background
    case .suspension, .state, .process: .dim
    case .span: end.cause == .died ? .bad : .plain
    }
  }

  private mutating func draw(_ lane: Int, _ value: Int64, at instant: Instant) {
    guard isShown(instant) else { return }
    let column = self.column(of: instant)
    var row = values[lane] ?? Array(repeating: nil, count: columns)
    row[column] = max(value, row[column] ?? value)
    values[lane] = row
  }

  private mutating func draw(_ lane: Int, _ event: Event, at instant: Instant) {
    guard isShown(instant), let row = row(lane, 0) else { return }
    let column = self.column(of: instant)
    let isFirst = rows[lane][row][column] == " "
    let state = fold.state.appState
    let isBad = event.verb == .work && state != nil && state != .active
    rows[lane][row].put(
      isFirst ? look.ink.tick : look.ink.manyTicks, isBad ? .bad : .plain, at: column, cover: 0)
  }

  /// The row to draw on, which is made if it is missing; `nil` when there is no room for it.
  private mutating func row(_ lane: Int, _ row: Int?) -> Int? {
    while rows.count <= lane { rows.append([]) }
    if lane >= TimelineDrawing.lanesDrawn {
      lanesLeftOut.insert(lane)
      return nil
    }
    guard let row, row < TimelineDrawing.rowsDrawn else {
      leftOut[lane, default: 0] += 1
      return nil
    }

    while rows[lane].count <= row { rows[lane].append(PictureRow(width: columns)) }
    return row
  }

  // MARK: Lines

  /// A row behind its title.
  private func line(_ title: String, _ row: PictureRow) -> String {
    let text = row.text(look.style)
    return text.isEmpty ? title : pad(title, TimelineDrawing.titleWidth) + text
  }

  /// The end of a process, under the column where it is.
  private func line(_ death: (column: Int, text: String)) -> String {
    let margin = TimelineDrawing.titleWidth + death.column
    let words = look.style.severity(.error, death.text)
    let left = margin - death.text.count - 1
    // Left of its place, where there is room.
    return left >= 0
      ? String(repeating: " ", count: left) + words + " \(look.ink.death)"
      : String(repeating: " ", count: margin) + "\(look.ink.death) " + words
  }

  private func lines(of lane: Int) -> [String] {
    let title = InertText.line(fold.lanes[lane].title)
    let room = TimelineDrawing.titleWidth - 1
    let shown =
      title.count <= room ? title : String(title.prefix(room - 1) + look.ink.ellipsis.prefix(1))
    if let values = values[lane] { return [line(shown, levels(values))] }
    guard lane < rows.count else { return [] }

    var lines = rows[lane].enumerated().map { line($0 == 0 ? shown : "", $1) }
    if let more = leftOut[lane] {
      var row = PictureRow(width: columns)
      row.write("+\(more) more", .dim, at: 0)
      lines.append(line("", row))
    }
    return lines
  }

  private func levels(_ values: [Int64?]) -> PictureRow {
    var row = PictureRow(width: columns)
    let known = values.compactMap(\.self)
    guard let least = known.min(), let greatest = known.max() else { return row }
    for (column, value) in values.enumerated() {
      guard let value else { continue }
      let share = greatest > least ? Double(value - least) / Double(greatest - least) : 0
      let level = look.ink.levels[Int(share * Double(look.ink.levels.count - 1))]
      row.put(level, .plain, at: column, cover: 1)
    }
    return row
  }

  /// The instants at the edges and those of the turns, as far as there is room.
  private var ruler: PictureRow {
    var row = PictureRow(width: columns)
    let turns = results.log?.milestones.map(\.event.instant) ?? []
    let edges = [axis.extent.lowerBound, axis.extent.upperBound]
    for instant in edges + turns where isShown(instant) {
      let words = TimeText.instant(instant)
      let column = min(self.column(of: instant), columns - words.count)
      let room = max(0, column - 1)..<min(columns, column + words.count + 1)
      if row.isFree(room) { row.write(words, .dim, at: column) }
    }
    return row
  }
}
