import LifecycleModel
import Testing
import TraceAnalysis
import TraceTestSupport
import TraceText

/// What had to come and did not is a witness; what is too much, or too late, is none.
@Suite struct MissingWitnessTests {
  private func finding(_ rule: String, _ notation: String) throws -> Finding {
    let judgement = try TraceNotation.parse(notation).judged(by: rule)
    return try #require(judgement.analysis.findings.first, "\(judgement)")
  }

  /// Roles, and what is missing in words with its neighbors' numbers, in the order of the evidence.
  private func told(_ finding: Finding) -> [String] {
    finding.witnesses.map { witness in
      guard let missing = witness.missing else {
        return "\(witness.role) \(witness.event?.sequence ?? 0)"
      }
      let until = missing.until.map { InstantText.print($0.nanoseconds) } ?? "-"
      let background = missing.backgroundTime.map { " background \(InstantText.print($0))" } ?? ""
      return "\(witness.role) \(missing.words) after \(missing.after?.sequence ?? 0) "
        + "before \(missing.before?.sequence ?? 0) until \(until)\(background)"
    }
  }

  // MARK: Patterns

  /// The scene was active and entered the background: its resign had to come in between.
  @Test func anOrderSaysWhichCallOfWhichSceneIsMissing() throws {
    let finding = try finding(
      "resign-before-background",
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      2s main call sceneDidBecomeActive scene:2
      3s main call sceneDidEnterBackground scene:2
      """)

    #expect(
      told(finding) == [
        "opens 2",
        "missing call sceneWillResignActive scene:2 or notify UIScene.willDeactivateNotification "
          + "scene:2 after 2 before 3 until -",
        "culprit 3",
      ])
  }

  /// Before the first call of a scene in a process its connection had to come, and nothing opened that.
  @Test func whatHadToComeFirstStandsBeforeTheCulprit() throws {
    let finding = try finding(
      "scene-connection",
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,system
      0s - process.start app
      1s main call sceneWillConnect scene:1
      2s main call sceneDidBecomeActive scene:2
      """)

    #expect(
      told(finding) == [
        "missing call sceneWillConnect scene:2 or notify UIScene.willConnectNotification scene:2 "
          + "after 2 before 2 until -",
        "culprit 2",
      ])
    #expect(finding.missing.first?.after?.verb == .processStart)
  }

  /// The handler returned and had not ended its task.
  @Test func aResponseIsMissingBeforeTheEnd() throws {
    let finding = try finding(
      "task-end-in-expiration",
      """
      0s - profile hooks=tasks
      1s main task.begin task:7 "sync"
      2s main task.expire task:7
      3s main task.expired task:7
      """)

    #expect(
      told(finding) == [
        "culprit 2", "missing task.end task:7 after 2 before 3 until -", "closes 3",
      ])
  }

  /// The task was open for 31 s in the background; the system allows 30 s.
  @Test func aTaskThatNeverEndsMissesItsEnd() throws {
    let finding = try finding(
      "task-one-end",
      """
      0s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks,system
      0s - process.start app
      1s main task.begin task:7 "sync"
      2s main call applicationDidEnterBackground app
      2.1s main return applicationDidEnterBackground app
      40s - kill app
      """)

    #expect(
      told(finding) == [
        "culprit 1", "missing task.end task:7 \"sync\" after 1 before 0 until - background 30s",
      ])
  }

  /// Five seconds after 1 s the callback had not returned; what else was open does not count.
  @Test func aBudgetMissesTheReturnUntilItsLimit() throws {
    let finding = try finding(
      "budget-did-enter-background",
      """
      0s - profile hooks=app-delegate,work
      1s main call applicationDidEnterBackground app
      2s db work.begin save app "notes"
      6.1s db note "still here"
      """)

    #expect(
      told(finding) == [
        "culprit 1", "missing return applicationDidEnterBackground app after 1 before 0 until 6s",
      ])
  }

  /// The first callback returned after 3 s; the second is the one that runs when 5 s are spent.
  @Test func aBudgetMissesTheReturnOfWhatRunsAndNotOfTheFirst() throws {
    let finding = try finding(
      "budget-did-enter-background",
      """
      0s - profile hooks=app-delegate,app-notifications
      1s main call applicationDidEnterBackground app
      4s main return applicationDidEnterBackground app
      5s main observe UIApplication.didEnterBackgroundNotification app "cache"
      9s db note
      """)

    #expect(
      finding.missing.map(\.words) == [
        "observed UIApplication.didEnterBackgroundNotification app \"cache\""
      ])
    #expect(finding.missing.first?.until == Instant(nanoseconds: .seconds(7)))
  }

  /// It returned after 6 s: too late, and not missing any more.
  @Test func whatCameTooLateIsNotMissing() throws {
    let finding = try finding(
      "budget-did-enter-background",
      """
      0s - profile hooks=app-delegate
      1s main call applicationDidEnterBackground app
      7s main return applicationDidEnterBackground app
      """)
    #expect(told(finding) == ["culprit 1", "closes 2"])
  }

  /// The process slept from 3 s to 13 s: the 30 s from 2 s on are over at 42 s.
  @Test func aDeadlineStepsOverSuspension() throws {
    let finding = try finding(
      "completion-handlers-called",
      """
      0s - profile mode=app hooks=app-delegate,system
      1s main call applicationDidEnterBackground app
      1.1s main return applicationDidEnterBackground app
      2s - deliver push app
      3s - suspend app
      13s - resume app
      43s main note
      """)
    #expect(finding.missing.map(\.until) == [Instant(nanoseconds: .seconds(42))])
  }

  /// A lock is held as the process is suspended: its release had to come before.
  @Test func whatIsHeldMissesItsReleaseBeforeTheSuspension() throws {
    let finding = try finding(
      "lock-at-suspend",
      """
      0s - profile hooks=resources,system
      1s main acquire lock app "notes.db" 3
      2s - suspend app
      """)

    #expect(
      told(finding) == [
        "opens 1", "missing release lock app \"notes.db\" 3 after 1 before 2 until -", "culprit 2",
      ])
    // Each writer counts its own events.
    #expect(finding.missing.first?.before?.verb == .suspend)
  }

  // MARK: Code

  /// A push was delivered in the background at 2 s; 30 s are allowed.
  @Test func codeSaysWhatItWaitsFor() throws {
    let finding = try finding(
      "completion-handlers-called",
      """
      0s - profile mode=app hooks=app-delegate,system
      1s main call applicationDidEnterBackground app
      1.1s main return applicationDidEnterBackground app
      2s - deliver push app "news" 4
      33s main note
      """)

    #expect(
      told(finding) == [
        "culprit 2", "missing complete push app \"news\" 4 after 2 before 0 until 32s",
      ])
  }

  /// The first task is still open as another takes its variable.
  @Test func anOverwrittenTaskMissesItsEnd() throws {
    let finding = try finding(
      "task-overwrite-leak",
      """
      0s - profile hooks=tasks
      1s main task.begin task:7 "sync" holder=syncTask
      2s main task.begin task:8 "sync" holder=syncTask
      """)

    #expect(
      told(finding) == [
        "opens 1", "missing task.end task:7 \"sync\" after 1 before 2 until -", "culprit 2",
      ])
  }

  // MARK: Nothing missing

  /// Timers while inactive, a second activation, the wrong thread, a task that ends twice, the wrong
  /// state at a suspension, and what comes in the wrong order.
  @Test(arguments: [
    (
      "work-timer-while-inactive",
      """
      0s - profile mode=app hooks=app-delegate,work
      1s main call applicationDidBecomeActive app
      2s main call applicationWillResignActive app
      2.1s main return applicationWillResignActive app
      3s main work timer app "poll"
      """
    ),
    (
      "active-alternates",
      """
      0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      2s main call applicationDidBecomeActive app
      """
    ),
    (
      "ident-main-thread",
      """
      0s - profile hooks=app-delegate
      1s db call applicationDidBecomeActive app
      """
    ),
    (
      "task-one-end",
      """
      0s - profile hooks=tasks
      1s main task.begin task:7
      2s main task.end task:7
      3s main task.end task:7
      """
    ),
    (
      "notification-after-call",
      """
      0s - profile hooks=app-delegate,app-notifications,system
      0s - process.start app
      1s main notify UIApplication.didFinishLaunchingNotification app
      1.1s main call applicationDidFinishLaunching app
      """
    ),
    (
      "suspend-from-background",
      """
      0s - profile mode=app hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      2s - suspend app
      """
    ),
  ]) func whatIsTooMuchOrWrongHasNoMissingWitness(rule: String, notation: String) throws {
    let finding = try finding(rule, notation)
    #expect(finding.missing == [], "\(told(finding))")
    #expect(finding.witnesses.allSatisfy { $0.event != nil })
  }

  // MARK: Fingerprints

  /// Whether the end is seen depends on when the log ends; the cause is the same.
  @Test func theFingerprintDoesNotDependOnWhatIsMissing() throws {
    let begin = """
      0s - profile hooks=app-delegate
      1s main call applicationDidEnterBackground app

      """
    let open = try finding("budget-did-enter-background", begin + "9s db note")
    let late = try finding(
      "budget-did-enter-background", begin + "9s main return applicationDidEnterBackground app")
    #expect(open.missing.count == 1 && late.missing.isEmpty)
    #expect(open.fingerprint == late.fingerprint)
  }

  /// What a baseline has that was written before findings said what is missing: `tracectl baseline write`
  /// of that day.
  @Test(arguments: [
    (
      "resign-before-background", "0fa538b5c078a6e3",
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      3s main call sceneDidEnterBackground scene:1
      """
    ),
    (
      "lock-at-suspend", "42baeb909e17c74e",
      """
      0s - profile hooks=resources,system
      1s main acquire lock app "notes.db"
      2s - suspend app
      """
    ),
    (
      "budget-did-enter-background", "98e204c7148e4bb9",
      """
      0s - profile hooks=app-delegate
      1s main call applicationDidEnterBackground app
      9s main note
      """
    ),
  ]) func baselinesFromBeforeStillMatch(rule: String, fingerprint: String, notation: String) throws
  {
    let finding = try finding(rule, notation)
    #expect(!finding.missing.isEmpty)
    #expect(finding.fingerprint == fingerprint)
  }
}
