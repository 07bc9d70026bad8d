import LifecycleModel
import TraceAnalysis

/// A scene that is connected does not connect again.
struct SceneConnectOnceRule: Rule {
  private static let disconnection = Turner.scene.events(.disconnect)

  static let description = RuleDescription(
    id: "scene-connect-once",
    number: 103,
    topic: .sceneOrder,
    summary: "a scene connects once; its session may connect again with another scene",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 11),
    sources: [.sceneWillConnectNotification, .activationState, .sceneDidDisconnect],
    why: """
      The callback builds the scene's window. A second call builds another window, and what \
      belongs to the first (observers, timers, unsaved text) stays behind.
      """,
    remedy: """
      Look for code that calls the scene delegate directly, and for two scenes recorded under the \
      same number.
      """,
    limits: """
      The call and the notification are one connection: the rule compares calls with calls and \
      notifications with notifications.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .call(.sceneWillConnect), between: .call(.sceneWillConnect), until: disconnection,
        per: .scene, says: "{subject} connected again without a disconnect since {since}"),
      .never(
        .notify(.sceneWillConnect), between: .notify(.sceneWillConnect), until: disconnection,
        per: .scene, says: "{name} was posted again for {subject}, connected since {since}"),
    ],
    examples: [
      .clean(
        "the call and the notification are one connection",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneWillConnect scene:1 session=1
        1.1s main return sceneWillConnect scene:1
        1.2s main notify UIScene.willConnectNotification scene:1
        9s main call sceneDidDisconnect scene:1
        20s main call sceneWillConnect scene:2 session=1
        20.1s main notify UIScene.willConnectNotification scene:2
        """),
      .cannotTell(
        "the delegate may not implement the disconnect",
        """
        0s - profile mode=scene hooks=scene-delegate
        1s main call sceneWillConnect scene:1
        20s main call sceneWillConnect scene:1
        """),
      .violating(
        "connected twice",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneWillConnect scene:1 session=1
        1.1s main return sceneWillConnect scene:1
        1.2s main call sceneWillEnterForeground scene:1
        1.3s main call sceneDidBecomeActive scene:1
        20s main call sceneWillConnect scene:1 session=1 ◀
        20.1s main return sceneWillConnect scene:1
        """),
      .violating(
        "posted twice",
        """
        0s - profile mode=scene hooks=scene-notifications
        1s main notify UIScene.willConnectNotification scene:1
        2s main notify UIScene.willConnectNotification scene:1 ◀
        """),
    ]
  )
}
