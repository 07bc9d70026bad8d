import LifecycleModel
import TraceAnalysis

/// The variable that keeps a task is free before the next task goes into it.
struct TaskOverwriteLeakRule: Rule {
  static let description = RuleDescription(
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
    examples: [
      .clean(
        "ended between",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync" holder=syncTask
        2s main task.end task:1 "sync"
        3s main task.begin task:2 "sync" holder=syncTask
        """),
      .clean(
        "separate holders",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync" holder=syncTask
        3s main task.begin task:2 "upload" holder=uploadTask
        """),
      .cannotTell(
        "task holder unknown",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync"
        3s main task.begin task:2 "sync"
        """),
      .cannotTell(
        "the end may be in the gap",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync" holder=syncTask
        2s - gap ring-full 1
        3s main task.begin task:2 "sync" holder=syncTask
        """),
      .violating(
        "the first one is lost",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync" holder=syncTask
        3s main task.begin task:2 "sync" holder=syncTask ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.taskBegin, .taskEnd)]

  /// The open task that each holder keeps.
  private var kept: [String: OpenEvent] = [:]
  private var holders: [UInt32: String] = [:]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .taskEnd {
      let holder = holders.removeValue(forKey: event.subjectNumber)
      guard let holder, kept[holder]?.event.subject == event.subject else { return }
      kept[holder] = nil
      return
    }

    guard let holder = moment.attribute(.holder, event) else {
      return findings.cannotTell(.notSaid("which variable holds the task"))
    }

    if let first = kept[holder] {
      holders[first.event.subjectNumber] = nil
      findings.report(
        event, since: first, missing: moment.end(of: first),
        says: "{subject} {label} replaced an open task, begun at {since}, in its holder")
    } else {
      findings.foundClean()
    }

    kept[holder] = moment.state.nextFact(event)
    holders[event.subjectNumber] = holder
  }
}
