import LifecycleModel
import TraceAnalysis

/// The delegate hears of the termination before the notification is posted.
struct OrderTerminateThenNotificationRule: Rule {
  static let description = RuleDescription(
    id: "order-terminate-then-notification",
    number: 18,
    topic: .appOrder,
    summary: "applicationWillTerminate precedes willTerminateNotification",
    severity: .error,
    sources: [.willTerminate],
    why: """
      The page says that the notification follows the call. Observers that count on what the \
      delegate saved would run too early.
      """,
    remedy: "Look for code that posts the notification by hand, for example before exit(0).",
    limits: "An app that implements only one of the two has nothing to compare.",
    needs: RuleNeeds(hooks: [[.appDelegate], [.appNotifications]]),
    patterns: [
      .order(
        .call(.applicationWillTerminate),
        then: .notify(.applicationWillTerminate),
        until: .verbs(.processStart),
        per: .app,
        says: "the notification was posted before the delegate was called")
    ],
    examples: [
      .clean(
        "the call, then the notification",
        """
        0s - profile mode=scene hooks=app-delegate,app-notifications
        1s main call applicationWillTerminate app
        1.1s main return applicationWillTerminate app
        1.2s main notify UIApplication.willTerminateNotification app
        """),
      .clean(
        "posted by hand before the app ends itself",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        1s main notify UIApplication.willTerminateNotification app
        1.1s - exit app status=0
        """),
      .violating(
        "the notification first",
        """
        0s - profile mode=scene hooks=app-delegate,app-notifications
        1s main notify UIApplication.willTerminateNotification app ◀
        1.1s main call applicationWillTerminate app
        """),
    ]
  )
}
