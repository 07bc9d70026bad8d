import LifecycleModel
import TraceAnalysis

/// Termination takes less than the system allows.
struct BudgetWillTerminateRule: Rule {
  static let description: RuleDescription = .init(
    id: "budget-will-terminate",
    number: 48,
    topic: .budget,
    summary: "willTerminate and its observers return within five seconds, better within three",
    severity: .error,
    cause: SharedCause(.slowCallback, rank: 3),
    sources: [.willTerminate],
    why: """
      The method has about five seconds. If it does not return in time, the system kills the \
      process, and unsaved data is lost.
      """,
    remedy: "Save as the user works. At the end save only what is small and fast.",
    limits: """
      Observers of the notification count with the callback. If the process ends before the return \
      and before the limit, the rule cannot tell. Suspended time does not count. The watchdog is \
      off under a debugger.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .appNotifications]], profile: [.noDebugger]),
    patterns: [
      .budget(
        .call(.applicationWillTerminate) | .observe(.applicationWillTerminate),
        warning: Allowances.willTerminateWarning,
        error: Allowances.willTerminate,
        until: .nothing,
        per: .app,
        says: "{name} and its observers took {elapsed}; the system allows {allowed}")
    ],
    given: "0s - profile hooks=app-delegate,system",
    examples: """
      clean: returns quickly
      1s..1.1s main call applicationWillTerminate app
      1.2s - exit app status=0

      clean: stopped in a debugger
      0s - profile debugger=true hooks=app-delegate,system
      1s..9s main call applicationWillTerminate app

      cannot tell: the system ends the process before the return
      1s main call applicationWillTerminate app
      1.5s - kill app

      cannot tell: the return may be in the gap
      1s main call applicationWillTerminate app
      1.5s - gap ring-full 1
      9s - kill app

      violating: never returns
      1s main call applicationWillTerminate app ◀
      6.2s - kill app code=0x8badf00d

      violating: four seconds, a warning
      1s..5s main call applicationWillTerminate app ◀
      """
  )
}
