import LifecycleModel
import TraceAnalysis

/// A process that was active does not go without a word.
struct PMActiveAppVanishedRule: Rule {
  static let description = RuleDescription(
    id: "pm-active-app-vanished", formerRules: ["pm-silent-death-class"],
    number: 92,
    topic: .postMortem,
    summary: "an active app does not vanish before the next launch",
    severity: .warning,
    cause: SharedCause(.death, rank: 2),
    sources: [.watchdogLogic, .appStateTracker],
    why: """
      Somebody is looking at an active app. If the next process starts and the log does not show \
      the end of this one, then the watchdog, a lack of memory or a force quit ended it, and \
      somebody saw it vanish.
      """,
    remedy: """
      Look for a crash report or a jetsam report of that minute. The main thread's last work and \
      the last memory samples distinguish the watchdog from a lack of memory.
      """,
    limits: """
      An update of the app or the system also ends processes: if the profile of the next process \
      differs in more than launch, hooks and pid, the rule does not check it. A reboot does not \
      show in the log, nor does an exit or a crash that nobody records: both look as if the app \
      vanished. Not checked if the app was not active, if only state events show that it was, \
      under a debugger, or in a simulator.
      """,
    needs: RuleNeeds(hooks: [.turns, [.process]], profile: [.noDebugger, .noSimulator, .says(.os)]),
    examples: [
      .clean(
        "terminated before",
        """
        0s - profile os=18.2 hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        7s main notify UIApplication.willTerminateNotification app
        90s - process.start app
        """),
      .clean(
        "a kill that was recorded is judged by its code",
        """
        0s - profile os=18.2 hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        7s - kill app code=0x8badf00d
        90s - process.start app
        """),
      .clean(
        "from the background, where that is normal",
        """
        0s - profile os=18.2 hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        6s main return applicationWillResignActive app
        7s main call applicationDidEnterBackground app
        90s - process.start app
        """),
      .clean(
        "the system was updated in between",
        """
        0s - profile os=18.2 hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        90s - profile os=18.3 hooks=app-delegate,app-notifications,system
        90s - process.start app
        """),
      .clean(
        "the app was updated in between",
        """
        0s - profile os=18.2 version=4.2.0 hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        90s - profile os=18.2 version=4.2.1 hooks=app-delegate,app-notifications,system
        90s - process.start app
        """),
      .cannotTell(
        "the end may stand in the gap",
        """
        0s - profile os=18.2 hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        7s - gap ring-full 4
        90s - process.start app
        """),
      .violating(
        "active, and then the next launch",
        """
        0s - profile os=18.2 hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        7s main work frame app
        90s - process.start app ◀
        """),
    ]
  )

  static let interests = LastProcess.interests

  private var last = LastProcess(isOfStart: false)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let since = last.vanished(before: event, moment, &findings, from: { $0 == .active })
    else { return }
    findings.report(
      event, since: since, missing: [MissingEvent(MissingEvent.ends)],
      says: "the app, active since {since}, vanished before the next launch; the cause is a crash "
        + "that the log does not show, the watchdog, a lack of memory, or a force quit")
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    last.end(moment)
  }

  mutating func keep(from last: Self) { self = last }
}
