import LifecycleModel
import Run

/// Measures what begins and ends in a trace while its events are folded.
///
/// Pairs are those of ``OpenSpans``. Time is that in which the process could run code. What a gap may
/// have changed is not counted, nor what is never seen to end; how much that is, is.
struct StatisticsCollector {
  /// Where something is counted.
  private struct Target {
    var slot: Int
    /// The time that is allowed; `nil` where no number is known.
    var limit: Nanoseconds?
  }

  /// At most this many words are remembered with their rows, of each kind.
  private static let rememberedTargets = 4096

  /// At most this many identifiers of BGTaskScheduler are known with their kinds.
  private static let rememberedIdentifiers = 256

  private let vocabulary: Vocabulary
  private let system: any SystemKnowledge
  private var statistics: Statistics
  /// By kind; the key is a name and a label.
  private var targets: [[UInt64: Target]]
  private var profile = Profile()
  private var backgroundClock = BackgroundClock()
  /// The reading of that clock when an open task began, by the place of its begin in the trace.
  private var backgroundBefore: [UInt64: Nanoseconds] = [:]
  /// The places of work that is open and not the app's.
  private var systemWork: Set<UInt64> = []
  /// The identifiers of refresh tasks.
  private var refreshTasks: Set<String> = []
  private let names = NamesOfInterest()

  init(
    _ vocabulary: Vocabulary, _ system: any SystemKnowledge,
    into statistics: Statistics = Statistics()
  ) {
    (self.vocabulary, self.system) = (vocabulary, system)
    self.statistics = statistics
    targets = Array(repeating: [:], count: SpanFamily.allCases.count)
  }

  /// Ends the measuring: what is open now was not seen to end.
  mutating func finish(_ state: borrowing LifecycleState) -> Statistics {
    omitOpen(state, atEnd: state.processEnd == nil ? .endOfLog : .processEnded)
    return statistics
  }

  /// Other words may get the same symbols from now on.
  mutating func forgetWords() { forgetTargets() }

  /// Folds the next event into the state; that is too large to be copied for each event.
  @inline(never)
  mutating func fold(_ event: Event, into state: inout LifecycleState) {
    let (ended, saved) = (state.opener(closedBy: event), state.datum(savedBy: event))
    state.fold(event)

    if let family = SpanFamily.closed(by: event.verb) {
      if family == .bgtask { learnKind(event) }
      close(ended, event, family, state)
      if let saved { count(saved, event, .data, state) }
    }
    switch event.verb {
    case .workBegin:
      if event.isSystemWork(openSnapshots: state.open.count(.snapshot), vocabulary) {
        systemWork.insert(state.ordinal)
      }
    case .taskBegin: beginTask(state)
    case .bgtaskRegister, .bgtaskLaunch: learnKind(event)
    case .profile:
      profile = Profile(statedBy: event, in: vocabulary)
      // The limits are others from now on.
      forgetTargets()
    case .gap: if state.givenUpAt == state.ordinal { forgetGivenUp(state) }
    default: break
    }

    if state.isAppChanged {
      backgroundClock.turn(state.appState == .background, at: state.awakeNow)
    }
  }

  // MARK: Begins

  private mutating func beginTask(_ state: borrowing LifecycleState) {
    if let app = state.app, state.isCertain(app.since) {
      backgroundBefore[state.ordinal] = backgroundClock.reading(at: state.awakeNow)
    }
  }

  /// A process begins; `state` is what was true of the one before.
  mutating func beginProcess(_ state: borrowing LifecycleState) {
    omitOpen(state, atEnd: .processEnded)
    backgroundClock = BackgroundClock()
    backgroundBefore.removeAll()
    systemWork.removeAll()
  }

  private mutating func forgetGivenUp(_ state: borrowing LifecycleState) {
    let oldest = state.open.oldestOrdinal ?? .max
    backgroundBefore = backgroundBefore.filter { $0.key >= oldest }
    systemWork = systemWork.filter { $0 >= oldest }
  }

  private mutating func learnKind(_ event: Event) {
    guard let kind = vocabulary.attributes(event.attributes)[.kind] else { return }
    let identifier = vocabulary.text(event.name)
    if kind != "refresh" {
      refreshTasks.remove(identifier)
    } else if refreshTasks.count < StatisticsCollector.rememberedIdentifiers {
      refreshTasks.insert(identifier)
    }
  }

  // MARK: Ends

  private mutating func close(
    _ ended: OpenEvent?, _ event: Event, _ family: SpanFamily, _ state: borrowing LifecycleState
  ) {
    if let ended {
      count(ended, event, family, state)
    } else if family != .data {
      // To save what has not changed is no fault.
      let target = target(event, family)
      let reason: Statistics.Omission = isAfterGap(state) ? .gap : .noBegin
      statistics.update(target.slot) { $0.omit(reason) }
    }
  }

