import LifecycleModel
import TraceAnalysis

/// A scene enters the foreground before it becomes active.
struct SceneForegroundBeforeActiveRule: Rule {
  private static let activation =
    EventPattern.call(.sceneDidBecomeActive) | .notify(.sceneDidActivate)
  private static let background =
    EventPattern.call(.sceneDidEnterBackground) | .notify(.sceneDidEnterBackground)
  private static let foreground =
    EventPattern.call(.sceneWillEnterForeground) | .notify(.sceneWillEnterForeground)

  static let description = RuleDescription(
    id: "scene-foreground-before-active",
    number: 26,
    topic: .sceneOrder,
    summary: "sceneWillEnterForeground comes before sceneDidBecomeActive, for new and old scenes",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 11),
    sources: [.sceneWillEnterForeground, .sceneWillEnterForegroundNotification],
    why: """
      sceneWillEnterForeground reverses what the scene did on entering the background. A scene \
      that becomes active without it shows stale or missing content.
      """,
    remedy:
      "Look for code that calls the scene delegate directly, or a UIKit port that omits it.",
    limits: """
      Right after the connection the finding is a warning: one published description of iOS 13 has \
      nothing between connection and activation.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        activation, between: background, until: foreground, per: .scene,
        says: "{subject} became active from the background, without the foreground since {since}"),
      .never(
        activation,
        between: .call(.sceneWillConnect) | .notify(.sceneWillConnect),
        until: foreground | background,
        per: .scene,
        says: "{subject} became active after its connection at {since} without the foreground"
      ).severity(.warning),
    ],
    examples: [
      .clean(
        "new, and returning from the background",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneWillConnect scene:1
        1.1s main call sceneWillEnterForeground scene:1
        1.2s main call sceneDidBecomeActive scene:1
        1.9s main call sceneWillResignActive scene:1
        1.95s main return sceneWillResignActive scene:1
        2s main call sceneDidEnterBackground scene:1
        2.1s main return sceneDidEnterBackground scene:1
        3s main call sceneWillEnterForeground scene:1
        3.1s main call sceneDidBecomeActive scene:1
        """),
      .clean(
        "the notification shows it if the delegate does not implement it",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        2s main call sceneDidEnterBackground scene:1
        3s main notify UIScene.willEnterForegroundNotification scene:1
        3.1s main call sceneDidBecomeActive scene:1
        """),
      .clean(
        "the delegate may not implement it",
        """
        0s - profile mode=scene hooks=scene-delegate
        2s main call sceneDidEnterBackground scene:1
        3.1s main call sceneDidBecomeActive scene:1
        """),
      .violating(
        "from the background to active",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        2s main call sceneDidEnterBackground scene:1
        3.1s main call sceneDidBecomeActive scene:1 ◀
        3.2s main notify UIScene.didActivateNotification scene:1
        """),
      .violating(
        "active right after the connection",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        2s main call sceneWillConnect scene:1
        3.1s main call sceneDidBecomeActive scene:1 ◀
        """),
    ]
  )
}
