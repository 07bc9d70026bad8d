import LifecycleModel
import TraceAnalysis
import TraceText

/// Makes the page of a log that was analyzed, while the log is read again.
///
/// Memory: some ten bytes for each event of the page, and what is open.
package struct PageDrawing {
  /// So many events a page has; of a longer log it has the last ones.
  package static let eventLimit: UInt64 = 1_000_000
  /// So many ends of processes, and so many gaps, are marked: the last ones.
  private static let marksTold = 1000

  private let results: AnalysisResults
  private let analysis: Analysis
  private let axis: TimeAxis
  /// How many events stand before those of the page.
  private let skipped: UInt64
  private let vocabulary: Vocabulary
  private var fold: LaneFold
  private var changes: [LaneChange] = []
  private var ordinal: UInt64 = 0
  private var events: PageEvents
  private var lanes: PageLanes
  private var limits = PageLimits()
  private var quiet: QuietPeriods
  private var picture: PagePicture
  private var evidence: PageEvidence
  private var marks: [PageMark] = []
  /// The place of the last end of a process.
  private var end: Int?
  private var gaps: [(from: Instant, to: Instant)] = []
  /// Where the bars with limits lie, by the places of their events.
  private var bars: [UInt64: PageLanes.Place] = [:]

  /// Begins the page of a log whose events belong to `vocabulary`, without the first events.
  package init(
    _ results: AnalysisResults, _ analysis: Analysis, on axis: TimeAxis, skipping skipped: UInt64,
    _ vocabulary: Vocabulary
  ) {
    (self.results, self.analysis, self.axis) = (results, analysis, axis)
    (self.skipped, self.vocabulary) = (skipped, vocabulary)
    fold = LaneFold(vocabulary)
    events = PageEvents(vocabulary)
    lanes = PageLanes(vocabulary)
    quiet = QuietPeriods(vocabulary)
    picture = PagePicture(axis, vocabulary, events: analysis.eventCount)
    evidence = PageEvidence(results)
  }

  // MARK: The events

  /// Takes the next events.
  package mutating func draw(_ events: [Event]) {
    for event in events {
      ordinal += 1
      if ordinal > skipped {
        evidence.observe(event, at: place(ordinal), vocabulary)
        self.events.add(event)
      }
      changes.removeAll(keepingCapacity: true)
      fold.observe(event, into: &changes)
      drawChanges()
    }
    fold.forgetUnusedWords()
  }

  private func place(_ ordinal: UInt64) -> Int {
    Int(clamping: max(ordinal, skipped + 1) - skipped - 1)
  }

  private mutating func drawChanges() {
    for change in changes {
      limits.observe(change, fold.lanes, fold.profile)
      quiet.observe(change, fold.lanes)
      picture.observe(change, fold.lanes)
      switch change {
      case .begin: break
      case .end(let bar, let end): draw(bar, end)
      case .mark(let lane, _, let ordinal, _), .value(let lane, _, let ordinal, _):
        if ordinal > skipped { lanes.add(markIn: lane, at: place(ordinal)) }
      case .gap(let event, let ordinal, let from, let to): draw(event, ordinal, from, to)
      case .death(let event, let ordinal, _): draw(event, ordinal)
      }
    }
  }

  private mutating func draw(_ bar: LaneBar, _ end: LaneEnd) {
    guard end.ordinal > skipped else { return }
    let places = place(bar.ordinal)...place(end.ordinal)
    let drawn = lanes.add(bar, end, places, isCut: bar.ordinal <= skipped, &events.words)
    if bar.content == .span, let drawn, limits.told.contains(bar.ordinal) {
      bars[bar.ordinal] = drawn
    }
  }

  private mutating func draw(_ event: Event, _ ordinal: UInt64, _ from: Instant, _ to: Instant) {
    guard ordinal > skipped else { return }
    gaps.append((from, to))
    if gaps.count > 2 * PageDrawing.marksTold { gaps.removeFirst(PageDrawing.marksTold) }
    add(PageMark(place: place(ordinal), kind: "warning", text: "events missing"))
  }

  private mutating func draw(_ event: Event, _ ordinal: UInt64) {
    guard ordinal > skipped else { return }
    end = place(ordinal)
    let verdict = analysis.deaths.verdicts.last { $0.end.isSame(as: event) }
    let kind =
      switch verdict?.deathClass {
      case .fault: "error"
      case .unexplained: "warning"
      case .normal, .unknown, nil: "soft"
      }
    add(PageMark(place: place(ordinal), kind: kind, text: LaneText(vocabulary).text(event)))
  }

  private mutating func add(_ mark: PageMark) {
    marks.append(mark)
    if marks.count > 2 * PageDrawing.marksTold { marks.removeFirst(PageDrawing.marksTold) }
  }

  // MARK: The page

  /// Draws what is open at the end of the log, and gives the page.
  ///
  /// `command` is what a person would type to see the events around one, whose name follows.
  package mutating func finish(command: String) -> String {
    changes.removeAll()
    fold.finish(into: &changes)
    drawChanges()
    let findings = evidence.findings
    let flags = findings.enumerated().compactMap { index, finding in
      finding.flag.map { (number: index + 1, instant: $0, severity: finding.finding.severity) }
    }

    let still = picture.markup(fold.lanes, lanes.order(fold.lanes), flags: flags)
    let markup = PageMarkup(
      results, findings, findingsLeftOut: evidence.leftOut, quiet: quiet.told, still: still,
      skipped: skipped, data: packed(findings, command))
    return markup.page.html
  }

  private func packed(_ findings: [PageEvidence.Told], _ command: String) -> String {
    var head = JSONWriter(isOneLine: true)
    head.object { writer in
      writer.number("version", 1)
      writer.number("events", events.count)
      writer.number("start", events.start.nanoseconds)
      results.log?.clock?.write(to: &writer)
      writer.string("command", command)
      lanes.write(fold.lanes, to: &writer)
      writeTimes(to: &writer)
      writer.number("end", end)
      evidence.write(findings, to: &writer)
      writer.strings("strings", events.words.texts)
    }
    var columns = events.columns
    lanes.append(fold.lanes, to: &columns)

    return PageColumns.packed(String(decoding: head.bytes, as: UTF8.self), columns)
  }

  private func writeTimes(to writer: inout JSONWriter) {
    func list(_ parts: [String]) -> String { "[\(parts.joined(separator: ","))]" }
    let knots = [
      list(axis.knots.map { "\($0.instant.nanoseconds)" }),
      list(axis.knots.map { "\(($0.position * 1e7).rounded() / 1e7)" }),
    ]
    writer.raw("knots", list(knots))
    writer.array("marks", marks.suffix(PageDrawing.marksTold)) { $1.write(to: &$0) }
    let gaps = gaps.suffix(PageDrawing.marksTold)
    writer.raw("gaps", list(gaps.map { "[\($0.from.nanoseconds),\($0.to.nanoseconds)]" }))
    writer.raw("jumps", list(events.jumps.map { "[\($0.place),\($0.sequence)]" }))

    let order = lanes.order(fold.lanes)
    let limits = limits.limits.compactMap { limit -> String? in
      guard let bar = bars[limit.ordinal], let lane = order.firstIndex(of: bar.lane) else {
        return nil
      }
      let times = [limit.from, limit.until, limit.to].map(\.nanoseconds)
      return list(([lane, bar.row, bar.place] + times.map { Int($0) }).map { "\($0)" })
    }
    writer.raw("limits", list(limits))
  }
}

/// The end of a process, or a gap, across all lanes of a page.
struct PageMark {
  /// The place of its event.
  let place: Int
  /// Its color, by the style's word.
  let kind: String
  let text: String

  func write(to writer: inout JSONWriter) {
    writer.raw(nil, "[\(place),\(JSONText.quoted(kind)),\(JSONText.quoted(text))]")
  }
}
