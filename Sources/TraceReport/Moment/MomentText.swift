import LifecycleModel
import TraceAnalysis
import TraceText

/// A moment of a run in words.
package struct MomentText {
  private let moment: RunMoment
  private let clock: WallClock?
  private let style: TextStyle

  /// A moment of a log that has this clock.
  package init(_ moment: RunMoment, _ clock: WallClock?, style: TextStyle = .plain) {
    (self.moment, self.clock, self.style) = (moment, clock, style)
  }

  /// The whole text.
  package var text: String {
    let lost = moment.gaps.map {
      pad("lost", 16) + TimeText.line($0.line, at: $0.instant)
    }
    let around = lines("last", moment.last) + lost + lines("next", moment.next)
    return [
      heading, end, style.section("State", states, hanging: 10),
      style.section("Open", open, hanging: 10),
      style.section("Before and after", around, hanging: 16),
    ].asSections
  }

  private var heading: String {
    let wall = clock.map { clock in
      ", " + clock.time(moment.t) + (clock.heading(moment.t).map { " on \($0)" } ?? "")
    }
    let first = style.bold("At \(InstantText.print(moment.t.nanoseconds))") + (wall ?? "")
    guard let event = moment.event else { return first }
    return first + ", after \(event.reference.text)\n  \(event.line)"
  }

  /// What ends before the moment.
  private var end: String? {
    guard let known = moment.knownUntil else { return nil }
    let what = moment.process.ended == known ? "The process ended" : "The log ends"
    let instant = InstantText.print(known.nanoseconds)
    return "\(what) at \(instant). States, and what is open, are as they were then."
  }

  // MARK: States

  private var states: [String] {
    let app = pad("app", 10) + (moment.app.map(words) ?? "not known")
    return [pad("process", 10) + process, app]
      + moment.scenes.map { pad("scene:\($0.scene ?? 0)", 10) + words($0) }
  }

  private var process: String {
    var words = moment.process.pid.map { "pid \(InertText.word($0))" } ?? "pid not recorded"
    if let since = moment.process.since { words += ", started " + ago(since) }
    if let ended = moment.process.ended { words += ", ended " + ago(ended) }
    if let suspended = moment.suspended { words += ", suspended for " + span(since: suspended) }
    return words
  }

  private func words(_ state: RunMoment.State) -> String {
    "\(state.state) for \(span(since: state.since))" + doubt(state.uncertain)
  }

  private func ago(_ instant: Instant) -> String {
    let span = moment.t.since(instant)
    return span == 0 ? "now" : TimeText.span(span) + " before"
  }

  private func span(since instant: Instant) -> String {
    TimeText.span((moment.knownUntil ?? moment.t).since(instant))
  }

  private func doubt(_ isUncertain: Bool) -> String {
    isUncertain ? "; events are missing since then" : ""
  }

  // MARK: What is open

  private var open: [String] {
    let lines = moment.open.map { open in
      pad(open.event.reference.text, 10) + "\(open.event.what), for \(TimeText.span(open.age))"
        + (open.rest.map { "; \($0)" } ?? "") + doubt(open.uncertain)
    }
    return moment.openLeftOut > 0 ? lines + ["and \(moment.openLeftOut) more"] : lines
  }

  private func lines(_ title: String, _ events: [ReportedEvent]) -> [String] {
    events.map { event in
      pad(title, 6) + pad(event.reference.text, 10) + TimeText.line(event.line, at: event.instant)
    }
  }
}