  /// Whether events of this process are missing.
  private func isAfterGap(_ state: borrowing LifecycleState) -> Bool {
    guard let gap = state.lastGap else { return false }
    return gap.ordinal > state.processStart?.ordinal ?? 0
  }

  private mutating func count(
    _ opener: OpenEvent, _ event: Event, _ family: SpanFamily, _ state: borrowing LifecycleState
  ) {
    if family == .work, !systemWork.isEmpty, systemWork.remove(opener.ordinal) != nil { return }
    let before = family == .task ? backgroundBefore.removeValue(forKey: opener.ordinal) : nil
    let target = target(opener.event, family)
    if !state.isCertain(opener) { return statistics.update(target.slot) { $0.omit(.gap) } }
    if event.instant < opener.event.instant {
      return statistics.update(target.slot) { $0.omit(.disorder) }
    }

    let elapsed = state.awake(since: opener, at: event.instant)
    statistics.update(target.slot) { $0.durations.add(elapsed) }
    guard let allowed = target.limit,
      let used = used(elapsed, opener, family, state, backgroundBefore: before)
    else { return }
    statistics.update(target.slot) { $0.use(used, of: allowed) }
  }

  /// How much of the limit a span has used; `nil` when the limit is not about it.
  private func used(
    _ elapsed: Nanoseconds, _ opener: OpenEvent, _ family: SpanFamily,
    _ state: borrowing LifecycleState, backgroundBefore: Nanoseconds?
  ) -> Nanoseconds? {
    // Of a state that is only borrowed an expression cannot ask: each case returns by itself.
    let background = backgroundClock.reading(at: state.awakeNow)
    switch family {
    case .task: return backgroundBefore.map { background &- $0 }
    case .bgtask:
      return refreshTasks.contains(vocabulary.text(opener.event.name)) ? elapsed : nil
    case .work: return state.wasAll(.active, since: opener) ? elapsed : nil
    case .delivery:
      if opener.event.name == names.fetch { return elapsed }
      return state.wasAll(.background, since: opener) ? elapsed : nil
    default: return elapsed
    }
  }

  /// Counts what is open as not seen to end.
  private mutating func omitOpen(
    _ state: borrowing LifecycleState, atEnd reason: Statistics.Omission
  ) {
    for family in SpanFamily.allCases {
      for opener in state.open.facts(family) where needsEnd(opener, family) {
        let target = target(opener.event, family)
        let reason = state.isCertain(opener) ? reason : .gap
        statistics.update(target.slot) { $0.omit(reason) }
      }
    }
  }

  /// Whether an end was to come: most of what is delivered needs no completion.
  private func needsEnd(_ opener: OpenEvent, _ family: SpanFamily) -> Bool {
    switch family {
    case .delivery: names.completed.contains(opener.event.name)
    case .work: !systemWork.contains(opener.ordinal)
    default: true
    }
  }

  // MARK: Rows

  @inline(__always)
  private mutating func target(_ event: Event, _ family: SpanFamily) -> Target {
    let words = UInt64(event.name.rawValue) << 32 | UInt64(event.label.rawValue)
    if let target = targets[Int(family.rawValue)][words] { return target }
    return findTarget(event, family, words)
  }

  @inline(never)
  private mutating func findTarget(
    _ event: Event, _ family: SpanFamily, _ words: UInt64
  ) -> Target {
    let key = Statistics.Key(event, family, vocabulary)
    let evictions = statistics.evictions
    let target = Target(slot: statistics.slot(of: key), limit: system.limit(of: key, profile))
    if statistics.evictions != evictions { forgetTargets() }
    let family = Int(family.rawValue)
    if targets[family].count >= StatisticsCollector.rememberedTargets {
      targets[family].removeAll(keepingCapacity: true)
    }

    targets[family][words] = target
    return target
  }

  private mutating func forgetTargets() {
    for index in targets.indices { targets[index].removeAll(keepingCapacity: true) }
  }
}

extension LifecycleState {
  /// Whether the app was in this state from `opener` until now.
  fileprivate func wasAll(_ state: AppState, since opener: OpenEvent) -> Bool {
    guard let app, app.state == state else { return false }
    return app.since.ordinal < opener.ordinal && isCertain(app.since)
  }
}

/// The symbols of names that are looked at event by event.
private struct NamesOfInterest {
  let fetch = Delivery.fetch.symbol
  /// What the app has to complete.
  let completed: Set<Symbol> = Set(
    [Delivery.push, .fetch, .urlsession, .bgtask].map { $0.symbol })
}
