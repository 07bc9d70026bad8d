import AnalysisTestSupport
import AppLifecycle
import LifecycleModel
import TestTime
import Testing
import LifecycleRules
import TraceAnalysis
import TraceLog
import TraceText
import Traces

/// Whatever the host emits with handlers that behave is clean; whatever one does wrong is found.
///
/// `APPLIFECYCLE_SEEDS` in the environment says how many seeds.
@MainActor @Suite(.tags(.nightly)) struct RandomSessionTests {
  static let seeds = Nightly.seeds(300, all: 1000, variable: "APPLIFECYCLE_SEEDS")

  @Test func whatBehavesIsClean() throws {
    var launches: Set<String> = []
    var scenes: Set<Int> = []
    var rules: Set<String> = []
    for seed in Self.seeds {
      var session = try RandomSession(seed: seed)
      session.run()
      scenes.insert(session.app.driver.application?.connectedScenes.count ?? 0)
      let trace = try session.app.trace()
      let analysis = Self.analyze(trace)
      let found = analysis.allFindings.map { "\($0.rule): \($0.message)" }
      #expect(found == [], "seed \(seed)")
      #expect(HostShadow.contradictions(in: trace) == [], "seed \(seed)")
      for event in trace.events where event.verb == .processStart {
        launches.insert(trace.vocabulary.attributes(event.attributes)[.launch] ?? "")
      }
      for outcome in analysis.outcomes where outcome.outcome == .satisfied {
        rules.insert(outcome.rule.id)
      }
      if !found.isEmpty { break }
    }

    // The sessions show what they are meant to show.
    #expect(launches == ["user", "push", "location", "url", "bgtask", "prewarm"])
    #expect(scenes.isSuperset(of: 1...4))
    #expect(rules.isSuperset(of: Self.exercised), "\(Self.exercised.subtracting(rules))")
  }

  /// Whatever hooks are recorded beside the system's, and whatever is lost: nothing is found but the
  /// loss itself.
  @Test func whatBehavesIsCleanHoweverItIsRecorded() throws {
    for seed in Self.seeds {
      var session = try RandomSession(seed: seed)
      session.run()
      var generator = SeededGenerator(seed: seed)
      let part = PartialRecording.some(
        of: try session.trace(), always: [.system], &generator)
      let found = Self.analyze(part).allFindings.filter { $0.rule != "lost-events" }
        .map { "\($0.rule) \($0.ordinal): \($0.message)" }
      let profile = part.events.first.map { part.vocabulary.attributes($0.attributes) } ?? []
      #expect(found == [], "seed \(seed), \(profile[.hooks] ?? "")")
    }
  }

  /// Rules that the sessions give something to look at.
  static let exercised: Set<String> = [
    "resign-before-background", "active-alternates", "foreground-before-active",
    "notification-after-call", "order-nothing-while-suspended", "suspend-from-background",
    "scene-connection", "budget-did-enter-background", "task-one-end", "lock-at-suspend",
    "work-timer-while-inactive", "ident-main-thread",
  ]

  /// A thread whose ring is full for a while, once to three times, makes no healthy app look ill.
  @Test func whatIsLostIsNotMissed() throws {
    var lost = 0
    for seed in Self.seeds {
      var session = try RandomSession(seed: seed)
      session.run()
      var random = SeededGenerator(seed: seed)
      var trace = try session.app.trace()
      for _ in 0..<Int.random(in: 1...3, using: &random) { lose(&trace, using: &random, &lost) }
      let found = Self.analyze(trace).allFindings.filter { $0.rule != "lost-events" }
        .map { "\($0.rule): \($0.message)" }
      #expect(found == [], "seed \(seed)")
      if !found.isEmpty { break }
    }

    #expect(lost > Self.seeds.count)
  }

  /// Takes some events of one writer out, and says so as a ring does.
  private func lose(_ trace: inout Trace, using random: inout SeededGenerator, _ lost: inout Int) {
    let writer: WriterID = random.oneIn(4) ? .system : .main
    let places = trace.events.indices.filter {
      trace.events[$0].writer == writer && ![.profile, .gap].contains(trace.events[$0].verb)
    }
    guard places.count > 3 else { return }

    let first = Int.random(in: 1..<(places.count - 1), using: &random)
    let last = min(places.count - 2, first + Int.random(in: 0...20, using: &random))
    guard first <= last else { return }

    let (before, after) = (trace.events[places[first - 1]], trace.events[places[last + 1]])
    var gap = Gap(
      .ringFull, writer: trace.vocabulary.name(of: writer),
      from: trace.events[places[first]].sequence, to: trace.events[places[last]].sequence)
    gap.within = after.instant.since(before.instant)
    lost += last - first + 1
    for place in places[first...last].reversed() { trace.events.remove(at: place) }
    trace.events.insert(
      gap.event(at: before.instant, in: trace.vocabulary), at: places[first - 1] + 1)
  }

  static func analyze(_ trace: Trace) -> Analysis {
    Analyzer.analyze(trace)
  }
}

