import LifecycleModel
import TraceAnalysis

/// Only an active app resigns.
struct OrderResignNeedsActiveRule: Rule {
  private static let activation =
    EventPattern.call(.applicationDidBecomeActive) | .notify(.applicationDidBecomeActive)

  static let description = RuleDescription(
    id: "order-resign-needs-active",
    number: 13,
    topic: .appOrder,
    summary: "willResignActive comes once per activation",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 15),
    sources: [.s0],
    why: """
      The callback marks the move from active to inactive. If it comes twice, the app pauses, \
      saves or counts twice. If it comes before any activation, the app undoes what it never did.
      """,
    remedy: """
      Look for code that calls the delegate directly, and check a UIKit port's focus handling.
      """,
    limits: """
      transition-not-doubled reports repeated notifications. A resign before any activation is \
      reported only if the log shows the start of the process.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .appNotifications]], profile: [.mode(.app)]),
    patterns: [
      .never(
        .call(.applicationWillResignActive),
        between: .call(.applicationWillResignActive),
        until: activation,
        per: .app,
        says: "the app resigned again without an activation since {since}"),
      .begins(
        with: activation,
        before: .call(.applicationWillResignActive) | .notify(.applicationWillResignActive),
        per: .app,
        says: "the app resigned before its first activation in this process"),
    ],
    examples: [
      .clean(
        "one resign for each activation",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        0s - process.start app
        1s main call applicationDidBecomeActive app
        2s main call applicationWillResignActive app
        2.05s main return applicationWillResignActive app
        3s main call applicationDidBecomeActive app
        4s main call applicationWillResignActive app
        4.05s main return applicationWillResignActive app
        """),
      .violating(
        "two resigns for one activation",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        0s - process.start app
        1s main call applicationDidBecomeActive app
        2s main call applicationWillResignActive app
        3s main call applicationWillResignActive app ◀
        """),
      .violating(
        "a resign before any activation",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        0s - process.start app
        1s main return applicationDidFinishLaunching app
        2s main call applicationWillResignActive app ◀
        """),
      .violating(
        "only the notification shows the resign",
        """
        0s - profile mode=app hooks=app-notifications
        0s - process.start app
        2s main notify UIApplication.willResignActiveNotification app ◀
        """),
      .clean(
        "an app that the recorder joined late",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        2s main call applicationWillResignActive app
        """),
    ]
  )
}
