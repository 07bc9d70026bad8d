import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// Writes a run as traces of OpenTelemetry, event by event: a process is a trace, and what lasts in it is a
/// span.
///
/// A span is written when it ends, and that of a process when nothing more can be said of it, so that memory
/// is taken by what is open. The article `Formats` lists what becomes of what.
package struct OTLPExport: RunExport {
  private let vocabulary: Vocabulary
  private let head: ExportHead
  private let window: ClosedRange<Instant>
  private let ends: [Int: OTLPEnd]
  /// What makes the traces of a log without a date differ from those of others.
  private let identity: [String]
  private var fold: RunFold
  private var words: ExportWords
  private var findings: FindingMarks
  /// The findings at events before the first process.
  private var early: [FindingMarks.Found] = []
  /// The newest process, how it ended in the tables' word, and what is known of its app.
  private var process: (span: OTLPSpan, ended: String?, profile: Profile)?
  /// The spans that are open, by their numbers.
  private var open: [Int: OTLPSpan] = [:]
  /// What happened in spans that are not written yet, by their ids.
  private var notes: [UInt64: OTLPNotes] = [:]
  private var writer = OTLPWriter()

  package init(
    _ head: ExportHead, _ vocabulary: Vocabulary, in window: ClosedRange<Instant>
  ) {
    (self.head, self.vocabulary, self.window) = (head, vocabulary, window)
    ends = OTLPEnd.all(head.analysis, head.results)
    let extent = head.analysis.extent.map {
      "\($0.lowerBound.nanoseconds) \($0.upperBound.nanoseconds)"
    }
    identity = head.wallStart == nil ? ["\(head.analysis.eventCount)", extent ?? ""] : []
    fold = RunFold(vocabulary)
    words = ExportWords(vocabulary)
    findings = FindingMarks(head.results)
  }

  package mutating func draw(_ event: Event) {
    fold.observe(event)
    for found in findings.take(at: event, vocabulary) {
      note(found, in: place(of: found, at: event))
    }
    for change in fold.changes { follow(change, at: event.instant) }
  }

  package mutating func finish() {
    fold.finish()
    for change in fold.changes { follow(change, at: fold.now) }

    let rest = early + findings.takeRest()
    if process == nil, !rest.isEmpty { beginProcess(0, StartWords(), at: fold.now, nil) }
    for found in rest { note(found, in: OTLPSpan.id(ofProcess: processNumber ?? 0)) }
    writeProcess()
    writer.endLine()
  }

  package var isLong: Bool { writer.bytes.count >= 1 << 16 }

  package mutating func takeBytes() -> [UInt8] { writer.bytes.takeAll() }

  package func forgetUnusedWords() { fold.forgetUnusedWords() }

  /// The place of the newest process in the log.
  private var processNumber: Int? { process?.span.process }

  // MARK: Changes

  private mutating func follow(_ change: RunChange, at instant: Instant) {
    switch change {
    case .begin(let bar): begin(bar)
    case .end(let bar, let end):
      if bar.content == .process {
        process?.span.end = end.instant
        process?.ended = end.cause == .endOfLog ? nil : end.word
        // A profile may be that of the next process already.
        if end.cause != .replaced { process?.profile = fold.profile }
      } else {
        finish(bar, end, at: end.cause == .closed ? instant : end.instant)
      }
    case .gap(let event, _, let from, let to, let number): note(event, from, to, in: number)
    case .death(let event, _, let instant, let number):
      if processNumber == number { return }
      // Of the process only its end is known.
      beginProcess(number, StartWords(), at: instant, event)
      process?.ended = "process-ended"
    }
  }

  private mutating func begin(_ bar: RunBar) {
    switch bar.content {
    case .process:
      let said = StartWords(bar.event, fold.profile, vocabulary)
      beginProcess(bar.process ?? 0, said, at: bar.begin, bar.event)
    case .span, .suspension:
      // What a thread still says after the end is of the process that ended.
      let number = bar.process ?? processNumber ?? 0
      let holder = bar.parent.flatMap { open[$0]?.process == number ? $0 : nil }
      open[bar.number] = span(bar, in: number, under: holder.map(OTLPSpan.id(ofSpan:)))
    case .state: break
    }
  }

  /// The span of what lasts in a process, which lies in its span where it has no other parent.
  private func span(_ bar: RunBar, in process: Int, under parent: UInt64? = nil) -> OTLPSpan {
    OTLPSpan(
      id: OTLPSpan.id(bar), parent: parent ?? OTLPSpan.id(ofProcess: process), process: process,
      resource: self.process?.span.resource, start: bar.begin, end: bar.begin)
  }

  /// Begins a process; 0 is that of a log that knows none, in which something was found all the same.
  private mutating func beginProcess(
    _ number: Int, _ said: StartWords, at instant: Instant, _ event: Event?
  ) {
    writeProcess()
    let time = head.unixStart.adding(head.time(instant))
    let resource = OTLPResource(
      head, said, fold.profile, ends[number]?.verdict.process,
      identity + ["\(number)", "\(time)"])
    let details = event.map { words.mark("", "", $0, app: nil, nil).details.map(\.ours) } ?? []
    let span = OTLPSpan(
      id: OTLPSpan.id(ofProcess: number), parent: nil, process: number, resource: resource,
      start: instant, end: instant, name: event == nil ? "log" : "process", details: details)
    process = (span, nil, fold.profile)
  }

  private mutating func finish(_ bar: RunBar, _ end: RunEnd, at last: Instant) {
    let number = bar.process ?? end.process ?? processNumber ?? 0
    var span = open.removeValue(forKey: bar.number) ?? span(bar, in: number)
    span.end = end.instant
    span.notes = notes.removeValue(forKey: span.id) ?? OTLPNotes()
    let app = bar.content == .span ? bar.app : nil
    var mark = words.mark("", "", bar.event, app: app, nil)
    if case .state(let state) = bar.content {
      mark.add(ExportDetail("span.ended", end.word))
      span.describe(state: state, of: bar)
    } else {
      let row = SpanRow(bar, end, at: last, fold.profile, vocabulary)
      mark.add(ExportDetail("span.ended", row.ended))
      span.describe(row, vocabulary)
    }
    span.details += mark.details.map(\.ours)
    write(span)
  }

  // MARK: What happens in spans

  /// The span that a finding at an event belongs to: that of the process whose end it is about, the one that
  /// the event begins or ends, the innermost on its thread, or the process.
  private func place(of found: FindingMarks.Found, at event: Event) -> UInt64? {
    for case .end(let bar, _) in fold.changes where bar.content == .process {
      let number = bar.process ?? 0
      if ends[number]?.verdict.finding == found.finding.fingerprint {
        return OTLPSpan.id(ofProcess: number)
      }
    }
    for change in fold.changes {
      switch change {
      case .begin(let bar) where bar.content == .span: return OTLPSpan.id(bar)
      case .end(let bar, let end) where bar.content == .span && end.cause == .closed:
        return OTLPSpan.id(bar)
      default: break
      }
    }

    let holder = fold.openBars.last {
      $0.content == .span && $0.event.opensOnThread && $0.event.writer == event.writer
    }
    if let holder { return OTLPSpan.id(holder) }
    return (fold.processOfEvent ?? processNumber).map(OTLPSpan.id(ofProcess:))
  }

  /// Notes a finding; one before the first process waits for the last.
  private mutating func note(_ found: FindingMarks.Found, in span: UInt64?) {
    guard let span else { return early.append(found) }
    let instant = found.finding.instant ?? fold.now
    if let place = found.finding.instant, !window.contains(place) { return }
    notes[span, default: OTLPNotes()].add(found, at: instant)
  }

  private mutating func note(_ event: Event, _ from: Instant, _ to: Instant, in number: Int?) {
    guard let number = number ?? processNumber, let gap = Gap(event, in: vocabulary),
      from <= window.upperBound, to >= window.lowerBound
    else { return }
    var details = [
      ExportDetail("tracectl.cause", InertText.word(gap.cause)),
      ExportDetail("tracectl.dur", to.since(from)),
    ]
    if let count = gap.count { details.append(ExportDetail("tracectl.count", count)) }
    let note = OTLPNote(name: "tracectl.gap", instant: from, details: details)
    notes[OTLPSpan.id(ofProcess: number), default: OTLPNotes()].add(note)
  }

  // MARK: Writing

  /// Writes the span of the newest process, of which all is known.
  private mutating func writeProcess() {
    guard case (var span, let ended, let profile)? = process else { return }
    process = nil
    span.notes = notes.removeValue(forKey: span.id) ?? OTLPNotes()
    span.details =
      [
        ExportDetail("tracectl.span.kind", "process"),
        ExportDetail("tracectl.span.ended", ended ?? "end-of-log"),
      ] + span.details + profile.details
    if ended != nil {
      let end = ends[span.process]
      end?.note(in: &span.notes, at: span.end)
      if end == nil { span.notes.keep(OTLPNote(name: "tracectl.end", instant: span.end)) }
    }
    write(span)
  }

  private mutating func write(_ span: OTLPSpan) {
    guard let resource = span.resource ?? process?.span.resource,
      span.start <= window.upperBound, span.end >= window.lowerBound
    else { return }
    writer.write(span.json(resource.traceID, head), resource)
  }
}
