import LifecycleModel
import TraceAnalysis

/// Entering the background takes less than the system allows.
struct BudgetDidEnterBackgroundRule: Rule {
  static let description: RuleDescription = .init(
    id: "budget-did-enter-background",
    number: 47,
    topic: .budget,
    summary: "didEnterBackground and its observers return within five seconds, better within three",
    severity: .error,
    cause: SharedCause(.slowCallback, rank: 2),
    sources: [.s4, .didEnterBackground, .extendingBackgroundTime, .watchdog],
    why: """
      The method has about five seconds to return. If it takes longer, the system terminates the \
      app and purges it from memory, including everything unsaved.
      """,
    remedy: """
      Return at once: begin a background task and move saving and network work to a queue. Before \
      returning, make only the interface changes.
      """,
    limits: """
      Observers of the same transition count with the callback, because they run on the same \
      thread in the same five seconds. Observers of UIApplication's notification count with the \
      scene's callback if there is one scene, and separately if there are several. Suspended time \
      does not count. The watchdog is off under a debugger.
      """,
    needs: RuleNeeds(hooks: [.delegates], profile: [.noDebugger]),
    patterns: [
      .budget(
        Turn.calls(.background) | Turn.observers(.background),
        warning: Allowances.didEnterBackgroundWarning,
        error: Allowances.didEnterBackground,
        until: Turn.events(.foreground, .activate) | .verbs(.resume),
        per: .subject,
        says: "{name} and its observers took {elapsed}; the system allows {allowed}")
    ],
    examples: """
      clean: returns quickly
      0s - profile hooks=app-delegate,app-notifications
      1s..1.3s main call applicationDidEnterBackground app

      clean: two entries with a foreground between are two budgets
      0s - profile hooks=scene-delegate
      1s..3.5s main call sceneDidEnterBackground scene:1
      8s main call sceneWillEnterForeground scene:1
      9s..11.5s main call sceneDidEnterBackground scene:1

      clean: suspended time does not count
      0s - profile hooks=app-delegate,system
      1s..60.5s main call applicationDidEnterBackground app
      1.5s..60s - suspend app

      violating: 5.4 seconds
      0s - profile hooks=app-delegate,app-notifications
      1s..6.4s main call applicationDidEnterBackground app ◀

      violating: never returns: found at the deadline
      0s - profile hooks=app-delegate,work
      1s main call applicationDidEnterBackground app ◀
      9s db work save app "notes.db"

      violating: the scene's callback, and an observer of the app's notification
      0s - profile mode=scene hooks=scene-delegate,app-notifications
      1s..1.1s main call sceneWillConnect scene:1
      2s..5s main call sceneDidEnterBackground scene:1 ◀
      5s main notify UIApplication.didEnterBackgroundNotification app
      5s..8s main observe UIApplication.didEnterBackgroundNotification app "analytics"

      violating: callback and observer together
      0s - profile hooks=scene-delegate,scene-notifications
      1s..3s main call sceneDidEnterBackground scene:1 ◀
      3s main notify UIScene.didEnterBackgroundNotification scene:1
      3s..4.5s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      """
  )
}
