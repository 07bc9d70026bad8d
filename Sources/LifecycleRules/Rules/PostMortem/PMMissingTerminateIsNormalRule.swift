import LifecycleModel
import TraceAnalysis

/// An app that ends without having been told is suspicious on Mac Catalyst alone.
struct PMMissingTerminateIsNormalRule: Rule {
  static let description = RuleDescription(
    id: "pm-missing-terminate-is-normal",
    number: 97,
    topic: .postMortem,
    summary: "an app on Mac Catalyst is told before it ends; elsewhere it need not be",
    severity: .info,
    cause: SharedCause(.death, rank: 4),
    sources: [.willTerminate, .noTerminate, .terminateWithoutCall, .catalystExit],
    why: """
      applicationWillTerminate never comes to an app that is suspended or killed: on iOS its absence \
      is no evidence of a crash. On Mac Catalyst apps are quit, and one that is gone without it may \
      have crashed.
      """,
    remedy: """
      Do not count deaths by missing calls; look at the last state, and at crash reports. On Catalyst \
      look for one of that minute.
      """,
    limits: """
      On Catalyst an app is judged that was in the foreground, and whose end has neither a code nor a \
      signal. Where the platform is not known the rule cannot tell. Off under a debugger.
      """,
    contradiction: """
      The page says that apps which support the background are generally not told of their end; \
      some are told when they are closed in the switcher.
      """,
    needs: RuleNeeds(
      hooks: [
        [.appDelegate, .appNotifications], [.process],
      ], profile: [.noDebugger]),
    examples: [
      .clean(
        "gone without a word on iOS",
        """
        0s - profile platform=ios hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - kill app
        """),
      .clean(
        "Catalyst, told before",
        """
        0s - profile platform=catalyst hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        8s main call applicationWillTerminate app
        8.1s main return applicationWillTerminate app
        9s - kill app
        """),
      .clean(
        "Catalyst, with a signal: a crash that says so",
        """
        0s - profile platform=catalyst hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - exit app signal=11
        """),
      .cannotTell(
        "on which platform is not said",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - kill app
        """),
      .violating(
        "Catalyst, gone without a word",
        """
        0s - profile platform=catalyst hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - kill app ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.kill, .exit)]

  private static let missing = MissingEvent([
    MissingEvent.Kind(.call, name: Callback.applicationWillTerminate.rawValue, about: .app)
  ])

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.state.processEnd == nil, let app = moment.state.app else { return }
    let attributes = moment.vocabulary.attributes(event.attributes)
    let saysWhy = attributes[.code] != nil || attributes[.signal] != nil
    if moment.termination != nil || saysWhy || !app.state.isForeground {
      return findings.foundClean()
    }
    switch moment.profile.platform {
    case nil: findings.cannotTell(.profileKeyMissing(.platform))
    case "catalyst":
      findings.report(
        event, since: app.since, missing: [Self.missing],
        says: "the app ended without applicationWillTerminate, which is not usual on Mac Catalyst")
    default: findings.foundClean()
    }
  }
}
