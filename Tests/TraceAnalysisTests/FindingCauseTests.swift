import LifecycleModel
import Testing
import TraceText
import Traces

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct FindingCauseTests {
  private func findings(_ notation: String) throws -> [Finding] {
    Analyzer.analyze(try TraceNotation.parse(notation)).findings
  }

  @Test func theRulesOfACauseAreRanked() {
    let shares = RuleRegistry.all.compactMap(\.description.cause)
    for cause in FindingCause.allCases {
      let ranks = shares.filter { $0.cause == cause }.map(\.rank).sorted()
      #expect(ranks.count > 1 && ranks == Array(1...ranks.count), "\(cause)")
    }
  }

  private static let leak = """
    0s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks,system
    1s main task.begin task:1 "sync" handler=true
    2s main call applicationDidEnterBackground app
    2.1s main return applicationDidEnterBackground app
    30s main task.expire task:1
    30.1s main task.expired task:1
    36s - kill app code=0x8badf00d

    """

  @Test func oneLeakedTaskIsOneFinding() throws {
    let findings = try findings(Self.leak)
    let leak = try #require(findings.first { $0.rule == "task-leak-at-suspend" })
    #expect(
      leak.dependents.map(\.rule)
        == ["task-one-end", "task-end-in-expiration", "budget-assertion-total"])
    let dependents = Set(leak.dependents.map(\.rule))
    #expect(findings.allSatisfy { !dependents.contains($0.rule) })
    #expect(leak.dependents.allSatisfy { $0.dependents.isEmpty && $0.severity <= leak.severity })
  }

  @Test func twoLeakedTasksAreTwo() throws {
    let notation = Self.leak.replacing(
      "2s main call", with: "1.5s main task.begin task:2 \"upload\" handler=true\n2s main call")
    let leaks = try findings(notation).filter { $0.rule == "task-leak-at-suspend" }
    #expect(leaks.map(\.subject) == [.task(1), .task(2)])
    #expect(leaks.map { $0.dependents.contains { $0.rule == "task-one-end" } } == [true, true])
  }

  @Test func oneUpdateOfTheInterfaceIsOneFinding() throws {
    let findings = try findings(
      """
      0s - profile mode=app hooks=app-delegate,work,system
      0s - process.start app launch=user
      0.5s main call applicationDidBecomeActive app
      0.6s main return applicationDidBecomeActive app
      1s main call applicationWillResignActive app
      1.1s main return applicationWillResignActive app
      2s main call applicationDidEnterBackground app
      2.1s main return applicationDidEnterBackground app
      2.2s - snapshot.begin app
      2.3s - snapshot.end app
      8s main work ui app "hidePassword"
      """)

    let late = findings.filter { $0.culprit?.name == WorkCategory.ui.symbol }
    #expect(late.count == 1)
    #expect(late.flatMap { [$0.rule] + $0.dependents.map(\.rule) } == ["work-ui-in-background"])
  }

  @Test func rulesThatNameOtherCausesStandAlone() throws {
    let findings = try findings(Self.leak.replacing("handler=true", with: "handler=false"))
    #expect(findings.contains { $0.rule == "task-missing-handler" && $0.dependents.isEmpty })
  }

  /// A fault, and the findings that it makes: their rules, each with those that depend on it.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let rules: [[String]]
    let notation: String

    init(_ what: String, _ rules: [[String]], _ notation: String) {
      (testDescription, self.rules, self.notation) = (what, rules, notation)
    }
  }

  static let faults = [
    Fault(
      "the app is activated twice, by call and notification",
      [["active-alternates", "active-alternates"]],
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      1.1s main return applicationDidBecomeActive app
      1.2s main notify UIApplication.didBecomeActiveNotification app
      3s main call applicationDidBecomeActive app
      3.1s main return applicationDidBecomeActive app
      3.2s main notify UIApplication.didBecomeActiveNotification app
      """),
    Fault(
      "the notification of a scene comes first, and both come twice, and once more",
      [["active-alternates", "active-alternates"], ["active-alternates", "active-alternates"]],
      """
      0s - profile mode=scene os=26.0 hooks=scene-delegate,scene-notifications
      1s main notify UIScene.didActivateNotification scene:1
      1.1s main call sceneDidBecomeActive scene:1
      1.2s main return sceneDidBecomeActive scene:1
      3s main notify UIScene.didActivateNotification scene:1
      3.1s main call sceneDidBecomeActive scene:1
      3.2s main return sceneDidBecomeActive scene:1
      5s main notify UIScene.didActivateNotification scene:1
      5.1s main call sceneDidBecomeActive scene:1
      5.2s main return sceneDidBecomeActive scene:1
      """),
    Fault(
      "a notification that the app posts itself, before UIKit does",
      [["notification-after-call", "active-alternates"]],
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      2s main notify UIApplication.willResignActiveNotification app
      3s main call applicationWillResignActive app
      3.1s main return applicationWillResignActive app
      3.2s main notify UIApplication.willResignActiveNotification app
      """),
    Fault(
      "none of the app's notifications is posted", [["notification-promised"]],
      """
      0s - profile mode=scene os=26.0 hooks=scene-delegate,app-notifications,system
      0s - process.start app
      1s main call sceneDidBecomeActive scene:1
      2s main return sceneWillResignActive scene:1
      2.1s main call sceneDidEnterBackground scene:1
      3s main call sceneDidBecomeActive scene:1
      4s main return sceneWillResignActive scene:1
      4.1s main call sceneDidEnterBackground scene:1
      5s main call sceneDidBecomeActive scene:1
      """),
    Fault(
      "the notification names another scene",
      [["ident-delegate-scene-match", "notification-promised"]],
      """
      0s - profile mode=scene os=26.0 hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      1.1s main notify UIScene.didActivateNotification scene:1
      2s main call sceneDidEnterBackground scene:2
      2.1s main return sceneDidEnterBackground scene:2
      2.2s main notify UIScene.didEnterBackgroundNotification scene:2
      3s main call sceneWillResignActive scene:1
      3.1s main return sceneWillResignActive scene:1
      3.2s main notify UIScene.willDeactivateNotification scene:2
      5s main call sceneDidBecomeActive scene:1
      """),
    Fault(
      "a crash at the launch of an app without scenes", [["death", "launch-scene-adoption"]],
      """
      0s - profile mode=app sdk=27.0 os=27.0 hooks=app-delegate,system
      0s - process.start app launch=user
      1s main call applicationDidFinishLaunching app
      1.1s - kill app code=0xb namespace=SIGNAL
      """),
    Fault(
      "a launch that the watchdog ends", [["death", "launch-first-frame"]],
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,system,work
      0s - process.start app launch=prewarm
      1s - suspend app
      100s - resume app
      100.1s main call applicationDidFinishLaunching app
      100.2s main return applicationDidFinishLaunching app
      119.9s - kill app code=0x8badf00d namespace=FRONTBOARD
      """),
    Fault(
      "a busy main thread around a slow callback",
      [["budget-resign", "budget-main-blocked-foreground"]],
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,work
      1s main call applicationDidBecomeActive app
      1.1s main return applicationDidBecomeActive app
      7.9s main work.begin main-busy app
      8s main call applicationWillResignActive app
      10s main return applicationWillResignActive app
      10.1s main work.end main-busy app
      """),
    Fault(
      "two slow callbacks, one after the other",
      [["budget-resign", "budget-main-blocked-foreground"], ["budget-did-enter-background"]],
      """
      0s - profile mode=scene os=26.0 hooks=scene-delegate
      1s main call sceneDidBecomeActive scene:1
      1.1s main return sceneDidBecomeActive scene:1
      2s main call sceneWillResignActive scene:1
      3s main return sceneWillResignActive scene:1
      3s main call sceneDidEnterBackground scene:1
      9s main return sceneDidEnterBackground scene:1
      """),
  ]

  @Test(arguments: faults) func oneFaultIsOneFinding(_ fault: Fault) throws {
    let found = try findings(fault.notation).map { [$0.rule] + $0.dependents.map(\.rule) }
    #expect(found == fault.rules)
  }

  /// Joining takes nothing away and adds nothing.
  @Test(arguments: 0..<40) func everyFindingIsStillThere(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rules = RuleRegistry.all.map(\.description)
      .filter { $0.cause != nil || ["lost-events", "ident-main-thread"].contains($0.id) }
    let findings = (0..<60).map { index in
      let event = Event(
        sequence: UInt64(Int.random(in: 0..<6, using: &generator)) + 1,
        instant: Instant(nanoseconds: .seconds(Int64(Int.random(in: 0..<4, using: &generator)))),
        writer: .main,
        verb: Int.random(in: 0..<2, using: &generator) == 0 ? .taskBegin : .acquire,
        subject: .task(UInt32(Int.random(in: 0..<3, using: &generator))))
      let rule = rules[Int.random(in: 0..<rules.count, using: &generator)]
      var finding = Finding(
        rule: rule.id,
        severity: Severity.allCases[Int.random(in: 0..<3, using: &generator)],
        subject: event.subject,
        message: "\(index)", witnesses: [Finding.Witness(role: .culprit, event: event)],
        elapsed: nil, allowed: nil, profile: Profile(), occurrences: 1, fingerprint: "",
        ordinal: UInt64(index))
      finding.cause = rule.cause
      return finding
    }

    let joined = FindingCause.join(findings)
    let flat = joined.flatMap { [$0] + $0.dependents }
    #expect(flat.map(\.message).sorted() == findings.map(\.message).sorted(), "seed \(seed)")
    for finding in joined {
      let rules = [finding.rule] + finding.dependents.map(\.rule)
      #expect(Set(rules).count == rules.count, "seed \(seed)")
      #expect(finding.dependents.allSatisfy { $0.severity <= finding.severity }, "seed \(seed)")
    }
  }
}
