import LifecycleModel
import TraceAnalysis

/// Only a scene that is not on screen enters the foreground.
struct SceneForegroundFromBackgroundRule: Rule {
  private static let background =
    EventPattern.call(.sceneDidEnterBackground) | .notify(.sceneDidEnterBackground)

  static let description = RuleDescription(
    id: "scene-foreground-from-background",
    number: 102,
    topic: .sceneOrder,
    summary: "sceneWillEnterForeground comes only to new scenes and background scenes",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 18),
    sources: [.sceneWillEnterForeground, .sceneWillEnterForegroundNotification, .activationState],
    why: """
      The callback reverses what the scene did on entering the background. If the scene did \
      nothing there, it may load, count or unlock twice.
      """,
    remedy: """
      Look for code that calls the scene delegate directly, and for two scenes recorded under the \
      same number.
      """,
    limits: """
      The rule compares calls with calls and notifications with notifications, since either may \
      come first. The known state of the scene does not change: an active scene stays active.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .call(.sceneWillEnterForeground),
        between: .call(.sceneWillEnterForeground, .sceneDidBecomeActive), until: background,
        per: .scene,
        says: """
          {subject} entered the foreground again; it has been there since {since}
          """),
      .never(
        .notify(.sceneWillEnterForeground),
        between: .notify(.sceneWillEnterForeground, .sceneDidActivate), until: background,
        per: .scene,
        says: "{name} was posted for {subject}, which has been in the foreground since {since}"),
    ],
    examples: [
      .clean(
        "a new scene, an interruption, and a return",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneWillConnect scene:1
        1.1s main call sceneWillEnterForeground scene:1
        1.2s main notify UIScene.willEnterForegroundNotification scene:1
        1.3s main call sceneDidBecomeActive scene:1
        3s main call sceneWillResignActive scene:1
        3.05s main return sceneWillResignActive scene:1
        4s main call sceneDidBecomeActive scene:1
        5s main call sceneWillResignActive scene:1
        5.05s main return sceneWillResignActive scene:1
        6s main call sceneDidEnterBackground scene:1
        6.05s main return sceneDidEnterBackground scene:1
        9s main call sceneWillEnterForeground scene:1
        9.1s main notify UIScene.willEnterForegroundNotification scene:1
        """),
      .cannotTell(
        "the delegate may not implement the way to the background",
        """
        0s - profile mode=scene hooks=scene-delegate
        1s main call sceneDidBecomeActive scene:1
        9s main call sceneWillEnterForeground scene:1
        """),
      .cannotTell(
        "the background may be in the gap",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s - gap ring-full 3
        9s main call sceneWillEnterForeground scene:1
        """),
      .violating(
        "active already",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        9s main call sceneWillEnterForeground scene:1 ◀
        9.1s main return sceneWillEnterForeground scene:1
        """),
      .violating(
        "posted by the app",
        """
        0s - profile mode=scene hooks=scene-notifications
        1s main notify UIScene.willEnterForegroundNotification scene:1
        1.1s main notify UIScene.didActivateNotification scene:1
        9s main notify UIScene.willEnterForegroundNotification scene:1 ◀
        """),
    ]
  )
}
