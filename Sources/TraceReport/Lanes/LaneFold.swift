import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// Turns a trace into what a picture of it shows, event by event.
///
/// The page, the picture in the terminal and the exports are drawn from its changes, so that all show the
/// same. Memory is taken by what is open. Instants never go back: an event that does stands at the latest
/// instant before it.
package struct LaneFold {
  /// So many bars of a lane can be open beside each other; further ones have no row.
  package static let rowLimit = 64
  /// So many lanes there are; what would have a further one stands in ``Lane/Kind/others``, values nowhere.
  package static let laneLimit = 1024

  /// The lanes that have come so far, in the order in which they came.
  package private(set) var lanes: [Lane] = []
  private var places: [Lane.Kind: Int] = [:]
  private let vocabulary: Vocabulary
  private let system = Catalogue.lifecycle.system
  /// Knows what is true, and where a process begins whose start is not recorded.
  private var analyzer: Analyzer
  /// The latest instant so far.
  package private(set) var now = Instant.distantPast
  private var ordinal: UInt64 = 0
  /// The bars of open spans, by the ordinal that the state knows them by: where events are lost it counts
  /// more than there are.
  private var open: [UInt64: LaneBar] = [:]
  /// Which rows of each lane are taken.
  private var rows: [[Bool]] = []
  private var app: LaneBar?
  private var scenes: [UInt32: LaneBar] = [:]
  private var process: LaneBar?
  private var suspension: LaneBar?
  /// The gaps that no event has followed yet.
  private var gaps: [(event: Event, ordinal: UInt64, from: Instant)] = []
  /// So many gaps wait for an event; then the first ends without one.
  private static let gapLimit = 64

  /// Whether instants and values of lanes are told, and not only what lasts.
  private let tellsMarks: Bool

  /// No rules, made ready once.
  private static let program = RuleProgram(Catalogue.lifecycle.applying([]))

  /// Makes a fold of a trace whose events belong to `vocabulary`; without `marks` it tells only what lasts.
  package init(_ vocabulary: Vocabulary, marks: Bool = true) {
    (self.vocabulary, tellsMarks) = (vocabulary, marks)
    analyzer = LaneFold.program.analyzer(vocabulary)
  }

  /// What is true after the events so far.
  package var state: LifecycleState { _read { yield analyzer.state } }

  /// The state of the app, and whether the process is suspended: a look at ``state`` costs more.
  package var appState: AppState? { analyzer.appState }
  package var isSuspended: Bool { analyzer.isSuspended }

  /// How many ends of processes were judged by now.
  package var deathCount: Int { analyzer.deaths.count }

  /// What is known of the app by now.
  package var profile: Profile { analyzer.profile }

  /// Appends what the next event changes.
  ///
  /// Cost: some hundred nanoseconds at the most, but for the end of a process, which ends all that is
  /// open.
  package mutating func observe(_ event: Event, into changes: inout [LaneChange]) {
    ordinal += 1
    if analyzer.isFull { giveUpOldest(before: event, &changes) }
    // The profile of a new process stands before its start, and the one before it may be long gone.
    if event.verb != .profile { now = max(now, event.instant) }
    if event.verb != .gap, event.verb != .profile { closeGaps(&changes) }
    let isEnd = event.isEnd && !state.isEcho(event) && !system.endsNothing(event, vocabulary)
    let family = SpanFamily.closed(by: event.verb)
    let closing = family.map { state.spans(closedBy: event, $0) } ?? []
    let openBefore = analyzer.openCount
    let startsBefore = analyzer.unrecordedStarts
    analyzer.follow(event)

    let isFirst = event.verb == .processStart || analyzer.unrecordedStarts > startsBefore
    if isFirst { endAll(.replaced, &changes) }
    if event.isOfProcess && process == nil && isAlive { beginProcess(event, &changes) }
    for fact in closing { endSpan(fact, &changes) }
    let isOpened = event.opensSpan && (isFirst || analyzer.openCount > openBefore)
    if isOpened { beginSpan(event, &changes) }
    followApp(event, &changes)
    if event.subjectKind == .scene { followScene(event.subjectNumber, event, &changes) }

    switch event.verb {
    case .gap: beginGap(event, &changes)
    case .suspend, .resume: followSuspension(event, &changes)
    case .kill, .exit: if isEnd { die(event, &changes) }
    case .sample: if tellsMarks { addValue(event, &changes) }
    default: if tellsMarks && !isOpened && closing.isEmpty { addMark(event, &changes) }
    }
  }

  /// Appends the ends of what is open at the end of the trace.
  package mutating func finish(into changes: inout [LaneChange]) {
    closeGaps(&changes)
    endAll(.endOfLog, &changes)
  }

  /// Lets the vocabulary forget what no picture can need any more, when it has become large.
  ///
  /// Call it between two batches; bars that have ended have no words from then on, but for those that
  /// `kept` adds.
  package mutating func forgetUnusedWords(but kept: (inout VocabularyUse) -> Void = { _ in }) {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    addUse(to: &use)
    kept(&use)
    vocabulary.forget(except: use)
  }

  /// Adds the words of all that is open, which must not be forgotten.
  package func addUse(to use: inout VocabularyUse) {
    analyzer.addUse(to: &use)
    for bar in open.values { use.add(bar.event) }
    for bar in [app, process, suspension].compactMap(\.self) + scenes.values { use.add(bar.event) }
    for gap in gaps { use.add(gap.event) }
    for lane in lanes {
      switch lane.kind {
      case .work(let word), .counter(let word): use.add(word)
      default: break
      }
    }
  }

  // MARK: Lanes and rows

  private mutating func place(_ kind: Lane.Kind) -> Int {
    if let place = places[kind] { return place }
    if lanes.count >= LaneFold.laneLimit, kind.isOneOfMany { return self.place(.others) }
    lanes.append(Lane(kind, vocabulary))
    rows.append([])
    places[kind] = lanes.count - 1
    return lanes.count - 1
  }

  private mutating func takeRow(_ lane: Int) -> Int? {
    if let free = rows[lane].firstIndex(of: false) {
      rows[lane][free] = true
      return free
    }
    guard rows[lane].count < LaneFold.rowLimit else { return nil }
    rows[lane].append(true)
    return rows[lane].count - 1
  }

  private mutating func begin(
    _ kind: Lane.Kind, _ content: LaneBar.Content, _ event: Event, _ changes: inout [LaneChange]
  ) -> LaneBar {
    let lane = place(kind)
    let bar = LaneBar(
      lane: lane, row: takeRow(lane), content: content, event: event, ordinal: ordinal, begin: now)
    changes.append(.begin(bar))
    return bar
  }

  private mutating func end(
    _ bar: LaneBar, _ cause: LaneEnd.Cause, isCertain: Bool = true, _ changes: inout [LaneChange]
  ) {
    if let row = bar.row { rows[bar.lane][row] = false }
    let end = LaneEnd(cause: cause, instant: now, ordinal: ordinal, isCertain: isCertain)
    changes.append(.end(bar, end))
  }

  // MARK: Spans

  private mutating func beginSpan(_ event: Event, _ changes: inout [LaneChange]) {
    let kind: Lane.Kind
    switch event.verb {
    case .call, .observe, .workBegin, .taskExpire: kind = .thread(event.writer)
    case .taskBegin, .bgtaskLaunch: kind = .tasks
    case .acquire: kind = .held
    case .dataDirty: kind = .unsaved
    case .deliver: kind = .deliveries
    default: kind = .system
    }
    open[state.ordinal] = begin(kind, .span, event, &changes)
  }

  private mutating func endSpan(_ fact: OpenEvent, _ changes: inout [LaneChange]) {
    guard let bar = open.removeValue(forKey: fact.ordinal) else { return }
    end(bar, .closed, isCertain: state.isCertain(fact), &changes)
  }

  /// Ends the bars of what is followed no more, at the loss that tells it.
  private mutating func giveUpOldest(before event: Event, _ changes: inout [LaneChange]) {
    guard let loss = state.loss(before: event) else { return }
    analyzer.follow(loss)
    let oldest = state.open.oldestOrdinal ?? .max
    let spans = open.filter { $0.key < oldest }
    let gone = scenes.filter { analyzer.activation(ofScene: $0.key) == nil }
    for key in spans.keys { open[key] = nil }
    for key in gone.keys { scenes[key] = nil }

    let bars = (Array(spans.values) + gone.values).sorted { $0.ordinal < $1.ordinal }
    for bar in bars { end(bar, .givenUp, isCertain: false, &changes) }
    beginGap(loss, &changes)
  }

  // MARK: States

  private mutating func followApp(_ event: Event, _ changes: inout [LaneChange]) {
    guard let now = analyzer.appState, event.verb != .kill, event.verb != .exit else { return }
    if let app, app.content == .state(now.rawValue) { return }
    if app == nil && state.processEnd != nil && !state.isAppChanged { return }
    if let app { end(app, .closed, &changes) }
    app = begin(.app, .state(now.rawValue), event, &changes)
  }

  private mutating func followScene(
    _ number: UInt32, _ event: Event, _ changes: inout [LaneChange]
  ) {
    let word = analyzer.activation(ofScene: number)?.rawValue
    let bar = scenes[number]
    if let word, bar?.content == .state(word) { return }
    if let bar { end(bar, .closed, &changes) }
    scenes[number] = word.map { begin(.scene(number), .state($0), event, &changes) }
  }

  private mutating func followSuspension(_ event: Event, _ changes: inout [LaneChange]) {
    if event.verb == .suspend, suspension == nil {
      suspension = begin(.system, .suspension, event, &changes)
    } else if event.verb == .resume, let bar = suspension {
      end(bar, .closed, &changes)
      suspension = nil
    }
  }

  // MARK: Processes

  /// Whether a process can be there: none has ended, or the app came into a state since then.
  ///
  /// What threads still say after the end begins no other process.
  private var isAlive: Bool {
    guard let end = state.processEnd else { return true }
    return state.appChange != .max && state.appChange > end.ordinal
  }

  private mutating func beginProcess(_ event: Event, _ changes: inout [LaneChange]) {
    process = begin(.system, .process, event, &changes)
  }

  private mutating func die(_ event: Event, _ changes: inout [LaneChange]) {
    endAll(.died, &changes)
    changes.append(.death(event, ordinal: ordinal, at: now))
  }

  private mutating func endAll(_ cause: LaneEnd.Cause, _ changes: inout [LaneChange]) {
    let gap = state.lastGap?.ordinal ?? 0
    for (ordinal, bar) in open.sorted(by: { $0.value.ordinal < $1.value.ordinal }) {
      end(bar, cause, isCertain: ordinal > gap, &changes)
    }
    for bar in scenes.values.sorted(by: { $0.lane < $1.lane }) { end(bar, cause, &changes) }
    for bar in [app, suspension, process].compactMap(\.self) { end(bar, cause, &changes) }
    open.removeAll()
    scenes.removeAll()
    (app, suspension, process) = (nil, nil, nil)
  }

  private mutating func beginGap(_ event: Event, _ changes: inout [LaneChange]) {
    if gaps.count == LaneFold.gapLimit { closeGap(gaps.removeFirst(), &changes) }
    gaps.append((event, ordinal, now))
  }

  private mutating func closeGaps(_ changes: inout [LaneChange]) {
    for gap in gaps { closeGap(gap, &changes) }
    gaps.removeAll()
  }

  private func closeGap(
    _ gap: (event: Event, ordinal: UInt64, from: Instant), _ changes: inout [LaneChange]
  ) {
    let within = Gap(gap.event, in: vocabulary)?.within
    let end = within.map { gap.from.advanced(by: $0) } ?? now
    changes.append(.gap(gap.event, ordinal: gap.ordinal, from: gap.from, to: max(gap.from, end)))
  }

  // MARK: Instants

  private mutating func addMark(_ event: Event, _ changes: inout [LaneChange]) {
    let kind: Lane.Kind
    switch event.verb {
    case .work: kind = .work(event.name)
    case .notify: kind = .notifications
    case .note: kind = .notes
    case .taskEnd, .taskGranted, .taskExpired, .bgtaskRegister, .bgtaskExpire, .bgtaskComplete:
      kind = .tasks
    case .deliver, .complete: kind = .deliveries
    case .dataSave: kind = .unsaved
    case .release: kind = .held
    default: return
    }
    changes.append(.mark(lane: place(kind), event, ordinal: ordinal, at: now))
  }

  private mutating func addValue(_ event: Event, _ changes: inout [LaneChange]) {
    guard let value = event.value else { return }
    let lane = place(.counter(event.name))
    if lanes[lane].kind == .others { return }
    changes.append(.value(lane: lane, value, ordinal: ordinal, at: now))
  }
}

