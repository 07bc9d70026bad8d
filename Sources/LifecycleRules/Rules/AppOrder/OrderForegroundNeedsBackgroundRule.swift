import LifecycleModel
import TraceAnalysis

/// Only an app in the background enters the foreground.
struct OrderForegroundNeedsBackgroundRule: Rule {
  private static let background =
    EventPattern.call(.applicationDidEnterBackground) | .notify(.applicationDidEnterBackground)

  static let description = RuleDescription(
    id: "order-foreground-needs-background",
    number: 15,
    topic: .appOrder,
    summary: "applicationWillEnterForeground comes only from the background, not at cold launch",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 16),
    sources: [.delegateOrderIOS12, .delegateConditions, .delegateOrderIOS10],
    why: """
      The callback reverses what the app did on entering the background. If the app did nothing \
      there, it may load, count or unlock twice.
      """,
    remedy: """
      Look for code that calls the delegate directly, and for a UIKit port that treats the loss of \
      focus as a trip to the background.
      """,
    limits: """
      The rule checks only calls, since the notification may come before or after them, and only \
      launches known to be to the foreground: a process launched in the background does not always \
      get didEnterBackground. In a UIKit port that maps focus this way the finding is only info. \
      With scenes UIKit posts the notification at launch.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.process]], profile: [.mode(.app)]),
    patterns: [
      .begins(
        with: background, before: .call(.applicationWillEnterForeground), per: .app,
        says: "{name} came although this process has never been in the background"
      ).launched(by: LaunchReason.inForeground).milderOnPorts(.info),
      .never(
        .call(.applicationWillEnterForeground),
        between: .call(.applicationDidBecomeActive, .applicationWillEnterForeground),
        until: background, per: .app,
        says: "{name} came although the app has not been in the background since {since}"
      ).milderOnPorts(.info),
    ],
    examples: [
      .clean(
        "a cold launch, and a return from the background",
        """
        0s - profile mode=app launch=user hooks=app-delegate,app-notifications,system
        0s - process.start app launch=user
        1s main return applicationDidFinishLaunching app
        1.1s main call applicationDidBecomeActive app
        4.9s main call applicationWillResignActive app
        4.95s main return applicationWillResignActive app
        5s main call applicationDidEnterBackground app
        5.05s main return applicationDidEnterBackground app
        9s main call applicationWillEnterForeground app
        9.1s main call applicationDidBecomeActive app
        """),
      .clean(
        "a background launch that is opened, without didEnterBackground",
        """
        0s - profile mode=app launch=push hooks=app-delegate,app-notifications,system
        0s - process.start app launch=push
        1s main return applicationDidFinishLaunching app
        1.1s main call applicationDidReceiveRemoteNotification app
        90s main call applicationWillEnterForeground app
        90.1s main call applicationDidBecomeActive app
        """),
      .clean(
        "with scenes the notification is posted at launch",
        """
        0s - profile mode=scene launch=user hooks=app-delegate,app-notifications,system
        0s - process.start app launch=user
        1s main return applicationDidFinishLaunching app
        1.1s main notify UIApplication.willEnterForegroundNotification app
        """),
      .clean(
        "protected data goes before or after the background, the notification before the call",
        """
        0s - profile mode=app launch=user hooks=app-delegate,app-notifications,system
        0s - process.start app launch=user
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        4s main call applicationWillResignActive app
        4.1s main return applicationWillResignActive app
        5s main call applicationProtectedDataWillBecomeUnavailable app
        5.1s main return applicationProtectedDataWillBecomeUnavailable app
        6s main call applicationDidEnterBackground app
        6.1s main return applicationDidEnterBackground app
        9s main notify UIApplication.willEnterForegroundNotification app
        9.1s main call applicationWillEnterForeground app
        9.2s main return applicationWillEnterForeground app
        9.3s main call applicationProtectedDataDidBecomeAvailable app
        9.4s main return applicationProtectedDataDidBecomeAvailable app
        9.5s main call applicationDidBecomeActive app
        9.6s main return applicationDidBecomeActive app
        """),
      .cannotTell(
        "launch reason unknown",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        0s - process.start app
        1s main return applicationDidFinishLaunching app
        1.1s main call applicationWillEnterForeground app
        """),
      .violating(
        "at a cold launch",
        """
        0s - profile mode=app launch=user hooks=app-delegate,app-notifications,system
        0s - process.start app launch=user
        1s main return applicationDidFinishLaunching app
        1.1s main call applicationWillEnterForeground app ◀
        1.2s main call applicationDidBecomeActive app
        """),
      .violating(
        "twice for one way to the foreground",
        """
        0s - profile mode=app launch=user hooks=app-delegate,app-notifications,system
        0s - process.start app launch=user
        1s main call applicationDidBecomeActive app
        5s main call applicationDidEnterBackground app
        9s main call applicationWillEnterForeground app
        9.1s main return applicationWillEnterForeground app
        9.2s main call applicationWillEnterForeground app ◀
        9.3s main return applicationWillEnterForeground app
        9.4s main call applicationDidBecomeActive app
        """),
      .violating(
        "after a mere loss of focus, on a port",
        """
        0s - profile mode=app port=true hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        2s main call applicationWillResignActive app
        3s main call applicationWillEnterForeground app ◀
        3.1s main call applicationDidBecomeActive app
        """),
    ]
  )
}
