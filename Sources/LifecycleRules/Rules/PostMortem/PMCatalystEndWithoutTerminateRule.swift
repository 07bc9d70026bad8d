import LifecycleModel
import TraceAnalysis

/// An app that ends without having been told is suspicious on Mac Catalyst alone.
struct PMCatalystEndWithoutTerminateRule: Rule {
  static let description: RuleDescription = .init(
    id: "pm-catalyst-end-without-terminate", formerRules: ["pm-missing-terminate-is-normal"],
    number: 97,
    topic: .postMortem,
    summary: "a Mac Catalyst app gets applicationWillTerminate before it ends; others need not",
    severity: .info,
    cause: SharedCause(.death, rank: 3),
    sources: [.willTerminate, .noTerminate, .terminateWithoutCall, .catalystExit],
    why: """
      A suspended or killed app never gets applicationWillTerminate: on iOS its absence does not \
      indicate a crash. On Mac Catalyst users quit apps, and an app that ends without the call may \
      have crashed.
      """,
    remedy: """
      Do not detect crashes by missing calls; use the last state and crash reports. On Catalyst \
      look for a crash report of that minute.
      """,
    limits: """
      On Catalyst the rule checks apps that were in the foreground and ended without a code or a \
      signal. If the platform is not known, the rule cannot tell. Not checked under a debugger.
      """,
    contradiction: """
      The documentation says that apps that support the background generally do not learn of their \
      end; some do when they are closed in the switcher.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate, .appNotifications], [.process]], profile: [.noDebugger]),
    given: "0s - profile platform=catalyst hooks=app-delegate,system",
    examples: """
      clean: vanished on iOS
      0s - profile platform=ios hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      9s - kill app

      clean: told to terminate on Catalyst
      1s main call applicationDidBecomeActive app
      8s..8.1s main call applicationWillTerminate app
      9s - kill app

      clean: Catalyst, with a signal: a stated crash
      1s main call applicationDidBecomeActive app
      9s - exit app signal=11

      cannot tell: on which platform is not said
      0s - profile hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      9s - kill app

      violating: vanished on Catalyst
      1s main call applicationDidBecomeActive app
      9s - kill app ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.kill, .exit)]

  private static let missing = MissingEvent([
    MissingEvent.Kind(.call, name: Callback.applicationWillTerminate.rawValue, about: .app)
  ])

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.state.processEnd == nil, let app = moment.state.app else { return }
    let saysWhy =
      moment.attribute(.code, event) != nil || moment.attribute(.signal, event) != nil
    if moment.termination != nil || saysWhy || !app.state.isForeground {
      return findings.foundClean()
    }

    switch moment.profile.platform {
    case nil: findings.cannotTell(.profileKeyMissing(.platform))
    case "catalyst":
      findings.report(
        event, since: app.since, missing: [Self.missing],
        says: "the app ended without applicationWillTerminate, which is unusual on Mac Catalyst")
    default: findings.foundClean()
    }
  }
}
