import LifecycleModel
import TraceAnalysis

/// A scene's activations and resigns alternate.
struct SceneActiveAlternatesRule: Rule {
  private static let activation =
    EventPattern.call(.sceneDidBecomeActive) | .notify(.sceneDidActivate)
  private static let resign =
    EventPattern.call(.sceneWillResignActive) | .notify(.sceneWillDeactivate)

  static let description = RuleDescription(
    id: "scene-active-alternates",
    number: 27,
    topic: .sceneOrder,
    summary: "sceneDidBecomeActive and sceneWillResignActive alternate in each scene",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 14),
    sources: [.s1, .sceneDidBecomeActive],
    why: """
      The one starts work that the other stops. If one comes twice in a row, work starts or stops \
      twice, and counters stay wrong.
      """,
    remedy: """
      Look for code that calls the scene delegate directly, and for two scenes recorded under the \
      same number.
      """,
    limits: """
      The rule checks delegate calls; a notification in between counts as the other call, and \
      transition-not-doubled reports repeated notifications. A resign before any activation is \
      reported only if the log shows the start of the process. If only the notification shows it, \
      the finding is a warning, because didActivate is sometimes missing on devices.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .call(.sceneDidBecomeActive), between: .call(.sceneDidBecomeActive), until: resign,
        per: .scene, says: "{subject} became active again without a resign since {since}"),
      .never(
        .call(.sceneWillResignActive), between: .call(.sceneWillResignActive), until: activation,
        per: .scene, says: "{subject} resigned again without an activation since {since}"),
      .begins(
        with: activation, before: .call(.sceneWillResignActive), per: .scene,
        says: "{subject} resigned before its first activation"),
      .begins(
        with: activation | .call(.sceneWillResignActive), before: .notify(.sceneWillDeactivate),
        per: .scene, says: "{subject} resigned before its first activation"
      ).severity(.warning),
    ],
    examples: [
      .clean(
        "two scenes, each by itself",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidBecomeActive scene:2
        3s main call sceneWillResignActive scene:1
        3.05s main return sceneWillResignActive scene:1
        4s main call sceneWillResignActive scene:2
        4.05s main return sceneWillResignActive scene:2
        5s main call sceneDidBecomeActive scene:1
        """),
      .clean(
        "the notification shows the resign that the delegate does not implement",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s main notify UIScene.willDeactivateNotification scene:1
        3s main call sceneDidBecomeActive scene:1
        """),
      .cannotTell(
        "events are missing where the resign may have been",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s - gap ring-full 3
        3s main call sceneDidBecomeActive scene:1
        """),
      .clean(
        "a scene on an external display is never active, and the recorder was attached late",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneWillResignActive scene:1
        1.05s main return sceneWillResignActive scene:1
        2s main call sceneWillConnect scene:2 role=external
        2.1s main call sceneWillEnterForeground scene:2
        3s main call sceneDidEnterBackground scene:2
        3.05s main return sceneDidEnterBackground scene:2
        """),
      .violating(
        "a resign before any activation",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications,system
        0s - process.start app
        1s main call sceneWillConnect scene:1
        1.1s main call sceneWillEnterForeground scene:1
        4s main call sceneWillResignActive scene:1 ◀
        5s main call sceneDidEnterBackground scene:1
        """),
      .violating(
        "only the notification shows the resign",
        """
        0s - profile mode=scene hooks=scene-notifications,system
        0s - process.start app
        1s main notify UIScene.willConnectNotification scene:1
        4s main notify UIScene.willDeactivateNotification scene:1 ◀
        """),
      .violating(
        "active twice",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        3s main call sceneDidBecomeActive scene:1 ◀
        """),
      .violating(
        "two resigns for one activation",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneWillResignActive scene:1
        3s main call sceneWillResignActive scene:1 ◀
        """),
    ]
  )
}