/// The states that the host states, held against those that the fold makes of the whole trace.
enum HostShadow {
  /// Where the two differ, by line; empty when they agree after every event.
  static func contradictions(in trace: Trace) -> [String] {
    var state = LifecycleState()
    var app = AppState?.none
    var scenes: [UInt32: SceneActivation] = [:]
    var problems: [String] = []
    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)

    for event in trace.events {
      state.fold(event)
      if event.verb == .processStart {
        app = nil
        scenes = [:]
      } else if event.verb == .state,
        let transition = Transition(trace.vocabulary.text(event.name))
      {
        if event.subject.kind == .scene {
          let from = SceneActivation(rawValue: transition.from)
          if from != scenes[event.subject.number] ?? .unattached
            || !isPossible(from, SceneActivation(rawValue: transition.to))
          {
            problems.append("impossible: \(printer.line(event))")
          }
          let to = SceneActivation(rawValue: transition.to)
          scenes[event.subject.number] = to == .unattached ? nil : to
        } else {
          let (from, to) = (AppState(rawValue: transition.from), AppState(rawValue: transition.to))
          if from != app ?? .notRunning || !isPossible(from, to, hasScenes: !scenes.isEmpty) {
            problems.append("impossible: \(printer.line(event))")
          }
          app = to
        }
      }
      // With scenes the app's state follows from theirs at once; the host says so in the next line.
      let expected = scenes.isEmpty ? app : mostActive(scenes)
      let isScenesGone = scenes.isEmpty && event.verb == .state && event.subject.kind == .scene
      let folded = Dictionary(
        uniqueKeysWithValues: state.scenes.map { ($0.number, $0.activation) })
      if folded != scenes || (state.appState != expected && !isScenesGone) {
        problems.append(
          "\(printer.line(event)): fold \(String(describing: state.appState)) \(folded), "
            + "host \(String(describing: expected)) \(scenes)")
      }
    }
    return problems
  }

  private static func mostActive(_ scenes: [UInt32: SceneActivation]) -> AppState {
    let states = scenes.values.map(\.appState)
    return states.contains(.active) ? .active : states.contains(.inactive) ? .inactive : .background
  }

  /// The table of `spec/lifecycle.md` §1.1 for an app without scenes; with scenes the app's state may
  /// jump when a scene goes.
  private static func isPossible(_ from: AppState?, _ to: AppState?, hasScenes: Bool) -> Bool {
    switch (from, to) {
    case (.notRunning, .inactive), (.notRunning, .background), (.inactive, .active),
      (.active, .inactive), (.inactive, .background), (.background, .inactive):
      true
    default: hasScenes
    }
  }

  /// The table of `spec/lifecycle.md` §1.1 for scenes.
  private static func isPossible(_ from: SceneActivation?, _ to: SceneActivation?) -> Bool {
    switch (from, to) {
    case (.unattached, .background), (.background, .foregroundInactive),
      (.foregroundInactive, .foregroundActive), (.foregroundActive, .foregroundInactive),
      (.foregroundInactive, .background), (.background, .unattached),
      (.foregroundInactive, .unattached):
      true
    default: false
    }
  }
}
