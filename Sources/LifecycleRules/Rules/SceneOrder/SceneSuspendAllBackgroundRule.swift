import LifecycleModel
import TraceAnalysis

/// A process is suspended when none of its scenes is on screen.
struct SceneSuspendAllBackgroundRule: Rule {
  static let description = RuleDescription(
    id: "scene-suspend-all-background",
    number: 33,
    topic: .sceneOrder,
    summary: "a process is suspended only when each of its scenes is in the background",
    severity: .warning,
    sources: [.appLifeCycle],
    why: """
      A scene on screen must go on running. When the log says that its process was suspended, the \
      scene was never told that it had left the screen, and neither was the code that quiets it.
      """,
    remedy: """
      Look at the scene that the finding names: a lost sceneDidEnterBackground, or a scene object that \
      was never disconnected.
      """,
    limits: """
      The page says it of the app; that it holds for each scene follows from it. When suspend and \
      resume were inferred from pauses in the events the rule can find nothing true.
      """,
    needs: RuleNeeds(
      hooks: [[.system], [.sceneDelegate, .sceneNotifications]], profile: [.mode(.scene)]),
    patterns: [
      .never(
        .verbs(.suspend), while: .sceneInForeground,
        says: "the process was suspended while {holder} was in the foreground, since {since}")
    ],
    examples: [
      .clean(
        "both in the background",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        2.05s main return sceneDidEnterBackground scene:1
        2.1s main call sceneDidEnterBackground scene:2
        2.15s main return sceneDidEnterBackground scene:2
        6s - suspend app
        """),
      .clean(
        "the other one has disconnected",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidDisconnect scene:1
        2.1s main call sceneDidEnterBackground scene:2
        2.15s main return sceneDidEnterBackground scene:2
        6s - suspend app
        """),
      .cannotTell(
        "its way to the background may stand in the gap",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidBecomeActive scene:1
        2s - gap ring-full 8
        6s - suspend app
        """),
      .violating(
        "one scene is still active",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidBecomeActive scene:1
        2.1s main call sceneDidEnterBackground scene:2
        6s - suspend app ◀
        """),
    ]
  )
}
