import LifecycleModel
import TraceAnalysis

/// A hang that the app was terminated in is not what ended it.
struct PMKillBlamedOnHangRule: Rule {
  static let description = RuleDescription(
    id: "pm-kill-blamed-on-hang", formerRules: ["pm-hang-not-fatal-after-terminate"],
    number: 94,
    topic: .postMortem,
    summary:
      "no kill blames a hang if the app was told to terminate during that hang",
    severity: .warning,
    sources: [.bugsnagHangs, .willTerminate],
    why: """
      If the app is told to terminate during a hang, the hang did not end it: the app terminated \
      normally. A report that counts the hang as fatal blames the wrong thing.
      """,
    remedy: "Count the end as a normal termination and the hang as not fatal.",
    limits: """
      Checked if a kill names the watchdog within the five seconds that a process has after \
      willTerminate. After that the watchdog waited for the exit: see budget-exit. \
      budget-will-terminate covers a hang that begins inside willTerminate. Not checked under a \
      debugger.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate, .appNotifications], [.work], [.process]], profile: [.noDebugger]),
    given: "0s - profile hooks=app-delegate,app-notifications,work,system",
    examples: [
      .clean(
        "told to terminate during a hang",
        """
        1s main work.begin main-busy app
        4s main notify UIApplication.willTerminateNotification app
        4.5s - exit app status=0
        """),
      .clean(
        "a hang, and no termination",
        """
        1s main work.begin main-busy app
        12s - kill app code=0x8badf00d
        """),
      .clean(
        "a hang that began inside the callback",
        """
        1s main call applicationWillTerminate app
        1.1s main work.begin main-busy app
        5.5s - kill app code=0x8badf00d
        """),
      .clean(
        "the watchdog waited for the exit",
        """
        1s main work.begin main-busy app
        4s main notify UIApplication.willTerminateNotification app
        9.5s - kill app code=0x8badf00d
        """),
      .cannotTell(
        "the end of the hang may be in the gap",
        """
        1s main work.begin main-busy app
        2s - gap ring-full 3
        4s main notify UIApplication.willTerminateNotification app
        4.5s - kill app code=0x8badf00d
        """),
      .violating(
        "the kill blames the hang",
        """
        1s main work.begin main-busy app
        4s main notify UIApplication.willTerminateNotification app
        4.5s - kill app code=0x8badf00d ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.kill, .exit)]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let told = moment.termination else { return }
    let hang = moment.state.open.facts(.work).first {
      $0.event.name == WorkCategory.mainBusy.symbol && $0.ordinal < told.ordinal
    }
    guard let hang else { return }

    let isBlamed =
      DeathCauses.isByWatchdog(event, moment.vocabulary)
      && moment.awake(event) &- moment.awake(told) < Allowances.Background.exit
    if !isBlamed { return findings.foundClean() }
    findings.report(
      event, since: hang,
      says: "the app was told to terminate during a hang that began at {since}: the hang did "
        + "not end it")
  }
}
