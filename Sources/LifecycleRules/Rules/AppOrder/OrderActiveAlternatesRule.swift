import LifecycleModel
import TraceAnalysis

/// Between two activations an app resigns.
struct OrderActiveAlternatesRule: Rule {
  static let description = RuleDescription(
    id: "order-active-alternates",
    number: 12,
    topic: .appOrder,
    summary: "a willResignActive comes between two didBecomeActive",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 13),
    sources: [.s0, .didBecomeActive, .doubleActivation],
    why: """
      Work that didBecomeActive starts (timers, sessions, counters) starts twice if the app does \
      not resign in between.
      """,
    remedy: "Make didBecomeActive idempotent, and look for code that calls it directly.",
    limits: """
      iOS 11 and 12 did this themselves when the user opened Notification Center: the finding is a \
      warning there, and if the profile does not state the version. The rule compares calls with \
      calls; a notification of the resign counts as a resign. transition-not-doubled reports \
      repeated notifications.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate]], profile: [.mode(.app)]),
    patterns: [
      .never(
        .call(.applicationDidBecomeActive),
        between: .call(.applicationDidBecomeActive),
        until: .call(.applicationWillResignActive) | .notify(.applicationWillResignActive),
        per: .app,
        says: "the app became active again without a resign since {since}"
      ).milder(.warning, onOSMajor: 11...12)
    ],
    examples: [
      .clean(
        "an interruption between two activations",
        """
        0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
        1s main call applicationDidBecomeActive app
        2s main call applicationWillResignActive app
        2.05s main return applicationWillResignActive app
        3s main call applicationDidBecomeActive app
        """),
      .clean(
        "the notification shows the resign of an app that does not implement the callback",
        """
        0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
        1s main call applicationDidBecomeActive app
        2s main notify UIApplication.willResignActiveNotification app
        3s main call applicationDidBecomeActive app
        """),
      .violating(
        "Notification Center is pulled down on iOS 12: a warning",
        """
        0s - profile mode=app os=12.1 hooks=app-delegate,app-notifications
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        3s main call applicationDidBecomeActive app ◀
        """),
      .violating(
        "active twice",
        """
        0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        3s main call applicationDidBecomeActive app ◀
        """),
    ]
  )
}
