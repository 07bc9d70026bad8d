import LifecycleModel
import TraceAnalysis

/// A process is suspended when none of its scenes is on screen.
struct SceneSuspendAllBackgroundRule: Rule {
  static let description = RuleDescription(
    id: "scene-suspend-all-background",
    number: 33,
    topic: .sceneOrder,
    summary: "the system suspends a process only if all its scenes are in the background",
    severity: .warning,
    sources: [.appLifeCycle],
    why: """
      A scene on screen must keep running. If the log shows a suspension, the scene and the code \
      that quiets it never learned that the scene left the screen.
      """,
    remedy: """
      Check the scene that the finding names: a lost sceneDidEnterBackground, or a scene object \
      that never disconnected.
      """,
    limits: """
      The documentation says this of the app; for each scene it is a conclusion. If suspend and \
      resume were inferred from pauses between events, the rule can find nothing real.
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
        "its way to the background may be in the gap",
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
