import LifecycleModel
import TraceAnalysis

/// No new work is scheduled once the app or its scene has resigned.
struct WorkNewDispatchWhileInactiveRule: JudgingRule {
  static let description = RuleDescription(
    id: "work-new-dispatch-while-inactive",
    number: 58,
    topic: .work,
    summary: "no new work is handed to a queue after willResignActive, but under a background task",
    severity: .warning,
    sources: [.backgroundPreparation, .s4],
    why: """
      By the time the app has resigned it should do minimal work. Work that is scheduled after that \
      may be suspended half done, or run when it is needed no more.
      """,
    remedy: """
      Suspend queues in willResignActive and resume them in didBecomeActive; begin a background task \
      for what must be finished.
      """,
    limits: """
      Work under a live background task, a task of BGTaskScheduler or an event to complete is what \
      the pages advise; so is what running work hands on from its own thread. After a launch or \
      resume in the background, and after any event that is delivered there, nothing is judged.
      """,
    needs: RuleNeeds(hooks: [
      [.work], [.tasks],
      [.appDelegate, .sceneDelegate, .appNotifications, .sceneNotifications, .system],
    ]),
    patterns: [
      .never(
        .work(.dispatch), while: .subjectInactive,
        says:
          "{label} of {subject} was handed to a queue while not active, after {opener} at {since}"
      )
    ],
    examples: [
      .clean(
        "inside the callback, and under a background task",
        """
        0s - profile mode=app hooks=app-delegate,work,tasks
        1s main call applicationDidBecomeActive app
        3s main call applicationWillResignActive app
        3.1s main work dispatch app "pause"
        3.2s main return applicationWillResignActive app
        4s main task.begin task:1 "save"
        4.1s main work dispatch app "save" task=1
        """),
      .clean(
        "the completion of work that was running already",
        """
        0s - profile mode=app hooks=app-delegate,work,tasks
        1s main call applicationDidBecomeActive app
        2s net work.begin network app "/items"
        3s main return applicationWillResignActive app
        4s net work dispatch app "parse"
        4.1s net work.end network app "/items"
        """),
      .clean(
        "on the way to the foreground",
        """
        0s - profile mode=scene hooks=scene-delegate,work,tasks
        1s main call sceneDidEnterBackground scene:1
        1.1s main return sceneDidEnterBackground scene:1
        9s main return sceneWillEnterForeground scene:1
        9.1s main work dispatch scene:1 "reload"
        """),
      .clean(
        "resumed in the background for a push",
        """
        0s - profile mode=app hooks=app-delegate,work,tasks,system
        1s main call applicationDidBecomeActive app
        2s main return applicationWillResignActive app
        3s main call applicationDidEnterBackground app
        3.1s main return applicationDidEnterBackground app
        5s - suspend app
        60s - resume app
        60.1s main work dispatch app "fetch"
        """),
      .clean(
        "launched in the background",
        """
        0s - profile mode=app launch=push hooks=app-delegate,work,tasks,system
        0s - process.start app launch=push
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        2s main work dispatch app "fetch"
        """),
      .cannotTell(
        "a resume may stand in the gap",
        """
        0s - profile mode=app hooks=app-delegate,work,tasks,system
        1s main call applicationDidBecomeActive app
        1.9s main call applicationWillResignActive app
        2s main return applicationWillResignActive app
        2.9s main call applicationDidEnterBackground app
        3s main return applicationDidEnterBackground app
        5s - suspend app
        59s - gap ring-full 1
        60s main call applicationDidEnterBackground app
        60.1s main return applicationDidEnterBackground app
        60.2s main work dispatch app "fetch"
        """),
      .violating(
        "handed to a queue after the resign",
        """
        0s - profile mode=app hooks=app-delegate,work,tasks
        1s main call applicationDidBecomeActive app
        3s main call applicationWillResignActive app
        3.2s main return applicationWillResignActive app
        4s main work dispatch app "prefetch" ◀
        """),
    ]
  )

  static let interests = Departure.interests

  private var departure = Departure()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    departure.note(event, moment)
  }

  mutating func judge(_ culprit: Event, since opener: Fact, _ moment: Moment) -> Judgement {
    if !departure.holds(since: opener, moment) { return .notJudged }
    if moment.hasRightToWork { return .kept }
    if departure.isHidden(since: opener, moment) { return .unclear(.gap) }
    let isHandedOn = moment.state.open.facts(.work).contains {
      $0.event.writer == culprit.writer && $0.ordinal < opener.ordinal
    }
    return isHandedOn ? .kept : .violation()
  }
}
