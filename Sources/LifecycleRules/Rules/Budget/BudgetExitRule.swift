import LifecycleModel
import TraceAnalysis

/// The process ends soon after it was told to terminate.
struct BudgetExitRule: JudgingRule {
  static let description: RuleDescription = .init(
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
      hooks: [[.appDelegate, .appNotifications], [.process]], profile: [.noDebugger, .noCatalyst]),
    patterns: [
      .every(
        .returned(.applicationWillTerminate) | .notify(.applicationWillTerminate),
        then: .verbs(.exit, .kill), within: Allowances.processExit, per: .app,
        says: "the process was still running {elapsed} after {name}")
    ],
    given: "0s - profile platform=ios hooks=app-delegate,system",
    examples: """
      clean: ends at once
      1s..1.2s main call applicationWillTerminate app
      1.3s - exit app status=0

      clean: Catalyst waits for the task
      0s - profile platform=catalyst hooks=app-delegate,system,tasks
      0s..19s main task.begin task:1 "sync"
      1.2s main return applicationWillTerminate app
      19.1s - exit app status=0

      clean: its end was not recorded
      1.2s main return applicationWillTerminate app
      900s - process.start app

      cannot tell: on which platform is not said
      0s - profile hooks=app-delegate,system
      1.2s main return applicationWillTerminate app
      7.2s - kill app code=0x8badf00d

      violating: six seconds, and then the watchdog
      1s main call applicationWillTerminate app
      1.2s main return applicationWillTerminate app ◀
      7.2s - kill app code=0x8badf00d
      """
  )

  func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    .violation(unless: moment.profile.platform == nil ? .profileKeyMissing(.platform) : nil)
  }
}
