import LifecycleModel
import TraceAnalysis

/// The process ends soon after it was told to terminate.
struct BudgetExitRule: Rule {
  static let description = RuleDescription(
    id: "budget-exit",
    number: 55,
    topic: .budget,
    summary: "the process ends within five seconds after applicationWillTerminate returns",
    severity: .warning,
    sources: [.exitKill, .willTerminate, .catalystExit],
    why: """
      After the callback the system waits a few seconds for the process to exit. If the process \
      stays, the process-exit watchdog kills it, and the kill looks like a crash.
      """,
    remedy: "Check what runs at exit: destructors, atexit handlers, and threads that hold locks.",
    limits: """
      The five seconds come from crash reports. Mac Catalyst waits for background tasks before the \
      app exits, so it is not checked; if the platform is not known, the rule cannot tell. Not \
      checked under a debugger.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate, .appNotifications], [.process]], profile: [.noDebugger]),
    examples: [
      .clean(
        "ends at once",
        """
        0s - profile platform=ios hooks=app-delegate,system
        1s main call applicationWillTerminate app
        1.2s main return applicationWillTerminate app
        1.3s - exit app status=0
        """),
      .clean(
        "Catalyst waits for the task",
        """
        0s - profile platform=catalyst hooks=app-delegate,system,tasks
        0s main task.begin task:1 "sync"
        1.2s main return applicationWillTerminate app
        19s main task.end task:1 "sync"
        19.1s - exit app status=0
        """),
      .clean(
        "its end was not recorded",
        """
        0s - profile platform=ios hooks=app-delegate,system
        1.2s main return applicationWillTerminate app
        900s - process.start app
        """),
      .cannotTell(
        "on which platform is not said",
        """
        0s - profile hooks=app-delegate,system
        1.2s main return applicationWillTerminate app
        7.2s - kill app code=0x8badf00d
        """),
      .violating(
        "six seconds, and then the watchdog",
        """
        0s - profile platform=ios hooks=app-delegate,system
        1s main call applicationWillTerminate app
        1.2s main return applicationWillTerminate app ◀
        7.2s - kill app code=0x8badf00d
        """),
    ]
  )

  static let interests: [EventPattern] = [
    .returned(.applicationWillTerminate), .notify(.applicationWillTerminate), .verbs(.kill, .exit),
  ]

  private var told: Fact?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .kill || event.verb == .exit {
      if told != nil { findings.foundClean() }
      told = nil
    } else if told == nil && moment.profile.platform != "catalyst" {
      told = moment.state.nextFact(event)
      findings.wake(at: moment.awake(event).adding(Allowances.Background.exit))
    }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let told else { return }
    self.told = nil
    if moment.profile.platform == nil {
      findings.cannotTell(.profileKeyMissing(.platform))
    } else {
      findings.report(
        told, elapsed: Allowances.Background.exit, allowed: Allowances.Background.exit,
        missing: [
          MissingEvent(
            MissingEvent.ends, after: told.event,
            until: moment.instant(told, passing: Allowances.Background.exit))
        ],
        says: "the process was still running {elapsed} after {name}")
    }
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    if told != nil { findings.cannotTell(reason) }
  }
}
