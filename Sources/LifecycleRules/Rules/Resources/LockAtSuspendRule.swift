import LifecycleModel
import TraceAnalysis

/// No lock is held across suspension.
struct LockAtSuspendRule: Rule {
  static let description: RuleDescription = .init(
    id: "lock-at-suspend",
    number: 83,
    topic: .resources,
    summary: "no file or SQLite lock is held when the process is suspended",
    severity: .error,
    cause: SharedCause(.heldResource, rank: 1),
    sources: [.killCodes, .reducingTerminations],
    why: """
      A suspended process that holds a lock on a file in a shared container blocks every other \
      process that needs it. The system kills it with 0xdead10cc.
      """,
    remedy: """
      Begin a background task before you take the lock. Checkpoint and close the database in it, \
      release the lock, and then end the task.
      """,
    limits: """
      In practice the system mostly checks paths in app-group containers, but it has killed apps \
      for private paths too. The log does not distinguish the two. If the log does not show the \
      suspension, the code 0xdead10cc shows it.
      """,
    needs: RuleNeeds(hooks: [[.resources], [.system]]),
    patterns: [
      .never(
        .verbs(.suspend), while: .holding(.lock),
        says: "the process was suspended while it held the lock {held}, taken at {since}")
    ],
    given: "0s - profile hooks=resources,system,tasks",
    examples: """
      clean: released under a background task
      1s main task.begin task:1 "checkpoint"
      1.1s..1.4s db acquire lock app "notes.db"
      1.5s main task.end task:1
      4s - suspend app

      cannot tell: the release may be in the gap
      1.1s db acquire lock app "notes.db"
      2s - gap ring-full 3
      4s - suspend app

      clean: killed for another reason before the suspension
      0s - profile hooks=resources,system,app-delegate
      1s..1.05s main call applicationDidEnterBackground app
      1.1s db acquire lock app "notes.db"
      4s - kill app namespace=JETSAM reason=vm-pageshortage

      violating: no suspension in the log, but its code
      0s - profile hooks=resources,system,app-delegate
      1s..1.05s main call applicationDidEnterBackground app
      1.1s db acquire lock app "notes.db" ◀
      4s - kill app code=0xdead10cc namespace=RUNNINGBOARD

      violating: however short
      3.9s..4.2s db acquire lock app "notes.db"
      4s..4.1s - suspend app ◀

      violating: suspended with the lock held
      1.1s db acquire lock app "notes.db"
      4s - suspend app ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.kill)]

  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    for lock in death.suspects where lock.kind == .lock && !lock.isFound {
      findings.report(
        lock.fact, until: death.end, missing: moment.end(of: lock.fact),
        says: "the lock {label} was held when the system killed the app for a lock at suspension")
    }
  }
}
