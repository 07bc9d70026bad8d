import LifecycleModel
import TraceAnalysis

/// An expiration handler ends its task.
struct TaskEndInExpirationRule: Rule {
  static let description: RuleDescription = .init(
    id: "task-end-in-expiration",
    number: 75,
    topic: .resources,
    summary: "a background task's expiration handler ends the task before it returns",
    severity: .error,
    cause: SharedCause(.leakedTask, rank: 4),
    sources: [.beginBackgroundTask, .backgroundTaskNotes],
    why: """
      The handler is the last chance: if the task is still open after it, the system ends the app.
      """,
    remedy: "Call endBackgroundTask(_:) in the handler, synchronously, whatever else it does.",
    limits: """
      A task without a recorded begin is not checked, unless UIKit itself reports that it is open \
      after its handlers: this is a warning, since an end soon afterwards may still be in time. An \
      end that is passed to a queue comes too late and is reported.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    patterns: [
      .every(
        .verbs(.taskExpire), then: .verbs(.taskEnd), before: .verbs(.taskExpired), per: .task,
        says: "the expiration handler of {subject} returned without ending the task")
    ],
    given: "0s - profile hooks=tasks",
    examples: """
      clean: ended inside the handler
      1s main task.begin task:1 "sync"
      28s..28.2s main task.expire task:1
      28.1s main task.end task:1

      clean: the handlers of several tasks come in any order
      1s main task.begin task:1 "sync"
      2s main task.begin task:2 "upload"
      28s..28.2s main task.expire task:2
      28.1s main task.end task:2
      28.3s..28.5s main task.expire task:1
      28.4s main task.end task:1

      violating: the handler returns and the task is open
      1s main task.begin task:1 "sync"
      28s..28.2s main task.expire task:1 ◀

      violating: UIKit reports that the task is open after its handlers
      0s - profile hooks=tasks,system clock=wall
      0s - gap source-hole -1
      28s - task.begin task:1 "sync" elapsed=26s
      28s - note task:1 "still open after the expiration handlers were called" warning=expired ◀

      clean: events are missing in the handler
      1s main task.begin task:1 "sync"
      28s..28.2s main task.expire task:1
      28.1s - gap ring-full 2
      """
  )

  static let interests: [EventPattern] = [.verbs(.note)]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.warning(event) == .expired else { return }
    findings.report(
      event, since: moment.begin(ofTask: event), severity: .warning,
      regardlessOfGaps: "UIKit itself says it",
      says: "UIKit reports that {subject} {held} is still open after its expiration handlers")
  }
}
