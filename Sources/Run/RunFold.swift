import LifecycleModel

/// Follows a run: its processes, states, spans, suspensions and gaps, as they begin and end.
///
/// Tables, statistics, pictures and exports are made of its changes, so that all show the same. Memory is taken
/// by what is open. Instants never go back: an event that does stands at the latest instant before it.
package struct RunFold {
  private let vocabulary: Vocabulary
  /// What the last event changed, or the end of the trace.
  package private(set) var changes: [RunChange] = []
  /// What is true after the events so far.
  package private(set) var state = LifecycleState()
  /// What is known of the app by now.
  package private(set) var profile = Profile()
  /// The place of the last event in the trace, from 1.
  package private(set) var ordinal: UInt64 = 0
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

  /// Follows the next event, and puts what it changes into ``changes``.
  ///
  /// Cost: at most some hundred nanoseconds, but for the end of a process, which ends all that is
  /// open.
  package mutating func observe(_ event: Event) {
    changes.removeAll(keepingCapacity: true)
    ordinal += 1
    (processBefore, appBefore) = (process, process == nil ? nil : state.appState)
    // The profile of a new process stands before its start, and the one before it may be long gone.
    let latest = event.verb == .profile ? now : max(now, event.instant)
    if process != nil, state.suspension == nil { clocks.advance(latest.since(now), appBefore) }
    if state.isFull { giveUpOldest(before: event) }
    now = latest
    if event.verb != .gap, event.verb != .profile { closeGaps() }

    let (closed, saved) = (state.opener(closedBy: event), state.datum(savedBy: event))
    let openBefore = state.open.count
    let turn = follow(event)
    let isFirst = turn == .begins
    if isFirst { endAll(.replaced) }
    if event.isOfProcess && running == nil && isAlive { beginProcess(event) }
    if let closed { endSpan(closed) }
    if let saved { endSpan(saved) }
    let isOpened =
      SpanFamily.opened(by: event.verb) != nil && (isFirst || state.open.count > openBefore)
    if isOpened { beginSpan(event) }
    isEdge = isOpened || closed != nil || saved != nil
    followApp(event)
    if event.subjectKind == .scene { followScene(event.subjectNumber, event) }

    switch event.verb {
    case .gap: beginGap(event)
    case .suspend, .resume: followSuspension(event)
    case .kill, .exit: if turn == .ends { die(event) }
    default: break
    }
  }

  /// Puts the ends of what is open at the end of the trace into ``changes``.
  package mutating func finish() {
    changes.removeAll(keepingCapacity: true)
    closeGaps()
    endAll(.endOfLog)
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
    _ content: RunBar.Content, scene: UInt32? = nil, _ event: Event
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

  private mutating func end(_ bar: RunBar, _ cause: RunEnd.Cause, isCertain: Bool = true) {
    let end = RunEnd(
      cause: cause, instant: now, ordinal: ordinal, process: process, isCertain: isCertain,
      times: clocks.since(bar.clocks))
    changes.append(.end(bar, end))
  }

  // MARK: Spans

  private mutating func beginSpan(_ event: Event) {
    let bar = begin(.span, event)
    open[state.ordinal] = bar
    if event.opensOnThread { threads[event.writer, default: []].append(state.ordinal) }
  }

  private mutating func endSpan(_ fact: OpenEvent) {
    guard let bar = open.removeValue(forKey: fact.ordinal) else { return }
    end(bar, .closed, isCertain: state.isCertain(fact))
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
  private mutating func giveUpOldest(before event: Event) {
    guard let loss = state.loss(before: event) else { return }
    _ = follow(loss)
    let oldest = state.open.oldestOrdinal ?? .max
    let spans = open.filter { $0.key < oldest }
    let gone = scenes.filter { state.activation(ofScene: $0.key) == nil }
    for key in spans.keys { open[key] = nil }
    for key in gone.keys { scenes[key] = nil }

    let bars = (Array(spans.values) + gone.values).ordered { $0.ordinal < $1.ordinal }
    for bar in bars { end(bar, .givenUp, isCertain: false) }
    beginGap(loss)
  }

  // MARK: States

  private mutating func followApp(_ event: Event) {
    guard let now = state.appState, event.verb != .kill, event.verb != .exit else { return }
    if let app, app.content == .state(now.rawValue) { return }
    if app == nil && state.processEnd != nil && !state.isAppChanged { return }
    if let app { end(app, .closed) }
    app = begin(.state(now.rawValue), event)
  }

  private mutating func followScene(_ number: UInt32, _ event: Event) {
    let word = state.activation(ofScene: number)?.rawValue
    let bar = scenes[number]
    if let word, bar?.content == .state(word) { return }
    if let bar { end(bar, .closed) }
    scenes[number] = word.map { begin(.state($0), scene: number, event) }
  }

  private mutating func followSuspension(_ event: Event) {
    if event.verb == .suspend, suspension == nil {
      suspension = begin(.suspension, event)
    } else if event.verb == .resume, let bar = suspension {
      end(bar, .closed)
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

  private mutating func beginProcess(_ event: Event) {
    processCount += 1
    process = processCount
    running = begin(.process, event)
  }

  private mutating func die(_ event: Event) {
    endAll(.died)
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

  private mutating func endAll(_ cause: RunEnd.Cause) {
    let gap = state.lastGap?.ordinal ?? 0
    for (ordinal, bar) in open.ordered(by: { $0.value.ordinal < $1.value.ordinal }) {
      end(bar, cause, isCertain: ordinal > gap)
    }
    for bar in scenes.values.ordered(by: { $0.scene ?? 0 < $1.scene ?? 0 }) {
      end(bar, cause)
    }
    for bar in [app, suspension, running].compactMap(\.self) { end(bar, cause) }

    if let process { lastEnded = (process, ordinal) }
    open.removeAll()
    threads.removeAll()
    scenes.removeAll()
    (app, suspension, running, process) = (nil, nil, nil, nil)
  }

  // MARK: Gaps

  private mutating func beginGap(_ event: Event) {
    if gaps.count == RunFold.gapLimit { closeGap(gaps.removeFirst()) }
    gaps.append((event, ordinal, now))
  }

  private mutating func closeGaps() {
    for gap in gaps { closeGap(gap) }
    gaps.removeAll()
  }

  private mutating func closeGap(_ gap: (event: Event, ordinal: UInt64, from: Instant)) {
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