extension Event {
  /// Whether it tells of the end of a process.
  fileprivate var isEnd: Bool { verb == .kill || verb == .exit }

  /// Whether it may open a span.
  fileprivate var opensSpan: Bool { SpanFamily.opened(by: verb) != nil }

  /// Whether only a process that runs brings it about.
  fileprivate var isOfProcess: Bool {
    switch verb {
    case .profile, .gap, .note, .kill, .exit, .sample: false
    default: true
    }
  }
}

extension LifecycleState {
  /// The open spans that `event`, which closes those of a family, closes when it is folded next.
  fileprivate func spans(closedBy event: Event, _ family: SpanFamily) -> [OpenEvent] {
    var spans = [open.span(closedBy: event, family)].compactMap(\.self)
    // A save with a duration has saved the datum of its label when it ends.
    if family == .work, event.name == WorkCategory.save.symbol {
      spans += [open.span(closedBy: event, .data)].compactMap(\.self)
    }
    return spans
  }
}

extension SpanFamily {
  private static let closing = table(\.closing)
  private static let opening = table(\.opening)

  private static func table(_ verb: (SpanFamily) -> Verb) -> [SpanFamily?] {
    var families = [SpanFamily?](repeating: nil, count: 256)
    for family in allCases { families[Int(verb(family).code)] = family }
    return families
  }

  /// The family of which `verb` opens spans; `nil` for other verbs.
  static func opened(by verb: Verb) -> SpanFamily? { opening[Int(verb.code)] }

  /// The family of which `verb` closes spans; `nil` for other verbs.
  static func closed(by verb: Verb) -> SpanFamily? { closing[Int(verb.code)] }
}
