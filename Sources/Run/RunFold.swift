import LifecycleModel

/// Follows a run: its processes, states, spans, suspensions and gaps, as they begin and end.
///
/// Tables, statistics, pictures and exports are made of its changes, so that all show the same. Memory is taken
/// by what is open. Instants never go back: an event that does stands at the latest instant before it.
package struct RunFold {
  private let vocabulary: Vocabulary
  /// What is true after the events so far.
  package private(set) var state = LifecycleState()
  /// What is known of the app by now.
  package private(set) var profile = Profile()
  /// The latest instant so far.
  package private(set) var now = Instant.distantPast
  /// The process that runs, by its place in the trace, from 1; `nil` when none does.
  package private(set) var process: Int?
  /// The state of the app before the last event; `nil` when no process ran.
  package private(set) var appBefore: AppState?
  /// Whether the last event began a span, or ended one that the state knows.
  package private(set) var isEdge = false
  /// How many ends of processes can be judged by now, as nothing more will be known of them.
  package private(set) var judgedEnds = 0

  private var ordinal: UInt64 = 0
  private var watch = ProcessWatch()
  /// Whether the app has been active in this process, and whether it was informed that it terminates.
  private var (wasActive, isTerminating) = (false, false)
  /// Whether the end of a process is known, and more may be said of it.
  private var isEndPending = false
  private var clocks = RunClocks()
  private var (barCount, spanCount, processCount): (UInt64, Int, Int) = (0, 0, 0)
  /// The process that ended last, and the event that ended it.
  private var lastEnded: (process: Int, ordinal: UInt64)?
  private var processBefore: Int?

  /// The open spans, by the ordinal that the state knows them by: where events are lost it counts more than
  /// there are.
  private var open: [UInt64: RunBar] = [:]
  /// What began on each thread, the innermost last; some of it has ended.
  private var threads: [WriterID: [UInt64]] = [:]
  private var app, running, suspension: RunBar?
  private var scenes: [UInt32: RunBar] = [:]
  /// The gaps that no event has followed yet.
  private var gaps: [(event: Event, ordinal: UInt64, from: Instant)] = []
  /// At most this many gaps wait for an event; then the first ends without one.
  private static let gapLimit = 64

  /// Makes a fold of a trace whose events belong to `vocabulary`.
  package init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Appends what the next event changes.
  ///
  /// Cost: at most some hundred nanoseconds, but for the end of a process, which ends all that is
  /// open.
  package mutating func observe(_ event: Event, into changes: inout [RunChange]) {
    ordinal += 1
    (processBefore, appBefore) = (process, process == nil ? nil : state.appState)
    // The profile of a new process stands before its start, and the one before it may be long gone.
    let latest = event.verb == .profile ? now : max(now, event.instant)
    if process != nil, state.suspension == nil { clocks.advance(latest.since(now), appBefore) }
    if state.isFull { giveUpOldest(before: event, &changes) }
    now = latest
    if event.verb != .gap, event.verb != .profile { closeGaps(&changes) }

    let (closed, saved) = (state.opener(closedBy: event), state.datum(savedBy: event))
    let openBefore = state.open.count
    let turn = follow(event)
    let isFirst = turn == .begins
    if isFirst { endAll(.replaced, &changes) }
    if event.isOfProcess && running == nil && isAlive { beginProcess(event, &changes) }
    if let closed { endSpan(closed, &changes) }
    if let saved { endSpan(saved, &changes) }
    let isOpened =
      SpanFamily.opened(by: event.verb) != nil && (isFirst || state.open.count > openBefore)
    if isOpened { beginSpan(event, &changes) }
    isEdge = isOpened || closed != nil || saved != nil
    followApp(event, &changes)
    if event.subjectKind == .scene { followScene(event.subjectNumber, event, &changes) }

    switch event.verb {
    case .gap: beginGap(event, &changes)
    case .suspend, .resume: followSuspension(event, &changes)
    case .kill, .exit: if turn == .ends { die(event, &changes) }
    default: break
    }
  }

  /// Appends the ends of what is open at the end of the trace.
  package mutating func finish(into changes: inout [RunChange]) {
    closeGaps(&changes)
    endAll(.endOfLog, &changes)
  }

  /// The process of the last event; `nil` between two processes.
  package var processOfEvent: Int? {
    process ?? (lastEnded?.ordinal == ordinal ? lastEnded?.process : nil) ?? processBefore
  }

  /// Lets the vocabulary forget what nobody can need any more, when it has become large.
  ///
  /// Call it between two batches; what has ended has no words from then on, but for those that `kept` adds.
  package func forgetUnusedWords(but kept: (inout VocabularyUse) -> Void = { _ in }) {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    addUse(to: &use)
    kept(&use)
    vocabulary.forget(except: use)
  }

  /// Adds the words of all that is open, which must not be forgotten.
  package func addUse(to use: inout VocabularyUse) {
    use.add(state)
    for bar in open.values { use.add(bar.event) }
    for bar in [app, running, suspension].compactMap(\.self) + scenes.values { use.add(bar.event) }
    for gap in gaps { use.add(gap.event) }
  }

  /// What is open, in the order of the begins.
  package var openBars: [RunBar] {
    (Array(open.values) + scenes.values + [app, running, suspension].compactMap(\.self))
      .ordered { $0.id < $1.id }
  }

  // MARK: The state

  /// What an event is for the process that runs.
  private enum Turn { case none, begins, ends }

  /// Folds an event into the state, by which process it is of.
  private mutating func follow(_ event: Event) -> Turn {
    state.passLoss(before: event)
    var turn = watch.concerns(event) ? lookForStart(event) : .none
    if event.name == RunFold.willTerminate.call && event.verb == .call
      || event.name == RunFold.willTerminate.notification && event.verb == .notify
    {
      isTerminating = true
    }

    switch event.verb {
    case .processStart:
      endUnseen()
      turn = .begins
    case .kill, .exit:
      if KillCode.isStackshot(event, vocabulary) {
        state.foldStackshot(event)
        return .none
      }
      if !state.isEcho(event) {
        // The app was seen again since its last end, though no start was.
        if state.processEnd != nil { judgeEnd() }
        isEndPending = true
        turn = .ends
      }
    default: break
    }

    state.fold(event)
    if state.isAppChanged, state.appState == .active { wasActive = true }
    noteRareEvent(event, turn)
    return turn
  }

  private static let willTerminate = (
    call: Callback.applicationWillTerminate.symbol,
    notification: LifecycleNotification.applicationWillTerminate.symbol
  )

  private mutating func noteRareEvent(_ event: Event, _ turn: Turn) {
    switch event.verb {
    case .profile:
      profile = Profile(statedBy: event, in: vocabulary)
      watch.adopt(profile)
    case .kill, .exit: if turn == .ends { (wasActive, isTerminating) = (false, false) }
    case .gap:
      watch.note(event)
      if let within = Gap(event, in: vocabulary)?.within {
        state.noteLoss(until: event.instant.advanced(by: within))
      }
    case .processStart: watch.note(event)
    default: break
    }
  }

  /// Looks whether an event is the first of a process whose start is not recorded, or may be.
  private mutating func lookForStart(_ event: Event) -> Turn {
    if event.verb == .profile { judgeEnd() }
    let sign = watch.sign(
      event, state, profile, vocabulary, wasActive: wasActive, isTerminating: isTerminating)

    switch sign {
    case .nothing: return .none
    case .mayBegin:
      state.doubtProcess(before: event)
      return .none
    case .begins:
      endUnseen()
      state.forgetProcess()
      return .begins
    }
  }

  /// Another process begins: the one before it has ended, if there was one.
  private mutating func endUnseen() {
    if state.isRunning { isEndPending = true }
    judgeEnd()
    (wasActive, isTerminating) = (false, false)
  }

  private mutating func judgeEnd() {
    if isEndPending { judgedEnds += 1 }
    isEndPending = false
  }

  // MARK: Bars

  private mutating func begin(
    _ content: RunBar.Content, scene: UInt32? = nil, _ event: Event, _ changes: inout [RunChange]
  ) -> RunBar {
    barCount += 1
    let isSpan = content == .span || content == .suspension
    if isSpan { spanCount += 1 }
    let isSystems =
      content == .span
      && event.isSystemWork(openSnapshots: state.open.count(.snapshot), vocabulary)

    let bar = RunBar(
      id: barCount, content: content, scene: scene, event: event, ordinal: ordinal, begin: now,
      number: isSpan ? spanCount : 0,
      parent: content == .span && event.opensOnThread ? parent(of: event) : nil,
      process: process, app: appBefore, isSystemWork: isSystems, clocks: clocks)
    changes.append(.begin(bar))
    return bar
  }

  private mutating func end(
    _ bar: RunBar, _ cause: RunEnd.Cause, isCertain: Bool = true, _ changes: inout [RunChange]
  ) {
    let end = RunEnd(
      cause: cause, instant: now, ordinal: ordinal, process: process, isCertain: isCertain,
      times: clocks.since(bar.clocks))
    changes.append(.end(bar, end))
  }

  // MARK: Spans

  private mutating func beginSpan(_ event: Event, _ changes: inout [RunChange]) {
    let bar = begin(.span, event, &changes)
    open[state.ordinal] = bar
    if event.opensOnThread { threads[event.writer, default: []].append(state.ordinal) }
  }

  private mutating func endSpan(_ fact: OpenEvent, _ changes: inout [RunChange]) {
    guard let bar = open.removeValue(forKey: fact.ordinal) else { return }
    end(bar, .closed, isCertain: state.isCertain(fact), &changes)
  }

  /// The span on whose thread an event begins another one.
  private mutating func parent(of event: Event) -> Int? {
    guard var nest = threads[event.writer] else { return nil }
    threads[event.writer] = nil
    while let last = nest.last, open[last] == nil { nest.removeLast() }
    // What has ended below an open span goes when it is more than what is open.
    if nest.count > 2 * open.count + 32 { nest.removeAll { open[$0] == nil } }
    threads[event.writer] = nest
    return nest.last.flatMap { open[$0]?.number }
  }

  /// Ends what is followed no more, at the loss that states it.
  private mutating func giveUpOldest(before event: Event, _ changes: inout [RunChange]) {
    guard let loss = state.loss(before: event) else { return }
    _ = follow(loss)
    let oldest = state.open.oldestOrdinal ?? .max
    let spans = open.filter { $0.key < oldest }
    let gone = scenes.filter { state.activation(ofScene: $0.key) == nil }
    for key in spans.keys { open[key] = nil }
    for key in gone.keys { scenes[key] = nil }

    let bars = (Array(spans.values) + gone.values).ordered { $0.ordinal < $1.ordinal }
    for bar in bars { end(bar, .givenUp, isCertain: false, &changes) }
    beginGap(loss, &changes)
  }

  // MARK: States

  private mutating func followApp(_ event: Event, _ changes: inout [RunChange]) {
    guard let now = state.appState, event.verb != .kill, event.verb != .exit else { return }
    if let app, app.content == .state(now.rawValue) { return }
    if app == nil && state.processEnd != nil && !state.isAppChanged { return }
    if let app { end(app, .closed, &changes) }
    app = begin(.state(now.rawValue), event, &changes)
  }

  private mutating func followScene(
    _ number: UInt32, _ event: Event, _ changes: inout [RunChange]
  ) {
    let word = state.activation(ofScene: number)?.rawValue
    let bar = scenes[number]
    if let word, bar?.content == .state(word) { return }
    if let bar { end(bar, .closed, &changes) }
    scenes[number] = word.map { begin(.state($0), scene: number, event, &changes) }
  }

  private mutating func followSuspension(_ event: Event, _ changes: inout [RunChange]) {
    if event.verb == .suspend, suspension == nil {
      suspension = begin(.suspension, event, &changes)
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

  private mutating func beginProcess(_ event: Event, _ changes: inout [RunChange]) {
    processCount += 1
    process = processCount
    running = begin(.process, event, &changes)
  }

  private mutating func die(_ event: Event, _ changes: inout [RunChange]) {
    endAll(.died, &changes)
    var ended = processCount
    if let lastEnded, lastEnded.ordinal == ordinal {
      ended = lastEnded.process
    } else {
      // Of the process only its end is known.
      processCount += 1
      ended = processCount
    }
    lastEnded = (ended, ordinal)
    changes.append(.death(event, ordinal: ordinal, at: now, process: ended))
  }

  private mutating func endAll(_ cause: RunEnd.Cause, _ changes: inout [RunChange]) {
    let gap = state.lastGap?.ordinal ?? 0
    for (ordinal, bar) in open.ordered(by: { $0.value.ordinal < $1.value.ordinal }) {
      end(bar, cause, isCertain: ordinal > gap, &changes)
    }
    for bar in scenes.values.ordered(by: { $0.scene ?? 0 < $1.scene ?? 0 }) {
      end(bar, cause, &changes)
    }
    for bar in [app, suspension, running].compactMap(\.self) { end(bar, cause, &changes) }

    if let process { lastEnded = (process, ordinal) }
    open.removeAll()
    threads.removeAll()
    scenes.removeAll()
    (app, suspension, running, process) = (nil, nil, nil, nil)
  }

  // MARK: Gaps

  private mutating func beginGap(_ event: Event, _ changes: inout [RunChange]) {
    if gaps.count == RunFold.gapLimit { closeGap(gaps.removeFirst(), &changes) }
    gaps.append((event, ordinal, now))
  }

  private mutating func closeGaps(_ changes: inout [RunChange]) {
    for gap in gaps { closeGap(gap, &changes) }
    gaps.removeAll()
  }

  private func closeGap(
    _ gap: (event: Event, ordinal: UInt64, from: Instant), _ changes: inout [RunChange]
  ) {
    let within = Gap(gap.event, in: vocabulary)?.within
    let end = within.map { gap.from.advanced(by: $0) } ?? now
    changes.append(
      .gap(
        gap.event, ordinal: gap.ordinal, from: gap.from, to: max(gap.from, end), process: process))
  }
}

extension Event {
  /// Whether only a process that runs brings it about.
  fileprivate var isOfProcess: Bool {
    switch verb {
    case .profile, .gap, .note, .kill, .exit, .sample: false
    default: true
    }
  }
}
