import LifecycleModel
import TraceAnalysis

/// backgroundTimeRemaining decides nothing.
struct BTRNotAClockRule: Rule {
  static let description = RuleDescription(
    id: "btr-not-a-clock",
    number: 86,
    topic: .resources,
    summary: "backgroundTimeRemaining is not used to decide what to do",
    severity: .info,
    sources: [.backgroundTimeRemaining, .backgroundTaskNotes, .backgroundTimeOnX],
    why: """
      In the foreground, or without a task, the value means nothing (DBL_MAX), and in the background \
      the system may call the time in sooner than it says. An engineer's notes call code that relies \
      on it the second most common cause of leaked tasks.
      """,
    remedy:
      "Rely on the expiration handler. Print the value when you debug, and do no more with it.",
    limits: """
      A sample says what was read, not what for: the app says it with reason=decision, or reason=log \
      when it only prints the value, which is fine. Of a sample that says neither the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.work]]),
    patterns: [
      .never(
        .sample(.backgroundTimeRemaining).where(.reason, is: "decision"),
        says: """
          {label} decided by backgroundTimeRemaining, which is unlimited in the foreground and may \
          be over sooner in the background
          """)
    ],
    examples: [
      .clean(
        "printed only",
        """
        0s - profile hooks=work
        1s main sample backgroundTimeRemaining app -1 reason=log
        """),
      .cannotTell(
        "what it was read for is not said",
        """
        0s - profile hooks=work
        1s main sample backgroundTimeRemaining app 28000
        """),
      .violating(
        "a decision in the foreground, where it is unlimited",
        """
        0s - profile hooks=work,app-delegate
        0s main call applicationDidBecomeActive app
        1s main sample backgroundTimeRemaining app "sync loop" -1 reason=decision ◀
        """),
      .violating(
        "a decision in the background",
        """
        0s - profile hooks=work,app-delegate,tasks
        0s main call applicationDidEnterBackground app
        1s main task.begin task:1 "sync"
        2s main sample backgroundTimeRemaining app "sync loop" 28000 reason=decision ◀
        """),
    ]
  )
}
