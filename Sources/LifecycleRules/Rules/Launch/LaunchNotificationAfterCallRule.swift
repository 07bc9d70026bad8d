import LifecycleModel
import TraceAnalysis

/// The delegate launches before the others hear of it.
struct LaunchNotificationAfterCallRule: Rule {
  static let description = RuleDescription(
    id: "launch-notification-after-call",
    number: 4,
    topic: .launch,
    summary: "didFinishLaunchingNotification comes after the call of applicationDidFinishLaunching",
    severity: .warning,
    sources: [.finishLaunchingNotification, .appStartTracker],
    why: """
      UIKit posts the notification right after the app finishes launching. If it comes before the \
      delegate call, observers find nothing set up.
      """,
    remedy: "Look for code that posts the notification itself.",
    limits: """
      A recorder that starts late sees only one of the two and cannot compare them. It is not \
      specified whether the notification may come during the call, so that is not checked.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.appNotifications]]),
    patterns: [
      .orderOnce(
        .call(.applicationDidFinishLaunching),
        then: .notify(.applicationDidFinishLaunching),
        per: .app,
        says: "the notification was posted before the delegate was called")
    ],
    examples: [
      .clean(
        "the call, then the notification",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        0s - process.start app
        1s main call applicationDidFinishLaunching app
        1.1s main return applicationDidFinishLaunching app
        1.2s main notify UIApplication.didFinishLaunchingNotification app
        """),
      .clean(
        "the recorder was registered late and sees only the notification",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        0s - gap source-hole -1
        1.2s main notify UIApplication.didFinishLaunchingNotification app
        """),
      .clean(
        "an app without the notification's observer sees only the call",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        0s - process.start app
        1.2s main call applicationDidFinishLaunching app
        1.3s main return applicationDidFinishLaunching app
        """),
      .clean(
        "while the call runs",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        0s - process.start app
        1s main call applicationDidFinishLaunching app
        1.1s main notify UIApplication.didFinishLaunchingNotification app
        1.2s main return applicationDidFinishLaunching app
        """),
      .violating(
        "the notification first",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        0s - process.start app
        1s main notify UIApplication.didFinishLaunchingNotification app ◀
        1.1s main call applicationDidFinishLaunching app
        """),
    ]
  )
}
