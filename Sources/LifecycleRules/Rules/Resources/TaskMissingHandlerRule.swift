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
    patterns: [
      .never(
        .verbs(.taskBegin).where(.handler, is: "false").where(.by, isNot: "system"),
        says: "{subject} {label} has no expiration handler")
    ],
    given: "0s - profile hooks=tasks",
    examples: [
      .clean(
        "with a handler",
        """
        1s main task.begin task:1 "sync" handler=true
        """),
      .clean(
        "a framework's task",
        """
        1s main task.begin task:1 "snapshot" handler=false by=system
        """),
      .cannotTell(
        "not stated",
        """
        1s main task.begin task:1 "sync"
        """),
      .cannotTell(
        "task owner unknown",
        """
        1s - task.begin task:1 "XPC disconnection" handler=false
        """),
      .violating(
        "without one, however short the work is",
        """
        1s main task.begin task:1 "sync" handler=false ◀
        1.01s main task.end task:1 "sync"
        """),
    ]
  )
}
