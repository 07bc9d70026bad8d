import LifecycleModel
import TraceAnalysis

/// Who is in the background enters the foreground before becoming active.
struct ForegroundBeforeActiveRule: Rule {
  static let description: RuleDescription = .init(
    id: "foreground-before-active",
    formerRules: [
      FormerRule("order-foreground-before-active", culprits: Turner.app.events(.activate)),
      FormerRule("scene-foreground-before-active", number: 26),
      FormerRule("order-background-launch-not-active", number: 23, culprits: .nothing),
    ],
    number: 14,
    topic: .appOrder,
    summary: "willEnterForeground comes before didBecomeActive, except at a launch without scenes",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 7),
    sources: [
      .willEnterForeground, .sceneWillEnterForeground, .sceneWillEnterForegroundNotification,
      .appWillEnterForegroundNotification, .appStartTracker, .delegateOrderIOS10,
    ],
    why: """
      willEnterForeground reverses what the app or the scene did on entering the background, and an \
      app that was launched to handle an event builds its interface there. What becomes active \
      without it shows stale or missing content, or counts a visit that did not happen.
      """,
    remedy: """
      Look for code that calls {activate} directly, or a UIKit port that omits {foreground}. Do \
      not treat the end of a launch as the activation.
      """,
    limits: """
      Devices differ in whether the notification comes before or after the call, so the rule does \
      not check this. Right after the connection of a scene the finding is a warning: one published \
      description of iOS 13 has nothing between connection and activation. It is a warning too in an \
      app without scenes that was launched for a location or a background task and was never in the \
      background; a tap on a push launches to the foreground, so such a launch is checked only after \
      the app was in the background.
      """,
    patterns: Turner.patterns { turner in
      [
        .never(
          turner.events(.activate), between: turner.events(.background),
          until: turner.events(.foreground), per: turner.scope,
          says: """
            \(turner.words) became active from the background without \(turner.name(.foreground)) \
            since {since}
            """)
      ]
    } + [
      .never(
        Turner.scene.events(.activate),
        between: .events(of: [.sceneWillConnect]),
        until: Turner.scene.events(.foreground, .background), per: .scene,
        says: "{subject} became active after its connection at {since} without the foreground"
      ).severity(.warning).needing(Turner.scene.needs),
      .begins(
        with: Turner.app.events(.foreground, .background), before: Turner.app.events(.activate),
        per: .app,
        says: "the app was launched in the background and became active without the foreground"
      ).severity(.warning).launched(by: [.location, .bgtask]).needing(Turner.app.needs),
    ],
    given: "0s - profile mode=app hooks=app-delegate,app-notifications,system",
    examples: """
      clean: background, foreground, active
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s..1.05s main call applicationDidEnterBackground app
      8s main call applicationWillEnterForeground app
      8.1s main call applicationDidBecomeActive app

      clean: the notification before the call, or alone
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s..1.1s main call applicationDidEnterBackground app
      2s main notify UIApplication.willEnterForegroundNotification app
      2.1s..2.2s main call applicationWillEnterForeground app
      2.3s..2.4s main call applicationDidBecomeActive app
      3s..3.1s main call applicationWillResignActive app
      3.2s..3.3s main call applicationDidEnterBackground app
      8s main notify UIApplication.willEnterForegroundNotification app
      8.1s main call applicationDidBecomeActive app

      clean: launched into the background, and opened later
      0s - profile mode=app launch=push hooks=app-delegate,app-notifications,system
      0s - process.start app launch=push
      1s..1.1s main call applicationDidEnterBackground app
      60s..60.1s main call applicationWillEnterForeground app
      60.2s main call applicationDidBecomeActive app

      clean: new, and returning from the background
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneWillConnect scene:1
      1.1s main call sceneWillEnterForeground scene:1
      1.2s main call sceneDidBecomeActive scene:1
      1.9s..1.95s main call sceneWillResignActive scene:1
      2s..2.1s main call sceneDidEnterBackground scene:1
      3s main call sceneWillEnterForeground scene:1
      3.1s main call sceneDidBecomeActive scene:1

      clean: the notification shows it if the delegate does not implement it
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      2s main call sceneDidEnterBackground scene:1
      3s main notify UIScene.willEnterForegroundNotification scene:1
      3.1s main call sceneDidBecomeActive scene:1

      clean: the delegate may not implement it
      0s - profile mode=scene hooks=scene-delegate
      2s main call sceneDidEnterBackground scene:1
      3.1s main call sceneDidBecomeActive scene:1

      clean: by way of the foreground
      0s - process.start app launch=push
      1s..1.05s main call applicationDidEnterBackground app
      60s main call applicationWillEnterForeground app
      60.1s main call applicationDidBecomeActive app

      clean: a push that was tapped launches to the foreground
      0s - process.start app launch=push
      1s main return applicationDidFinishLaunching app
      1.1s main call applicationDidReceiveRemoteNotification app
      1.2s main call applicationDidBecomeActive app

      cannot tell: launch reason unknown
      0s - process.start app launch=unknown
      2s main call applicationDidBecomeActive app

      cannot tell: the foreground may be in the gap
      0s - process.start app launch=push
      1s main call applicationDidEnterBackground app
      2s - gap ring-full 3
      60.1s main call applicationDidBecomeActive app

      violating: from the background to active
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s..1.1s main call applicationDidEnterBackground app
      8.1s main call applicationDidBecomeActive app ◀

      violating: a scene goes from the background to active
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      2s main call sceneDidEnterBackground scene:1
      3.1s main call sceneDidBecomeActive scene:1 ◀
      3.2s main notify UIScene.didActivateNotification scene:1

      violating: active right after the connection
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      2s main call sceneWillConnect scene:1
      3.1s main call sceneDidBecomeActive scene:1 ◀

      violating: launched by a push, in the background, active
      0s - process.start app launch=push
      1s main call applicationDidEnterBackground app
      2s main call applicationDidBecomeActive app ◀

      violating: launched for a location, and active at once
      0s - process.start app launch=location
      1s main return applicationDidFinishLaunching app
      2s main call applicationDidBecomeActive app ◀
      """
  )
}
