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
    summary: "willResignActive comes once for each activation",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 15),
    sources: [.s0],
    why: """
      The callback says that the app moves from active to inactive. Coming twice it pauses, saves or \
      counts twice; coming before any activation it undoes what was never done.
      """,
    remedy: "Look for code that calls the delegate by hand, and for a port's focus handling.",
    limits: """
      That the notification is posted twice is transition-not-doubled. A resign before any activation \
      is found where the log shows the start of the process.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .appNotifications]], profile: [.mode(.app)]),
    patterns: [
      .never(
        .call(.applicationWillResignActive),
        between: .call(.applicationWillResignActive),
        until: activation,
        per: .app,
        says: "the app resigned again without having become active since {since}"),
      .begins(
        with: activation,
        before: .call(.applicationWillResignActive) | .notify(.applicationWillResignActive),
        per: .app,
        says: "the app resigned before it had ever become active in this process"),
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
        "the notification alone tells of the resign",
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
