import LifecycleModel
import TraceAnalysis

/// The time that a process spends prewarmed is no launch time.
struct LaunchPrewarmClockRule: Rule {
  static let description: RuleDescription = .init(
    id: "launch-prewarm-clock",
    number: 5,
    topic: .launch,
    summary: "no measurement on the main thread spans the wake of a prewarmed process",
    severity: .warning,
    sources: [.launchSequence, .prewarmPauses, .appStartTracker],
    why: """
      The system may start a process hours before the user opens the app. A launch time measured \
      from that start includes hours in which nobody waited.
      """,
    remedy: """
      Start the measurement at the wake, or discard it if the environment has ActivePrewarm or the \
      result is implausible.
      """,
    limits: """
      A measurement is timed work on the main thread, other than main-busy, that begins before the \
      wake and ends after it. The wake is the last resume before the app reaches any state. The \
      rule does not see pauses that are not recorded.
      """,
    contradiction: """
      One edition says that prewarming stops before UIApplicationMain; a newer one says that no \
      app code runs. Pauses were seen even after viewDidLoad.
      """,
    needs: RuleNeeds(hooks: [[.work], [.system]]),
    given: "0s - profile hooks=app-delegate,work,system",
    examples: """
      clean: measured from the wake
      0s - process.start app launch=prewarm
      1s..14400s - suspend app
      14400.1s..14401s main work.begin other app "launch"
      14400.2s main call applicationWillFinishLaunching app

      clean: prewarmed as far as a view controller, and measured after that
      0s - process.start app launch=prewarm
      1s..1.2s main call applicationDidFinishLaunching app
      1.3s main work ui app "viewDidLoad"
      2s..7200s - suspend app
      7200.1s..7200.2s main work.begin other app "viewWillAppear"

      clean: a user's launch is measured from the start
      0s - process.start app launch=user
      0.1s..1s main work.begin other app "launch"
      0.2s main call applicationWillFinishLaunching app

      cannot tell: prewarming unknown
      0s - process.start app launch=unknown
      0.1s..14401s main work.begin other app "launch"
      1s..14400s - suspend app
      14400.2s main call applicationWillFinishLaunching app

      violating: four hours of launch time
      0s - process.start app launch=prewarm
      0.1s main work.begin other app "launch"
      1s..14400s - suspend app
      14400.2s main call applicationWillFinishLaunching app
      14401s main work.end other app "launch" ◀
      """
  )

  static let interests: [EventPattern] = [
    EventPattern.verbs(.workEnd).onMainThread,
    .verbs(.resume),
  ]

  /// The last resume before the app came to any state.
  private var wake: OpenEvent?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .resume {
      // Once the app is somewhere a resume is no wake.
      if moment.state.app == nil && moment.state.processStart != nil { wake = moment.fact(event) }
    } else {
      if event.name == WorkCategory.mainBusy.symbol { return }
      guard let wake, let begin = moment.state.open.span(closedBy: event, .work) else { return }
      guard begin.ordinal < wake.ordinal else { return findings.foundClean() }
      guard let launch = moment.launch else {
        return findings.cannotTell(.profileKeyMissing(.launch))
      }
      if launch != .prewarm { return findings.foundClean() }
      findings.report(
        event, since: begin,
        says: "{name} {label} began at {since}, before the wake of the prewarmed process")
    }
  }
}
