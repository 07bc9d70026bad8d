import LifecycleModel
import TraceAnalysis

/// What was launched in the background becomes active by way of the foreground.
struct OrderBackgroundLaunchNotActiveRule: Rule {
  private static let activation =
    EventPattern.call(.applicationDidBecomeActive) | .notify(.applicationDidBecomeActive)
  private static let foreground =
    EventPattern.call(.applicationWillEnterForeground) | .notify(.applicationWillEnterForeground)

  static let description = RuleDescription(
    id: "order-background-launch-not-active",
    number: 23,
    topic: .appOrder,
    summary: "an app launched in the background enters the foreground before it becomes active",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 12),
    sources: [.appWillEnterForegroundNotification, .appStartTracker, .delegateOrderIOS10],
    why: """
      An app launched to handle an event builds its interface only when it enters the foreground. \
      If it becomes active before that, it shows nothing, or counts a visit that did not happen.
      """,
    remedy: """
      Look for code that calls the delegate directly. Do not treat the end of the launch as the \
      activation.
      """,
    limits: """
      A tap on a push launches the app to the foreground, so such a process is checked only after \
      it was in the background. The launch reason must be known; launches by the user are not \
      checked.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate, .appNotifications], [.process]], profile: [.mode(.app)]),
    patterns: [
      .begins(
        with: foreground, before: activation, per: .app,
        says: "the app was launched in the background and became active without the foreground"
      ).launched(by: [.location, .bgtask]),
      .never(
        activation,
        between: .call(.applicationDidEnterBackground) | .notify(.applicationDidEnterBackground),
        until: foreground, per: .app,
        says: "the app, in the background since {since}, became active without the foreground"
      ).launched(by: [.push]),
    ],
    examples: [
      .clean(
        "by way of the foreground",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        0s - process.start app launch=push
        1s main call applicationDidEnterBackground app
        1.05s main return applicationDidEnterBackground app
        60s main call applicationWillEnterForeground app
        60.1s main call applicationDidBecomeActive app
        """),
      .clean(
        "a push that was tapped launches to the foreground",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        0s - process.start app launch=push
        1s main return applicationDidFinishLaunching app
        1.1s main call applicationDidReceiveRemoteNotification app
        1.2s main call applicationDidBecomeActive app
        """),
      .cannotTell(
        "launch reason unknown",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        0s - process.start app launch=unknown
        2s main call applicationDidBecomeActive app
        """),
      .cannotTell(
        "the foreground may be in the gap",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        0s - process.start app launch=push
        1s main call applicationDidEnterBackground app
        2s - gap ring-full 3
        60.1s main call applicationDidBecomeActive app
        """),
      .violating(
        "launched by a push, in the background, active",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        0s - process.start app launch=push
        1s main call applicationDidEnterBackground app
        2s main call applicationDidBecomeActive app ◀
        """),
      .violating(
        "launched for a location, and active at once",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,system
        0s - process.start app launch=location
        1s main return applicationDidFinishLaunching app
        2s main call applicationDidBecomeActive app ◀
        """),
    ]
  )
}
