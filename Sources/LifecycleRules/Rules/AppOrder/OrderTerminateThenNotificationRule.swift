import LifecycleModel
import TraceAnalysis

/// The delegate hears of the termination before the notification is posted.
struct OrderTerminateThenNotificationRule: Rule {
  static let description = RuleDescription(
    id: "order-terminate-then-notification",
    number: 18,
    topic: .appOrder,
    summary: "applicationWillTerminate comes before willTerminateNotification",
    severity: .error,
    sources: [.willTerminate],
    why: """
      The notification follows the call. Otherwise observers that depend on what the delegate \
      saved run too early.
      """,
    remedy: "Look for code that posts the notification itself, for example before exit(0).",
    limits: "If the app implements only one of the two, there is nothing to compare.",
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
        "posted by the app before it exits",
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
