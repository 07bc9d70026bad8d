import LifecycleModel
import TraceAnalysis

/// Only a process in the background is suspended.
struct OrderSuspendFromBackgroundRule: Rule {
  static let description = RuleDescription(
    id: "order-suspend-from-background",
    number: 21,
    topic: .appOrder,
    summary: "a process is suspended only in the background, with no scene in the foreground",
    severity: .error,
    sources: [.s3, .appLifeCycle],
    why: """
      The system does not suspend an app on screen. If the log shows it, a transition to the \
      background is missing from the log, or the app was not informed of it.
      """,
    remedy: """
      Check the events before it: a lost didEnterBackground, a scene that never got its resign, or \
      a suspend that belongs to another process.
      """,
    limits: "A prewarmed process is suspended before it has any state, and is not checked.",
    needs: RuleNeeds(hooks: [[.system]]),
    patterns: [
      .never(
        .verbs(.suspend), while: .appInForeground,
        says: "the process was suspended while the app was in the foreground, since {since}")
    ],
    examples: [
      .clean(
        "suspended in the background",
        """
        0s - profile hooks=system,app-delegate
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        6s - suspend app
        """),
      .clean(
        "a prewarmed process",
        """
        0s - profile launch=prewarm hooks=system,app-delegate
        0s - process.start app launch=prewarm
        1s - suspend app
        """),
      .violating(
        "suspended while active",
        """
        0s - profile hooks=system,app-delegate
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        6s - suspend app ◀
        """),
      .violating(
        "one scene is still in the foreground",
        """
        0s - profile mode=scene hooks=system,scene-delegate
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:2
        6s - suspend app ◀
        """),
    ]
  )
}
