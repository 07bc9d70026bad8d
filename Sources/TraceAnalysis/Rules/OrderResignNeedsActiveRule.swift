import LifecycleModel

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
    sources: [.s0],
    why: """
      The callback says that the app moves from active to inactive. Coming twice it pauses, saves or \
      counts twice; coming before any activation it undoes what was never done.
      """,
    remedy: "Look for code that calls the delegate by hand, and for a port's focus handling.",
    limits: """
      Only delegate calls are judged: in an app with several scenes UIKit may post the notification \
      once a scene.
      """,
    contradiction: """
      The page of the callback reads as if each resign of a scene posted the app's notification; \
      the notification's page speaks of the app as a whole, and one a scene was seen.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate]], profile: [.mode(.app)]),
    patterns: [
      .never(
        .call(.applicationWillResignActive),
        between: .call(.applicationWillResignActive),
        until: activation,
        per: .app,
        says: "the app resigned again without having become active since {since}"),
      .begins(
        with: activation, before: .call(.applicationWillResignActive), per: .app,
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
      .clean(
        "the notification may be posted once a scene",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        0s - process.start app
        1s main call applicationDidBecomeActive app
        2s main call applicationWillResignActive app
        2.1s main notify UIApplication.willResignActiveNotification app
        2.2s main notify UIApplication.willResignActiveNotification app
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
      .clean(
        "an app that the recorder joined late",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        2s main call applicationWillResignActive app
        """),
    ]
  )
}
