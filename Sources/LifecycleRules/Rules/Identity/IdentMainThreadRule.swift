import LifecycleModel
import TraceAnalysis

/// Lifecycle callbacks and expiration handlers run on the main thread.
struct IdentMainThreadRule: Rule {
  static let description = RuleDescription(
    id: "ident-main-thread",
    number: 45,
    topic: .identity,
    summary: "delegate callbacks and expiration handlers run on the main thread",
    severity: .warning,
    advice: .words("call it on main"),
    sources: [.s0, .s1, .beginBackgroundTask, .backgroundTaskNotes, .uikitOnWindows],
    why: """
      The methods are declared @MainActor. On another thread they race with the interface, and the \
      compiler's checks do not hold.
      """,
    remedy: "Find the caller: code that calls the delegate directly, or a port's event thread.",
    limits: """
      The rule needs thread names; lines printed by the system (writer -) have none and are not \
      checked. Notifications may be posted on any thread.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .sceneDelegate, .tasks]]),
    patterns: [
      .never(
        (EventPattern.allCalls | .verbs(.taskExpire)).offMainThread,
        says: "{name} ran on thread {writer} instead of main")
    ],
    examples: [
      .clean(
        "on the main thread",
        """
        0s - profile hooks=app-delegate,tasks
        1s main call applicationDidEnterBackground app
        2s main task.expire task:1
        """),
      .violating(
        "a callback on a thread of a port",
        """
        0s - profile hooks=app-delegate,tasks
        1s events call applicationDidEnterBackground app ◀
        """),
      .violating(
        "an expiration handler elsewhere",
        """
        0s - profile hooks=app-delegate,tasks
        1s worker task.expire task:1 ◀
        """),
    ]
  )
}
