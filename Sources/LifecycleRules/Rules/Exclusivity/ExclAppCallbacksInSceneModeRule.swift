import LifecycleModel
import TraceAnalysis

/// With scenes, UIKit does not call the app delegate's lifecycle methods.
struct ExclAppCallbacksInSceneModeRule: Rule {
  static let description = RuleDescription(
    id: "excl-app-callbacks-in-scene-mode",
    number: 36,
    topic: .exclusivity,
    summary: "in an app with scenes the app delegate's four lifecycle callbacks never come",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 1),
    sources: [.s0, .s1, .didEnterBackground, .didBecomeActive, .willEnterForeground],
    why: """
      The pages say that UIKit calls the scene delegate instead. When both come, everything that \
      hangs on them happens twice.
      """,
    remedy: """
      Look for code that calls the app delegate by hand to make up for the missing call, and move \
      its work to the scene delegate or to the notification, which is posted in either case.
      """,
    limits: """
      A scene delegate class without a scene manifest in Info.plist is not scene mode: then the \
      profile is wrong and not the app. Before iOS 13 a manifest has no effect, and the app is one \
      without scenes.
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
