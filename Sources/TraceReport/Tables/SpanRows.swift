import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// The rows of `spans` that have begun and not ended.
struct OpenSpanRows {
  /// What is known of a span when it has ended.
  struct Row {
    let number: Int
    let parent: Int?
    let process: Int?
    let app: AppState?
    /// How it ended.
    var ended = "closed"
    var duration: Nanoseconds = 0
    var parts = ProcessClocks()
    /// What kind of span it is of which the statistics know; `nil` of suspensions.
    var key: Statistics.Key?
    /// Whether the system did it, and not the app: its duration is not counted.
    let isSystemWork: Bool
    var awake: Nanoseconds { parts.awake }
  }

  private struct Open {
    var row: Row
    let clocks: ProcessClocks
    /// What is open around it and inside of it on its thread, by the places of their events.
    var outer, inner: UInt64?
  }

  private let log: String
  private let vocabulary: Vocabulary
  private let system = Catalogue.lifecycle.system
  /// By the place of the event that began it.
  private var open: [UInt64: Open] = [:]
  /// The innermost span that is open on each thread.
  private var threads: [WriterID: UInt64] = [:]
  private var count = 0
  /// The state of the app before the event that is looked at.
  var appBefore: AppState?

  init(_ log: String, _ vocabulary: Vocabulary) { (self.log, self.vocabulary) = (log, vocabulary) }

  /// Begins a span.
  mutating func begin(
    _ bar: LaneBar, _ clocks: ProcessClocks, process: Int?, isSystemWork: Bool
  ) {
    count += 1
    let outer = bar.isOnThread ? threads.updateValue(bar.ordinal, forKey: bar.event.writer) : nil
    let row = Row(
      number: count, parent: outer.flatMap { open[$0]?.row.number },
      process: process, app: appBefore, isSystemWork: isSystemWork)
    open[bar.ordinal] = Open(row: row, clocks: clocks, outer: outer)
    if let outer { open[outer]?.inner = bar.ordinal }
  }

  /// Ends a span at an instant.
  mutating func end(
    _ bar: LaneBar, _ end: LaneEnd, at instant: Instant, _ clocks: ProcessClocks
  ) -> Row? {
    guard var span = open.removeValue(forKey: bar.ordinal) else { return nil }
    if let outer = span.outer { open[outer]?.inner = span.inner }
    if let inner = span.inner {
      open[inner]?.outer = span.outer
    } else if bar.isOnThread {
      threads[bar.event.writer] = span.outer
    }

    let duration = instant.since(bar.event.instant)
    span.row.ended = !end.isCertain ? "gap" : end.word
    if end.isCertain, end.cause == .closed, duration < 0 { span.row.ended = "disorder" }
    span.row.duration = max(0, duration)
    span.row.parts = clocks.since(span.clocks)
    if bar.content == .span, let family = SpanFamily.opened(by: bar.event.verb) {
      span.row.key = Statistics.Key(bar.event, family, vocabulary)
    }
    return span.row
  }

  /// The values of a row.
  func values(_ row: Row, _ bar: LaneBar, _ end: LaneEnd, _ profile: Profile) -> [TableValue] {
    let event = bar.event
    let kind = row.key?.kind.rawValue ?? "suspended"
    let allowed = row.key.flatMap { system.limit(of: $0, profile) }
    let isClosed = end.cause == .closed

    return [
      .text(log), .of(row.number), .text(kind), .word(vocabulary.text(event.name)),
      .word(event.label.isNone ? "" : vocabulary.text(event.label)),
      .word(event.subject.description), .text(vocabulary.name(of: event.writer)),
      .integer(event.instant.nanoseconds), .integer(row.duration), .text(row.ended),
      .integer(row.parts.awake), .of(allowed), .integer(row.parts.background),
      .integer(row.parts.inactive), .of(row.app?.rawValue), .of(bar.ordinal),
      .of(isClosed ? end.ordinal : nil), .of(row.parent), .of(row.process),
    ]
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
