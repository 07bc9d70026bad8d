import LifecycleModel
import TraceAnalysis

/// The code of a kill fits what the trace shows before it.
struct PMCodeWithoutEvidenceRule: Rule {
  static let description = RuleDescription(
    id: "pm-code-without-evidence", formerRules: ["pm-code-consistent"],
    number: 93,
    topic: .postMortem,
    summary: "the trace before a kill shows what the code means",
    severity: .warning,
    cause: SharedCause(.death, rank: 3),
    sources: [.killCodes, .watchdog, .backgroundTaskNotes],
    why: """
      A code states what the system saw: a lock at suspension, an open task, a main thread that \
      did not answer. If the trace shows nothing like it, the recording misses the important \
      events, or another part of the app is at fault.
      """,
    remedy: """
      Record the resource or task that the code concerns, where the app takes it: a library's own \
      database, an extension that shares the app group, a task that begins inside a wrapper.
      """,
    limits: """
      One cause may lead to several codes. The rule cannot tell if the hook that would show the \
      cause is not recorded, if events are missing from the process, if its start was not seen, or \
      if no source explains the code. Codes that involve no fault of the app are not checked.
      """,
    needs: RuleNeeds(hooks: [[.process]]),
    examples: [
      .clean(
        "a lock was held at the suspension",
        """
        0s - profile hooks=system,resources,app-delegate
        0s - process.start app
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        2s db acquire lock app "notes.db"
        3s - suspend app
        3.1s - kill app code=0xdead10cc namespace=RUNNINGBOARD
        """),
      .clean(
        "a callback was open beyond its time",
        """
        0s - profile hooks=system,app-delegate,tasks
        0s - process.start app
        1s main call applicationDidEnterBackground app
        6.5s - kill app code=0x8badf00d
        """),
      .clean(
        "a task was left open, the main thread being idle",
        """
        0s - profile os=18.2 hooks=system,app-delegate,tasks
        0s - process.start app
        1s main task.begin task:1 "sync" handler=true
        2s main call applicationDidEnterBackground app
        2.1s main return applicationDidEnterBackground app
        36s - kill app code=0x8badf00d
        """),
      .clean(
        "the same after a background launch, which may get no background call",
        """
        0s - profile os=18.2 hooks=system,app-delegate,tasks
        0s - process.start app launch=push
        2s main task.begin task:1 "sync" handler=true
        45s - kill app code=0x8badf00d
        """),
      .clean(
        "too hot: a trace cannot show this",
        """
        0s - profile hooks=system,app-delegate,tasks,resources
        0s - process.start app
        9s - kill app code=0xc00010ff
        """),
      .cannotTell(
        "locks are not recorded",
        """
        0s - profile hooks=system,app-delegate
        0s - process.start app
        1s main call applicationDidEnterBackground app
        3s - kill app code=0xdead10cc
        """),
      .cannotTell(
        "a code without a source",
        """
        0s - profile hooks=system,app-delegate,tasks,resources
        0s - process.start app
        9s - kill app code=0x1badbabe
        """),
      .violating(
        "no lock was ever held",
        """
        0s - profile hooks=system,resources,app-delegate
        0s - process.start app
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        3s - suspend app
        3.1s - kill app code=0xdead10cc namespace=RUNNINGBOARD ◀
        """),
      .violating(
        "the watchdog, and nothing that took its time",
        """
        0s - profile hooks=system,app-delegate,tasks,work
        0s - process.start app
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        9s - kill app code=0x8badf00d ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.kill)]

  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let code = death.code else { return }
    switch death.agreement {
    case nil: findings.cannotTell(.notSaid("what the code \(DeathCause.hex(code)) means"))
    case .agrees, .nothingToShow: findings.foundClean()
    case .cannotTell(let doubt): findings.cannotTell(doubt)
    case .disagrees(let what):
      findings.report(
        death.endFact,
        says: """
          code and trace disagree: the code means that \(death.meaning), but \(what)
          """)
    }
  }
}
