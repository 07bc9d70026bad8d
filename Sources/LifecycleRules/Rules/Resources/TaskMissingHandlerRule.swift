import LifecycleModel
import TraceAnalysis

/// The system can tell each task that its time is over.
struct TaskMissingHandlerRule: Rule {
  static let description: RuleDescription = .init(
    id: "task-missing-handler",
    formerRules: [
      FormerRule("bgtask-expiration-set", number: 82, culprits: .verbs(.bgtaskLaunch))
    ],
    number: 79,
    topic: .resources,
    summary: "every background task and every BGTask of the app has an expiration handler",
    severity: .warning,
    sources: [
      .backgroundTaskNotes, .beginBackgroundTask, .continuedProcessing, .registerBackgroundTask,
      .taskAlwaysSucceeds,
    ],
    why: """
      The system may end the background time at any moment. If no handler ends the task, the \
      system kills the app, whatever the task was for; a BGTask counts as failed, with its work half \
      done.
      """,
    remedy: """
      Pass a handler that cancels the work and ends the task; set expirationHandler of a BGTask first in \
      its launch handler.
      """,
    limits: """
      A task states handler=true or handler=false; without that the rule cannot tell. Even short \
      work needs a handler. In a capture of the system's own lines the frameworks' tasks look like \
      the app's, and the rule cannot tell. A handler of a BGTask that is set on the same queue before \
      the first suspension point counts as set.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    patterns: [
      .never(
        .verbs(.taskBegin).where(.handler, is: "false").where(.by, isNot: "system"),
        says: "{subject} {label} has no expiration handler"),
      .never(
        .verbs(.bgtaskLaunch).where(.handler, is: "false"),
        says: "{name} was launched without an expiration handler"),
    ],
    given: "0s - profile hooks=tasks",
    examples: """
      clean: with a handler
      1s main task.begin task:1 "sync" handler=true

      clean: a framework's task
      1s main task.begin task:1 "snapshot" handler=false by=system

      cannot tell: not stated
      1s main task.begin task:1 "sync"

      cannot tell: task owner unknown
      1s - task.begin task:1 "XPC disconnection" handler=false

      violating: without one, however short the work is
      1s main task.begin task:1 "sync" handler=false ◀
      1.01s main task.end task:1 "sync"

      clean: set before the work, on the same queue
      0s - profile hooks=tasks,work
      1s - bgtask.launch com.example.clean app handler=true
      1.1s..2s worker work.begin other app "clean"
      2.1s worker bgtask.complete com.example.clean app

      cannot tell: not said
      0s - profile hooks=tasks,work
      1s - bgtask.launch com.example.clean app
      1.1s worker work.begin other app "clean"

      violating: the work starts without one
      0s - profile hooks=tasks,work
      1s - bgtask.launch com.example.clean app handler=false ◀
      1.1s worker work.begin other app "clean"
      """
  )
}
