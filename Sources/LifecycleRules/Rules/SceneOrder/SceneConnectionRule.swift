import LifecycleModel
import TraceAnalysis

/// A scene connects first and once, and nothing comes of it after its disconnect.
struct SceneConnectionRule: Rule {
  private static let connection = EventPattern.events(of: [.sceneWillConnect])
  private static let disconnection = Turner.scene.events(.disconnect)

  static let description: RuleDescription = .init(
    id: "scene-connection",
    formerRules: [
      FormerRule("scene-connect-once", number: 103, culprits: connection),
      FormerRule("scene-nothing-after-disconnect", number: 30, culprits: disconnection),
      "scene-connect-first",
    ],
    number: 25,
    topic: .sceneOrder,
    summary: "a scene connects first, once, and no event of it comes after sceneDidDisconnect",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 3),
    sources: [
      .sceneWillConnectNotification, .activationState, .sceneDidDisconnect, .sceneOrderThread,
      .sceneNotificationsWithoutScenes,
    ],
    why: """
      The connection builds the scene's window and state, and the disconnect releases them. An event \
      before the one or after the other reaches a scene without them; a second connection builds \
      another window, and what belongs to the first (observers, timers, unsaved text) stays behind.
      """,
    remedy: """
      Identify scenes by object, not by session: the same session may return as another scene. Remove \
      observers and references in sceneDidDisconnect. Look for code that calls the scene delegate \
      directly, and for two scenes recorded under the same number.
      """,
    limits: """
      What comes before the connection is checked only if the log shows the start of the process. On \
      devices a scene may appear within a second of another scene's disconnect when the user closes an \
      app in the switcher: this is a warning. The call and the notification are one step: calls are \
      compared with calls, and notifications with notifications.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .begins(
        with: connection,
        before: .sceneCalls(except: .sceneWillConnect)
          | .sceneNotifications(except: .sceneWillConnect),
        per: .scene,
        says: "{name} came for {subject}, which never connected"
      ).milder(.warning, within: .seconds(1), after: disconnection)
        .needing(RuleNeeds(profile: [.mode(.scene)])),
      .never(
        .call(.sceneWillConnect), between: .call(.sceneWillConnect), until: disconnection,
        per: .scene, says: "{subject} connected again without a disconnect since {since}"),
      .never(
        .notify(.sceneWillConnect), between: .notify(.sceneWillConnect), until: disconnection,
        per: .scene, says: "{name} was posted again for {subject}, connected since {since}"),
      .never(
        .sceneCalls(except: .sceneDidDisconnect)
          | .sceneNotifications(except: .sceneDidDisconnect),
        between: disconnection, until: .nothing, per: .scene,
        says: "{name} came for {subject}, which disconnected at {since}"),
      .never(
        .call(.sceneDidDisconnect), between: .call(.sceneDidDisconnect), until: .nothing,
        per: .scene, says: "{subject} disconnected again; it disconnected at {since}"),
      .never(
        .notify(.sceneDidDisconnect), between: .notify(.sceneDidDisconnect), until: .nothing,
        per: .scene, says: "{subject} disconnected again; it disconnected at {since}"),
    ],
    given: "0s - profile mode=scene hooks=scene-delegate,scene-notifications,system",
    examples: """
      clean: connected first
      0s - process.start app
      1s..1.1s main call sceneWillConnect scene:1
      1.2s main call sceneWillEnterForeground scene:1

      clean: the recorder was attached late
      1s main call sceneDidBecomeActive scene:1

      clean: an app without scenes: UIKit posts for a scene of its own making
      0s - profile mode=app hooks=app-delegate,scene-notifications,system
      0s - process.start app
      1s main notify UIScene.didActivateNotification scene:1

      violating: active, but never connected
      0s - process.start app
      1s main call sceneDidBecomeActive scene:1 ◀
      2s main call sceneWillResignActive scene:1

      violating: a second scene object appears while the app is closed in the switcher
      0s - process.start app
      1s main call sceneWillConnect scene:1
      2s main call sceneDidDisconnect scene:1
      2.4s main call sceneWillEnterForeground scene:2 ◀

      clean: the call and the notification are one connection
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneWillConnect scene:1 session=1
      1.1s main return sceneWillConnect scene:1
      1.2s main notify UIScene.willConnectNotification scene:1
      9s main call sceneDidDisconnect scene:1
      20s main call sceneWillConnect scene:2 session=1
      20.1s main notify UIScene.willConnectNotification scene:2

      cannot tell: the delegate may not implement the disconnect
      0s - profile mode=scene hooks=scene-delegate
      1s main call sceneWillConnect scene:1
      20s main call sceneWillConnect scene:1

      violating: connected twice
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneWillConnect scene:1 session=1
      1.1s main return sceneWillConnect scene:1
      1.2s main call sceneWillEnterForeground scene:1
      1.3s main call sceneDidBecomeActive scene:1
      20s main call sceneWillConnect scene:1 session=1 ◀
      20.1s main return sceneWillConnect scene:1

      violating: posted twice
      0s - profile mode=scene hooks=scene-notifications
      1s main notify UIScene.willConnectNotification scene:1
      2s main notify UIScene.willConnectNotification scene:1 ◀

      clean: the session comes back as another scene
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s..1.1s main call sceneDidDisconnect scene:1
      1.2s main notify UIScene.didDisconnectNotification scene:1
      9s main call sceneWillConnect scene:2 session=1

      violating: a disconnected scene enters the foreground
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidDisconnect scene:1
      9s main call sceneWillEnterForeground scene:1 ◀

      violating: a scene disconnects twice
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main notify UIScene.didDisconnectNotification scene:1
      1.1s..1.2s main call sceneDidDisconnect scene:1
      1.3s..1.4s main call sceneDidDisconnect scene:1 ◀
      """
  )
}
