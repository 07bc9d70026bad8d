import LifecycleModel
import TraceAnalysis

/// No new work is scheduled once the app or its scene has resigned.
struct WorkNewDispatchWhileInactiveRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-new-dispatch-while-inactive",
    number: 58,
    topic: .work,
    summary: "no new work is dispatched after willResignActive, except under a background task",
    severity: .info,
    sources: [.backgroundPreparation, .s4],
    why: """
      After the resign the app should do minimal work. Work scheduled later may be suspended \
      half done, or run when nobody needs it.
      """,
    remedy: """
      Hold back work that can wait until {activate}. Begin a background task before work that \
      must finish, such as a save on a queue.
      """,
    limits: """
      One dispatch is often right: replies come while an alert is up, and the documentation asks \
      to save on a queue. So a finding is info. It recommends work under an open background \
      task, a BGTaskScheduler task or a pending delivery: while any is open, no dispatch is a \
      finding. Neither is work that other work passes on from its own thread, if that was \
      already running when the app or scene left the foreground. Nothing is checked after a \
      launch in the background, nor once the process is resumed, or an event or a \
      BGTaskScheduler task arrives, after the last step out of the foreground.
      """,
    needs: RuleNeeds(hooks: [[.work], [.tasks], .states]),
    patterns: [
      .never(
        .work(.dispatch), while: .subjectInactive,
        says:
          "work {label} of {subject} was dispatched while inactive, after {opener} at {since}"
      )
    ],
    given: """
      0s - profile mode=app hooks=app-delegate,work,tasks
      1s main call applicationDidBecomeActive app
      """,
    examples: """
      clean: inside the callback, and under a background task
      3s..3.2s main call applicationWillResignActive app
      3.1s main work dispatch app "pause"
      4s main task.begin task:1 "save"
      4.1s main work dispatch app "save" task=1

      clean: the completion of work that was running already
      2s..4.1s net work.begin network app "/items"
      3s main return applicationWillResignActive app
      4s net work dispatch app "parse"

      clean: on the way to the foreground
      0s - profile mode=scene hooks=scene-delegate,work,tasks
      1s..1.1s main call sceneDidEnterBackground scene:1
      9s main return sceneWillEnterForeground scene:1
      9.1s main work dispatch scene:1 "reload"

      clean: resumed in the background for a push
      0s - profile mode=app hooks=app-delegate,work,tasks,system
      1s main call applicationDidBecomeActive app
      2s main return applicationWillResignActive app
      3s..3.1s main call applicationDidEnterBackground app
      5s..60s - suspend app
      60.1s main work dispatch app "fetch"

      clean: launched in the background
      0s - profile mode=app launch=push hooks=app-delegate,work,tasks,system
      0s - process.start app launch=push
      1s..1.1s main call applicationDidEnterBackground app
      2s main work dispatch app "fetch"

      cannot tell: a resume may be in the gap
      0s - profile mode=app hooks=app-delegate,work,tasks,system
      1s main call applicationDidBecomeActive app
      1.9s..2s main call applicationWillResignActive app
      2.9s..3s main call applicationDidEnterBackground app
      5s - suspend app
      59s - gap ring-full 1
      60s..60.1s main call applicationDidEnterBackground app
      60.2s main work dispatch app "fetch"

      violating: handed to a queue after the resign
      3s..3.2s main call applicationWillResignActive app
      4s main work dispatch app "prefetch" ◀
      """
  )

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if !moment.departure.holds(since: opener, moment) { return .notJudged }
    if moment.hasRightToWork { return .kept }
    if moment.departure.isHidden(since: opener, moment) { return .unclear(.gap) }
    let isHandedOn = moment.state.open.facts(.work).contains {
      $0.event.writer == culprit.writer && $0.ordinal < opener.ordinal
    }
    return isHandedOn ? .kept : .violation()
  }
}
