import LifecycleModel
import TraceAnalysis

/// Every background task has an expiration handler.
struct TaskMissingHandlerRule: Rule {
  static let description = RuleDescription(
    id: "task-missing-handler",
    number: 79,
    topic: .resources,
    summary: "every background task that the app begins has an expiration handler",
    severity: .warning,
    sources: [.backgroundTaskNotes, .beginBackgroundTask],
    why: """
      The system may end the background time at any moment. If no handler ends the task, the \
      system kills the app, whatever the task was for.
      """,
    remedy: "Pass a handler that cancels the work and ends the task.",
    limits: """
      A task states handler=true or handler=false; without that the rule cannot tell. Even short \
      work needs a handler. In a capture of the system's own lines the frameworks' tasks look like \
      the app's, and the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    examples: [
      .clean(
        "with a handler",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync" handler=true
        """),
      .clean(
        "a framework's task",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "snapshot" handler=false by=system
        """),
      .cannotTell(
        "not stated",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync"
        """),
      .cannotTell(
        "task owner unknown",
        """
        0s - profile hooks=tasks
        1s - task.begin task:1 "XPC disconnection" handler=false
        """),
      .violating(
        "without one, however short the work is",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync" handler=false ◀
        1.01s main task.end task:1 "sync"
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.taskBegin)]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch moment.attribute(.handler, event) {
    case "true": findings.foundClean()
    case "false":
      if moment.isSystems(event) { return findings.foundClean() }
      if event.writer == .system { return findings.cannotTell(.notSaid("whose task it is")) }
      findings.report(
        event, regardlessOfGaps: "the begin itself says it",
        says: "{subject} {label} has no expiration handler")
    default: findings.cannotTell(.notSaid("whether the task has an expiration handler"))
    }
  }
}
