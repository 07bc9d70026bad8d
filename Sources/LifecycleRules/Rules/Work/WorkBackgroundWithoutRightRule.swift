import LifecycleModel
import TraceAnalysis

/// An app does not go on working in the background unless something allows it.
struct WorkBackgroundWithoutRightRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-background-without-right",
    number: 69,
    topic: .work,
    summary: "no work runs minutes after entering the background without a task or a mode",
    severity: .warning,
    sources: [.backgroundLimits, .backgroundPreparation],
    why: """
      Without a background task, a declared mode or a BGTaskScheduler task, the system soon \
      suspends the app. Work that needs more time stops on another device, or on another day.
      """,
    remedy: """
      Begin a background task for work that must finish, and stop timers and queues when it is \
      done.
      """,
    limits: """
      The system may take minutes to suspend a process: the rule reports only work two minutes \
      after the last permission to run. Debuggers, AirPlay and analytics keep apps running; under \
      a debugger nothing is checked. If the background modes are not known, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.work], [.tasks], [.system]], profile: [.noDebugger]),
    patterns: [
      .never(
        .work(.timer, .dispatch, .network, .save, .load, .ui, .frame, .mainBusy, .other),
        while: .subjectInBackground,
        says: "{name} {label} ran in the background without permission, after {opener} at {since}")
    ],
    given: """
      0s - profile mode=app background-modes=none hooks=app-delegate,work,tasks,system
      1s..1.1s main call applicationDidEnterBackground app
      """,
    examples: """
      clean: with a declared mode
      0s - profile mode=app background-modes=location hooks=app-delegate,work,tasks,system
      1s..1.1s main call applicationDidEnterBackground app
      121.1s main work network app "track"

      clean: in the minutes before the system suspends it
      60s main work network app "/poll"

      clean: soon after the task has ended
      0s - profile mode=app background-modes=none os=12.4 hooks=app-delegate,work,tasks,system
      0.9s..130s main task.begin task:1 "sync"
      1s..1.1s main call applicationDidEnterBackground app
      121s net work network app "/sync"
      140s net work network app "/poll"

      clean: resumed for an event
      5s..905s - suspend app
      905.1s - deliver fetch app
      906s main work other app "merge"

      clean: another scene is on screen
      0s - profile mode=scene background-modes=none hooks=scene-delegate,work,tasks,system
      0s main call sceneDidBecomeActive scene:2
      1s..1.1s main call sceneDidEnterBackground scene:1
      300s main work network scene:1 "/poll"

      cannot tell: background modes unknown
      0s - profile mode=app hooks=app-delegate,work,tasks,system
      1s..1.1s main call applicationDidEnterBackground app
      121.1s main work network app "/poll"

      violating: a timer two minutes later
      121.1s main work timer app "poll" ◀
      """
  )

  static let interests: [EventPattern] = [
    .verbs(.taskEnd, .bgtaskLaunch, .bgtaskComplete, .deliver, .complete, .resume)
  ]

  /// The awake time at which something last allowed the app to work.
  private var lastRight = Nanoseconds.min

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    lastRight = moment.awake(event)
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    guard let app = moment.state.app, app.state == .background else { return .notJudged }
    if moment.hasRightToWork { return .kept }
    let since = max(lastRight, moment.awake(app.since))
    if moment.awake(culprit) &- since < Allowances.Background.suspension { return .kept }
    guard let modes = moment.profile.backgroundModes else {
      return .unclear(.profileKeyMissing(.backgroundModes))
    }
    return modes.isEmpty ? .violation() : .kept
  }
}
