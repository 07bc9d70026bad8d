import LifecycleModel
import TraceAnalysis

/// How a process ends is recorded.
struct PMUnrecordedExitRule: Rule {
  static let description = RuleDescription(
    id: "pm-unrecorded-exit", formerRules: ["pm-exit-is-not-a-kill"],
    number: 99,
    topic: .postMortem,
    summary: "the log records the end of each foreground process",
    severity: .info,
    cause: SharedCause(.death, rank: 5),
    sources: [.appStateTracker, .watchdogLogic],
    why: """
      Without a recorded exit, an app that calls exit() looks like an app that was killed. Crash \
      statistics then count the app's own exits.
      """,
    remedy: """
      Run the app under `tracectl record`, or record an exit where the app exits, including in an \
      atexit handler.
      """,
    limits: """
      Told at the next launch, for a process that was in the foreground and of whose end nothing is \
      known: it was not told to terminate either, and the profile of the next one shows no update of \
      the app or the system. That it was killed is as likely: see pm-active-app-vanished. An exit is \
      taken for what it says, though a handler may crash after it. Off under a debugger, and in a \
      simulator, which ends processes for reasons of its own.
      """,
    needs: RuleNeeds(hooks: [.turns, [.process]], profile: [.noDebugger, .noSimulator]),
    examples: [
      .clean(
        "the exit is recorded",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - exit app status=0
        20s - process.start app
        """),
      .clean(
        "a crash inside an atexit handler",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - exit app status=0
        9.1s - kill app namespace=SIGNAL code=0xb
        20s - process.start app
        """),
      .clean(
        "the previous process is unknown",
        """
        0s - profile hooks=app-delegate,system
        20s - process.start app
        """),
      .clean(
        "told to terminate, then the process ended",
        """
        0s - profile hooks=app-delegate,app-notifications,system
        1s main call applicationDidBecomeActive app
        9s main call applicationWillTerminate app
        9.1s main return applicationWillTerminate app
        20s - process.start app
        """),
      .clean(
        "the system was updated in between, or a debugger was attached before",
        """
        0s - profile os=18.2 debugger=true hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        20s - profile os=18.2 hooks=app-delegate,system
        20s - process.start app
        21s main call applicationDidBecomeActive app
        60s - profile os=18.3 hooks=app-delegate,system
        60s - process.start app
        """),
      .violating(
        "active, and then the next launch",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        20s - process.start app ◀
        """),
    ]
  )

  static let interests = LastProcess.interests

  private var last = LastProcess(isOfStart: true)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let since = last.vanished(before: event, moment, &findings, from: \.isForeground)
    else { return }
    findings.report(
      event, since: since, missing: [MissingEvent(MissingEvent.ends)],
      says: "the log does not show how the process, in the foreground since {since}, ended")
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    last.end(moment)
  }

  mutating func keep(from last: Self) { self = last }
}
