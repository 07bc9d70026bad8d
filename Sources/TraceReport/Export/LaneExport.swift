import LifecycleModel
import TraceAnalysis
import TraceText

/// Writes the picture of a run for Perfetto, event by event.
///
/// It takes the memory of what is open: a run may be of any length. The same events give the same bytes.
package struct LaneExport {
  /// Where the reading is: before the part that is written, in it, or behind it.
  private enum Place { case before, inside, behind }

  private let vocabulary: Vocabulary
  private let head: ExportHead
  private let window: ClosedRange<Instant>
  private var fold: LaneFold
  private var changes: [LaneChange] = []
  private var writer: PerfettoWriter
  private var tracks: LaneTracks
  private var declared = 0
  private var words: ExportWords
  private var findings: FindingMarks
  private var place = Place.before
  private var open = OpenBars()
  /// Events are missing up to here, as was written.
  private var missingUntil: Instant?
  private var newest: Instant

  /// Begins a trace of a log that was analyzed.
  ///
  /// `words` belong to that analysis, and `vocabulary` to the events that are drawn. Only what lies in
  /// `window` is written.
  package init(
    _ analysis: Analysis, _ words: Vocabulary, _ head: ExportHead,
    _ vocabulary: Vocabulary, in window: ClosedRange<Instant>? = nil
  ) {
    self.vocabulary = vocabulary
    self.head = head
    self.window = window ?? .distantPast ... .distantFuture
    fold = LaneFold(vocabulary)
    writer = PerfettoWriter(head)
    tracks = LaneTracks(process: head.app)
    self.words = ExportWords(vocabulary)
    findings = FindingMarks(analysis, words)
    newest = max(self.window.lowerBound, analysis.extent?.lowerBound ?? .origin)
    declareTracks()
  }

  /// Writes the next event.
  package mutating func draw(_ event: Event) {
    changes.removeAll(keepingCapacity: true)
    fold.observe(event, into: &changes)
    advance(to: fold.now)
    let evidence = place == .inside ? findings.evidence(of: event, vocabulary) : nil
    write(event, evidence)
  }

  /// Ends the trace: what is open stays open.
  package mutating func finish() {
    changes.removeAll()
    fold.finish(into: &changes)
    if place == .before { enter() }
    write(nil, nil)

    if place == .inside {
      for (mark, instant) in findings.takeRest() where instant.map(window.contains) ?? true {
        put(mark, on: tracks.track(.group(.findings)), at: instant ?? newest)
      }
      if let missingUntil { endMissing(at: missingUntil) }
    }
  }

  /// Whether what was written takes more memory than some events.
  package var isLong: Bool { writer.bytes.count >= 1 << 16 }

  /// What was written since the last call.
  package mutating func takeBytes() -> [UInt8] {
    writer.bytes.takeAll()
  }

  /// Lets the vocabulary forget what is not needed any more, when it has become large.
  package mutating func forgetUnusedWords() { fold.forgetUnusedWords() }

  // MARK: The part that is written

  private mutating func advance(to now: Instant) {
    if place == .before && now >= window.lowerBound { enter() }
    guard place == .inside else { return }
    if let end = missingUntil, end <= now {
      putFindings(before: end)
      endMissing(at: end)
    }
    putFindings(before: now)
    if now > window.upperBound { leave() }
  }

  /// Writes the findings that stand at no event and at an instant before this one.
  private mutating func putFindings(before instant: Instant) {
    for (mark, instant) in findings.take(before: instant) where window.contains(instant) {
      put(mark, on: tracks.track(.group(.findings)), at: instant)
    }
  }

  /// Begins the part with what is open.
  private mutating func enter() {
    place = .inside
    for bar in open.ordered {
      begin(bar, nil, at: window.lowerBound, began: bar.begin)
    }
  }

  /// Ends the part: what is open goes on behind it.
  private mutating func leave() {
    if missingUntil != nil { endMissing(at: window.upperBound) }
    for bar in open.ordered {
      leaveOpen(bar, at: window.upperBound, "it ends after the part that was exported")
    }
    place = .behind
  }

  // MARK: Changes

  /// Writes the changes; `event` is the one that made them, `nil` at the end of the log.
  private mutating func write(_ event: Event?, _ evidence: FindingMarks.Evidence?) {
    var untold = evidence
    for (index, change) in changes.enumerated() {
      switch change {
      case .begin(let bar): begin(bar, &untold)
      case .end(let bar, let end): finish(bar, end, isReplaced: isReplaced(bar, after: index))
      case .mark(let lane, let event, _, let instant): put(event, lane, &untold, at: instant)
      case .value(let lane, let value, _, let instant) where place == .inside:
        let track = tracks.track(.row(lane: lane, row: 0), of: fold.lanes[lane])
        writer.put(value, on: use(track), at: time(instant))
      case .gap(let event, _, let from, let to): gap(event, from, to)
      case .death(let event, _, let instant): death(event, &untold, at: instant)
      case .value: break
      }
    }

    guard place == .inside, let event, let evidence else { return }
    if let untold {
      let name = "\(vocabulary.word(of: event.verb)) \(words.text(event))"
      let mark = self.mark(name, "evidence", event, untold)
      put(mark, on: tracks.track(.evidence), at: fold.now)
    }
    for finding in findings.take(evidence) {
      put(finding, on: tracks.track(.group(.findings)), at: fold.now)
    }
  }

  /// Whether a bar of the same lane begins where this one ends.
  private func isReplaced(_ bar: LaneBar, after index: Int) -> Bool {
    guard state(bar) != nil else { return false }
    return changes[(index + 1)...].contains {
      if case .begin(let next) = $0 { next.lane == bar.lane } else { false }
    }
  }

  /// The state that a bar shows where its lane shows states; `nil` of other bars.
  private func state(_ bar: LaneBar) -> String? {
    guard case .state(let word) = bar.content, fold.lanes[bar.lane].isStates else { return nil }
    return word
  }

  private mutating func begin(_ bar: LaneBar, _ evidence: inout FindingMarks.Evidence?) {
    open.begin(bar)
    guard place == .inside else { return }
    if state(bar) != nil { return begin(bar, nil, at: bar.begin) }
    begin(bar, evidence, at: bar.begin)
    evidence = nil
  }

  private mutating func begin(
    _ bar: LaneBar, _ evidence: FindingMarks.Evidence?, at instant: Instant, began: Instant? = nil
  ) {
    if let state = state(bar) {
      return writer.enter(state, on: use(rowTrack(bar)), at: time(instant))
    }
    var mark = mark(bar, evidence)
    if let began { mark.add(ExportDetail("began", InstantText.print(began.nanoseconds))) }

    guard bar.row != nil else {
      mark.add(ExportDetail("no bar", "\(LaneFold.rowLimit) are open beside it"))
      let track = tracks.track(.instants(lane: bar.lane), of: fold.lanes[bar.lane])
      return put(mark, on: track, at: instant)
    }
    if rowTrack(bar).isThread { open.nest(bar) }
    writer.begin(mark, on: use(rowTrack(bar)), at: time(instant))
  }

  private mutating func finish(_ bar: LaneBar, _ end: LaneEnd, isReplaced: Bool) {
    open.end(bar)
    guard place == .inside else { return }
    if end.cause == .endOfLog { return leaveOpen(bar, at: fold.now, "the log ends before it does") }
    if state(bar) != nil {
      if !isReplaced { writer.enter(nil, on: use(rowTrack(bar)), at: time(end.instant)) }
      return
    }
    guard bar.row != nil else { return }

    // What dies, dies with all that is open on its thread: no matter in which order.
    if end.cause == .closed { uncover(bar, at: end.instant) }
    let track = open.takeTrack(beside: bar) ?? rowTrack(bar)
    if track.isThread { open.unnest(bar) }
    let details = end.reason(of: bar).map { [ExportDetail("closed", $0)] } ?? []
    writer.end(on: use(track), at: time(end.instant), details)
  }

  /// Moves the bars that began inside of `bar` and outlast it to tracks of their own, since bars of one
  /// track end from the inside out.
  private mutating func uncover(_ bar: LaneBar, at instant: Instant) {
    let inner = open.takeInner(of: bar)
    for bar in inner {
      let goesOn = ExportDetail("closed", "not yet: it goes on beside the thread")
      writer.end(on: use(rowTrack(bar)), at: time(instant), [goesOn])
    }

    for bar in inner {
      let track = tracks.track(.beside(lane: bar.lane, row: bar.row ?? 0), of: fold.lanes[bar.lane])
      var mark = mark(bar, nil)
      mark.add(ExportDetail("began", InstantText.print(bar.begin.nanoseconds)))
      writer.begin(mark, on: use(track), at: time(instant))
      open.move(bar, beside: track)
    }
  }

  private mutating func leaveOpen(_ bar: LaneBar, at instant: Instant, _ why: String) {
    guard bar.row != nil else { return }
    let track = open.track(beside: bar) ?? rowTrack(bar)
    writer.leaveOpen(words.text(bar), on: use(track), at: time(instant), why)
  }

  private mutating func put(
    _ event: Event, _ lane: Int, _ evidence: inout FindingMarks.Evidence?, at instant: Instant
  ) {
    guard place == .inside else { return }
    let mark = mark(words.text(event), fold.lanes[lane].category(of: event), event, evidence)
    evidence = nil
    put(mark, on: tracks.track(.instants(lane: lane), of: fold.lanes[lane]), at: instant)
  }

  /// Writes a gap; one that lies in another is an instant in it.
  private mutating func gap(_ event: Event, _ from: Instant, _ to: Instant) {
    guard place == .inside, to >= window.lowerBound else { return }
    let name = "missing: " + InertText.word(vocabulary.text(event.name))
    let mark = mark(ExportText.cut(name), "gap", event, nil)
    let track = tracks.track(.missing)
    let start = max(from, window.lowerBound)

    if let missingUntil {
      put(mark, on: track, at: start)
      self.missingUntil = max(missingUntil, to)
    } else {
      writer.begin(mark, on: use(track), at: time(start))
      missingUntil = to
    }
  }

  private mutating func endMissing(at end: Instant) {
    writer.end(on: use(tracks.track(.missing)), at: time(min(end, window.upperBound)), [])
    missingUntil = nil
  }

  private mutating func death(
    _ event: Event, _ evidence: inout FindingMarks.Evidence?, at instant: Instant
  ) {
    guard place == .inside else { return }
    let mark = mark(words.text(event), "death", event, evidence)
    evidence = nil
    put(mark, on: tracks.track(.ends), at: instant)
  }

  // MARK: Tracks and marks

  private mutating func rowTrack(_ bar: LaneBar) -> ExportTrack {
    let lane = fold.lanes[bar.lane]
    // What is nested on a thread stands on one track.
    if case .thread = lane.kind { return tracks.track(.row(lane: bar.lane, row: 0), of: lane) }
    return tracks.track(.row(lane: bar.lane, row: bar.row ?? 0), of: lane)
  }

  /// The track, and those that were made with it, declared.
  private mutating func use(_ track: ExportTrack) -> ExportTrack {
    declareTracks()
    return track
  }

  private mutating func declareTracks() {
    while declared < tracks.all.count {
      writer.declare(tracks.all[declared])
      declared += 1
    }
  }

  private mutating func put(_ mark: ExportMark, on track: ExportTrack, at instant: Instant) {
    writer.instant(mark, on: use(track), at: time(instant))
  }

  /// The time of an instant, which is never before one that was written already.
  private mutating func time(_ instant: Instant) -> Nanoseconds {
    newest = max(newest, instant)
    return head.time(newest)
  }

  private mutating func mark(_ bar: LaneBar, _ evidence: FindingMarks.Evidence?) -> ExportMark {
    mark(words.text(bar), fold.lanes[bar.lane].category(of: bar.event), bar.event, evidence)
  }

  private mutating func mark(
    _ name: String, _ category: String, _ event: Event, _ evidence: FindingMarks.Evidence?
  ) -> ExportMark {
    words.mark(name, category, event, app: fold.state.appState, evidence)
  }
}
