import LifecycleModel
import TraceAnalysis

/// Only a process in the background is suspended.
struct SuspendFromBackgroundRule: Rule {
  static let description: RuleDescription = .init(
    id: "suspend-from-background",
    formerRules: [
      "order-suspend-from-background",
      FormerRule("scene-suspend-all-background", number: 33, culprits: .nothing),
    ],
    number: 21,
    topic: .appOrder,
    summary: "a process is suspended only in the background, with no scene in the foreground",
    severity: .error,
    sources: [.s3, .appLifeCycle],
    why: """
      The system does not suspend an app on screen. If the log shows it, a transition to the \
      background is missing from the log, or the app or a scene was not informed of it and does not \
      quiet its work.
      """,
    remedy: """
      Check the events before it: a {background} that was lost, a scene that never got its \
      resign or never disconnected, or a suspend that belongs to another process.
      """,
    limits: """
      A prewarmed process is suspended before it has any state, and is not checked. The \
      documentation says this of the app; for each scene it is a conclusion. If suspend and resume \
      were inferred from pauses between events, the rule can find nothing real.
      """,
    needs: RuleNeeds(hooks: [[.system]]),
    patterns: [
      .never(
        .verbs(.suspend), while: .appInForeground,
        says: "the process was suspended while {holder} was in the foreground, since {since}")
    ],
    given: "0s - profile mode=scene hooks=scene-delegate,system",
    examples: """
      clean: suspended in the background
      0s - profile hooks=system,app-delegate
      1s..1.1s main call applicationDidEnterBackground app
      6s - suspend app

      clean: a prewarmed process
      0s - profile launch=prewarm hooks=system,app-delegate
      0s - process.start app launch=prewarm
      1s - suspend app

      clean: both in the background
      1s main call sceneDidBecomeActive scene:1
      2s..2.05s main call sceneDidEnterBackground scene:1
      2.1s..2.15s main call sceneDidEnterBackground scene:2
      6s - suspend app

      clean: the other one has disconnected
      1s main call sceneDidBecomeActive scene:1
      2s main call sceneDidDisconnect scene:1
      2.1s..2.15s main call sceneDidEnterBackground scene:2
      6s - suspend app

      cannot tell: its way to the background may be in the gap
      1s main call sceneDidBecomeActive scene:1
      2s - gap ring-full 8
      6s - suspend app

      violating: suspended while active
      0s - profile hooks=system,app-delegate
      1s..1.1s main call applicationDidBecomeActive app
      6s - suspend app ◀

      violating: one scene is still in the foreground
      0s - profile mode=scene hooks=system,scene-delegate
      1s main call sceneDidBecomeActive scene:1
      2s main call sceneDidEnterBackground scene:2
      6s - suspend app ◀
      """
  )
}
