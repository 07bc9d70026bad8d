import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// What a rule remembers has a limit.
///
/// Beyond it a rule finds nothing that memory would have excused, and does not pass over what it has
/// not looked at.
@Suite struct RuleMemoryTests {
  @Test func theOldestGoesOfWhatIsLookedUp() {
    var memory = Remembered<Int>(2, beyond: .oldestGoes)
    for number in 1...2 { memory.append(number) }
    #expect(memory.isWhole)
    memory.append(3)
    #expect(Array(memory) == [2, 3] && !memory.isWhole)
    memory.removeAll()
    #expect(memory.isWhole)
  }

  @Test func whatCannotBeFollowedCannotBeTold() {
    var memory = Remembered<Int>(2, beyond: .cannotTell)
    var findings = RuleFindings()
    for number in 1...3 { memory.append(number, &findings) }
    #expect(Array(memory) == [1, 2] && findings.doubts == [.tooManyInstances])
  }

  @Test func aFullSetDoesNotKnowWhatItHasNot() {
    var seen = RememberedSet<Int>(2)
    #expect(seen.contains(3) == false)
    for number in 1...3 { seen.insert(number) }
    #expect(seen.contains(1) == true && seen.contains(3) == nil)
    seen.removeAll()
    #expect(seen.contains(3) == false)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let hooks: String
    let lines: [String]

    var testDescription: String { rule }
  }

  private static func each(_ range: ClosedRange<Int>, _ line: (Int) -> String) -> [String] {
    range.map(line)
  }

  /// One more of everything than the rule remembers; it is about the last, or the first where the
  /// oldest goes.
  static let cases = [
    Case(
      rule: "work-timer-while-inactive", hooks: "app-delegate,work,resources",
      lines: [
        "1s main call applicationDidBecomeActive app",
        "2s main call applicationWillResignActive app",
      ] + each(1...65) { "2s main acquire timer app \"t\($0)\"" } + [
        "2s main return applicationWillResignActive app", "3s main work timer app \"t65\"",
      ]),
    Case(
      rule: "data-unsaved-after-resign", hooks: "scene-delegate,data,system",
      lines: ["1s main call sceneDidBecomeActive scene:1"]
        + each(1...257) {
          "1s main data.dirty scene:1 \"d\($0)\"\n1s main data.save scene:1 \"d\($0)\""
        }
        + [
          "2s main data.dirty scene:1 \"d257\"",
          "3s main call sceneWillResignActive scene:1",
          "3s main return sceneWillResignActive scene:1",
          "3s main call sceneDidDisconnect scene:1",
        ]),
    Case(
      rule: "data-state-restoration", hooks: "scene-delegate,data,system",
      lines: each(1...65) { "1s main data.dirty scene:\($0) \"restoration\"" }
        + each(1...65) { "2s main return sceneStateRestorationActivity scene:\($0)" }
        + ["9s - suspend app"]),
    Case(
      rule: "notification-promised", hooks: "scene-delegate,scene-notifications,system",
      lines: each(1...65) { "1s main call sceneDidBecomeActive scene:\($0)" }
        + each(1...65) { "2s main notify UIScene.willDeactivateNotification scene:\($0)" }
        + ["2.5s main call sceneWillResignActive scene:65", "9s - suspend app"]),
    Case(
      rule: "task-leak-at-suspend", hooks: "app-delegate,tasks,system",
      lines: each(1...1025) { "1s main task.begin task:\($0)\n1s - task.granted task:\($0)" }
        + each(1...1024) { "2s main task.end task:\($0)" } + ["9s - suspend app"]),
    Case(
      rule: "task-begin-before-work", hooks: "app-delegate,tasks,work",
      lines: ["1s main call applicationDidEnterBackground app"]
        + each(1...65) { "1s main work dispatch app \"w\($0)\"" }
        + ["2s main task.begin task:1 \"w65\""]),
    Case(
      rule: "data-not-only-on-lifecycle", hooks: "app-delegate,data",
      lines: ["1s main call applicationDidBecomeActive app"]
        + each(1...256) {
          "1s main data.dirty app \"d\($0)\"\n1s main data.save app \"d\($0)\""
        }
        + ["2s main call applicationWillResignActive app"]
        + each(1...3) { _ in "3s main data.dirty app \"d257\"\n3s main data.save app \"d257\"" }),
    Case(
      rule: "excl-double-observer", hooks: "app-notifications,scene-notifications,work",
      lines: ["1s main observe UIScene.didEnterBackgroundNotification scene:1 \"Archiver\""]
        + each(1...257) { "1s main work save app \"n\($0)\"" }
        + [
          "1s main observed UIScene.didEnterBackgroundNotification scene:1 \"Archiver\"",
          "1s main observe UIApplication.didEnterBackgroundNotification app \"Archiver\"",
          "1s main work save app \"n257\"",
        ]),
    Case(
      rule: "work-goes-on-while-inactive", hooks: "scene-delegate,work,tasks,system",
      lines: ["1s db work.begin load scene:65"]
        + each(1...65) { "2s main return sceneWillResignActive scene:\($0)" }
        + ["9s main note"]),
    Case(
      rule: "data-dirty-at-background", hooks: "app-delegate,data,tasks,system",
      lines: each(1...257) { "1s main data.dirty app \"d\($0)\"" }
        + [
          "2s main call applicationDidEnterBackground app", "2s main task.begin task:1",
          "2s main return applicationDidEnterBackground app",
        ] + each(1...256) { "3s main data.save app \"d\($0)\"" } + ["9s - suspend app"]),
    Case(
      rule: "ident-delegate-scene-match", hooks: "scene-delegate,scene-notifications",
      lines: each(1...65) { "1s main call sceneWillResignActive scene:\($0)" }),
    Case(
      rule: "scene-discard-only-permanent", hooks: "app-delegate,scene-delegate",
      lines: each(1...257) {
        "1s main call sceneWillConnect scene:\($0) session=\($0)\n"
          + "1s main call sceneDidDisconnect scene:\($0) reason=reclaim"
      } + ["2s main call applicationDidDiscardSceneSessions session:257"]),
  ]

  @Test(arguments: cases) func whatIsBeyondTheLimitCannotBeTold(_ item: Case) throws {
    let rule = try #require(RuleRegistry.all.first { $0.description.id == item.rule })
    let mode = item.hooks.contains("scene") ? "scene" : "app"
    let profile = "0s - profile mode=\(mode) os=18.2 background-modes=none hooks=\(item.hooks)"
    let trace = try TraceNotation.parse(([profile] + item.lines).joined(separator: "\n"))
    let analysis = Analyzer.analyze(trace, rules: [rule])
    #expect(analysis.findings.map(\.message) == [])
    let doubts = analysis.outcomes.flatMap { $0.doubts.map(\.doubt) }
    #expect(doubts.contains(.tooManyInstances), "\(doubts)")
  }
}
