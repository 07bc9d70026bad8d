import LifecycleModel
import TraceAnalysis

/// Termination is the end.
struct OrderNothingAfterTerminateRule: Rule {
  static let description: RuleDescription = .init(
    id: "order-nothing-after-terminate",
    number: 19,
    topic: .appOrder,
    summary: "no launch, activation or background entry comes after willTerminateNotification",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 5),
    sources: [.willTerminate, .sceneOrderThread, .disconnectBeforeTerminate],
    why: """
      A later callback reopens what the app saved and closed for its end, and that data is lost.
      """,
    remedy: """
      Look for code that posts the notification itself and does not exit, and for code that calls \
      a delegate directly.
      """,
    limits: """
      Memory warnings may come at any time. While the system closes the app, a scene may still \
      resign, enter the background, disconnect, or even be created: none of this is checked.
      """,
    contradiction: """
      The documentation says that apps that support the background generally do not get this call; \
      a foreground app that the user swipes away does, and libraries rely on it.
      """,
    needs: RuleNeeds(hooks: [[.appNotifications], [.process]]),
    patterns: [
      .never(
        .call(.applicationWillFinishLaunching, .applicationDidFinishLaunching)
          | Turner.app.calls(.activate, .resign, .background, .foreground)
          | Turner.scene.calls(.activate),
        between: .notify(.applicationWillTerminate), until: .nothing, per: .app,
        says: "{name} came for {subject} after willTerminateNotification at {since}")
    ],
    given: "0s - profile hooks=app-delegate,app-notifications,system",
    examples: """
      clean: nothing after it
      1s..1.1s main call applicationWillTerminate app
      1.2s main notify UIApplication.willTerminateNotification app
      1.3s - exit app status=0

      clean: a memory warning races with it
      1.2s main notify UIApplication.willTerminateNotification app
      1.3s main call applicationDidReceiveMemoryWarning app
      1.4s main notify UIApplication.didReceiveMemoryWarningNotification app

      clean: scenes close while the app is closed in the switcher
      0s - profile mode=scene hooks=scene-delegate,app-notifications,system
      1s main notify UIApplication.willTerminateNotification app
      1.1s main call sceneDidDisconnect scene:1
      1.2s main call sceneWillEnterForeground scene:2
      1.3s main call sceneDidEnterBackground scene:2

      clean: the next process
      1s main notify UIApplication.willTerminateNotification app
      2s - process.start app
      3s main call applicationDidBecomeActive app

      cannot tell: another process may have begun in the gap
      1s main notify UIApplication.willTerminateNotification app
      2s - gap ring-full 5
      3s main call applicationDidBecomeActive app

      violating: active after the end
      1s main notify UIApplication.willTerminateNotification app
      2s main call applicationDidBecomeActive app ◀
      """
  )
}
