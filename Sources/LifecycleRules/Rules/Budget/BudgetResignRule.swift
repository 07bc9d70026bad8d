import LifecycleModel
import TraceAnalysis

/// Resigning takes no time.
struct BudgetResignRule: Rule {
  static let description: RuleDescription = .init(
    id: "budget-resign",
    number: 50,
    topic: .budget,
    summary: "willResignActive and its observers return within a second",
    severity: .warning,
    cause: SharedCause(.slowCallback, rank: 1),
    sources: [.s0, .s1, .s2],
    why: """
      While the callback runs, the app is on screen and takes no events, and the next step (the \
      app switcher, a call, the background) has to wait. The documentation asks for minimal work \
      from then on.
      """,
    remedy:
      "Pause timers and move work to a queue; save small data now, and the rest as the user works.",
    limits: """
      No document gives a limit; one second is this rule's own. Observers of the same transition \
      count with the callback. Observers of UIApplication's notification count with the scene's \
      callback if there is one scene, and separately if there are several. Suspended time does not \
      count. Not checked under a debugger.
      """,
    needs: RuleNeeds(hooks: [.turns], profile: [.noDebugger]),
    patterns: [
      .budget(
        Turn.calls(.resign) | Turn.observers(.resign),
        warning: Allowances.willResignActive,
        error: Allowances.willResignActive,
        until: Turn.events(.activate, .background),
        per: .subject,
        says: "{name} and its observers took {elapsed}; the limit is {allowed}")
    ],
    examples: """
      clean: 20 ms
      0s - profile hooks=app-delegate
      1s..1.02s main call applicationWillResignActive app

      clean: two resigns are two budgets
      0s - profile hooks=scene-delegate
      1s..1.6s main call sceneWillResignActive scene:1
      2s main call sceneDidBecomeActive scene:1
      3s..3.6s main call sceneWillResignActive scene:1

      cannot tell: the return may be in the gap
      0s - profile hooks=app-delegate,work
      1s main call applicationWillResignActive app
      1.1s - gap ring-full 2
      9s main work timer app

      violating: two seconds
      0s - profile hooks=app-delegate
      1s..3s main call applicationWillResignActive app ◀

      violating: the callback and an observer together
      0s - profile hooks=scene-delegate,scene-notifications
      1s..1.6s main call sceneWillResignActive scene:1 ◀
      1.7s..2.3s main observe UIScene.willDeactivateNotification scene:1 "Archiver"
      """
  )
}
