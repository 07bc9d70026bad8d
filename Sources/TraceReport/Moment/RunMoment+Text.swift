import LifecycleModel
import TraceAnalysis
import TraceText

/// A moment of a run in words.
extension RunMoment {
  /// The whole text about a moment of a log that has this clock.
  package func text(_ clock: WallClock?, style: TextStyle = .plain) -> String {
    let lost = gaps.map {
      pad("lost", 16) + TimeText.line($0.line, at: $0.instant)
    }
    let around = lines("last", last) + lost + lines("next", next)
    return [
      heading(clock, style), end, style.section("State", states, hanging: 10),
      style.section("Open", openLines, hanging: 10),
      style.section("Before and after", around, hanging: 16),
    ].asSections
  }

  private func heading(_ clock: WallClock?, _ style: TextStyle) -> String {
    let wall = clock.map { clock in
      ", " + clock.time(t) + (clock.heading(t).map { " on \($0)" } ?? "")
    }
    let first = style.bold("At \(InstantText.print(t.nanoseconds))") + (wall ?? "")
    guard let event else { return first }
    return first + ", after \(event.reference.text)\n  \(event.line)"
  }

  /// What ends before the moment.
  private var end: String? {
    guard let known = knownUntil else { return nil }
    let what = process.ended == known ? "The process ended" : "The log ends"
    let instant = InstantText.print(known.nanoseconds)
    return "\(what) at \(instant). States, and what is open, are as they were then."
  }

  // MARK: States

  private var states: [String] {
    let app = pad("app", 10) + (self.app.map(words) ?? "not known")
    return [pad("process", 10) + processWords, app]
      + scenes.map { pad("scene:\($0.scene ?? 0)", 10) + words($0) }
  }

  private var processWords: String {
    var words = process.pid.map { "pid \(InertText.word($0))" } ?? "pid not recorded"
    if let since = process.since { words += ", started " + ago(since) }
    if let ended = process.ended { words += ", ended " + ago(ended) }
    if let suspended { words += ", suspended for " + span(since: suspended) }
    return words
  }

  private func words(_ state: State) -> String {
    "\(state.state) for \(span(since: state.since))" + doubt(state.uncertain)
  }

  private func ago(_ instant: Instant) -> String {
    let span = t.since(instant)
    return span == 0 ? "now" : TimeText.span(span) + " before"
  }

  private func span(since instant: Instant) -> String {
    TimeText.span((knownUntil ?? t).since(instant))
  }

  private func doubt(_ isUncertain: Bool) -> String {
    isUncertain ? "; events are missing since then" : ""
  }

  // MARK: What is open

  private var openLines: [String] {
    let lines = open.map { open in
      pad(open.event.reference.text, 10) + "\(open.event.what), for \(TimeText.span(open.age))"
        + (open.rest.map { "; \($0)" } ?? "") + doubt(open.uncertain)
    }
    return openLeftOut > 0 ? lines + ["and \(openLeftOut) more"] : lines
  }

  private func lines(_ title: String, _ events: [ReportedEvent]) -> [String] {
    events.map { event in
      pad(title, 6) + pad(event.reference.text, 10) + TimeText.line(event.line, at: event.instant)
    }
  }
}
