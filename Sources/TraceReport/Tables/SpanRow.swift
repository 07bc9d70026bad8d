import LifecycleModel
import LifecycleRules
import Run
import TraceAnalysis

/// A row of `spans`, which is complete when the span has ended.
struct SpanRow: TableRow {
  let vocabulary: Vocabulary
  let bar: RunBar
  let end: RunEnd
  let duration: Nanoseconds
  /// How it ended.
  let ended: String
  /// What kind of span it is of which the statistics know; `nil` of suspensions.
  let key: Statistics.Key?
  /// The profile when it ended.
  let profile: Profile

  /// A span that ended at `last`, as events state it.
  init(
    _ bar: RunBar, _ end: RunEnd, at last: Instant, _ profile: Profile, _ vocabulary: Vocabulary
  ) {
    (self.bar, self.end, self.profile, self.vocabulary) = (bar, end, profile, vocabulary)
    let length = last.since(bar.event.instant)
    duration = max(0, length)
    let isReversed = end.cause == .closed && length < 0
    ended = !end.isCertain ? "gap" : isReversed ? "disorder" : end.word
    let family = bar.content == .span ? SpanFamily.opened(by: bar.event.verb) : nil
    key = family.map { Statistics.Key(bar.event, $0, vocabulary) }
  }

  private var event: Event { bar.event }

  /// What kind of span it is, in a word.
  var kind: String { key?.kind.rawValue ?? "suspended" }

  static let meaning = "something with a begin and an end"
  static let columns: [Column<SpanRow>] = [
    Column("span", "its place among the log's spans, by begin, from 1") { $0.bar.number },
    Column(
      "kind",
      "callback, observer, work, task, expiration, bgtask, held, unsaved, delivery, snapshot or suspended"
    ) { $0.kind },
    Column("name", "the callback, category, resource or identifier") {
      $0.vocabulary.text($0.event.name).unlessEmpty
    },
    Column("label", "the app's own word") {
      $0.event.label.isNone ? nil : $0.vocabulary.text($0.event.label).unlessEmpty
    },
    Column("subject", "what it is about: scene:1, task:2") {
      $0.event.subject.description.unlessEmpty
    },
    Column("writer", "the thread that began it") { $0.vocabulary.name(of: $0.event.writer) },
    Column("ts", "when it began") { $0.event.instant.nanoseconds },
    Column(
      "dur", "the time until its end; what did not end lasts to its process's or log's end"
    ) { $0.duration },
    Column(
      "ended",
      "closed, process-ended, end-of-log, gap (events are missing in between) or disorder (a clock went back)"
    ) { $0.ended },
    Column("awake", "the part of dur in which the process was not suspended") {
      $0.end.times.awake
    },
    Column("allowed", "the time that the system allows for it") { row in
      row.key.flatMap { Catalogue.lifecycle.system.limit(of: $0, row.profile) }
    },
    Column("background", "the part of awake in which the app was in the background") {
      $0.end.times.background
    },
    Column("inactive", "the part of awake in which the app was not active") {
      $0.end.times.inactive
    },
    Column("app", "the app's state when it began") { $0.bar.app?.rawValue },
    Column("event", "the event that began it") { $0.bar.ordinal },
    Column(
      "end_event", "the event that ended it; NULL unless ended is closed, gap or disorder"
    ) { $0.end.cause == .closed ? $0.end.ordinal : nil },
    Column("parent", "the span in which it lies on its thread") { $0.bar.parent },
    .process { $0.bar.process },
  ]
}
