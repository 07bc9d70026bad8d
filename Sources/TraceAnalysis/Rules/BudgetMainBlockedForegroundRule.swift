import LifecycleModel

/// The main thread answers while somebody is looking.
struct BudgetMainBlockedForegroundRule: Rule {
  static let description = RuleDescription(
    id: "budget-main-blocked-foreground",
    number: 49,
    topic: .budget,
    summary:
      "while the app is active the main thread is never busy for 250 ms, let alone ten seconds",
    severity: .error,
    sources: [.hangs, .responsiveness, .sceneUpdateKill, .watchdog],
    why: """
      While the main thread is busy nothing that the user does has an effect. Tools report it from \
      250 ms on, the system samples it after a second, and the watchdog ends the app after ten.
      """,
    remedy: """
      Move files, databases, decoding and waiting off the main thread; look at what runs inside the \
      busy span.
      """,
    limits: """
      From 250 ms on it is worth knowing, from a second on a warning. A span counts that begins while \
      the app is active: hangs of the launch belong to launch-first-frame, and those under an alert or the \
      switcher are not judged. The watchdog is off under \
      a debugger. 500 ms is a number that many quote and no document has.
      """,
    needs: RuleNeeds(hooks: [[.work]], profile: [.noDebugger]),
    patterns: [
      .budgetWhileActive(
        ofEach: EventPattern.workBegin(.mainBusy), Allowances.mainBusy,
        says: "the main thread {label} was busy for {elapsed} while the app was active")
    ],
    examples: [
      .clean(
        "40 ms, again and again",
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
      .cannotTell(
        "the state is not known",
        """
        0s - profile hooks=work
        2s main work.begin main-busy app
        22s main work.end main-busy app
        """),
      .cannotTell(
        "the end may stand in the gap",
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
        "300 ms are worth knowing",
        """
        0s - profile hooks=scene-delegate,work
        1s main call sceneDidBecomeActive scene:1
        2s main work.begin main-busy app "layout" ◀
        2.3s main work.end main-busy app "layout"
        """),
    ]
  )
}
