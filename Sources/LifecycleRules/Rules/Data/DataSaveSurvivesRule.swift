import LifecycleModel
import TraceAnalysis

/// A save is over before the process is suspended, or covered by a background task.
struct DataSaveSurvivesRule: Rule {
  static let description = RuleDescription(
    id: "data-save-survives",
    number: 89,
    topic: .data,
    summary: "no save runs when the process is suspended, except under a background task",
    severity: .warning,
    sources: [.s4, .beginBackgroundTask],
    why: """
      A suspended process may end without running again. Half of the save is then on disk, and \
      possibly a lock.
      """,
    remedy: "Begin a background task before the save and end it afterwards.",
    limits: """
      Writes by another process, such as a background URL session, survive: they carry by=system. \
      If the log does not record system events, it shows no suspensions.
      """,
    needs: RuleNeeds(hooks: [[.work], [.system], [.tasks]]),
    patterns: [
      .never(
        .verbs(.suspend), while: .open(.workBegin(.save).where(.by, isNot: "system")),
        says: "the process was suspended during the save {held}, begun at {since}"
      ).unless(.taskOpen)
    ],
    examples: [
      .clean(
        "over before",
        """
        0s - profile hooks=app-delegate,work,system,tasks
        1s main call applicationDidEnterBackground app
        1.1s db work.begin save app "draft"
        1.2s main return applicationDidEnterBackground app
        1.5s db work.end save app "draft"
        2s - suspend app
        """),
      .clean(
        "covered by a task",
        """
        0s - profile hooks=app-delegate,work,system,tasks
        1s main call applicationDidEnterBackground app
        1.05s main task.begin task:1 "save"
        1.1s db work.begin save app "draft"
        1.2s main return applicationDidEnterBackground app
        2s - suspend app
        """),
      .clean(
        "handed to a background URL session",
        """
        0s - profile hooks=app-delegate,work,system,tasks
        1.1s main work.begin save app "upload" by=system
        2s - suspend app
        """),
      .violating(
        "suspended in the middle",
        """
        0s - profile hooks=app-delegate,work,system,tasks
        1s main call applicationDidEnterBackground app
        1.1s db work.begin save app "draft"
        1.2s main return applicationDidEnterBackground app
        2s - suspend app ◀
        60s - resume app
        60.4s db work.end save app "draft"
        """),
    ]
  )
}
