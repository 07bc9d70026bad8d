import LifecycleModel
import Run

/// Measures how long the spans of a run take.
///
/// Time is that in which the process could run code. What a gap may have changed is not counted, nor what is never
/// seen to end; how many these are is counted instead.
struct StatisticsCollector {
  /// Where something is counted.
  private struct Target {
    var slot: Int
    /// The time that is allowed; `nil` where no number is known.
    var limit: Nanoseconds?
  }

  /// The words of a row.
  private struct Words: Hashable {
    let family: SpanFamily
    let name, label: Symbol
  }

  /// At most this many words are remembered with their rows.
  private static let rememberedTargets = 1 << 14
  /// At most this many identifiers of BGTaskScheduler are known with their kinds.
  private static let rememberedIdentifiers = 256
  /// What the app has to complete.
  private static let completed = Set(
    [Delivery.push, .fetch, .urlsession, .bgtask].map { $0.symbol })

  private let vocabulary: Vocabulary
  private let system: any SystemKnowledge
  private var statistics: Statistics
  private var run: RunFold
  private var targets: [Words: Target] = [:]
  /// The open tasks at whose begin the state of the app was certain, by their places among what lasts.
  private var tasks: Set<UInt64> = []
  /// The identifiers of refresh tasks.
  private var refreshTasks: Set<String> = []

  init(
    _ vocabulary: Vocabulary, _ system: any SystemKnowledge,
    into statistics: Statistics = Statistics()
  ) {
    (self.vocabulary, self.system, self.statistics) = (vocabulary, system, statistics)
    run = RunFold(vocabulary)
  }

  /// Takes the next event.
  @inline(never)
  mutating func observe(_ event: Event) {
    run.observe(event)
    switch event.verb {
    case .bgtaskRegister, .bgtaskLaunch, .bgtaskComplete: learnKind(event)
    // The limits are others from now on.
    case .profile: targets.removeAll(keepingCapacity: true)
    default: break
    }

    let closes = SpanFamily.closed(by: event.verb)
    var isClosed = false
    for change in run.changes {
      guard let family = follow(change, at: event.instant) else { continue }
      isClosed = isClosed || family == closes
    }
    // To save what has not changed is no fault.
    guard let closes, !isClosed, closes != .data else { return }
    let omission: Statistics.Omission = isAfterGap ? .gap : .noBegin
    let slot = target(event, closes).slot
    statistics.update(slot) { $0.omit(omission) }
  }

  /// Ends the measuring: what is open now was not seen to end.
  mutating func finish() -> Statistics {
    run.finish()
    for change in run.changes { _ = follow(change, at: run.now) }
    return statistics
  }

  /// Other words may get the same symbols from now on.
  mutating func forgetWords() { targets.removeAll(keepingCapacity: true) }

  /// Adds the words of all that is open, which must not be forgotten.
  func addUse(to use: inout VocabularyUse) { run.addUse(to: &use) }

  /// Whether events of this process are missing.
  private var isAfterGap: Bool {
    run.state.lastGap.map { $0.ordinal > run.state.processStart?.ordinal ?? 0 } ?? false
  }

  private var isAppCertain: Bool { run.state.app.map { run.state.isCertain($0.since) } ?? false }

  private mutating func learnKind(_ event: Event) {
    guard let kind = vocabulary.attributes(event.attributes)[.kind] else { return }
    let identifier = vocabulary.text(event.name)
    if kind != "refresh" {
      refreshTasks.remove(identifier)
    } else if refreshTasks.count < StatisticsCollector.rememberedIdentifiers {
      refreshTasks.insert(identifier)
    }
  }

  // MARK: Spans

  /// Counts what ends, at an instant as events state it; the family of a span that was closed.
  private mutating func follow(_ change: RunChange, at instant: Instant) -> SpanFamily? {
    switch change {
    case .begin(let bar):
      if bar.content == .span, bar.event.verb == .taskBegin, isAppCertain { tasks.insert(bar.id) }
    case .end(let bar, let end) where bar.content == .span:
      guard let family = SpanFamily.opened(by: bar.event.verb) else { return nil }
      count(bar, end, family, isReversed: instant < bar.event.instant)
      return end.cause == .closed ? family : nil
    case .end, .gap, .death: break
    }
    return nil
  }

  private mutating func count(
    _ bar: RunBar, _ end: RunEnd, _ family: SpanFamily, isReversed: Bool
  ) {
    let isTimed = family == .task && tasks.remove(bar.id) != nil
    if bar.isSystemWork { return }
    let isClosed = end.cause == .closed
    // Most of what is delivered needs no completion.
    if !isClosed, family == .delivery, !StatisticsCollector.completed.contains(bar.event.name) {
      return
    }

    let target = target(bar.event, family)
    let omission = omission(end) ?? (isReversed ? .disorder : nil)
    if let omission { return statistics.update(target.slot) { $0.omit(omission) } }
    statistics.update(target.slot) { $0.durations.add(end.times.awake) }
    if let allowed = target.limit, let used = used(bar, end.times, family, isTimed: isTimed) {
      statistics.update(target.slot) { $0.use(used, of: allowed) }
    }
  }

  /// Why the time of what ended so is not counted.
  private func omission(_ end: RunEnd) -> Statistics.Omission? {
    if !end.isCertain { return .gap }
    switch end.cause {
    case .closed: return nil
    case .endOfLog where run.state.processEnd == nil: return .endOfLog
    case .died, .replaced, .endOfLog, .givenUp: return .processEnded
    }
  }

  /// How much of the limit a span has used; `nil` when the limit is not about it.
  private func used(
    _ bar: RunBar, _ times: RunClocks, _ family: SpanFamily, isTimed: Bool
  ) -> Nanoseconds? {
    let isCounted: Bool
    switch family {
    case .task: return isTimed ? times.background : nil
    case .bgtask: isCounted = refreshTasks.contains(vocabulary.text(bar.event.name))
    case .work: isCounted = bar.app == .active && times.inactive == 0 && isAppCertain
    case .delivery where bar.event.name != Delivery.fetch.symbol:
      isCounted = bar.app == .background && times.background == times.awake && isAppCertain
    default: isCounted = true
    }
    return isCounted ? times.awake : nil
  }

  // MARK: Rows

  @inline(__always)
  private mutating func target(_ event: Event, _ family: SpanFamily) -> Target {
    let words = Words(family: family, name: event.name, label: event.label)
    return targets[words] ?? findTarget(event, words)
  }

  @inline(never)
  private mutating func findTarget(_ event: Event, _ words: Words) -> Target {
    let key = Statistics.Key(event, words.family, vocabulary)
    let evictions = statistics.evictions
    let target = Target(slot: statistics.slot(of: key), limit: system.limit(of: key, run.profile))
    let isFull = targets.count >= StatisticsCollector.rememberedTargets
    if isFull || statistics.evictions != evictions { targets.removeAll(keepingCapacity: true) }
    targets[words] = target
    return target
  }
}
