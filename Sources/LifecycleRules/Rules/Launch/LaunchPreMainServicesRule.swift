import LifecycleModel
import TraceAnalysis

/// A prewarmed process leaves the keychain and protected files alone.
struct LaunchPreMainServicesRule: Rule {
  static let description: RuleDescription = .init(
    id: "launch-pre-main-services",
    number: 6,
    topic: .launch,
    summary: "a prewarmed process does not use the keychain or protected files before its wake",
    severity: .warning,
    cause: SharedCause(.lockedData, rank: 1),
    sources: [.launchSequence],
    why: """
      The device may still be locked when the system prewarms a process. Access to the keychain or \
      protected files then fails, and the app may treat the user as signed out.
      """,
    remedy: "Read them in or after {launch}, and handle a failure as a failure.",
    limits: """
      The newer documentation says that no app code runs in a prewarmed process, but static \
      initializers did. Only launches known to be prewarmed are checked.
      """,
    needs: RuleNeeds(hooks: [[.work], [.system], .turns]),
    patterns: [
      .never(
        .work(.keychain, .protectedFile),
        between: .verbs(.processStart),
        until: .allCalls | .appNotifications | .sceneNotifications() | .verbs(.resume),
        per: .app,
        says: """
          {name} {label} was used before the wake of the process, which was prewarmed at {since}
          """
      ).launched(by: [.prewarm])
    ],
    given: "0s - profile hooks=app-delegate,work,system",
    examples: """
      clean: after the launch
      0s - process.start app launch=prewarm
      9s..9.1s main call applicationDidFinishLaunching app
      9.2s main work keychain app "token"

      clean: a process that the user launched
      0s - process.start app launch=user
      0.1s main work keychain app "token"
      0.2s main call applicationWillFinishLaunching app

      clean: the newer edition: no code of the app until the wake
      0s - process.start app launch=prewarm
      0.1s..900s - suspend app
      900.1s main work keychain app "token"
      900.2s main call applicationWillFinishLaunching app

      cannot tell: prewarming unknown
      0s - process.start app
      0.1s main work keychain app "token"

      violating: the keychain before the launch
      0s - process.start app launch=prewarm
      0.1s main work keychain app "token" ◀
      9s main call applicationWillFinishLaunching app
      """
  )
}
