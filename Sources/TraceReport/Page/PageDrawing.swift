import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// Makes the page of a log that was analyzed, while the log is read again.
///
/// Memory: some thirty bytes for each event of the page, and what is open.
package struct PageDrawing {
  /// At most this many events are on a page, unless a person wants another number.
  package static let eventLimit = 1_000_000
  /// A page has at most this many bytes.
  package static let byteLimit = 8_000_000
  /// Data of more bytes does not become a page within the limit, however well it is packed.
  private static let unpackedLimit = 6 * byteLimit
  /// At most this many ends that are alike are marked: the last ones.
  private static let markLimit = 10_000
  /// At most this many gaps are hatched: the last ones.
  private static let gapLimit = 1000
  /// At most this many kinds of end are marked.
  private static let markKindLimit = 1000

  /// Ends or gaps that are alike.
  private struct Mark {
    /// `nil` where it is not known how serious they are.
    var tone: Verdict.Tone?
    var count = 0
    /// The places of their events: of the last ones.
    var places: [Int] = []

    mutating func add(_ place: Int, _ tone: Verdict.Tone?) {
      self.tone = tone ?? self.tone
      count += 1
      places.append(place)
      if places.count > 2 * PageDrawing.markLimit { places.removeFirst(PageDrawing.markLimit) }
    }
  }

  private let results: AnalysisResults
  private let analysis: Analysis
  private let part: PagePart
  private let vocabulary: Vocabulary
  private var axis: TimeAxis { part.axis }
  private var fold: LaneFold
  /// Of the stretches that were chosen, how many end before the event.
  private var stretchesPassed = 0
  /// The events of the log that lie in the part.
  private var eventsInPart = 0
  private var places = PagePlaces()
  private var events: PageEvents
  private var lanes: PageLanes
  private var limits: PageLimits
  private var quiet: QuietPeriods
  private var picture: LanePicture
  /// Ends of processes and gaps, across all lanes, by their texts.
  private var marks: [String: Mark] = [:]
  /// The place of the last end of a process.
  private var end: Int?
  private var gaps: [(from: Instant, to: Instant)] = []
  /// Where the bars with limits lie, by the places of their events.
  private var bars: [UInt64: PageLanes.Place] = [:]

  /// Begins the page of a part of a log whose events belong to `vocabulary`.
  package init(
    _ results: AnalysisResults, _ analysis: Analysis, _ part: PagePart, _ vocabulary: Vocabulary
  ) {
    (self.results, self.analysis, self.part) = (results, analysis, part)
    self.vocabulary = vocabulary
    fold = LaneFold(vocabulary)
    events = PageEvents(vocabulary)
    lanes = PageLanes(vocabulary)
    limits = PageLimits(in: part.axis.extent)
    quiet = QuietPeriods(vocabulary, in: part.axis.extent)
    picture = LanePicture(on: part.axis, vocabulary, width: 100)
  }

  // MARK: The events

  /// How many events the page has by now.
  package var eventCount: Int { places.count }

  /// Whether the page cannot be as small as pages are.
  package var isTooLarge: Bool { events.byteCount > PageDrawing.unpackedLimit }

  /// Takes the next events.
  package mutating func draw(_ events: [Event]) {
    for event in events {
      let changes = fold.observe(event)
      if part.window?.contains(fold.run.now) ?? true {
        eventsInPart += 1
        if isChosen(fold.run.ordinal) {
          places.add(fold.run.ordinal, at: fold.run.now)
          self.events.add(event, fold.run.ordinal)
        }
      }

      draw(changes)
    }
    fold.forgetUnusedWords()
  }

  private mutating func isChosen(_ ordinal: UInt64) -> Bool {
    guard let stretches = part.stretches else { return true }
    while stretchesPassed < stretches.count, stretches[stretchesPassed].upperBound < ordinal {
      stretchesPassed += 1
    }
    return stretchesPassed < stretches.count && stretches[stretchesPassed].contains(ordinal)
  }

  private mutating func draw(_ changes: [LaneChange]) {
    for change in changes {
      limits.observe(change, fold.run.profile)
      quiet.observe(change, fold.lanes)
      picture.draw(change, fold.run.state.appState)

      switch change {
      case .begin: break
      case .end(let bar, let end): draw(bar, end)
      case .mark(let lane, _, let ordinal, let instant),
        .value(let lane, _, let ordinal, let instant):
        let place = places.place(of: ordinal)
        if place != nil || axis.extent.contains(instant) { lanes.add(markIn: lane, at: place) }
      case .gap(_, let ordinal, let from, let to): drawGap(ordinal, from, to)
      case .death(let event, let ordinal, _): draw(event, ordinal)
      }
    }
  }

  /// Draws a bar if an event of the page lies in it, and else counts it.
  private mutating func draw(_ bar: LaneBar, _ end: RunEnd) {
    let first = places.first(from: bar.ordinal)
    let last = places.last(upTo: end.ordinal)
    guard let first, let last, first.place <= last.place else {
      if (bar.begin...end.instant).overlaps(axis.extent) { lanes.leaveOut(bar) }
      return
    }
    let drawn = lanes.add(bar, end, from: first, to: last, &events.words)
    if bar.content == .span, let drawn, limits.listed.contains(bar.ordinal) {
      bars[bar.ordinal] = drawn
    }
  }

  private mutating func drawGap(_ ordinal: UInt64, _ from: Instant, _ to: Instant) {
    guard (from...to).overlaps(axis.extent) else { return }
    gaps.append((from, to))
    if gaps.count > 2 * PageDrawing.gapLimit { gaps.removeFirst(PageDrawing.gapLimit) }
    guard let place = places.place(of: ordinal) else { return }
    addMark(place, .warning, "events missing")
  }

  private mutating func draw(_ event: Event, _ ordinal: UInt64) {
    guard let place = places.place(of: ordinal) else { return }
    end = place
    let verdict = analysis.deaths.verdicts.last { $0.end.isSame(as: event) }
    let tone = verdict.map { Verdict.Tone($0.deathClass) }
    addMark(place, tone, LaneText(vocabulary).text(event))
  }

  /// Only the last ends have a verdict; those that are alike have its color.
  private mutating func addMark(_ place: Int, _ tone: Verdict.Tone?, _ text: String) {
    guard marks.count < PageDrawing.markKindLimit || marks[text] != nil else { return }
    marks[text, default: Mark()].add(place, tone)
  }

  // MARK: The page

  /// Draws what is open at the end of the log, and gives the page.
  package mutating func finish(_ commands: PageCommands) -> String {
    draw(fold.finish())
    let findings = PageFindings(results)
    let still = picture.lines(
      fold.lanes, turns: results.turns, findings.cards, PageMarkup.colored)
    let markup = PageMarkup(
      results: results, findings: findings.markup(in: part.window, commands.findings),
      quiet: quiet.longest, still: still,
      part: part.words(drawn: events.count, of: eventsInPart, in: analysis.eventCount, commands),
      data: packed(commands.moment))
    return markup.page.text
  }

  private func packed(_ command: String) -> String {
    let knots: JSONTree = [
      .numbers(axis.knots.map(\.instant.nanoseconds)),
      .array(axis.knots.map { .scalar("\(($0.position * 1e7).rounded() / 1e7)") }),
    ]
    let gaps = gaps.suffix(PageDrawing.gapLimit).map { gap -> JSONTree in
      .numbers([gap.from.nanoseconds, gap.to.nanoseconds])
    }

    let head: JSONTree = [
      "version": .number(4), "events": .number(events.count),
      "start": .number(events.start.nanoseconds),
      "wall": results.log?.clock?.pageHead ?? .absent, "command": .text(command),
      "lanes": lanes.head(fold.lanes), "knots": knots, "marks": .array(packedMarks),
      "gaps": .array(gaps), "limits": .array(drawnLimits), "end": .number(end),
      "strings": .texts(events.words.texts),
    ]
    return PackedColumns.text(head.line, events.columns + [lanes.columns(fold.lanes)])
  }

  /// The marks in the order of their first events, whose places are steps from one to the next.
  private var packedMarks: [JSONTree] {
    let ordered = marks.sorted { ($0.value.places[0], $0.key) < ($1.value.places[0], $1.key) }
    return ordered.map { text, mark in
      let places = mark.places.suffix(PageDrawing.markLimit)
      let steps = zip(places, [0] + places).map { $0 - $1 }
      let color = mark.tone.map { $0 == .unknown ? "soft" : $0.rawValue } ?? "soft"
      return [.text(color), .text(text), .number(mark.count), .numbers(steps)]
    }
  }

  /// The limits of the bars that are drawn, each with its lane, row and place.
  private var drawnLimits: [JSONTree] {
    let order = lanes.order(fold.lanes)
    return limits.limits.compactMap { limit in
      guard let bar = bars[limit.ordinal], let lane = order.firstIndex(of: bar.lane) else {
        return nil
      }
      let times = [limit.from, limit.until, limit.to].map { Int($0.nanoseconds) }
      return .numbers([lane, bar.row, bar.place] + times)
    }
  }
}

extension WallClock {
  /// The clock in the head of a page's data, in milliseconds.
  fileprivate var pageHead: JSONTree {
    [
      "origin": .number(origin.dividedRounding(by: 1_000_000)), "day": .flag(isDated),
      "exactUntil": .number(exactUntil),
    ]
  }
}
