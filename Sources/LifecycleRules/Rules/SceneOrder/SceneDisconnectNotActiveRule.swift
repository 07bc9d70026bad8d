import LifecycleModel
import TraceAnalysis

/// A scene resigns before it disconnects.
struct SceneDisconnectNotActiveRule: Rule {
  static let description = RuleDescription(
    id: "scene-disconnect-not-active",
    number: 29,
    topic: .sceneOrder,
    summary: "an active scene gets sceneWillResignActive before sceneDidDisconnect",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 9),
    sources: [.appLifeCycle, .sceneOrderThread],
    why: """
      UIKit disconnects scenes that have left the screen. A scene that disconnects while active \
      does not quiet or save anything.
      """,
    remedy: """
      Look for code that calls the scene delegate directly, or a UIKit port that closes windows \
      without resigning them.
      """,
    limits: """
      The documentation describes scenes in the background. When the user closes a scene in the \
      switcher, it may disconnect right after it resigns, so the rule requires only the resign.
      """,
    contradiction: """
      The documentation says that only background or suspended scenes disconnect; on devices a \
      scene disconnects right after the resign when the user closes the app in the switcher.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .call(.sceneDidDisconnect) | .notify(.sceneDidDisconnect),
        between: .call(.sceneDidBecomeActive) | .notify(.sceneDidActivate),
        until: .call(.sceneWillResignActive) | .notify(.sceneWillDeactivate),
        per: .scene,
        says: "{subject} disconnected while active: no sceneWillResignActive since {since}")
    ],
    examples: [
      .clean(
        "resigns, enters the background, disconnects",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneWillResignActive scene:1
        2.05s main return sceneWillResignActive scene:1
        3s main call sceneDidEnterBackground scene:1
        3.05s main return sceneDidEnterBackground scene:1
        9s main call sceneDidDisconnect scene:1
        """),
      .clean(
        "closed in the switcher: no background between",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneWillResignActive scene:1
        2.05s main return sceneWillResignActive scene:1
        3s main call sceneDidDisconnect scene:1
        """),
      .cannotTell(
        "the resign may be in the gap",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s - gap ring-full 3
        3s main call sceneDidDisconnect scene:1
        """),
      .cannotTell(
        "the delegate may not implement the resign",
        """
        0s - profile mode=scene hooks=scene-delegate
        1s main call sceneDidBecomeActive scene:1
        3s main call sceneDidDisconnect scene:1
        """),
      .violating(
        "disconnects while active",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        3s main call sceneDidDisconnect scene:1 ◀
        3.1s main notify UIScene.didDisconnectNotification scene:1
        """),
    ]
  )
}
