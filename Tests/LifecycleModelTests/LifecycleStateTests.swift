import LifecycleModel
import Testing
import TraceText
import Traces

@Suite struct LifecycleStateTests {
  /// Folds `notation` and tells, for each line that changed it, the state of app and scenes.
  private func states(_ notation: String) throws -> [String] {
    let trace = try TraceNotation.parse(notation)
    var state = LifecycleState()
    var told: [String] = []
    for event in trace.events {
      state.fold(event)
      #expect(state.brokenInvariants() == [])
      let scenes = state.scenes.map { " scene:\($0.number) \($0.activation)" }.joined()
      let now = "\(state.app.map { "\($0.state)" } ?? "unknown")\(scenes)"
      if now != told.last { told.append(now) }
    }
    return told
  }

  @Test func anAppWithoutScenesGoesThroughItsStates() throws {
    let states = try states(
      """
      0s  - process.start app
      1s  main call   applicationDidBecomeActive app
      2s  main return applicationDidBecomeActive app
      3s  main call   applicationWillResignActive app
      4s  main return applicationWillResignActive app
      5s  main call   applicationDidEnterBackground app
      6s  main return applicationDidEnterBackground app
      7s  main call   applicationWillEnterForeground app
      8s  main return applicationWillEnterForeground app
      """)
    #expect(states == ["unknown", "active", "inactive", "background", "inactive"])
  }

  /// A callback that UIKit does not send to a scene on screen takes nothing back.
  @Test func aCallbackThatCannotBeIsNotBelieved() throws {
    let ofScenes = try states(
      """
      1s main call sceneWillConnect scene:1
      1.1s main return sceneWillConnect scene:1
      1.2s main call sceneDidBecomeActive scene:1
      1.3s main return sceneDidBecomeActive scene:1
      2s main call sceneWillEnterForeground scene:1
      2.1s main return sceneWillEnterForeground scene:1
      3s main notify UIScene.willEnterForegroundNotification scene:1
      4s main notify UIScene.willConnectNotification scene:1
      """)

    #expect(
      ofScenes == ["background scene:1 background", "active scene:1 foregroundActive"])
    let ofApps = try states(
      """
      1s main call applicationDidBecomeActive app
      2s main call applicationWillEnterForeground app
      2.1s main return applicationWillEnterForeground app
      """)

    #expect(ofApps == ["active"])
    // The way to the background may be in the gap.
    let afterGap = try states(
      """
      1s main call sceneDidBecomeActive scene:1
      1.5s - gap ring-full 3
      2s main call sceneWillEnterForeground scene:1
      2.1s main return sceneWillEnterForeground scene:1
      """)

