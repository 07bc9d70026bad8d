import Testing
import TraceText
import Traces
import Workloads

@testable import LifecycleModel

/// The fold over a trace, whatever the trace says.
@Suite struct StateFoldTests {
  private func fold(_ events: some Sequence<Event>, from start: LifecycleState = LifecycleState())
    -> LifecycleState
  {
    var state = start
    for event in events { state.fold(event) }
    return state
  }

  private func arbitrary(_ seed: UInt64, _ count: Int) -> [Event] {
    print("seed \(seed)")
    var maker = ArbitraryTrace(seed: seed)
    return maker.trace(count: count).events
  }

  /// A log begins each part with a checkpoint: what follows it must mean the same as in one piece.
  @Test(arguments: 0..<40) func aLifeGoesOnFromACheckpoint(seed: UInt64) throws {
    print("seed \(seed)")
    var workload = AppWorkload(count: 400, seed: seed)
    let trace = try workload.readAll()
    let whole = fold(trace.events)
    var random = SeededGenerator(seed: seed)

    for _ in 0..<4 {
      let cut = Int.random(in: 0...trace.events.count, using: &random)
      let checkpoint = fold(trace.events[..<cut]).checkpoint()
      let rest = fold(trace.events[cut...], from: LifecycleState(checkpoint: checkpoint))
      #expect(rest == whole, "seed \(seed), cut at \(cut)")
      #expect(rest.appState == whole.appState && rest.scenes.count == whole.scenes.count)
      #expect(activeScenes(rest) == activeScenes(whole), "seed \(seed), cut at \(cut)")
    }
  }

  @Test(arguments: 0..<30) func aCheckpointOfACheckpointIsTheSame(seed: UInt64) {
    let state = fold(arbitrary(seed, 150))
    let once = state.checkpoint()
    let twice = LifecycleState(checkpoint: once).checkpoint()
    #expect(twice == once, "seed \(seed)")
    #expect(LifecycleState(checkpoint: twice) == state, "seed \(seed)")
  }

  @Test(arguments: 0..<20) func aCopyIsAValue(seed: UInt64) {
    let events = arbitrary(seed, 160)
    let half = fold(events[..<80])
    let before = half.checkpoint()
    let whole = fold(events[80...], from: half)
    #expect(half.checkpoint() == before, "seed \(seed)")
    #expect(whole == fold(events), "seed \(seed)")
  }

  @Test(arguments: 0..<20) func whatSaysNothingChangesNothing(seed: UInt64) throws {
    let events = arbitrary(seed, 80)
    var state = fold(events)
    let before = state.checkpoint()
    for verb in [Verb.note, .sample, .bgtaskRegister, .taskGranted, Verb(code: 200)] {
      state.fold(Event(instant: state.instant, writer: .main, verb: verb, subject: .app))
      #expect(!state.isAppChanged, "seed \(seed): \(verb.code)")
    }
    #expect(state.checkpoint() == before, "seed \(seed)")
    #expect(state.ordinal == UInt64(events.count + 5))
  }

  /// The scenes that are at hand as active.
  private func activeScenes(_ state: LifecycleState) -> Set<UInt32> {
    guard let active = state.activeScenes else { return [] }
    return Set(active.indices.map { active[$0] })
  }

  @Test(arguments: 0..<20) func anAppIsAsActiveAsItsScenes(seed: UInt64) {
    var state = LifecycleState()
    for event in arbitrary(seed, 200) {
      state.fold(event)
      for activation in SceneActivation.allCases {
        let counted = state.scenes.count { $0.activation == activation }
        #expect(state.sceneCount(of: activation) == counted)
        for scene in state.scenes {
          let others = state.scenes.count {
            $0.activation == activation && $0.number != scene.number
          }
          #expect(state.sceneCount(of: activation, besides: scene.number) == others)
          #expect(state.activation(ofScene: scene.number) == scene.activation)
        }
      }
      #expect(state.scenes.map(\.number) == state.scenes.map(\.number).sorted())
      #expect(state.sceneCount == state.scenes.count)
      let active = state.scenes.filter { $0.activation == .foregroundActive }.map(\.number)
      #expect(activeScenes(state) == (state.sceneCount <= 4 ? Set(active) : []))
    }
  }

