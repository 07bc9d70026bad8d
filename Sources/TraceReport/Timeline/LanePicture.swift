import LifecycleModel
import Run
import TraceText

/// Draws the lanes of a run as text: a row a lane, from left to right along an axis.
///
/// ```
///               0s      0.2s                  12s        12.6s                            46.1s
/// App             ▒▒▒▒▒▒█ active █████████████▒ inactive ░ background ░░░░░░░░░░░░░░░░░░░░░░░░░
/// System        ┣━ process 412 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✗
/// ```
/// It takes the memory of the picture's cells: a run may be of any length.
struct LanePicture {
  private static let titleWidth = 17
  /// At most this many rows of a lane are drawn.
  private static let rowsDrawn = 4
  /// At most this many ends of processes are named, those at the end of the run.
  private static let deathsDrawn = 8
  /// At most this many lanes are drawn.
  private static let lanesDrawn = 40

  private let axis: TimeAxis
  private let columns: Int
  private let ink: PictureInk
  private let text: LaneText
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

  /// Begins a picture of `width` columns of a run whose events belong to `vocabulary`.
  init(on axis: TimeAxis, _ vocabulary: Vocabulary, width: Int, _ ink: PictureInk = .unicode) {
    (self.axis, self.ink) = (axis, ink)
    columns = width - LanePicture.titleWidth
    text = LaneText(vocabulary)
    missing = PictureRow(width: columns)
  }

  // MARK: Columns

  /// Whether the instant lies in the part of the run that is drawn.
  private func isShown(_ instant: Instant) -> Bool { axis.extent.contains(instant) }

  private func place(_ instant: Instant) -> Double { axis.position(of: instant) * Double(columns) }

  private func column(of instant: Instant) -> Int { min(columns - 1, Int(place(instant))) }

  // MARK: Bars and marks

  /// Draws what an event changed, behind which the app is in a state.
  mutating func draw(_ change: LaneChange, _ app: AppState?) {
    switch change {
    case .begin: break
    case .end(let bar, let end): draw(bar, end)
    case .mark(let lane, let event, _, let instant):
      let isBad = event.verb == .work && app != nil && app != .active
      draw(lane, isBad ? .bad : .plain, at: instant)
    case .value(let lane, let value, _, let instant): draw(lane, value, at: instant)
    case .gap(_, _, let from, let to): drawGap(from, to)
    case .death(let event, _, let instant) where isShown(instant):
      deaths.append((column(of: instant), text.text(event)))
      if deaths.count > LanePicture.deathsDrawn { deaths.removeFirst() }
    case .death: break
    }
  }

  private mutating func drawGap(_ from: Instant, _ to: Instant) {
    guard from <= axis.extent.upperBound, to >= axis.extent.lowerBound else { return }
    for column in column(of: from)...column(of: to) {
      missing.put(ink.missing, .bad, at: column, cover: 1)
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
    let cut = text.text(bar.run).prefix(room - ink.ellipsis.count) + ink.ellipsis
    let shown = whole ?? String(cut)
    rows[bar.lane][row].write(" \(shown) ", tone, at: columns.lowerBound)
  }

  private func character(
    _ bar: LaneBar, _ end: RunEnd, _ column: Int, _ columns: ClosedRange<Int>
  ) -> Character {
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

  private mutating func draw(_ lane: Int, _ tone: PictureRow.Tone, at instant: Instant) {
    guard isShown(instant), let row = row(lane, 0) else { return }
    let column = self.column(of: instant)
    let isFirst = rows[lane][row][column] == " "
    rows[lane][row].put(isFirst ? ink.tick : ink.manyTicks, tone, at: column, cover: 0)
  }

  /// The row to draw on, which is made if it is missing; `nil` when there is no room for it.
  private mutating func row(_ lane: Int, _ row: Int?) -> Int? {
    while rows.count <= lane { rows.append([]) }
    if lane >= LanePicture.lanesDrawn {
      lanesLeftOut.insert(lane)
      return nil
    }
    guard let row, row < LanePicture.rowsDrawn else {
      leftOut[lane, default: 0] += 1
      return nil
    }

    while rows[lane].count <= row { rows[lane].append(PictureRow(width: columns)) }
    return row
  }

  // MARK: Lines

  /// What gives a piece of text the look of its tone.
  typealias Paint = (String, PictureRow.Tone) -> String

  /// The lines: a ruler with these turns, `lanes`, which are those of the fold, with a number for each finding
  /// that has room, and the ends of processes.
  func lines(
    _ lanes: [Lane], turns: [Instant], _ findings: [ReportedFinding], _ paint: Paint
  ) -> [String] {
    let marked = [axis.extent.lowerBound, axis.extent.upperBound] + turns
    let ruler = row(marked.map { (TimeText.instant($0), $0) }, .dim, move: false)
    var lines = [(title: "", row: ruler)]
    for lane in lanes.pictureOrder { lines += self.lines(of: lane, lanes[lane]) }
    if !missing.isEmpty { lines.append(("Events missing", missing)) }
    let left = lanesLeftOut.count
    if left > 0 {
      lines.append(("+\(CountText.of(left, "more lane"))", PictureRow(width: 0)))
    }
    let numbers = findings.enumerated().compactMap { index, finding in
      finding.instant.map { ("\(index + 1)", $0) }
    }
    let flags = row(numbers, .bad, move: true)
    if !flags.isEmpty { lines.append(("Findings", flags)) }

    return lines.map { title, row in
      let title = row.isEmpty ? title : pad(title, LanePicture.titleWidth)
      return paint(title, .plain) + row.text(paint)
    } + deaths.map { line($0, paint) }
  }

  /// The end of a process, under the column where it is.
  private func line(_ death: (column: Int, text: String), _ paint: Paint) -> String {
    let margin = LanePicture.titleWidth + death.column
    let words = paint(death.text, .bad)
    let left = margin - death.text.count - 1
    // Left of its place, where there is room.
    return left >= 0
      ? String(repeating: " ", count: left) + words + " \(ink.death)"
      : String(repeating: " ", count: margin) + "\(ink.death) " + words
  }

  private func lines(of lane: Int, _ name: Lane) -> [(title: String, row: PictureRow)] {
    let title = InertText.line(name.title)
    let room = LanePicture.titleWidth - 1
    let shown =
      title.count <= room ? title : String(title.prefix(room - 1) + ink.ellipsis.prefix(1))
    if let values = values[lane] { return [(shown, levels(values))] }
    guard lane < rows.count else { return [] }

    var lines = rows[lane].enumerated().map { (title: $0 == 0 ? shown : "", row: $1) }
    if let more = leftOut[lane] {
      var row = PictureRow(width: columns)
      row.write("+\(more) more", .dim, at: 0)
      lines.append(("", row))
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
      let level = ink.levels[Int(share * Double(ink.levels.count - 1))]
      row.put(level, .plain, at: column, cover: 1)
    }
    return row
  }

  /// Words at instants, as far as there is room with a space between them.
  ///
  /// With `move`, a word goes left to the first column that has room.
  private func row(
    _ words: [(String, Instant)], _ tone: PictureRow.Tone, move: Bool
  ) -> PictureRow {
    var row = PictureRow(width: columns)
    for (words, instant) in words where isShown(instant) {
      var place = min(column(of: instant), columns - words.count)
      func isFree() -> Bool {
        row.isFree(max(0, place - 1)..<min(columns, place + words.count + 1))
      }
      while move, place > 0, !isFree() { place -= 1 }
      if place >= 0, isFree() { row.write(words, tone, at: place) }
    }
    return row
  }
}
