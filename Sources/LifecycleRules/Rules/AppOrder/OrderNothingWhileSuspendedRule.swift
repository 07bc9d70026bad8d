import LifecycleModel
import TraceAnalysis

/// A suspended process runs no code.
struct OrderNothingWhileSuspendedRule: Rule {
  static let description: RuleDescription = .init(
    id: "order-nothing-while-suspended",
    number: 20,
    topic: .appOrder,
    summary: "no app code runs between suspend and resume",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 4),
    sources: [.backgroundLimits],
    why: """
      A suspended process gets no CPU time on any thread. Events from it mean that the log mixes \
      two processes or that its clocks do not match; all its durations are then in doubt.
      """,
    remedy: """
      Check that the log belongs to one process, and that suspend and resume come from the \
      system's own log rather than from pauses.
      """,
    limits: """
      System lines (writer -) may come at any time. If suspend and resume were inferred from \
      pauses between events, the rule can find nothing.
      """,
    needs: RuleNeeds(hooks: [[.system]]),
    patterns: [
      .never(
        EventPattern.verbs(
          .call, .return, .notify, .observe, .observed, .work, .workBegin, .workEnd, .acquire,
          .release, .taskBegin, .taskEnd, .taskExpire, .taskExpired, .dataDirty, .dataSave
        ).fromAppCode,
        while: .suspended,
        says: "{name} on {writer} although the process was suspended at {since}")
    ],
    given: "0s - profile hooks=system,work",
    examples: """
      clean: a timer after the resume
      1s..9s - suspend app
      9.1s main work timer app "sync"

      clean: system lines may come at any time
      1s - suspend app
      2s - kill app

      cannot tell: a long pause is no suspension
      0s - profile hooks=work
      1s main work timer app "sync"
      9000s main work timer app "sync"

      violating: a timer fires in a suspended process
      1s..9s - suspend app
      2s main work timer app "sync" ◀
      """
  )
}
