import LifecycleModel
import TraceAnalysis

/// The variable that keeps a task is free before the next task goes into it.
struct TaskOverwriteLeakRule: Rule {
  static let description = RuleDescription(
    id: "task-overwrite-leak",
    number: 76,
    topic: .resources,
    summary: "no task begins in a holder that still keeps an open one",
    severity: .error,
    cause: SharedCause(.leakedTask, rank: 1),
    sources: [.backgroundTaskNotes],
    why: """
      An engineer's notes call it the most common cause of leaked tasks: the identifier of the first \
      is gone, nobody can end it, and the app is killed for it in the background.
      """,
    remedy:
      "End what the variable keeps before it is assigned, or keep an identifier for each task.",
    limits: """
      Holders are told apart by the attribute holder=, which a task must say. One name for several \
      variables, a property of several objects say, looks like one holder.
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
        "what keeps the task is not said",
        """
        0s - profile hooks=tasks
        1s main task.begin task:1 "sync"
        3s main task.begin task:2 "sync"
        """),
      .cannotTell(
        "the end may stand in the gap",
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
  private var kept: [String: Fact] = [:]
  private var holders: [UInt32: String] = [:]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .taskEnd {
      let holder = holders.removeValue(forKey: event.subjectNumber)
      guard let holder, kept[holder]?.event.subject == event.subject else { return }
      kept[holder] = nil
      return
    }
    guard let holder = moment.attribute(.holder, event) else {
      return findings.cannotTell(.notSaid("which variable keeps the task"))
    }
    if let first = kept[holder] {
      holders[first.event.subjectNumber] = nil
      findings.report(
        event, since: first, missing: moment.end(of: first),
        says: "{subject} {label} took the place of an open task, begun at {since}, in its holder")
    } else {
      findings.foundClean()
    }
    kept[holder] = moment.state.nextFact(event)
    holders[event.subjectNumber] = holder
  }
}
