import LifecycleModel
import TraceAnalysis

/// A scene resigns before it disconnects.
struct SceneDisconnectNotActiveRule: Rule {
  static let description = RuleDescription(
    id: "scene-disconnect-not-active",
    number: 29,
    topic: .sceneOrder,
    summary: "an active scene passes sceneWillResignActive before sceneDidDisconnect",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 9),
    sources: [.appLifeCycle, .sceneOrderThread],
    why: """
      UIKit disconnects scenes that have left the screen. What is quieted and saved on resigning is \
      neither when a scene goes away while active.
      """,
    remedy: """
      Look for code that calls the scene delegate by hand, and for a port that closes windows \
      without resigning them.
      """,
    limits: """
      The page speaks of scenes in the background. A scene that is closed in the switcher was seen to \
      disconnect right after it resigned, so only the resign is required.
      """,
    contradiction: """
      The page says that only scenes in the background or suspended are disconnected; devices \
      disconnect straight after the resign when an app is closed in the switcher.
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
        "the resign may stand in the gap",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s - gap ring-full 3
        3s main call sceneDidDisconnect scene:1
        """),
      .cannotTell(
        "perhaps the delegate does not implement the resign",
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
