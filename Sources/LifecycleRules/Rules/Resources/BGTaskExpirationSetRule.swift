import LifecycleModel
import TraceAnalysis

/// A task of BGTaskScheduler has its expiration handler before its work starts.
struct BGTaskExpirationSetRule: Rule {
  static let description = RuleDescription(
    id: "bgtask-expiration-set",
    number: 82,
    topic: .resources,
    summary: "a launched BGTask has an expiration handler before its work starts",
    severity: .warning,
    sources: [.continuedProcessing, .registerBackgroundTask, .taskAlwaysSucceeds],
    why: """
      The system may end the task at any moment. A task without a handler then counts as failed, \
      with its work half done.
      """,
    remedy: "Set expirationHandler first in the launch handler.",
    limits: """
      The launch event states handler=true or handler=false; without that the rule cannot tell. A \
      handler that is set on the same queue before the first suspension point counts as set.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    patterns: [
      .never(
        .verbs(.bgtaskLaunch).where(.handler, is: "false"),
        says: "{name} was launched without an expiration handler")
    ],
    examples: [
      .clean(
        "set before the work, on the same queue",
        """
        0s - profile hooks=tasks,work
        1s - bgtask.launch com.example.clean app handler=true
        1.1s worker work.begin other app "clean"
        2s worker work.end other app "clean"
        2.1s worker bgtask.complete com.example.clean app
        """),
      .cannotTell(
        "not said",
        """
        0s - profile hooks=tasks,work
        1s - bgtask.launch com.example.clean app
        1.1s worker work.begin other app "clean"
        """),
      .violating(
        "the work starts without one",
        """
        0s - profile hooks=tasks,work
        1s - bgtask.launch com.example.clean app handler=false ◀
        1.1s worker work.begin other app "clean"
        """),
    ]
  )
}
