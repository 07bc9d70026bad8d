import LifecycleModel
import TraceAnalysis

/// The variable that keeps a task is free before the next task goes into it.
struct TaskOverwriteLeakRule: Rule {
  static let description: RuleDescription = .init(
    id: "task-overwrite-leak",
    number: 76,
    topic: .resources,
    summary: "no task begins in a holder that still contains an open task",
    severity: .error,
    cause: SharedCause(.leakedTask, rank: 1),
    sources: [.backgroundTaskNotes],
    why: """
      An Apple engineer's notes call this the most common cause of leaked tasks: the identifier of \
      the first task is lost, nobody can end it, and the system kills the app for it in the \
      background.
      """,
    remedy:
      "End the task in the variable before you assign a new one, or keep one identifier per task.",
    limits: """
      The attribute holder= identifies holders, and a task must state it. If several variables \
      share a name, such as a property of several objects, they look like one holder.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    patterns: [
      .never(
        .verbs(.taskBegin), between: .verbs(.taskBegin), until: .verbs(.taskEnd), per: .holder,
        says: "{subject} {label} replaced an open task, begun at {since}, in its holder")
    ],
    given: "0s - profile hooks=tasks",
    examples: """
      clean: ended between
      1s main task.begin task:1 "sync" holder=syncTask
      2s main task.end task:1 "sync"
      3s main task.begin task:2 "sync" holder=syncTask

      clean: separate holders
      1s main task.begin task:1 "sync" holder=syncTask
      3s main task.begin task:2 "upload" holder=uploadTask

      clean: no task is open that it could replace
      1s main task.begin task:1 "sync"

      clean: what states no holder has ended
      1s..2s main task.begin task:9 "other"
      3s main task.begin task:2 "sync" holder=syncTask

      cannot tell: task holder unknown
      1s main task.begin task:1 "sync"
      3s main task.begin task:2 "sync"

      cannot tell: the end may be in the gap
      1s main task.begin task:1 "sync" holder=syncTask
      2s - gap ring-full 1
      3s main task.begin task:2 "sync" holder=syncTask

      violating: the end of a lost task frees nothing
      1s main task.begin task:1 "sync" holder=syncTask
      2s main task.begin task:2 "sync" holder=syncTask ◀
      3s main task.end task:1 "sync"
      4s main task.begin task:3 "sync" holder=syncTask ◀

      violating: the first one is lost
      1s main task.begin task:1 "sync" holder=syncTask
      3s main task.begin task:2 "sync" holder=syncTask ◀
      """
  )
}
