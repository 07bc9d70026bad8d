import LifecycleModel
import TraceAnalysis

/// With scenes, UIKit does not call the app delegate's lifecycle methods.
struct ExclAppCallbacksInSceneModeRule: Rule {
  static let description = RuleDescription(
    id: "excl-app-callbacks-in-scene-mode",
    number: 36,
    topic: .exclusivity,
    summary: "an app with scenes gets none of the app delegate's four lifecycle callbacks",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 1),
    sources: [.s0, .s1, .didEnterBackground, .didBecomeActive, .willEnterForeground],
    why: """
      UIKit calls the scene delegate instead. If both are called, all work in them happens twice.
      """,
    remedy: """
      Look for code that calls the app delegate directly to replace the missing call. Move its \
      work to the scene delegate or to the notification, which UIKit posts in both cases.
      """,
    limits: """
      A scene delegate class without a scene manifest in Info.plist is not scene mode: then the \
      profile is wrong, not the app. Before iOS 13 a manifest has no effect, and the app has no \
      scenes.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate]], profile: [.mode(.scene)]),
    patterns: [
      .never(
        .call(
          .applicationDidBecomeActive, .applicationWillResignActive,
          .applicationDidEnterBackground, .applicationWillEnterForeground),
        exercisedBy: .call(
          .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground,
          .sceneWillEnterForeground)
          | .notify(
            .applicationDidBecomeActive, .applicationWillResignActive,
            .applicationDidEnterBackground, .applicationWillEnterForeground),
        says: "{name} was called although the app uses scenes")
    ],
    examples: [
      .clean(
        "the scene delegate, and both notifications",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneWillResignActive scene:1
        1.1s main notify UIScene.willDeactivateNotification scene:1
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "a scene delegate class without a scene manifest: both notifications, and the app delegate",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,scene-notifications
        1s main call applicationWillResignActive app
        1.1s main notify UIScene.willDeactivateNotification scene:1
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "the same binary on iOS 12, which has no scenes",
        """
        0s - profile mode=scene os=12.4 hooks=app-delegate,scene-delegate
        1s main call applicationDidBecomeActive app
        """),
      .violating(
        "both delegates",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneWillResignActive scene:1
        1.1s main call applicationWillResignActive app ◀
        """),
    ]
  )
}
