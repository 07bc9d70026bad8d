import LifecycleModel
import TraceAnalysis

/// Without scenes, UIKit does not call a scene delegate.
struct SceneDelegateInAppModeRule: Rule {
  static let description = RuleDescription(
    id: "scene-delegate-in-app-mode",
    number: 107,
    topic: .exclusivity,
    summary: "UIKit calls no scene delegate in an app without scenes",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 21),
    sources: [.s1, .sceneNotificationsWithoutScenes],
    why: """
      The app must implement the protocol and configure scenes. If UIKit calls both a scene \
      delegate and the app delegate, all work in them happens twice.
      """,
    remedy: """
      Look for code that calls the scene delegate directly. If Info.plist has a scene manifest, \
      the profile is wrong: it should state mode=scene.
      """,
    limits: """
      UIKit posts UIScene notifications in an app without scenes too, so they are not checked. \
      Before iOS 13 a scene manifest has no effect, and the app has no scenes.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate]], profile: [.mode(.app)]),
    patterns: [
      .never(
        .sceneCalls(),
        exercisedBy: .call(
          .applicationDidBecomeActive, .applicationWillResignActive,
          .applicationDidEnterBackground, .applicationWillEnterForeground),
        says: "{name} of {subject} was called although the app has no scenes")
    ],
    examples: [
      .clean(
        "the app delegate, and the notifications of both families",
        """
        0s - profile mode=app hooks=app-delegate,scene-delegate,scene-notifications
        1s main call applicationWillResignActive app
        1.1s main notify UIScene.willDeactivateNotification scene:1
        """),
      .clean(
        "an app with scenes",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate
        1s main call sceneWillResignActive scene:1
        """),
      .violating(
        "both delegates",
        """
        0s - profile mode=app hooks=app-delegate,scene-delegate
        1s main call applicationWillResignActive app
        1.1s main return applicationWillResignActive app
        1.2s main call sceneWillResignActive scene:1 ◀
        """),
    ]
  )
}
