import LifecycleModel
import TraceAnalysis

/// An app in the background enters the foreground before it becomes active.
struct OrderForegroundBeforeActiveRule: Rule {
  static let description = RuleDescription(
    id: "order-foreground-before-active",
    number: 14,
    topic: .appOrder,
    summary: "from the background, willEnterForeground comes before didBecomeActive",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 10),
    sources: [.willEnterForeground],
    why: """
      willEnterForeground reverses what the app did on entering the background. An app that \
      becomes active without it shows stale or missing content.
      """,
    remedy:
      "Look for code that calls the delegate directly, or a UIKit port that omits the call.",
    limits: """
      Devices differ in whether the notification comes before or after the call, so the rule does \
      not check this. An app launched into the background also gets willEnterForeground when the \
      user opens it.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .appNotifications]], profile: [.mode(.app)]),
    patterns: [
      .never(
        .call(.applicationDidBecomeActive) | .notify(.applicationDidBecomeActive),
        between: .call(.applicationDidEnterBackground) | .notify(.applicationDidEnterBackground),
        until: .call(.applicationWillEnterForeground) | .notify(.applicationWillEnterForeground),
        per: .app,
        says: "the app became active from the background without willEnterForeground since {since}")
    ],
    examples: [
      .clean(
        "background, foreground, active",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main call applicationDidEnterBackground app
        1.05s main return applicationDidEnterBackground app
        8s main call applicationWillEnterForeground app
        8.1s main call applicationDidBecomeActive app
        """),
      .clean(
        "the notification before the call, or alone",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        2s main notify UIApplication.willEnterForegroundNotification app
        2.1s main call applicationWillEnterForeground app
        2.2s main return applicationWillEnterForeground app
        2.3s main call applicationDidBecomeActive app
        2.4s main return applicationDidBecomeActive app
        3s main call applicationWillResignActive app
        3.1s main return applicationWillResignActive app
        3.2s main call applicationDidEnterBackground app
        3.3s main return applicationDidEnterBackground app
        8s main notify UIApplication.willEnterForegroundNotification app
        8.1s main call applicationDidBecomeActive app
        """),
      .clean(
        "launched into the background, and opened later",
        """
        0s - profile mode=app launch=push hooks=app-delegate,app-notifications,system
        0s - process.start app launch=push
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        60s main call applicationWillEnterForeground app
        60.1s main return applicationWillEnterForeground app
        60.2s main call applicationDidBecomeActive app
        """),
      .violating(
        "from the background to active",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        8.1s main call applicationDidBecomeActive app ◀
        """),
    ]
  )
}
