import LifecycleModel
import TraceAnalysis

/// The delegate learns of a launch, a resign and the termination before observers do.
struct NotificationAfterCallRule: Rule {
  private static let tooEarly = "{name} was posted before the delegate was called"

  static let description: RuleDescription = .init(
    id: "notification-after-call",
    formerRules: [
      FormerRule(
        "order-resign-then-notification", number: 17,
        culprits: .notify(.applicationWillResignActive)),
      FormerRule(
        "order-terminate-then-notification", number: 18,
        culprits: .notify(.applicationWillTerminate)),
      "launch-notification-after-call",
    ],
    number: 4,
    topic: .appOrder,
    summary: """
      UIKit calls didFinishLaunching, willResignActive and willTerminate before it posts them
      """,
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 13),
    sources: [.s0, .willTerminate, .finishLaunchingNotification, .appStartTracker],
    why: """
      UIKit posts these notifications after it calls the app delegate. Otherwise observers that \
      depend on what the delegate sets up, quiets or saves run too early.
      """,
    remedy: """
      Look for code that posts the notification itself, for example before exit(0).
      """,
    limits: """
      If the app implements only one of the two, or a recorder starts late, there is nothing to \
      compare. With scenes UIKit does not call the delegate's willResignActive. It is not specified \
      whether the launch's notification may come during the call, so that is not checked; one before \
      it is a warning.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.appNotifications]]),
    patterns: [
      .orderOnce(
        .call(.applicationDidFinishLaunching), then: .notify(.applicationDidFinishLaunching),
        per: .app, says: tooEarly
      ).severity(.warning),
      .order(
        Turner.app.calls(.resign), then: Turner.app.posts(.resign),
        until: Turner.app.events(.activate, .background), per: .app, says: tooEarly
      ).needing(RuleNeeds(profile: [.mode(.app)])),
      .order(
        .call(.applicationWillTerminate), then: .notify(.applicationWillTerminate),
        until: .verbs(.processStart), per: .app, says: tooEarly),
    ],
    given: "0s - profile hooks=app-delegate,app-notifications,system",
    examples: """
      clean: the launch, then its notification
      0s - process.start app
      1s..1.1s main call applicationDidFinishLaunching app
      1.2s main notify UIApplication.didFinishLaunchingNotification app

      clean: the recorder was registered late and sees only the notification
      0s - gap source-hole -1
      1.2s main notify UIApplication.didFinishLaunchingNotification app

      clean: an app without the notification's observer sees only the call
      0s - process.start app
      1.2s..1.3s main call applicationDidFinishLaunching app

      clean: while the call runs
      0s - process.start app
      1s..1.2s main call applicationDidFinishLaunching app
      1.1s main notify UIApplication.didFinishLaunchingNotification app

      clean: the resign, then its notification
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s..1.1s main call applicationWillResignActive app
      1.2s main notify UIApplication.willResignActiveNotification app

      clean: an app that does not implement the callback
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main notify UIApplication.willResignActiveNotification app
      2s main call applicationDidBecomeActive app

      clean: with scenes the notification comes alone
      0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
      1s..1.1s main call sceneWillResignActive scene:1
      1.2s main notify UIApplication.willResignActiveNotification app

      clean: the termination, then its notification
      0s - profile mode=scene hooks=app-delegate,app-notifications
      1s..1.1s main call applicationWillTerminate app
      1.2s main notify UIApplication.willTerminateNotification app

      clean: posted by the app before it exits
      0s - profile mode=app hooks=app-delegate,app-notifications,system
      1s main notify UIApplication.willTerminateNotification app
      1.1s - exit app status=0

      violating: the notification of the launch first
      0s - process.start app
      1s main notify UIApplication.didFinishLaunchingNotification app ◀
      1.1s main call applicationDidFinishLaunching app

      violating: the notification of the resign first
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main notify UIApplication.willResignActiveNotification app ◀
      1.1s main call applicationWillResignActive app

      violating: the notification of the termination first
      0s - profile mode=scene hooks=app-delegate,app-notifications
      1s main notify UIApplication.willTerminateNotification app ◀
      1.1s main call applicationWillTerminate app
      """
  )
}
