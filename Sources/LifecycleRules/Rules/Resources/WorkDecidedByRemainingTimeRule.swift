import LifecycleModel
import TraceAnalysis

/// backgroundTimeRemaining decides nothing.
struct WorkDecidedByRemainingTimeRule: Rule {
  static let description: RuleDescription = .init(
    id: "work-decided-by-remaining-time", formerRules: ["btr-not-a-clock"],
    number: 86,
    topic: .resources,
    summary: "no decision depends on backgroundTimeRemaining",
    severity: .info,
    sources: [.backgroundTimeRemaining, .backgroundTaskNotes, .backgroundTimeOnX],
    why: """
      In the foreground, or without a task, the value is meaningless (DBL_MAX). In the background \
      the system may take the time back earlier than the value says. An Apple engineer's notes \
      call code that relies on it the second most common cause of leaked tasks.
      """,
    remedy:
      "Rely on the expiration handler. Use the value only for debug output.",
    limits: """
      A sample shows the value, not its purpose. The app states it with reason=decision, or with \
      reason=log if it only prints the value, which is fine. Without a reason the rule cannot \
      tell.
      """,
    needs: RuleNeeds(hooks: [[.work]]),
    patterns: [
      .never(
        .sample(.backgroundTimeRemaining).where(.reason, is: "decision"),
        says: """
          {label} used backgroundTimeRemaining to decide, but the value is unlimited in the \
          foreground, and the time may end earlier in the background
          """)
    ],
    examples: """
      clean: printed only
      0s - profile hooks=work
      1s main sample backgroundTimeRemaining app -1 reason=log

      cannot tell: purpose not stated
      0s - profile hooks=work
      1s main sample backgroundTimeRemaining app 28000

      violating: a decision in the foreground, where it is unlimited
      0s - profile hooks=work,app-delegate
      0s main call applicationDidBecomeActive app
      1s main sample backgroundTimeRemaining app "sync loop" -1 reason=decision ◀

      violating: a decision in the background
      0s - profile hooks=work,app-delegate,tasks
      0s main call applicationDidEnterBackground app
      1s main task.begin task:1 "sync"
      2s main sample backgroundTimeRemaining app "sync loop" 28000 reason=decision ◀
      """
  )
}
