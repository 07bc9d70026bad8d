import LifecycleModel
import TraceAnalysis

/// Long work, camera and audio pause while nobody can use the app.
struct WorkGoesOnWhileInactiveRule: Rule {
  static let description: RuleDescription = .init(
    id: "work-goes-on-while-inactive",
    number: 108,
    topic: .work,
    summary: "work that runs at the resign pauses or ends within five seconds",
    severity: .info,
    cause: SharedCause(.unstoppedWork, rank: 2),
    sources: [.s0, .s1, .s2, .backgroundPreparation],
    why: """
      The documentation asks to pause ongoing tasks: an inactive app should do minimal work. \
      Ongoing work uses power, and takes the time needed to enter the background.
      """,
    remedy: """
      Pause the work in {resign} and continue in {activate}. Work that must finish belongs under \
      a background task.
      """,
    limits: """
      The rule checks work of the categories dispatch, load, camera, audio and other that began \
      before the resign and still runs after five seconds in which the app was not active. It does \
      not check saves and transfers, nor work that an open background task, a BGTaskScheduler task \
      or an uncompleted delivery covers. If the app declares audio, location or voip, the rule \
      cannot tell. No document gives a number of seconds.
      """,
    needs: RuleNeeds(hooks: [[.work], .turns, [.tasks], [.system]]),
    given: """
      0s - profile mode=app background-modes=none hooks=app-delegate,work,tasks,system
      1s main call applicationDidBecomeActive app
      """,
    examples: """
      clean: paused at the resign, and over before long
      2s render work.begin camera app "preview"
      2.5s..5s db work.begin load app "thumbnails"
      3s..3.2s main call applicationWillResignActive app
      3.1s main work.end camera app "preview"
      20s main call applicationDidBecomeActive app

      clean: a short interruption
      2s render work.begin camera app "preview"
      3s..3.2s main call applicationWillResignActive app
      6s main call applicationDidBecomeActive app
      20s main work frame app

      clean: a save, a transfer, and work under a background task
      2s db work.begin save app "notes.db"
      2s net work.begin network app "upload"
      3s..3.2s main call applicationWillResignActive app
      9s main call applicationDidBecomeActive app
      10s db work.begin other app "export"
      11s main task.begin task:1 "export" handler=true
      12s..12.2s main call applicationWillResignActive app
      20s main note "still exporting"

      clean: the work of a scene that stays
      0s - profile mode=scene background-modes=none hooks=scene-delegate,work,tasks,system
      1s main call sceneDidBecomeActive scene:1
      1.1s main call sceneDidBecomeActive scene:2
      2s render work.begin camera scene:2 "preview"
      3s..3.2s main call sceneWillResignActive scene:1
      20s main note "later"

      cannot tell: an app that plays
      0s - profile mode=app background-modes=audio hooks=app-delegate,work,tasks,system
      1s main call applicationDidBecomeActive app
      2s player work.begin audio app "song"
      3s..3.2s main call applicationWillResignActive app
      20s main note "later"

      cannot tell: the end may be in the gap
      2s render work.begin camera app "preview"
      3s..3.2s main call applicationWillResignActive app
      4s - gap ring-full 3
      20s main note "later"

      violating: the camera goes on under an alert
      2s render work.begin camera app "preview" ◀
      3s..3.2s main call applicationWillResignActive app
      20s main note "later"

      violating: a scene's, shown only by the notification
      0s - profile mode=scene background-modes=none hooks=scene-notifications,work,tasks,system
      1s main notify UIScene.didActivateNotification scene:1
      2s worker work.begin other scene:1 "index" ◀
      3s main notify UIScene.willDeactivateNotification scene:1
      9s main notify UIScene.didActivateNotification scene:1
      """
  )

  static let interests: [EventPattern] = [Turn.returns(.resign) | Turn.posts(.resign)]

  /// The work that a user would see, or that is long; a save or a transfer is to be finished.
  private static let categories: Set<Symbol> = Set(
    [WorkCategory.dispatch, .load, .camera, .audio, .other].map(\.symbol))
  /// The resigns that were less than five seconds ago, oldest first.
  private var resigns = Remembered<OpenEvent>(64, beyond: .cannotTell)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    // What names another object than its own says nothing of that.
    if event.turner != event.subject { return }
    resigns.removeAll { $0.event.subject == event.subject }
    resigns.append(moment.fact(event), &findings)
    waitForFirst(moment, &findings)
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    while let resign = resigns.first, moment.awake(resign) &+ Allowances.pausing <= now {
      resigns.remove(at: 0)
      judge(resign, moment, &findings)
    }
    waitForFirst(moment, &findings)
  }

  private func waitForFirst(_ moment: Moment, _ findings: inout RuleFindings) {
    if let first = resigns.first { findings.wake(at: moment.awake(first) &+ Allowances.pausing) }
  }

  private func judge(_ resign: OpenEvent, _ moment: Moment, _ findings: inout RuleFindings) {
    let running = moment.state.open.facts(.work).filter {
      $0.ordinal < resign.ordinal && Self.categories.contains($0.event.name)
        && moment.state.concerns($0, resign.event) && !moment.isSystems($0.event)
    }
    if running.isEmpty { return findings.foundClean() }
    if isActiveAgain(resign, moment) || moment.hasRightToWork { return findings.foundClean() }

    for work in running {
      findings.report(
        work, since: resign, elapsed: Allowances.pausing,
        unless: moment.doubtOfLastingModes,
        says: "{name} {label} of {subject} still runs five seconds after {opener} at {since}")
    }
  }

  /// Whether the app, or the scene, was active since.
  private func isActiveAgain(_ resign: OpenEvent, _ moment: Moment) -> Bool {
    if resign.event.subjectKind == .scene {
      return moment.state.activation(ofScene: resign.event.subjectNumber) == .foregroundActive
    }
    return moment.state.appState == .active
  }
}