    #expect(
      afterGap == [
        "active scene:1 foregroundActive", "inactive scene:1 foregroundInactive",
      ])
  }

  /// Only what needs a completion handler is open until it was called.
  @Test func deliveriesAreOpenWhileTheyAreNotCompleted() throws {
    let trace = try TraceNotation.parse(
      """
      0s - deliver event scene:1
      1s - deliver location app
      2s - deliver url app "notes:7"
      3s - deliver push app "news"
      4s - deliver fetch app
      5s main complete push app "news"
      """)

    var state = LifecycleState()
    var open: [Int] = []
    for event in trace.events {
      state.fold(event)
      open.append(state.open.count)
    }
    #expect(open == [0, 0, 0, 1, 2, 1])
  }

  @Test func anAppWithScenesIsAsActiveAsItsMostActiveScene() throws {
    let states = try states(
      """
      1s main notify UIScene.willConnectNotification scene:1
      2s main notify UIScene.didActivateNotification scene:1
      3s main notify UIScene.willConnectNotification scene:2
      4s main notify UIApplication.willResignActiveNotification app
      5s main notify UIScene.willDeactivateNotification scene:1
      6s main notify UIScene.didDisconnectNotification scene:1
      """)

    #expect(
      states == [
        "background scene:1 background",
        "active scene:1 foregroundActive",
        "active scene:1 foregroundActive scene:2 background",
        "inactive scene:1 foregroundInactive scene:2 background",
        "background scene:2 background",
      ])
  }

  @Test func suspendedTimeIsNotAwake() throws {
    let trace = try TraceNotation.parse(
      """
      1s main task.begin task:1
      2s - suspend app
      7s - resume app
      8s main note
      """)

    var state = LifecycleState()
    for event in trace.events { state.fold(event) }
    let task = try #require(state.open.facts(.task).first)
    #expect(state.awake(since: task, at: state.instant) == .seconds(2))
  }

  @Test func theNewestOfEqualSpansIsClosedFirst() throws {
    let trace = try TraceNotation.parse(
      """
      1s main work.begin save app "db" 1
      2s main work.begin save app "db" 1
      3s other work.end save app "db" 1
      """)
    var state = LifecycleState()
    for event in trace.events { state.fold(event) }
    #expect(state.open.facts(.work).map(\.event.instant.nanoseconds) == [.seconds(1)])
  }

  @Test func aGapMakesWhatWasKnownUncertain() throws {
    let trace = try TraceNotation.parse(
      """
      1s main acquire lock app "db"
      2s - gap ring-full 3
      3s main acquire lock app "log"
      """)
    var state = LifecycleState()
    for event in trace.events { state.fold(event) }
    #expect(state.open.facts(.resource).map { state.isCertain($0) } == [false, true])
  }

  @Test func aNewProcessStartsWithNothingOpen() throws {
    let trace = try TraceNotation.parse(
      """
      1s main call sceneWillConnect scene:1
      2s main task.begin task:1
      3s - process.start app
      """)
    var state = LifecycleState()
    for event in trace.events { state.fold(event) }
    #expect(state.open.count == 0 && state.scenes.isEmpty && state.app == nil)
  }

  @Test(arguments: 0..<400) func aCheckpointRebuildsTheState(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    var state = LifecycleState()
    for event in maker.trace(count: 120).events {
      state.fold(event)
      #expect(state.brokenInvariants() == [], "seed \(seed)")
    }
    let rebuilt = LifecycleState(checkpoint: state.checkpoint())
    #expect(rebuilt.checkpoint() == state.checkpoint(), "seed \(seed)")
    #expect(rebuilt.brokenInvariants() == [], "seed \(seed)")
  }

  @Test func aCheckpointKeepsSinceWhenTheAppIsAsItIs() throws {
    let trace = try TraceNotation.parse(
      """
      1s main call sceneDidBecomeActive scene:1
      2s main call sceneDidBecomeActive scene:2
      3s main call sceneDidEnterBackground scene:1
      4s main call sceneDidEnterBackground scene:2
      5s main call sceneWillConnect scene:3
      """)

    var state = LifecycleState()
    for event in trace.events { state.fold(event) }
    let rebuilt = LifecycleState(checkpoint: state.checkpoint())
    #expect(rebuilt.app?.since.event.instant.nanoseconds == .seconds(4))
    #expect(rebuilt == state)
  }

  @Test func manyLeakedLocksAreStillClosedInOrder() throws {
    let vocabulary = Vocabulary()
    var state = LifecycleState()
    func event(_ verb: Verb, _ value: Int64) -> Event {
      Event(
        instant: Instant(nanoseconds: value), writer: .main, verb: verb,
        name: Resource.lock.symbol, subject: .app, label: vocabulary.symbol("db"), value: value)
    }

    for value in 1..<OpenSpans.most { state.fold(event(.acquire, Int64(value))) }
    for value in 2..<OpenSpans.most { state.fold(event(.release, Int64(value))) }
    #expect(state.open.facts(.resource).map(\.event.rawValue).count == 1)
    #expect(state.brokenInvariants() == [])
  }

  /// An app that leaks takes no memory without end, and what is given up is not taken for closed.
  @Test func beyondALimitTheOlderHalfIsGivenUp() {
    var state = LifecycleState()
    func acquire(_ value: Int) -> Event {
      Event(
        instant: Instant(nanoseconds: Int64(value)), writer: .main, verb: .acquire,
        name: Resource.lock.symbol, subject: .app, value: Int64(value))
    }

    for value in 1...OpenSpans.most { state.fold(acquire(value)) }
    #expect(state.openCount == OpenSpans.most && state.givenUpAt == 0 && state.isComplete)
    state.fold(acquire(OpenSpans.most + 1))
    #expect(state.openCount == OpenSpans.most / 2 + 1 && state.brokenInvariants() == [])
    #expect(state.open.facts.first?.event.rawValue == Int64(OpenSpans.most / 2 + 1))
    #expect(state.lastGap?.event.isGivingUp == true && !state.isComplete)
    #expect(state.open.facts.filter(state.isCertain).count == 1)

    var most = 0
    for value in 1...10 * OpenSpans.most {
      state.fold(acquire(OpenSpans.most + 1 + value))
      most = max(most, state.openCount)
    }
    #expect(most == OpenSpans.most && state.brokenInvariants() == [])
    // The loss counts as an event, so that no two facts have one place.
    #expect(state.ordinal > UInt64(11 * OpenSpans.most + 1))
    state.fold(Event(instant: state.instant, writer: .system, verb: .processStart, subject: .app))
    #expect(state.isComplete && state.lastGap == nil && state.openCount == 0)
  }

  @Test func ofTooManyScenesThoseInTheBackgroundAreGivenUp() {
    var state = LifecycleState()
    func say(_ notification: LifecycleNotification, _ number: Int) {
      state.fold(
        Event(
          instant: Instant(nanoseconds: Int64(number)), writer: .main, verb: .notify,
          name: notification.symbol, subject: .scene(UInt32(number))))
    }

    say(.sceneDidActivate, 1)
    for number in 2...2000 {
      say(.sceneWillConnect, number)
      #expect(state.sceneCount <= 256)
    }
    #expect(state.activation(ofScene: 1) == .foregroundActive && state.appState == .active)
    #expect(state.activation(ofScene: 2) == nil && state.activation(ofScene: 2000) == .background)
    #expect(state.app.map { state.isCertain($0.since) } == false)
    #expect(state.brokenInvariants() == [])
  }

  /// The state of the app is as certain as that of each scene that keeps it up.
  @Test func anAppThatOnlyAHiddenSceneKeepsActiveIsNotSurelyActive() throws {
    let trace = try TraceNotation.parse(
      """
      0s - process.start app
      1s main notify UIScene.didActivateNotification scene:1
      1s main notify UIScene.didActivateNotification scene:2
      2s - gap ring-full 3
      3s main notify UIScene.didActivateNotification scene:1
      4s main notify UIScene.didEnterBackgroundNotification scene:1
      5s main notify UIScene.didActivateNotification scene:2
      """)

    var state = LifecycleState()
    var certain: [Bool?] = []
    for event in trace.events {
      state.fold(event)
      certain.append(state.app.map { state.isCertain($0.since) })
    }

    #expect(certain == [nil, true, true, false, true, false, true])
    #expect(state.appState == .active && state.brokenInvariants().isEmpty)
  }
}
