import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// A row of `spans`, which is complete when the span has ended.
struct SpanRow: TableRow {
  let vocabulary: Vocabulary
  let bar: LaneBar
  let number: Int
  let parent: Int?
  let process: Int?
  let app: AppState?
  /// How it ended.
  var ended = "closed"
  var endEvent: UInt64?
  var duration: Nanoseconds = 0
  /// What was counted before it, and from its end on, in it.
  var parts: ProcessClocks
  /// What kind of span it is of which the statistics know; `nil` of suspensions.
  var key: Statistics.Key?
  /// Whether the system did it, and not the app: its duration is not counted.
  let isSystemWork: Bool
  /// What is open around it and inside of it on its thread, by the places of their events.
  fileprivate var outer, inner: UInt64?
  /// The profile when it ended.
  var profile = Profile()

  private var event: Event { bar.event }

  static let meaning = "something with a begin and an end"
  static let columns: [Column<SpanRow>] = [
    Column("span", "its place among the log's spans, by begin, from 1") { $0.number },
    Column(
      "kind",
      "callback, observer, work, task, expiration, bgtask, held, unsaved, delivery, snapshot or suspended"
    ) { $0.key?.kind.rawValue ?? "suspended" },
    Column("name", "the callback, category, resource or identifier") {
      $0.vocabulary.text($0.event.name).word
    },
    Column("label", "the app's own word") {
      $0.event.label.isNone ? nil : $0.vocabulary.text($0.event.label).word
    },
    Column("subject", "what it is about: scene:1, task:2") { $0.event.subject.description.word },
    Column("writer", "the thread that began it") { $0.vocabulary.name(of: $0.event.writer) },
    Column("ts", "when it began") { $0.event.instant.nanoseconds },
    Column(
      "dur", "the time until its end; what did not end lasts to its process's or log's end"
    ) { $0.duration },
    Column(
      "ended",
      "closed, process-ended, end-of-log, gap (events are missing in between) or disorder (a clock went back)"
    ) { $0.ended },
    Column("awake", "the part of dur in which the process was not suspended") { $0.parts.awake },
    Column("allowed", "the time that the system allows for it") { row in
      row.key.flatMap { Catalogue.lifecycle.system.limit(of: $0, row.profile) }
    },
    Column("background", "the part of awake in which the app was in the background") {
      $0.parts.background
    },
    Column("inactive", "the part of awake in which the app was not active") {
      $0.parts.inactive
    },
    Column("app", "the app's state when it began") { $0.app?.rawValue },
    Column("event", "the event that began it") { $0.bar.ordinal },
    Column(
      "end_event", "the event that ended it; NULL unless ended is closed, gap or disorder"
    ) { $0.endEvent },
    Column("parent", "the span in which it lies on its thread") { $0.parent },
    .process { $0.process },
  ]
}

/// The rows of `spans` that have begun and not ended.
struct OpenSpans {
  private let vocabulary: Vocabulary
  /// By the place of the event that began it.
  private var open: [UInt64: SpanRow] = [:]
  /// The innermost span that is open on each thread.
  private var threads: [WriterID: UInt64] = [:]
  private var count = 0
  /// The state of the app before the event that is looked at.
  var appBefore: AppState?

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Begins a span.
  mutating func begin(
    _ bar: LaneBar, _ clocks: ProcessClocks, process: Int?, isSystemWork: Bool
  ) {
    count += 1
    let outer = bar.isOnThread ? threads.updateValue(bar.ordinal, forKey: bar.event.writer) : nil
    open[bar.ordinal] = SpanRow(
      vocabulary: vocabulary, bar: bar, number: count,
      parent: outer.flatMap { open[$0]?.number }, process: process, app: appBefore, parts: clocks,
      isSystemWork: isSystemWork, outer: outer)
    if let outer { open[outer]?.inner = bar.ordinal }
  }

  /// Ends a span at an instant.
  mutating func end(
    _ bar: LaneBar, _ end: LaneEnd, at instant: Instant, _ clocks: ProcessClocks,
    _ profile: Profile
  ) -> SpanRow? {
    guard var span = open.removeValue(forKey: bar.ordinal) else { return nil }
    if let outer = span.outer { open[outer]?.inner = span.inner }
    if let inner = span.inner {
      open[inner]?.outer = span.outer
    } else if bar.isOnThread {
      threads[bar.event.writer] = span.outer
    }

    let duration = instant.since(bar.event.instant)
    span.ended = !end.isCertain ? "gap" : end.word
    if end.isCertain, end.cause == .closed, duration < 0 { span.ended = "disorder" }
    span.duration = max(0, duration)
    span.endEvent = end.cause == .closed ? end.ordinal : nil
    span.parts = clocks.since(span.parts)
    span.profile = profile
    if bar.content == .span, let family = SpanFamily.opened(by: bar.event.verb) {
      span.key = Statistics.Key(bar.event, family, vocabulary)
    }
    return span
  }
}

extension LaneBar {
  /// Whether it lies on a thread, inside of what began there before it.
  fileprivate var isOnThread: Bool {
    switch event.verb {
    case .call, .observe, .workBegin, .taskExpire: content == .span
    default: false
    }
  }
}
