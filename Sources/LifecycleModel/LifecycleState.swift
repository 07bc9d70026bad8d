/// What is true after the events of a trace: a fold, `state(n+1) = fold(state(n), event)`.
///
/// It holds what is open and what state the app and its scenes are in, each with the event that
/// brought it about; its memory grows with open things, not with the trace. An event that does not
/// fit (an end without a begin, say) changes nothing it does not have to.
public struct LifecycleState: Sendable {
  /// The state of the app, and what brought it about.
  public struct App: Hashable, Sendable {
    /// The state; in an app with scenes that of the most active scene.
    public var state: AppState
    /// What brought it about.
    public var since: OpenEvent
  }

  /// The latest instant so far; a profile does not count, since it may be that of the next process.
  public internal(set) var instant = Instant.distantPast
  /// How many events were folded.
  public internal(set) var ordinal: UInt64 = 0
  /// The `profile` event that holds now.
  public internal(set) var profile: OpenEvent?
  /// The `process.start` of the process that runs, or ran last.
  public internal(set) var processStart: OpenEvent?
  /// What ended the process, as it was told last; `nil` while it runs.
  public internal(set) var processEnd: OpenEvent?
  /// What told of the same end before, the first three: one of them may say more.
  var earlierEnds: [OpenEvent] = []
  /// The return of `applicationDidFinishLaunching` in this process.
  public internal(set) var launchEnd: OpenEvent?
  /// The state of the app; `nil` while it is not known.
  public var app: App? { appState.map { App(state: $0, since: appSince) } }
  /// The state of the app alone; cheaper than ``app``, which says since when as well.
  public internal(set) var appState: AppState?
  /// What brought it about, while there is one.
  var appSince = OpenEvent(
    event: Event(instant: .origin, writer: .system, verb: .state), ordinal: 0, suspendedBefore: 0)
  /// The sessions that were discarded last, by number, with the return of the callback that told it; as
  /// many as ``rememberedDiscards``.
  public internal(set) var discardedSessions: [UInt32: OpenEvent] = [:]
  /// So many discarded sessions are remembered, the latest: none of them is to return.
  public static let rememberedDiscards = 64
  /// What is open: calls, work, resources, tasks, unsaved data, deliveries, snapshots.
  public internal(set) var open = OpenSpans()
  /// The `suspend` of a process that is suspended now.
  public internal(set) var suspension: OpenEvent?
  /// The newest `gap`: what was known before it is uncertain.
  public internal(set) var lastGap: OpenEvent?
  /// Until when events may be missing between any two events; `nil` when a gap lies in one place alone.
  package private(set) var lossEnd: Instant?
  /// The place, from 1, of the last event that changed ``app``, or confirmed it; the largest number
  /// before there was one.
  public internal(set) var appChange = UInt64.max
  /// For how long the process has been suspended before ``suspension``.
  var suspendedTotal: Nanoseconds = 0
  var sceneTable = SceneTable()
  @usableFromInline let table = FoldTable.shared
  /// The numbers of the scenes that are active, one of them in several lanes; `nil` when none is, and when
  /// there are more than four scenes.
  ///
  /// At hand for who asks at every event: a call costs more than to look.
  package internal(set) var activeScenes: SIMD4<UInt32>?
  /// How many scenes are active, and how many are in the foreground; at hand, as a call from another module
  /// would copy the state.
  package internal(set) var foreground: (active: Int, all: Int) = (0, 0)
  /// How many scenes are connected.
  public internal(set) var sceneCount = 0
  /// The number of the only scene, or of one of several; 0 without one.
  public internal(set) var aloneScene: UInt32 = 0
  /// While a checkpoint is folded each of its events says one thing: what is open, what state a
  /// scene is in, or what state the app is in; none follows from another.
  var isRebuilding = false
  /// Whether this holds all that is true.
  ///
  /// It does not when it was begun behind events that nobody knows, nor when what is open was forgotten.
  /// The next start of a process makes it complete; a profile, a discard or a loss before that, which nobody
  /// knows, may lack all the same.
  package internal(set) var isComplete = true
  /// So much is open by now that the oldest is given up before the next event.
  package internal(set) var isFull = false
  /// The place where the oldest was given up last; 0 while that never happened.
  package internal(set) var givenUpAt: UInt64 = 0

  /// Makes the state before the first event.
  public init() {}

  /// Makes the state behind events that nobody knows.
  package static var unknown: LifecycleState {
    var state = LifecycleState()
    state.isComplete = false
    return state
  }

  /// Makes the state that a checkpoint tells, see ``checkpoint()``.
  public init(checkpoint: [Event]) {
    isRebuilding = true
    for event in checkpoint { fold(event) }
    isRebuilding = false
  }

  /// The connected scenes, by number.
  public var scenes: [SceneState] { sceneTable.scenes }

  /// The loss that folding `event` next tells before it, as more is open than is followed; `nil` as a rule.
  ///
  /// Who shows losses folds it first; who does not need not ask, since ``fold(_:)`` does the same.
  package func loss(before event: Event) -> Event? {
    guard isFull, !event.isGivingUp else { return nil }
    return Event(
      instant: max(event.instant, instant), writer: .system, verb: .gap,
      name: GapCause.tooMuchOpen.symbol, value: -1)
  }

  /// How many spans and scenes there are now: a checkpoint has no fewer events.
  package var openCount: Int { open.count + sceneCount }

  /// How many scenes are in one of these states, besides the one with this number.
  ///
  /// Cost: constant, however many scenes there are.
  public func sceneCount(of activations: SceneActivation..., besides number: UInt32? = nil) -> Int {
    let own = number.flatMap(activation(ofScene:))
    return activations.reduce(0) { $0 + sceneTable.count(of: $1) - (own == $1 ? 1 : 0) }
  }

