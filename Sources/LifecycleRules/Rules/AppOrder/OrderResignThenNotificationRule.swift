import LifecycleModel
import TraceAnalysis

/// The delegate hears of the resign before the notification is posted.
struct OrderResignThenNotificationRule: Rule {
  static let description = RuleDescription(
    id: "order-resign-then-notification",
    number: 17,
    topic: .appOrder,
    summary: "applicationWillResignActive comes before willResignActiveNotification",
    severity: .error,
    sources: [.s0],
    why: """
      UIKit posts the notification after it calls the method. Otherwise observers that depend on \
      the delegate's work run too early.
      """,
    remedy: "Look for code that posts the notification itself.",
    limits: """
      With scenes UIKit does not call the delegate. If the app implements only one of the two, \
      there is nothing to compare.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate], [.appNotifications]], profile: [.mode(.app)]),
    patterns: [
      .order(
        .call(.applicationWillResignActive),
        then: .notify(.applicationWillResignActive),
        until: .call(.applicationDidBecomeActive, .applicationDidEnterBackground)
          | .notify(.applicationDidBecomeActive, .applicationDidEnterBackground),
        per: .app,
        says: "the notification was posted before the delegate was called")
    ],
    examples: [
      .clean(
        "the call, then the notification",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main call applicationWillResignActive app
        1.1s main return applicationWillResignActive app
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "an app that does not implement the callback",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main notify UIApplication.willResignActiveNotification app
        2s main call applicationDidBecomeActive app
        """),
      .clean(
        "with scenes the notification comes alone",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneWillResignActive scene:1
        1.1s main return sceneWillResignActive scene:1
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .violating(
        "the notification first",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main notify UIApplication.willResignActiveNotification app ◀
        1.1s main call applicationWillResignActive app
        """),
    ]
  )
}
