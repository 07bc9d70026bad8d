import LifecycleModel
import Run
import TraceAnalysis

/// The code of a kill fits what the trace shows before it.
struct PMCodeWithoutEvidenceRule: Rule {
  static let description: RuleDescription = .init(
    id: "pm-code-without-evidence",
    formerRules: [
      FormerRule("pm-code-consistent"),
      FormerRule("pm-kill-blamed-on-hang", number: 94, culprits: .nothing),
      FormerRule("pm-hang-not-fatal-after-terminate", culprits: .nothing),
    ],
    number: 93,
    topic: .postMortem,
    summary: "the trace before a kill does not show the contrary of what the code means",
    severity: .warning,
    cause: SharedCause(.death, rank: 2),
    sources: [.killCodes, .watchdog, .backgroundTaskNotes, .bugsnagHangs, .willTerminate],
    why: """
      A code states what the system saw: a lock at suspension, an open task, a main thread that \
      did not answer. If the trace shows that this cannot have been, the end belongs to another \
      process, or the recording is wrong. If the app is told to terminate during a hang, the hang did \
      not end it: a report that counts it as fatal blames the wrong thing.
      """,
    remedy: """
      Check that the end is of this process, by its process id, and that the profile of the log \
      names the right platform. Count an end for which the app was told to terminate as a normal \
      termination.
      """,
    limits: """
      Nothing in the log is no proof: system frameworks, SDKs and extensions leave no trace in it. \
      Then the rule cannot tell, and the verdict says what to look for. The rule cannot tell either \
      if the hook that would show the cause is not recorded, if events are missing from the \
      process, if its start was not seen, or if no source explains the code. Codes that involve no \
      fault of the app are not checked. A hang is not to blame if the watchdog kills the app within the \
      five seconds that a process has after willTerminate, and not under a debugger; after that the \
      watchdog waited for the exit: see budget-exit.
      """,
    needs: RuleNeeds(hooks: [[.process]]),
    given: """
      0s - profile hooks=app-delegate,app-notifications,work,system
      1s main work.begin main-busy app
      """,
    examples: """
      clean: a lock was held at the suspension
      0s - profile hooks=system,resources,app-delegate
      0s - process.start app
      1s..1.1s main call applicationDidEnterBackground app
      2s db acquire lock app "notes.db"
      3s - suspend app
      3.1s - kill app code=0xdead10cc namespace=RUNNINGBOARD

      clean: a callback was open beyond its time
      0s - profile hooks=system,app-delegate,tasks
      0s - process.start app
      1s main call applicationDidEnterBackground app
      6.5s - kill app code=0x8badf00d

      clean: a task was left open, the main thread being idle
      0s - profile os=18.2 hooks=system,app-delegate,tasks
      0s - process.start app
      1s main task.begin task:1 "sync" handler=true
      2s..2.1s main call applicationDidEnterBackground app
      36s - kill app code=0x8badf00d

      clean: the same after a background launch, which may get no background call
      0s - profile os=18.2 hooks=system,app-delegate,tasks
      0s - process.start app launch=push
      2s main task.begin task:1 "sync" handler=true
      45s - kill app code=0x8badf00d

      clean: too hot: a trace cannot show this
      0s - profile hooks=system,app-delegate,tasks,resources
      0s - process.start app
      9s - kill app code=0xc00010ff

      cannot tell: locks are not recorded
      0s - profile hooks=system,app-delegate
      0s - process.start app
      1s main call applicationDidEnterBackground app
      3s - kill app code=0xdead10cc

      cannot tell: a code without a source
      0s - profile hooks=system,app-delegate,tasks,resources
      0s - process.start app
      9s - kill app code=0x1badbabe

      cannot tell: no recorded lock was held: Core Data and SDKs take locks that no log has
      0s - profile hooks=system,resources,app-delegate
      0s - process.start app
      1s..1.1s main call applicationDidEnterBackground app
      3s - suspend app
      3.1s - kill app code=0xdead10cc namespace=RUNNINGBOARD

      cannot tell: the watchdog, and nothing recorded that took its time: a hang outside any callback
      0s - profile hooks=system,app-delegate,tasks,work
      0s - process.start app
      1s..1.1s main call applicationDidBecomeActive app
      19s - kill app code=0x8badf00d

      violating: a code of watchOS on another system
      0s - profile platform=ios hooks=system,app-delegate,tasks,work
      0s - process.start app
      1s..1.1s main call applicationDidEnterBackground app
      9s - kill app code=0xc51bad01 ◀

      violating: killed for a lock at suspension, on screen
      0s - profile hooks=system,resources,app-delegate
      0s - process.start app
      1s..1.1s main call applicationDidBecomeActive app
      30s - kill app code=0xdead10cc namespace=RUNNINGBOARD ◀

      clean: told to terminate during a hang
      4s main notify UIApplication.willTerminateNotification app
      4.5s - exit app status=0

      clean: a hang, and no termination
      12s - kill app code=0x8badf00d

      clean: a hang that began inside the callback
      0s - profile hooks=app-delegate,app-notifications,work,system
      1s main call applicationWillTerminate app
      1.1s main work.begin main-busy app
      5.5s - kill app code=0x8badf00d

      clean: the watchdog waited for the exit
      4s main notify UIApplication.willTerminateNotification app
      9.5s - kill app code=0x8badf00d

      cannot tell: the end of the hang may be in the gap
      2s - gap ring-full 3
      4s main notify UIApplication.willTerminateNotification app
      4.5s - kill app code=0x8badf00d

      violating: the kill blames the hang
      4s main notify UIApplication.willTerminateNotification app
      4.5s - kill app code=0x8badf00d ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.kill)]

  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let code = death.code else { return }
    if let hang = hangBeforeTermination(death, moment) {
      findings.report(
        death.endFact, since: hang,
        says: """
          the app was told to terminate during a hang that began at {since}: the hang did not end it
          """)
      return
    }

    switch death.agreement {
    case nil: findings.cannotTell(.notSaid("what the code \(DeathCause.hex(code)) means"))
    case .agrees, .nothingToShow: findings.foundClean()
    case .notShown: findings.cannotTell(.notSaid("what the code means for this process"))
    case .cannotTell(let doubt): findings.cannotTell(doubt)
    case .disagrees(let what):
      findings.report(
        death.endFact,
        says: """
          code and trace disagree: the code means that \(death.meaning), but \(what)
          """)
    }
  }

  /// The hang in which the app was told to terminate, shortly before the watchdog ended it.
  private func hangBeforeTermination(_ death: DeathVerdict, _ moment: Moment) -> OpenEvent? {
    guard death.code == KillCode.watchdog, !moment.profile.debugger, let told = moment.termination,
      moment.awake(death.end) &- moment.awake(told) < Allowances.processExit
    else { return nil }
    return moment.state.open.facts(.work, WorkCategory.mainBusy).first {
      $0.ordinal < told.ordinal
    }
  }
}
