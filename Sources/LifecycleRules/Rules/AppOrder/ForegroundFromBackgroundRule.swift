import LifecycleModel
import TraceAnalysis

/// Only who is not on screen enters the foreground.
struct ForegroundFromBackgroundRule: Rule {
  private static let ofLaunches = RuleNeeds(
    hooks: [[.appDelegate], [.process]], profile: [.mode(.app)])
  private static let again =
    "{subject} entered the foreground again; it has been there since {since}"

  static let description: RuleDescription = .init(
    id: "foreground-from-background",
    formerRules: [
      FormerRule("order-foreground-needs-background", culprits: Turner.app.calls(.foreground)),
      FormerRule("scene-foreground-from-background", number: 102),
    ],
    number: 15,
    topic: .appOrder,
    summary: """
      willEnterForeground comes only from the background; in an app without scenes not at launch
      """,
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 9),
    sources: [
      .delegateOrderIOS12, .delegateConditions, .delegateOrderIOS10, .sceneWillEnterForeground,
      .sceneWillEnterForegroundNotification, .activationState,
    ],
    why: """
      The callback reverses what the app or the scene did on entering the background. If it did \
      nothing there, it may load, count or unlock twice.
      """,
    remedy: """
      Look for code that calls the delegate directly, for two scenes recorded under the same \
      number, and for a UIKit port that treats the loss of focus as a trip to the background.
      """,
    limits: """
      In an app without scenes the rule checks only calls, since the notification may come before \
      or after them, and only launches known to be to the foreground: a process launched in the \
      background does not always get didEnterBackground. In a UIKit port that maps focus this way \
      the finding is only info. With scenes the rule compares calls with calls and notifications \
      with notifications, and UIKit posts UIApplication's notification at launch.
      """,
    patterns: [
      .begins(
        with: Turner.app.events(.background), before: Turner.app.calls(.foreground), per: .app,
        says: "{name} came although this process has never been in the background"
      ).launched(by: LaunchReason.inForeground).milderOnPorts(.info).needing(ofLaunches),
      .never(
        Turner.app.calls(.foreground), between: Turner.app.calls(.activate, .foreground),
        until: Turner.app.events(.background), per: .app,
        says: "{name} came although the app has not been in the background since {since}"
      ).milderOnPorts(.info).needing(ofLaunches),
      .never(
        Turner.scene.calls(.foreground), between: Turner.scene.calls(.foreground, .activate),
        until: Turner.scene.events(.background), per: .scene, says: again
      ).needing(Turner.scene.needs),
      .never(
        Turner.scene.posts(.foreground), between: Turner.scene.posts(.foreground, .activate),
        until: Turner.scene.events(.background), per: .scene, says: again
      ).needing(Turner.scene.needs),
    ],
    given: """
      0s - profile mode=app launch=user hooks=app-delegate,app-notifications,system
      0s - process.start app launch=user
      """,
    examples: """
      clean: a cold launch, and a return from the background
      1s main return applicationDidFinishLaunching app
      1.1s main call applicationDidBecomeActive app
      4.9s..4.95s main call applicationWillResignActive app
      5s..5.05s main call applicationDidEnterBackground app
      9s main call applicationWillEnterForeground app
      9.1s main call applicationDidBecomeActive app

      clean: a background launch that is opened, without didEnterBackground
      0s - profile mode=app launch=push hooks=app-delegate,app-notifications,system
      0s - process.start app launch=push
      1s main return applicationDidFinishLaunching app
      1.1s main call applicationDidReceiveRemoteNotification app
      90s main call applicationWillEnterForeground app
      90.1s main call applicationDidBecomeActive app

      clean: with scenes the notification is posted at launch
      0s - profile mode=scene launch=user hooks=app-delegate,app-notifications,system
      0s - process.start app launch=user
      1s main return applicationDidFinishLaunching app
      1.1s main notify UIApplication.willEnterForegroundNotification app

      clean: protected data goes before or after the background, the notification before the call
      1s..1.1s main call applicationDidBecomeActive app
      4s..4.1s main call applicationWillResignActive app
      5s..5.1s main call applicationProtectedDataWillBecomeUnavailable app
      6s..6.1s main call applicationDidEnterBackground app
      9s main notify UIApplication.willEnterForegroundNotification app
      9.1s..9.2s main call applicationWillEnterForeground app
      9.3s..9.4s main call applicationProtectedDataDidBecomeAvailable app
      9.5s..9.6s main call applicationDidBecomeActive app

      clean: a new scene, an interruption, and a return
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneWillConnect scene:1
      1.1s main call sceneWillEnterForeground scene:1
      1.2s main notify UIScene.willEnterForegroundNotification scene:1
      1.3s main call sceneDidBecomeActive scene:1
      3s..3.05s main call sceneWillResignActive scene:1
      4s main call sceneDidBecomeActive scene:1
      5s..5.05s main call sceneWillResignActive scene:1
      6s..6.05s main call sceneDidEnterBackground scene:1
      9s main call sceneWillEnterForeground scene:1
      9.1s main notify UIScene.willEnterForegroundNotification scene:1

      cannot tell: launch reason unknown
      0s - profile mode=app hooks=app-delegate,app-notifications,system
      0s - process.start app
      1s main return applicationDidFinishLaunching app
      1.1s main call applicationWillEnterForeground app

      cannot tell: the delegate may not implement the way to the background
      0s - profile mode=scene hooks=scene-delegate
      1s main call sceneDidBecomeActive scene:1
      9s main call sceneWillEnterForeground scene:1

      cannot tell: the background may be in the gap
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      2s - gap ring-full 3
      9s main call sceneWillEnterForeground scene:1

      violating: at a cold launch
      1s main return applicationDidFinishLaunching app
      1.1s main call applicationWillEnterForeground app ◀
      1.2s main call applicationDidBecomeActive app

      violating: twice for one way to the foreground
      1s main call applicationDidBecomeActive app
      5s main call applicationDidEnterBackground app
      9s..9.1s main call applicationWillEnterForeground app
      9.2s..9.3s main call applicationWillEnterForeground app ◀
      9.4s main call applicationDidBecomeActive app

      violating: after a mere loss of focus, on a port
      0s - profile mode=app port=true hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      2s main call applicationWillResignActive app
      3s main call applicationWillEnterForeground app ◀
      3.1s main call applicationDidBecomeActive app

      violating: active already
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      9s..9.1s main call sceneWillEnterForeground scene:1 ◀

      violating: posted by the app
      0s - profile mode=scene hooks=scene-notifications
      1s main notify UIScene.willEnterForegroundNotification scene:1
      1.1s main notify UIScene.didActivateNotification scene:1
      9s main notify UIScene.willEnterForegroundNotification scene:1 ◀
      """
  )
}