  /// The activation of a scene alone; cheaper than ``scene(_:)``.
  public func activation(ofScene number: UInt32) -> SceneActivation? {
    sceneTable.activation(number)
  }

  /// Whether the last event that was folded changed the state of the app, or confirmed it.
  public var isAppChanged: Bool { appChange == ordinal }

  /// Whether the last event that was folded is a gap: what followed is missing.
  package var endsInGap: Bool { lastGap?.ordinal == ordinal }

  /// Whether `event`, which is folded next, tells again of the end of the process: of one that has
  /// ended, and no app was in a state since.
  public func isEcho(_ event: Event) -> Bool {
    guard event.verb == .kill || event.verb == .exit, let processEnd else { return false }
    return appChange == .max || appChange < processEnd.ordinal
  }

  /// The begin of what `event` ends, which is folded next; `nil` when it ends nothing that is known.
  // Open to inlining, as a call would copy the state.
  @inlinable @inline(__always)
  package func opener(closedBy event: Event) -> OpenEvent? {
    let verb = Int(event.verb.code)
    return table.roles[verb] == .closes ? open.span(closedBy: event, table.families[verb]) : nil
  }

  /// The unsaved datum that `event` saves beside the work that it ends, when it is folded next: a save with a
  /// duration has saved the datum of its label when it ends.
  @inline(__always)
  package func datum(savedBy event: Event) -> OpenEvent? {
    guard event.verb == .workEnd, event.name == table.saveCategory else { return nil }
    return open.span(closedBy: event, .data)
  }

  /// The connected scene with this number.
  public func scene(_ number: UInt32) -> SceneState? { sceneTable[number] }

  /// Whether no gap lies between `fact` and now: nothing can have changed it unseen.
  @inline(__always)
  public func isCertain(_ opener: OpenEvent) -> Bool {
    guard let lastGap else { return true }
    return opener.ordinal > lastGap.ordinal
  }

  /// Says that the gap that was folded last goes on until `end`: from it until then something may be
  /// missing between any two events.
  ///
  /// The fold cannot tell, since how long a gap is stands in words.
  package mutating func noteLoss(until end: Instant) { lossEnd = max(lossEnd ?? end, end) }

  /// Takes into account what may be missing right before `event`: nothing that is known is certain
  /// then, as after a gap.
  package mutating func passLoss(before event: Event) {
    guard let lossEnd else { return }
    ordinal &+= 1
    lastGap?.ordinal = ordinal
    if event.instant > lossEnd { self.lossEnd = nil }
  }

  /// Takes into account that `event`, which is folded next, may be the first of another process, though
  /// no start says so: nothing that is known is certain then, as after a gap.
  package mutating func doubtProcess(before event: Event) {
    let gap = Event(
      instant: event.instant, writer: .system, verb: .gap, name: GapCause.sourceHole.symbol,
      value: -1)
    lastGap = nextFact(gap)
  }

  /// The fact that `event` is going to be when it is folded next.
  public func nextFact(_ event: Event) -> OpenEvent {
    // The time in which an earlier process was suspended is none of a new one's.
    let before = event.verb == .processStart ? 0 : suspended(at: event.instant)
    return OpenEvent(event: event, ordinal: ordinal &+ 1, suspendedBefore: before)
  }

  /// For how long the process has been suspended up to `instant`, which is not before the state's.
  public func suspended(at instant: Instant) -> Nanoseconds {
    guard let suspension else { return suspendedTotal }
    // By hand: small enough to be inlined elsewhere, where a call copies the state, 170 instructions for each event
    // of a log of lives.
    let (sum, overflow) = suspendedTotal.addingReportingOverflow(
      max(0, instant.since(suspension.event.instant)))
    return overflow ? .max : sum
  }

  /// The time in which the process could run code, up to `instant`: nanoseconds since the origin
  /// without suspension.
  ///
  /// Only differences within one process have a meaning.
  public func awake(at instant: Instant) -> Nanoseconds {
    instant.nanoseconds &- suspended(at: instant)
  }

  /// The same, up to the latest instant.
  @inline(__always)
  package var awakeNow: Nanoseconds { awake(at: instant) }

  /// The time in which the process could run code since `fact`, up to `instant`.
  public func awake(since opener: OpenEvent, at instant: Instant) -> Nanoseconds {
    let span = instant.since(opener.event.instant)
    return max(0, span &- (suspended(at: instant) &- opener.suspendedBefore))
  }

  /// What is wrong with the state; empty unless there is a bug.
  ///
  /// Cost: the number of open things.
  public func brokenInvariants() -> [String] {
    var broken = open.brokenInvariants() + sceneTable.brokenInvariants()
    if sceneCount != sceneTable.count { broken.append("the count of scenes is not their number") }
    let active = sceneTable.count(of: .foregroundActive)
    if foreground != (active, active + sceneTable.count(of: .foregroundInactive)) {
      broken.append("the counts of scenes in the foreground are not their numbers")
    }
    if suspendedTotal < 0 { broken.append("the process was suspended for a negative time") }
    let facts = open.facts + sceneTable.scenes.map(\.since)
    if facts.contains(where: { $0.ordinal > ordinal }) {
      broken.append("a fact stands after the last event")
    }
    if let start = processStart, facts.contains(where: { $0.ordinal < start.ordinal }) {
      broken.append("a fact of an earlier process survived it")
    }
    return broken
  }
}

extension LifecycleState: Equatable {
  /// Whether both states hold the same, whatever events led to them.
  public static func == (lhs: LifecycleState, rhs: LifecycleState) -> Bool {
    lhs.checkpoint() == rhs.checkpoint()
  }
}
