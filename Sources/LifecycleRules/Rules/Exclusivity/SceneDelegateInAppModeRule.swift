import LifecycleModel
import TraceAnalysis

/// Without scenes, UIKit does not call a scene delegate.
struct SceneDelegateInAppModeRule: Rule {
  static let description = RuleDescription(
    id: "scene-delegate-in-app-mode",
    number: 107,
    topic: .exclusivity,
    summary: "in an app without scenes no scene delegate is called",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 21),
    sources: [.s1, .sceneNotificationsWithoutScenes],
    why: """
      The page asks to implement the protocol and to configure scenes. When a scene delegate is \
      called and the app delegate is called too, all that hangs on them happens twice.
      """,
    remedy: """
      Look for code that calls the scene delegate by hand. When Info.plist has a scene manifest, the \
      profile is wrong: it is mode=scene.
      """,
    limits: """
      UIScene's notifications are posted in an app without scenes too, and are not judged. Before iOS \
      13 a scene manifest has no effect, and the app is one without scenes.
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
