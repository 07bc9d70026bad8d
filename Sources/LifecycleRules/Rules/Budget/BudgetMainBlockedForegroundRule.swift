import LifecycleModel
import TraceAnalysis

/// The main thread answers while somebody is looking.
struct BudgetMainBlockedForegroundRule: Rule {
  /// The callbacks that have no limits of their own.
  ///
  /// Without those that come before the scene is on screen or when it is no more: whether they or
  /// their notifications come first is not specified.
  private static let callbacks = EventPattern.named(
    .call,
    Callback.allCases.filter {
      ![
        .applicationWillFinishLaunching, .applicationDidFinishLaunching,
        .applicationWillEnterForeground, .applicationDidEnterBackground,
        .applicationWillTerminate, .sceneWillConnect, .sceneDidDisconnect,
        .sceneWillEnterForeground, .sceneDidEnterBackground,
      ].contains($0)
    })

  static let description = RuleDescription(
    id: "budget-main-blocked-foreground",
    number: 49,
    topic: .budget,
    summary:
      "the main thread is never busy for 250 ms while the app is on screen, let alone ten seconds",
    severity: .error,
    cause: SharedCause(.slowCallback, rank: 4),
    sources: [.hangs, .responsiveness, .sceneUpdateKill, .watchdog],
    why: """
      While the main thread is busy, the app does not respond to the user. Tools report this from \
      250 ms on, the system samples it after a second, and the watchdog kills the app after ten.
      """,
    remedy: """
      Move file access, databases, decoding and waiting off the main thread. Check what runs \
      inside the busy span.
      """,
    limits: """
      Above 250 ms the finding is info, above one second a warning. The rule counts work that the \
      log calls main-busy, and callbacks on the main thread until they return, except those with \
      their own limits: the launch, didEnterBackground, willTerminate, and work inside them. Work \
      counts if it begins while the app is active, or inactive under an alert or the app switcher; \
      before the first activation it belongs to the launch. The watchdog is off under a debugger. \
      The often quoted limit of 500 ms is not documented.
      """,
    needs: RuleNeeds(hooks: [[.work, .appDelegate, .sceneDelegate]], profile: [.noDebugger]),
    patterns: [
      .budgetWhileVisible(
        ofEach: .any(of: [.workBegin(.mainBusy), callbacks.onMainThread]), Allowances.mainBusy,
        says: "the main thread was in {name} {label} for {elapsed} while the app was on screen")
    ],
    examples: [
      .clean(
        "40 ms, repeatedly",
        """
        0s - profile hooks=app-delegate,work
        1s main call applicationDidBecomeActive app
        2s main work.begin main-busy app
        2.24s main work.end main-busy app
        2.3s main work.begin main-busy app
        2.54s main work.end main-busy app
        """),
      .clean(
        "a hang of the launch",
        """
        0s - profile hooks=app-delegate,work,system
        0s - process.start app
        1s main call applicationDidEnterBackground app
        1.5s main return applicationDidEnterBackground app
        2s main work.begin main-busy app
        5s main work.end main-busy app
        """),
      .clean(
        "stopped in a debugger",
        """
        0s - profile debugger=true hooks=app-delegate,work
        1s main call applicationDidBecomeActive app
        2s main work.begin main-busy app
        22s main work.end main-busy app
        """),
      .clean(
        "a callback of the launch, and one with a limit of its own",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app launch=user
        1s main state notRunning->inactive app
        1.1s main call applicationDidBecomeActive app
        4s main return applicationDidBecomeActive app
        9s main call applicationWillResignActive app
        9.1s main return applicationWillResignActive app
        9.2s main call applicationDidEnterBackground app
        12s main return applicationDidEnterBackground app
        """),
      .cannotTell(
        "state unknown",
        """
        0s - profile hooks=work
        2s main work.begin main-busy app
        22s main work.end main-busy app
        """),
      .cannotTell(
        "the end may be in the gap",
        """
        0s - profile hooks=app-delegate,work
        1s main call applicationDidBecomeActive app
        2s main work.begin main-busy app
        2.1s - gap ring-full 3
        22s main work timer app
        """),
      .violating(
        "eleven seconds",
        """
        0s - profile hooks=app-delegate,work
        1s main call applicationDidBecomeActive app
        2s main work.begin main-busy app "parse" ◀
        13s main work.end main-busy app "parse"
        """),
      .violating(
        "a callback that does not return",
        """
        0s - profile mode=scene hooks=scene-delegate
        1s main call sceneDidBecomeActive scene:1
        1.1s main return sceneDidBecomeActive scene:1
        2s main call sceneOpenURLContexts scene:1 ◀
        20s other note "later"
        """),
      .violating(
        "under an alert",
        """
        0s - profile mode=scene hooks=scene-delegate,work
        1s main call sceneDidBecomeActive scene:1
        1.1s main return sceneDidBecomeActive scene:1
        2s main call sceneWillResignActive scene:1
        2.1s main return sceneWillResignActive scene:1
        3s main work.begin main-busy app "parse" ◀
        6s main work.end main-busy app "parse"
        """),
      .violating(
        "300 ms: info",
        """
        0s - profile hooks=scene-delegate,work
        1s main call sceneDidBecomeActive scene:1
        2s main work.begin main-busy app "layout" ◀
        2.3s main work.end main-busy app "layout"
        """),
    ]
  )
}
