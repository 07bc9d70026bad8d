import LifecycleModel
import TraceAnalysis

/// Termination is the end.
struct OrderNothingAfterTerminateRule: Rule {
  static let description = RuleDescription(
    id: "order-nothing-after-terminate",
    number: 19,
    topic: .appOrder,
    summary: "after willTerminateNotification nothing is launched, activated or sent to background",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 6),
    sources: [.willTerminate, .sceneOrderThread, .disconnectBeforeTerminate],
    why: """
      What the app saved and closed for its end is opened again by a callback that comes after it, \
      and is lost.
      """,
    remedy: """
      Look for code that posts the notification by hand and does not exit, and for a delegate that \
      is called by hand.
      """,
    limits: """
      Memory warnings may come at any time, and a scene may still be resigned, sent to the background, \
      disconnected or even made anew while the system closes the app: none of it is judged.
      """,
    contradiction: """
      The page says that apps which support the background are generally not called; a foreground \
      app that is swiped away is, and libraries count on it.
      """,
    needs: RuleNeeds(hooks: [[.appNotifications], [.process]]),
    patterns: [
      .never(
        .call(
          .applicationWillFinishLaunching, .applicationDidFinishLaunching,
          .applicationDidBecomeActive, .applicationWillResignActive,
          .applicationDidEnterBackground, .applicationWillEnterForeground, .sceneDidBecomeActive),
        between: .notify(.applicationWillTerminate), until: .nothing, per: .app,
        says: "{name} came for {subject} after willTerminateNotification at {since}")
    ],
    examples: [
      .clean(
        "nothing after it",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        1s main call applicationWillTerminate app
        1.1s main return applicationWillTerminate app
        1.2s main notify UIApplication.willTerminateNotification app
        1.3s - exit app status=0
        """),
      .clean(
        "a memory warning races with it",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        1.2s main notify UIApplication.willTerminateNotification app
        1.3s main call applicationDidReceiveMemoryWarning app
        1.4s main notify UIApplication.didReceiveMemoryWarningNotification app
        """),
      .clean(
        "scenes are put away while the app is closed in the switcher",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        1s main notify UIApplication.willTerminateNotification app
        1.1s main call sceneDidDisconnect scene:1
        1.2s main call sceneWillEnterForeground scene:2
        1.3s main call sceneDidEnterBackground scene:2
        """),
      .clean(
        "the next process",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        1s main notify UIApplication.willTerminateNotification app
        2s - process.start app
        3s main call applicationDidBecomeActive app
        """),
      .cannotTell(
        "another process may have begun in the gap",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        1s main notify UIApplication.willTerminateNotification app
        2s - gap ring-full 5
        3s main call applicationDidBecomeActive app
        """),
      .violating(
        "active after the end",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        1s main notify UIApplication.willTerminateNotification app
        2s main call applicationDidBecomeActive app ◀
        """),
    ]
  )
}
