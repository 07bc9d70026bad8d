import LifecycleModel
import TraceAnalysis

/// A process that was on screen does not go without a word.
struct PMActiveAppVanishedRule: Rule {
  static let description = RuleDescription(
    id: "pm-active-app-vanished",
    formerRules: [
      "pm-silent-death-class",
      FormerRule("pm-unrecorded-exit", number: 99, culprits: .nothing),
      FormerRule("pm-exit-is-not-a-kill", culprits: .nothing),
    ],
    number: 92,
    topic: .postMortem,
    summary: "an app in the foreground does not vanish before the next launch",
    severity: .warning,
    cause: SharedCause(.death, rank: 2),
    sources: [.watchdogLogic, .appStateTracker],
    why: """
      Somebody is looking at an active app. If the next process starts and the log does not show \
      the end of this one, then the watchdog, a lack of memory or a force quit ended it, and \
      somebody saw it vanish; or it called exit() and nobody recorded that. Crash statistics then \
      count the app's own exits.
      """,
    remedy: """
      Look for a crash report or a jetsam report of that minute. The main thread's last work and \
      the last memory samples distinguish the watchdog from a lack of memory. Run the app under \
      `tracectl record`, or record an exit where the app exits, including in an atexit handler.
      """,
    limits: """
      An update of the app or the system also ends processes: if the profile of the next process \
      differs in more than launch, hooks and pid, the rule does not check it. A reboot does not \
      show in the log, nor does an exit or a crash that nobody records: both look as if the app \
      vanished. If the app was inactive, if only state events show that it was active, or if the \
      log does not name the system, the finding is info. An exit is taken for what it says, though \
      a handler may crash after it. Not checked under a debugger, or in a simulator, which ends \
      processes for reasons of its own.
      """,
    needs: RuleNeeds(hooks: [.turns, [.process]], profile: [.noDebugger, .noSimulator]),
    given: "0s - profile os=18.2 hooks=app-delegate,app-notifications,system",
    examples: [
      .clean(
        "terminated before",
        """
        1s main call applicationDidBecomeActive app
        7s main notify UIApplication.willTerminateNotification app
        90s - process.start app
        """),
      .clean(
        "a kill that was recorded is judged by its code",
        """
        1s main call applicationDidBecomeActive app
        7s - kill app code=0x8badf00d
        90s - process.start app
        """),
      .clean(
        "from the background, where that is normal",
        """
        1s main call applicationDidBecomeActive app
        6s main return applicationWillResignActive app
        7s main call applicationDidEnterBackground app
        90s - process.start app
        """),
      .clean(
        "the system was updated in between",
        """
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
      .cannotTell(
        "the end may stand in the gap",
        """
        1s main call applicationDidBecomeActive app
        7s - gap ring-full 4
        90s - process.start app
        """),
      .violating(
        "active, and then the next launch",
        """
        1s main call applicationDidBecomeActive app
        7s main work frame app
        90s - process.start app ◀
        """),
      .violating(
        "the same, where the log does not name the system: info",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        20s - process.start app ◀
        """),
      .violating(
        "inactive, and then the next launch: info",
        """
        1s main call applicationDidBecomeActive app
        6s main call applicationWillResignActive app
        90s - process.start app ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.processStart), Turn.events(.activate)]

  /// The profile at the first activation of the process, or else at its start.
  private var profile: Profile?
  private var wasActive = false
  private var wasTerminated = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard event.verb == .processStart else {
      if !wasActive { (profile, wasActive) = (moment.profile, true) }
      return
    }

    let last = self
    self = Self()
    profile = moment.profile
    guard let app = moment.state.app, app.state.isForeground else { return }
    if moment.state.processEnd != nil || last.wasTerminated { return findings.foundClean() }
    guard last.profile?.isOfSameInstallation(as: moment.profile) ?? false else { return }

    let isActive = app.state == .active && last.wasActive && moment.profile.attributes[.os] != nil
    findings.report(
      event, since: app.since, severity: isActive ? .warning : .info,
      missing: [MissingEvent(MissingEvent.ends)],
      says: isActive
        ? """
        the app, active since {since}, vanished before the next launch; the cause is a crash that the \
        log does not show, the watchdog, a lack of memory, or a force quit
        """
        : "the log does not show how the process, in the foreground since {since}, ended")
  }

  /// The process has ended, or the log; the next launch judges it.
  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.termination != nil { wasTerminated = true }
  }

  mutating func keep(from last: Self) { self = last }
}

extension Profile {
  /// Whether nothing says that the app or the system was exchanged.
  func isOfSameInstallation(as other: Profile) -> Bool {
    let ofOneLaunch = [AttributeKey.launch, .hooks, .pid].map(\.rawValue)
    func lasting(_ profile: Profile) -> Set<Attribute> {
      Set(profile.attributes.filter { !ofOneLaunch.contains($0.key) })
    }
    return lasting(self) == lasting(other)
  }
}
