import LifecycleModel
import TraceAnalysis

/// An active app resigns before it enters the background.
struct OrderResignBeforeBackgroundRule: Rule {
  static let description = RuleDescription(
    id: "order-resign-before-background",
    number: 11,
    topic: .appOrder,
    summary: "an active app gets willResignActive before didEnterBackground",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 7),
    sources: [.s0, .s3, .backgroundPreparation],
    why: """
      UIKit takes an app to the background in two steps. Quieting (timers, frame rates, unsaved \
      data) belongs to the first; without willResignActive it does not happen.
      """,
    remedy: """
      Look for code that calls the delegate directly, or a UIKit port that maps a window event to \
      didEnterBackground; call willResignActive first.
      """,
    limits: """
      A background launch and a resume in the background have no resign and are not checked. If \
      the notification is not recorded and the app never got willResignActive, the app may not \
      implement it, and the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .appNotifications]], profile: [.mode(.app)]),
    patterns: [
      .never(
        .call(.applicationDidEnterBackground) | .notify(.applicationDidEnterBackground),
        between: .call(.applicationDidBecomeActive) | .notify(.applicationDidBecomeActive),
        until: .call(.applicationWillResignActive) | .notify(.applicationWillResignActive),
        per: .app,
        says: "the app entered the background while active: no willResignActive since {since}")
    ],
    examples: [
      .clean(
        "resigns, then enters the background",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main call applicationDidBecomeActive app
        5s main call applicationWillResignActive app
        5.1s main return applicationWillResignActive app
        6s main call applicationDidEnterBackground app
        """),
      .clean(
        "a background launch has nothing to resign",
        """
        0s - profile mode=app launch=push hooks=app-delegate,app-notifications
        0s - process.start app launch=push
        1s main call applicationDidFinishLaunching app
        1.2s main return applicationDidFinishLaunching app
        1.3s main call applicationDidEnterBackground app
        """),
      .clean(
        "a resume in the background has nothing to resign",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        5s main call applicationWillResignActive app
        5.05s main return applicationWillResignActive app
        6s main call applicationDidEnterBackground app
        6.1s main return applicationDidEnterBackground app
        7s - suspend app
        900s - resume app
        900.1s main call applicationDidEnterBackground app
        900.15s main return applicationDidEnterBackground app
        """),
      .cannotTell(
        "the app may not implement the resign",
        """
        0s - profile mode=app hooks=app-delegate
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        6s main call applicationDidEnterBackground app
        """),
      .violating(
        "active, and at once in the background",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        6s main call applicationDidEnterBackground app ◀
        6.1s main return applicationDidEnterBackground app
        6.2s main notify UIApplication.didEnterBackgroundNotification app
        """),
    ]
  )
}
