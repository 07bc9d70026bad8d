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
      The methods are declared @MainActor. Called elsewhere they race with the interface, and the \
      compiler's checks hold no longer.
      """,
    remedy: "Find who calls it: code that calls the delegate by hand, or a port's event thread.",
    limits: """
      A log names its threads; one that came from the system's own lines (writer -) does not, and \
      is not judged. Notifications may be posted anywhere.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .sceneDelegate, .tasks]]),
    patterns: [
      .never(
        (EventPattern.allCalls | .verbs(.taskExpire)).offMainThread,
        says: "{name} ran on the thread {writer}, not on main")
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
