import LifecycleModel
import TraceAnalysis

/// Every background task ends exactly once.
struct TaskOneEndRule: Rule {
  static let description = RuleDescription(
    id: "task-one-end",
    number: 74,
    topic: .resources,
    summary: "every background task that was begun ends exactly once",
    severity: .error,
    cause: SharedCause(.leakedTask, rank: 3),
    sources: [.beginBackgroundTask, .endBackgroundTask, .backgroundTaskNotes],
    why: """
      A task that never ends keeps the app alive until the watchdog kills it. One that ends twice \
      shows that its bookkeeping is lost, and the next end may hit somebody else's task.
      """,
    remedy: """
      Keep the identifier with the work, end it where the work ends and in the expiration handler, \
      and set it to .invalid at once.
      """,
    limits: """
      A task that is still open when the log or the process ends is a leak only after more \
      background time than the system allows (30 s from iOS 13, 180 s from iOS 7, else 600 s), and \
      without declared background modes; before that: cannot tell, unless UIKit itself says that the task was begun over \
      30 s ago, which is a warning: UIKit says it in the foreground, too. A second end is seen when \
      it comes within the next 1,024 ends.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    patterns: [
      .balance(
        .verbs(.taskBegin), .verbs(.taskEnd), per: .task,
        unclosed:
          "{subject} {label} was never ended: open for {elapsed} in the background, of {allowed}",
        closedAgain: "{subject} {label} ended a second time; the first end was at {since}")
    ],
    examples: [
      .clean(
        "begun and ended",
        """
        0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate
        1s main task.begin task:1 "sync"
        2s main task.end task:1 "sync"
        """),
      .cannotTell(
        "the log ends while there was still time",
        """
        0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate
        1s main task.begin task:1 "sync"
        2s main call applicationDidEnterBackground app
        2.05s main return applicationDidEnterBackground app
        9s main note "last line"
        """),
      .clean(
        "a long task in the foreground",
        """
        0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate
        1s main call applicationDidBecomeActive app
        1s main task.begin task:1 "sync"
        900s main note "last line"
        """),
      .cannotTell(
        "killed for another reason while there was still time",
        """
        0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system
        1s main task.begin task:1 "sync"
        2s main call applicationDidEnterBackground app
        2.1s main return applicationDidEnterBackground app
        9s - kill app namespace=JETSAM
        """),
      .clean(
        "UIKit says that it is open for long, and it ends",
        """
        0s - profile hooks=tasks,system clock=wall
        1s - task.begin task:1 "sync"
        31s - note task:1 "over 30s ago" warning=overdue
        33s - task.end task:1
        """),
      .cannotTell(
        "UIKit says that it is open for long; its end may stand in the gap",
        """
        0s - profile hooks=tasks,system clock=wall
        1s - task.begin task:1 "sync"
        31s - note task:1 "over 30s ago" warning=overdue
        40s - gap source-hole -1
        """),
      .violating(
        "UIKit says that it is open for long, and it ends nowhere",
        """
        0s - profile hooks=tasks,system clock=wall
        1s - task.begin task:1 "sync"
        31s - note task:1 "over 30s ago" warning=overdue ◀
        40s - kill app namespace=JETSAM
        """),
      .violating(
        "ended twice",
        """
        0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate
        1s main task.begin task:1 "sync"
        2s main task.end task:1 "sync"
        3s main task.end task:1 "sync" ◀
        """),
      .violating(
        "still open after 35 s in the background, and killed for it",
        """
        0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system
        1s main task.begin task:1 "sync" ◀
        2s main call applicationDidEnterBackground app
        2.1s main return applicationDidEnterBackground app
        37s - kill app code=0x8badf00d namespace=SPRINGBOARD
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.note)]

  /// What UIKit says of tasks that are open for long, with their begins.
  private var overdue = Remembered<(warning: Fact, begin: Fact?)>(64, beyond: .cannotTell)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.warning(event) == .overdue else { return }
    overdue.append((moment.state.nextFact(event), moment.begin(ofTask: event)), &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for (warning, begin) in overdue where moment.begin(ofTask: warning.event) != nil {
      // That the task was open at the warning UIKit itself says, whatever was lost since its begin.
      guard findings.canRely(on: warning) else { continue }
      findings.report(
        warning, since: begin, severity: .warning, missing: begin.map { moment.end(of: $0) } ?? [],
        regardlessOfGaps: "the warning is certain",
        says: "UIKit says that {subject} {held} was begun over 30s ago; its end was not seen")
    }
  }
}