  /// Who sleeps is not awake: the time awake never runs faster than the time.
  @Test(arguments: 0..<20) func timeAwakeIsNoLongerThanTime(seed: UInt64) throws {
    print("seed \(seed)")
    var workload = AppWorkload(count: 600, seed: seed)
    var state = LifecycleState()
    var awake: Nanoseconds?
    var opened: OpenEvent?

    for event in try workload.readAll().events {
      state.fold(event)
      let now = state.awake(at: state.instant)
      if let awake { #expect(now >= awake, "seed \(seed)") }
      awake = now
      #expect(state.suspended(at: state.instant) >= 0)
      opened = opened ?? state.open.facts.first
      if let opened {
        let span = state.awake(since: opened, at: state.instant)
        #expect(span >= 0 && span <= state.instant.since(opened.event.instant), "seed \(seed)")
      }
    }
  }

  @Test func nothingOfAProcessSurvivesItsSuccessor() {
    for seed in UInt64(0)..<20 {
      var state = fold(arbitrary(seed, 120))
      let sessions = state.discardedSessions
      state.fold(Event(instant: state.instant, writer: .system, verb: .processStart, subject: .app))
      #expect(state.open.count == 0 && state.scenes == [] && state.app == nil, "seed \(seed)")
      #expect(state.suspension == nil && state.processEnd == nil && state.launchEnd == nil)
      #expect(state.suspended(at: state.instant) == 0, "seed \(seed)")
      // Sessions outlive processes.
      #expect(state.discardedSessions == sessions)
    }
  }

  /// Their number is bounded, as that of all that a state holds of what is over.
  @Test func theLatestDiscardedSessionsAreRemembered() {
    var state = LifecycleState()
    for number in UInt32(1)...100 {
      state.fold(
        Event(
          instant: Instant(nanoseconds: Int64(number)), writer: .main, verb: .return,
          name: Callback.applicationDidDiscardSceneSessions.symbol, subject: .session(number)))
    }
    #expect(Set(state.discardedSessions.keys) == Set(37...100))
  }

  @Test func theNextFactIsTheOneThatIsFolded() {
    for seed in UInt64(0)..<20 {
      var state = LifecycleState()
      for event in arbitrary(seed, 60) {
        let next = state.nextFact(event)
        state.fold(event)
        #expect(next.ordinal == state.ordinal, "seed \(seed)")
        if event.verb == .profile { #expect(state.profile == next, "seed \(seed)") }
        if event.verb == .processStart { #expect(state.processStart == next, "seed \(seed)") }
        if event.verb == .kill { #expect(state.processEnd == next, "seed \(seed)") }
      }
    }
  }

  @Test func anEndThatIsToldAgainIsAnEcho() throws {
    let trace = try TraceNotation.parse(
      """
      0s - process.start app
      1s main call applicationDidBecomeActive app
      2s - kill app
      3s - exit app
      4s main call applicationDidEnterBackground app
      5s - kill app
      """)

    var state = LifecycleState()
    var echoes: [Bool] = []
    for event in trace.events {
      echoes.append(state.isEcho(event))
      state.fold(event)
    }
    #expect(echoes == [false, false, false, true, false, false])
  }

  /// Of several words about one end any may be the one that says why.
  @Test func aCheckpointKeepsAllThatWasSaidOfAnEnd() throws {
    let trace = try TraceNotation.parse(
      """
      1s main call applicationDidBecomeActive app
      2s - exit app status=0
      2.1s - kill app code=0xb namespace=SIGNAL
      3s - exit app reason=gone
      """)
    var state = LifecycleState()
    for event in trace.events { state.fold(event) }

    let ends = { (state: LifecycleState) in
      state.checkpoint().filter { $0.verb == .exit || $0.verb == .kill }.map(\.sequence)
    }
    #expect(ends(state) == [1, 2, 3])
    #expect(ends(LifecycleState(checkpoint: state.checkpoint())) == [1, 2, 3])

    // Another end, of a process whose start is not seen: what was said of the first one is over.
    let next = try TraceNotation.parse(
      "4s main call applicationDidEnterBackground app\n5s - kill app\n")
    for event in next.events { state.fold(event) }
    #expect(ends(state).count == 1)
  }

  /// A gap with a length hides what happens up to its end, and no longer.
  @Test func aLossWithALengthEnds() throws {
    let trace = try TraceNotation.parse(
      """
      1s main acquire lock app "a"
      2s - gap ring-full 3 within=2s
      3s main acquire lock app "b"
      4.5s main acquire lock app "c"
      5s main acquire lock app "d"
      """)

    var state = LifecycleState()
    var certain: [[Bool]] = []
    for event in trace.events {
      state.passLoss(before: event)
      state.fold(event)
      if let within = Gap(event, in: trace.vocabulary)?.within {
        state.noteLoss(until: event.instant.advanced(by: within))
      }
      certain.append(state.open.facts(.resource).map { state.isCertain($0) })
    }

    #expect(
      certain == [
        [true], [false], [false, true], [false, false, true], [false, false, true, true],
      ])
    #expect(state.lossEnd == nil)
  }

  @Test func aDoubtAboutTheProcessHidesWhatWasKnown() throws {
    var state = LifecycleState()
    state.fold(
      Event(instant: .origin, writer: .main, verb: .taskBegin, subject: .task(1)))
    let task = try #require(state.open.facts(.task).first)
    #expect(state.isCertain(task))

    let profile = Event(
      instant: Instant(nanoseconds: 5), writer: .system, verb: .profile, subject: .app)
    state.doubtProcess(before: profile)
    #expect(!state.isCertain(task))
    state.fold(profile)
    #expect(state.profile.map { state.isCertain($0) } == false)
    #expect(state.lastGap?.event.name == GapCause.sourceHole.symbol)
  }
}
