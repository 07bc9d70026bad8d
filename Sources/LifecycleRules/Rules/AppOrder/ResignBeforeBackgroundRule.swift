import LifecycleModel
import TraceAnalysis

/// Who is active resigns before leaving.
struct ResignBeforeBackgroundRule: Rule {
  static let description: RuleDescription = .init(
    id: "resign-before-background",
    formerRules: [
      FormerRule("order-resign-before-background", culprits: Turner.app.events(.background)),
      FormerRule(
        "scene-disconnect-not-active", number: 29, culprits: Turner.scene.events(.disconnect)),
      FormerRule("scene-resign-before-background", number: 28),
    ],
    number: 11,
    topic: .appOrder,
    summary: """
      an active app or scene gets willResignActive before didEnterBackground or didDisconnect
      """,
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 6),
    sources: [
      .s0, .s1, .s3, .backgroundPreparation, .appLifeCycle, .sceneOrderThread, .uikitOnWindows,
    ],
    why: """
      UIKit takes an app or a scene to the background in two steps. Quieting (timers, frame \
      rates, unsaved data) belongs to the first; without willResignActive it does not happen.
      """,
    remedy: """
      Look for code that calls the delegate directly, or a UIKit port that maps the loss of \
      focus to {background}, or closes windows without resigning them.
      """,
    limits: """
      A background launch, a resume in the background, and a scene that was never active (an \
      external display) have nothing to resign and are not checked. If the notification is not \
      recorded and willResignActive was never called, the app may not implement it, and the rule \
      cannot tell. The documentation says that only scenes in the background disconnect, but \
      when the user closes a scene in the switcher, it may disconnect right after it resigns, so \
      before a disconnect only the resign is required; its absence is a warning there.
      """,
    patterns: Turner.patterns { turner in
      [
        .never(
          turner.events(.background), between: turner.events(.activate),
          until: turner.events(.resign), per: turner.scope,
          says: """
            \(turner.words) entered the background while active: no \(turner.name(.resign)) \
            since {since}
            """)
      ]
    } + [
      .never(
        Turner.scene.events(.disconnect), between: Turner.scene.events(.activate),
        until: Turner.scene.events(.resign), per: .scene,
        says: "{subject} disconnected while active: no sceneWillResignActive since {since}"
      ).severity(.warning).needing(Turner.scene.needs)
    ],
    given: """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      """,
    examples: """
      clean: resigns, then enters the background
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      5s..5.1s main call applicationWillResignActive app
      6s main call applicationDidEnterBackground app

      clean: a background launch has nothing to resign
      0s - profile mode=app launch=push hooks=app-delegate,app-notifications
      0s - process.start app launch=push
      1s..1.2s main call applicationDidFinishLaunching app
      1.3s main call applicationDidEnterBackground app

      clean: a resume in the background has nothing to resign
      0s - profile mode=app hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      5s..5.05s main call applicationWillResignActive app
      6s..6.1s main call applicationDidEnterBackground app
      7s..900s - suspend app
      900.1s..900.15s main call applicationDidEnterBackground app

      clean: a scene resigns, then enters the background
      2s..2.05s main call sceneWillResignActive scene:1
      3s..3.05s main call sceneDidEnterBackground scene:1

      clean: never active: an external display
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneWillConnect scene:2 role=external
      2s main call sceneWillEnterForeground scene:2
      3s main call sceneDidEnterBackground scene:2

      clean: events are missing where the resign would have been
      2s - gap ring-full 3
      3s main call sceneDidEnterBackground scene:1

      clean: resigns, enters the background, disconnects
      2s..2.05s main call sceneWillResignActive scene:1
      3s..3.05s main call sceneDidEnterBackground scene:1
      9s main call sceneDidDisconnect scene:1

      clean: closed in the switcher: no background between
      2s..2.05s main call sceneWillResignActive scene:1
      3s main call sceneDidDisconnect scene:1

      cannot tell: the app may not implement the resign
      0s - profile mode=app hooks=app-delegate
      1s..1.1s main call applicationDidBecomeActive app
      6s main call applicationDidEnterBackground app

      cannot tell: the resign may be in the gap
      2s - gap ring-full 3
      3s main call sceneDidDisconnect scene:1

      cannot tell: the delegate may not implement the resign
      0s - profile mode=scene hooks=scene-delegate
      1s main call sceneDidBecomeActive scene:1
      3s main call sceneDidDisconnect scene:1

      violating: active, and at once in the background
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s..1.1s main call applicationDidBecomeActive app
      6s..6.1s main call applicationDidEnterBackground app ◀
      6.2s main notify UIApplication.didEnterBackgroundNotification app

      violating: a port sends the background to the scene, and the lost focus only to the app
      0s - profile mode=scene port=true hooks=app-delegate,scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      3s..3.1s main call sceneDidEnterBackground scene:1 ◀
      3.2s main call applicationWillResignActive app

      violating: a scene is active, and at once in the background
      3s main call sceneDidEnterBackground scene:1 ◀
      3.1s main notify UIScene.didEnterBackgroundNotification scene:1

      violating: disconnects while active
      3s main call sceneDidDisconnect scene:1 ◀
      3.1s main notify UIScene.didDisconnectNotification scene:1
      """
  )
}
