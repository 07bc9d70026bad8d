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
      The system may call the time in at any moment. A task that nobody ends then gets the app killed, \
      whatever it was for.
      """,
    remedy: "Pass a handler that cancels the work and ends the task.",
    limits: """
      A task says handler=true or handler=false; of one that says neither the rule cannot tell. Work \
      that is known to be short needs a handler all the same. In a capture of the system's own lines \
      the frameworks' tasks look like the app's: cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    patterns: [
      .never(
        .verbs(.taskBegin).where(.handler, is: "false").where(.by, isNot: "system"),
        says: "{subject} {label} has no expiration handler")
    ],
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
        "not said",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync"
        """),
      .cannotTell(
        "whose task it is is not known",
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
}
