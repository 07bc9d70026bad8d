import LifecycleModel
import TraceAnalysis

/// A scene object that has disconnected is heard of no more.
struct SceneNothingAfterDisconnectRule: Rule {
  static let description = RuleDescription(
    id: "scene-nothing-after-disconnect",
    number: 30,
    topic: .sceneOrder,
    summary: "no callback or notification comes for a scene after its sceneDidDisconnect",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 4),
    sources: [.sceneDidDisconnect],
    why: """
      A disconnected scene has released its resources. Code that still uses the scene works on \
      released objects and keeps them in memory.
      """,
    remedy: """
      Remove observers and references in sceneDidDisconnect. Identify scenes by object, not by \
      session: the same session may return as another scene.
      """,
    limits: "The notification of the disconnect itself may come before or after the call.",
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .sceneCalls(except: .sceneDidDisconnect)
          | .sceneNotifications(except: .sceneDidDisconnect),
        between: Turner.scene.events(.disconnect),
        until: .nothing,
        per: .scene,
        says: "{name} came for {subject}, which disconnected at {since}"),
      .never(
        .call(.sceneDidDisconnect), between: .call(.sceneDidDisconnect), until: .nothing,
        per: .scene, says: "{subject} disconnected again; it disconnected at {since}"),
      .never(
        .notify(.sceneDidDisconnect), between: .notify(.sceneDidDisconnect), until: .nothing,
        per: .scene, says: "{subject} disconnected again; it disconnected at {since}"),
    ],
    examples: [
      .clean(
        "the session comes back as another scene",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidDisconnect scene:1
        1.1s main return sceneDidDisconnect scene:1
        1.2s main notify UIScene.didDisconnectNotification scene:1
        9s main call sceneWillConnect scene:2 session=1
        """),
      .violating(
        "a disconnected scene enters the foreground",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidDisconnect scene:1
        9s main call sceneWillEnterForeground scene:1 ◀
        """),
      .violating(
        "a scene disconnects twice",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main notify UIScene.didDisconnectNotification scene:1
        1.1s main call sceneDidDisconnect scene:1
        1.2s main return sceneDidDisconnect scene:1
        1.3s main call sceneDidDisconnect scene:1 ◀
        1.4s main return sceneDidDisconnect scene:1
        """),
    ]
  )
}
