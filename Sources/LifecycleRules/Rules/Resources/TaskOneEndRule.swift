import LifecycleModel
import TraceAnalysis

/// Every background task ends exactly once.
struct TaskOneEndRule: Rule {
  static let description: RuleDescription = .init(
    id: "task-one-end",
    number: 74,
    topic: .resources,
    summary: "every background task ends exactly once",
    severity: .error,
    cause: SharedCause(.leakedTask, rank: 3),
    sources: [.beginBackgroundTask, .endBackgroundTask, .backgroundTaskNotes],
    why: """
      A task that never ends keeps the app alive until the watchdog kills it.
      """,
    remedy: """
      Call endBackgroundTask(_:) where the work ends and in the expiration handler, and then set the \
      identifier to .invalid at once.
      """,
    secondEnd: (
      why: """
      The second end may close a task that is not this work's any more: two paths own the \
      identifier.
      """,
      remedy: """
      End the task in one place and set the identifier to .invalid at once; let the expiration \
      handler cancel the work and use the same place.
      """
    ),
    limits: """
      An open task at the end of the log or process is a leak only after more background time than \
      the system allows (30 s from iOS 13, 180 s from iOS 7, otherwise 600 s), and without \
      declared background modes. Before that the rule cannot tell, unless UIKit itself reports \
      that the task began over 30 s ago: this is a warning, because UIKit reports it in the \
      foreground too. The rule sees a second end if it comes within the next 1,024 ends.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    patterns: [
      .balance(
        .verbs(.taskBegin), .verbs(.taskEnd), per: .task,
        unclosed:
          """
          {subject} {label} never ended: open for {elapsed} in the background; the limit is \
          {allowed}
          """,
        closedAgain: "{subject} {label} ended a second time; the first end was at {since}")
    ],
    given: "0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate",
    examples: """
      clean: begun and ended
      1s..2s main task.begin task:1 "sync"

      cannot tell: the log ends within the limit
      1s main task.begin task:1 "sync"
      2s..2.05s main call applicationDidEnterBackground app
      9s main note "last line"

      clean: a long task in the foreground
      1s main call applicationDidBecomeActive app
      1s main task.begin task:1 "sync"
      900s main note "last line"

      cannot tell: killed for another reason within the limit
      0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system
      1s main task.begin task:1 "sync"
      2s..2.1s main call applicationDidEnterBackground app
      9s - kill app namespace=JETSAM

      clean: UIKit reports that it has been open for long, and it ends
      0s - profile hooks=tasks,system clock=wall
      1s - task.begin task:1 "sync"
      31s - note task:1 "over 30s ago" warning=overdue
      33s - task.end task:1

      cannot tell: UIKit reports that it has been open for long; its end may be in the gap
      0s - profile hooks=tasks,system clock=wall
      1s - task.begin task:1 "sync"
      31s - note task:1 "over 30s ago" warning=overdue
      40s - gap source-hole -1

      violating: UIKit reports that it has been open for long, and it never ends
      0s - profile hooks=tasks,system clock=wall
      1s - task.begin task:1 "sync"
      31s - note task:1 "over 30s ago" warning=overdue ◀
      40s - kill app namespace=JETSAM

      violating: ended twice
      1s..2s main task.begin task:1 "sync"
      3s main task.end task:1 "sync" ◀

      violating: still open after 35 s in the background, and killed for it
      0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system
      1s main task.begin task:1 "sync" ◀
      2s..2.1s main call applicationDidEnterBackground app
      37s - kill app code=0x8badf00d namespace=SPRINGBOARD
      """
  )

  static let interests: [EventPattern] = [.verbs(.note)]

  /// What UIKit says of tasks that are open for long, with their begins.
  private var overdue = Remembered<(warning: OpenEvent, begin: OpenEvent?)>(64, beyond: .cannotTell)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.warning(event) == .overdue else { return }
    overdue.append((moment.fact(event), moment.begin(ofTask: event)), &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for (warning, begin) in overdue where moment.begin(ofTask: warning.event) != nil {
      // That the task was open at the warning UIKit itself says, whatever was lost since its begin.
      guard findings.canRely(on: warning) else { continue }
      findings.report(
        warning, since: begin, severity: .warning, missing: begin.map { moment.end(of: $0) } ?? [],
        regardlessOfGaps: "the warning is certain",
        says: """
          UIKit warns that background {subject} {held} began over 30s ago, for which the system may \
          end the app; the log does not show its end
          """)
    }
  }
}
