import LifecycleModel
import TraceAnalysis

/// The first event of a scene object is its connection.
struct SceneConnectFirstRule: Rule {
  static let description = RuleDescription(
    id: "scene-connect-first",
    number: 25,
    topic: .sceneOrder,
    summary: "the first event of a scene is sceneWillConnect",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 3),
    sources: [.activationState, .sceneOrderThread, .sceneNotificationsWithoutScenes],
    why: """
      A scene is unattached until the system connects it; the app then sets up its window and \
      state. Earlier events reach a scene without them.
      """,
    remedy: """
      Check that the app identifies scene objects by identity, not by session. Look for code that \
      calls the scene delegate directly.
      """,
    limits: """
      Checked only if the log shows the start of the process. On devices a scene may appear within \
      a second of another scene's disconnect when the user closes an app in the switcher: this is \
      a warning.
      """,
    needs: RuleNeeds(
      hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.mode(.scene)]),
    patterns: [
      .begins(
        with: .events(of: [.sceneWillConnect]),
        before: .sceneCalls(except: .sceneWillConnect)
          | .sceneNotifications(except: .sceneWillConnect),
        per: .scene,
        says: "{name} came for {subject}, which never connected"
      ).milder(
        .warning, within: .seconds(1),
        after: Turner.scene.events(.disconnect))
    ],
    given: "0s - profile mode=scene hooks=scene-delegate,scene-notifications,system",
    examples: [
      .clean(
        "connected first",
        """
        0s - process.start app
        1s main call sceneWillConnect scene:1
        1.1s main return sceneWillConnect scene:1
        1.2s main call sceneWillEnterForeground scene:1
        """),
      .clean(
        "the recorder was attached late",
        """
        1s main call sceneDidBecomeActive scene:1
        """),
      .clean(
        "an app without scenes: UIKit posts for a scene of its own making",
        """
        0s - profile mode=app hooks=app-delegate,scene-notifications,system
        0s - process.start app
        1s main notify UIScene.didActivateNotification scene:1
        """),
      .violating(
        "active, but never connected",
        """
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1 ◀
        2s main call sceneWillResignActive scene:1
        """),
      .violating(
        "a second scene object appears while the app is closed in the switcher",
        """
        0s - process.start app
        1s main call sceneWillConnect scene:1
        2s main call sceneDidDisconnect scene:1
        2.4s main call sceneWillEnterForeground scene:2 ◀
        """),
    ]
  )
}
