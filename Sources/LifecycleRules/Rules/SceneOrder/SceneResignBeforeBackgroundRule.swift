import LifecycleModel
import TraceAnalysis

/// An active scene resigns before it enters the background.
struct SceneResignBeforeBackgroundRule: Rule {
  static let description = RuleDescription(
    id: "scene-resign-before-background",
    number: 28,
    topic: .sceneOrder,
    summary: "an active scene gets sceneWillResignActive before sceneDidEnterBackground",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 8),
    sources: [.s1, .uikitOnWindows],
    why: """
      UIKit calls the method before the transition to the background. Without it the quieting and \
      saving that belong to it do not happen.
      """,
    remedy: """
      Look for code that calls the scene delegate directly, or a UIKit port that maps the loss of \
      focus to sceneDidEnterBackground.
      """,
    limits: """
      A scene that was never active (a background launch, an external display) has nothing to \
      resign and is not checked.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .call(.sceneDidEnterBackground) | .notify(.sceneDidEnterBackground),
        between: .call(.sceneDidBecomeActive) | .notify(.sceneDidActivate),
        until: .call(.sceneWillResignActive) | .notify(.sceneWillDeactivate),
        per: .scene,
        says:
          "{subject} entered the background while active: no sceneWillResignActive since {since}")
    ],
    examples: [
      .clean(
        "resigns, then enters the background",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneWillResignActive scene:1
        2.05s main return sceneWillResignActive scene:1
        3s main call sceneDidEnterBackground scene:1
        3.05s main return sceneDidEnterBackground scene:1
        """),
      .clean(
        "never active: an external display",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneWillConnect scene:2 role=external
        2s main call sceneWillEnterForeground scene:2
        3s main call sceneDidEnterBackground scene:2
        """),
      .clean(
        "events are missing where the resign would have been",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s - gap ring-full 3
        3s main call sceneDidEnterBackground scene:1
        """),
      .violating(
        "a port sends the background to the scene, and the lost focus only to the app",
        """
        0s - profile mode=scene port=true hooks=app-delegate,scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        3s main call sceneDidEnterBackground scene:1 ◀
        3.1s main return sceneDidEnterBackground scene:1
        3.2s main call applicationWillResignActive app
        """),
      .violating(
        "active, and at once in the background",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        3s main call sceneDidEnterBackground scene:1 ◀
        3.1s main notify UIScene.didEnterBackgroundNotification scene:1
        """),
    ]
  )
}
