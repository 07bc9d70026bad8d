import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// Writes the picture of a run for Perfetto, event by event.
///
/// It takes the memory of what is open: a run may be of any length. The same events give the same bytes.
package struct LaneExport: RunExport {
  /// Where the reading is: before the part that is written, in it, or behind it.
  private enum Place { case before, inside, behind }

  private let vocabulary: Vocabulary
  private let head: ExportHead
  private let window: ClosedRange<Instant>
  private var fold: LaneFold
  private var writer: PerfettoWriter
  private var tracks = ExportTracks()
  private var words: ExportWords
  private var findings: FindingMarks
  /// What is known of the event that is written, until a bar or an instant shows it.
  private var evidence: FindingMarks.Evidence?
  private var place = Place.before
  private var nests = ThreadNests()
  /// Events are missing up to here, as was written.
  private var missingUntil: Instant?
  private var newest: Instant

  package init(
    _ head: ExportHead, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>
  ) {
    (self.head, self.vocabulary, self.window) = (head, vocabulary, window)
    fold = LaneFold(vocabulary)
    writer = PerfettoWriter(head)
    words = ExportWords(vocabulary)
    findings = FindingMarks(head.results)
    newest = max(self.window.lowerBound, head.analysis.extent?.lowerBound ?? .origin)
  }

  package mutating func draw(_ event: Event) {
    advance(to: event.verb == .profile ? fold.run.now : max(fold.run.now, event.instant))
    let changes = fold.observe(event)
    evidence = place == .inside ? findings.evidence[event, vocabulary] : nil
    write(changes)

    guard evidence != nil else { return }
    let name = "\(vocabulary.word(of: event.verb)) \(words.text(event))"
    put(mark(name, "evidence", event, takeEvidence()), on: track(.evidence), at: fold.run.now)
  }

  package mutating func finish() {
    if place == .before { enter() }
    write(fold.finish())
    guard place == .inside else { return }
    put(findings.takeRest())
    if let missingUntil { endMissing(at: missingUntil) }
  }

  package var isLong: Bool { writer.bytes.count >= 1 << 16 }

  package mutating func takeBytes() -> [UInt8] {
    writer.bytes.takeAll()
  }

  package func forgetUnusedWords() { fold.forgetUnusedWords() }

  // MARK: The part that is written

  private mutating func advance(to now: Instant) {
    if place == .before && now >= window.lowerBound { enter() }
    guard place == .inside else { return }
    if let end = missingUntil, end <= now {
      put(findings.take(before: end))
      endMissing(at: end)
    }
    put(findings.take(before: now))
    if now > window.upperBound { leave() }
  }

  /// Writes findings that lie in the part; those without an instant stand at its end.
  private mutating func put(_ findings: [FindingMarks.Found]) {
    for found in findings where found.finding.instant.map(window.contains) ?? true {
      put(found.mark, on: track(.group(.findings)), at: found.finding.instant ?? newest)
    }
  }

  /// Begins the part with what is open.
  private mutating func enter() {
    place = .inside
    for bar in fold.openBars { begin(bar, nil, at: window.lowerBound, isOpen: true) }
  }

  /// Ends the part: what is open goes on behind it.
  private mutating func leave() {
    if missingUntil != nil { endMissing(at: window.upperBound) }
    for bar in fold.openBars {
      leaveOpen(bar, at: window.upperBound, "it ends after the part that was exported")
    }
    place = .behind
  }

  // MARK: Changes

  private mutating func write(_ changes: [LaneChange]) {
    guard place == .inside else { return }
    for (index, change) in changes.enumerated() { write(change, before: changes[(index + 1)...]) }
  }

  private mutating func write(_ change: LaneChange, before later: ArraySlice<LaneChange>) {
    switch change {
    case .begin(let bar): begin(bar, state(bar) == nil ? takeEvidence() : nil, at: bar.begin)
    case .end(let bar, let end): finish(bar, end, isReplaced: isReplaced(bar, by: later))
    case .mark(let lane, let event, _, let instant):
      let category = fold.lanes[lane].category(of: event)
      let mark = mark(words.text(event), category, event, takeEvidence())
      put(mark, on: track(.instants(of: lane)), at: instant)
    case .value(let lane, let value, _, let instant):
      writer.write(.value, value: value, on: track(.row(0, of: lane)), at: time(instant))
    case .gap(let event, _, let from, let to): if to >= window.lowerBound { gap(event, from, to) }
    case .death(let event, _, let instant):
      put(mark(words.text(event), "death", event, takeEvidence()), on: track(.ends), at: instant)
    }
  }

  /// Whether a bar of the same lane begins where this one ends.
  private func isReplaced(_ bar: LaneBar, by later: ArraySlice<LaneChange>) -> Bool {
    guard state(bar) != nil else { return false }
    return later.contains {
      if case .begin(let next) = $0 { next.lane == bar.lane } else { false }
    }
  }

  /// The state that a bar shows where its lane shows states; `nil` of other bars.
  private func state(_ bar: LaneBar) -> String? {
    guard case .state(let word) = bar.content, fold.lanes[bar.lane].isStates else { return nil }
    return word
  }

  /// Begins a bar; one that is open already states since when.
  private mutating func begin(
    _ bar: LaneBar, _ evidence: FindingMarks.Evidence?, at instant: Instant, isOpen: Bool = false
  ) {
    let track = self.track(bar)
    if let state = state(bar) {
      let mark = ExportMark(name: state, category: "state")
      return writer.write(.state, mark, on: track, at: time(instant))
    }
    var mark = mark(bar, evidence)
    if isOpen { mark.add(ExportDetail("began", InstantText.print(bar.begin.nanoseconds))) }

    guard bar.row != nil else {
      mark.add(ExportDetail("no bar", "\(LaneFold.rowLimit) are open beside it"))
      return put(mark, on: self.track(.instants(of: bar.lane)), at: instant)
    }
    if track.isThread { nests.begin(bar) }
    writer.write(.begin, mark, on: track, at: time(instant))
  }

  private mutating func finish(_ bar: LaneBar, _ end: RunEnd, isReplaced: Bool) {
    if end.cause == .endOfLog {
      return leaveOpen(bar, at: fold.run.now, "the log ends before it does")
    }
    if state(bar) != nil {
      if !isReplaced { writer.write(.state, on: self.track(bar), at: time(end.instant)) }
      return
    }
    guard bar.row != nil else { return }

    // What dies, dies with all that is open on its thread: no matter in which order.
    if end.cause == .closed { uncover(bar, at: end.instant) }
    let track = nests.end(bar) ?? self.track(bar)
    let details = end.reason(of: bar).map { [ExportDetail("closed", $0)] } ?? []
    writer.write(.end, ExportMark(details: details), on: track, at: time(end.instant))
  }

  /// Moves the bars that began inside of `bar` and outlast it to tracks of their own, since bars of one
  /// track end from the inside out.
  private mutating func uncover(_ bar: LaneBar, at instant: Instant) {
    let inner = nests.takeInner(of: bar)
    for bar in inner {
      let goesOn = ExportDetail("closed", "not yet: it goes on beside the thread")
      writer.write(.end, ExportMark(details: [goesOn]), on: track(bar), at: time(instant))
    }

    for bar in inner {
      let track = self.track(.beside(bar.row ?? 0, of: bar.lane))
      var mark = mark(bar, nil)
      mark.add(ExportDetail("began", InstantText.print(bar.begin.nanoseconds)))
      writer.write(.begin, mark, on: track, at: time(instant))
      nests.move(bar, to: track)
    }
  }

  /// Leaves a bar without an end, so that Perfetto draws it to the end of the trace; an instant in it says why.
  private mutating func leaveOpen(_ bar: LaneBar, at instant: Instant, _ why: String) {
    guard bar.row != nil else { return }
    let (track, time) = (nests.track(of: bar) ?? self.track(bar), time(instant))
    if track.kind == .states { return }
    let details = [ExportDetail("closed", "no: " + why)]
    let mark = ExportMark(name: "open: " + words.text(bar), category: "open", details: details)
    writer.write(.instant, mark, on: track, at: time)
  }

  /// Writes a gap; one that lies in another is an instant in it.
  private mutating func gap(_ event: Event, _ from: Instant, _ to: Instant) {
    let name = "missing: " + InertText.word(vocabulary.text(event.name))
    let mark = mark(ExportText.cut(name), "gap", event, nil)
    let start = max(from, window.lowerBound)
    if let missingUntil {
      put(mark, on: track(.missing), at: start)
      self.missingUntil = max(missingUntil, to)
    } else {
      writer.write(.begin, mark, on: track(.missing), at: time(start))
      missingUntil = to
    }
  }

  private mutating func endMissing(at end: Instant) {
    writer.write(.end, on: track(.missing), at: time(min(end, window.upperBound)))
    missingUntil = nil
  }

  // MARK: Tracks and marks

  /// The track of a bar's row; what is nested on a thread stands on one.
  private mutating func track(_ bar: LaneBar) -> ExportTrack {
    if case .thread = fold.lanes[bar.lane].kind { return track(.row(0, of: bar.lane)) }
    return track(.row(bar.row ?? 0, of: bar.lane))
  }

  private mutating func track(_ part: ExportTracks.Part) -> ExportTrack {
    tracks.track(part, fold.lanes, &writer)
  }

  private mutating func put(_ mark: ExportMark, on track: ExportTrack, at instant: Instant) {
    writer.write(.instant, mark, on: track, at: time(instant))
  }

  /// The time of an instant, which is never before one that was written already.
  private mutating func time(_ instant: Instant) -> Nanoseconds {
    newest = max(newest, instant)
    return head.time(newest)
  }

  private mutating func takeEvidence() -> FindingMarks.Evidence? {
    defer { evidence = nil }
    return evidence
  }

  private mutating func mark(_ bar: LaneBar, _ evidence: FindingMarks.Evidence?) -> ExportMark {
    mark(words.text(bar), fold.lanes[bar.lane].category(of: bar.event), bar.event, evidence)
  }

  private mutating func mark(
    _ name: String, _ category: String, _ event: Event, _ evidence: FindingMarks.Evidence?
  ) -> ExportMark {
    words.mark(name, category, event, app: fold.run.state.appState, evidence)
  }
}

extension RunEnd {
  /// Why a bar ends where no event closed it; `nil` where one did, and of a process that died.
  fileprivate func reason(of bar: LaneBar) -> String? {
    switch cause {
    case .closed, .endOfLog: nil
    case .died: bar.content == .process ? nil : "never: the process ended"
    case .givenUp: "not known: more was open at once than is followed"
    case .replaced: bar.content == .process ? "not recorded" : "never: another process began"
    }
  }
}
