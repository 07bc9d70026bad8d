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
  /// The observers that run in no callback's time.
  private static let observers = EventPattern.observe(
    .applicationDidBecomeActive, .sceneDidActivate, .applicationDidReceiveMemoryWarning,
    .applicationSignificantTimeChange, .applicationProtectedDataDidBecomeAvailable)
  /// What begins while the app is in the background, and ends when it is on screen.
  private static let returning =
    Turn.calls(.foreground) | Turn.observers(.foreground)

  static let description: RuleDescription = .init(
    id: "budget-main-blocked-foreground",
    number: 49,
    topic: .budget,
    summary:
      "the main thread is never busy for 250 ms while the app is on screen or returns to it",
    severity: .error,
    cause: SharedCause(.slowCallback, rank: 4),
    sources: [
      .hangs, .responsiveness, .sceneUpdateKill, .watchdog, .oldWatchdogTable,
    ],
    why: """
      While the main thread is busy, the app does not respond to the user. Tools report this from \
      250 ms on, the system samples it after a second, and the watchdog kills the app after ten. At \
      a return to the foreground the user sees the snapshot, and nothing on it responds.
      """,
    remedy: """
      Move file access, databases, decoding and waiting off the main thread. Check what runs \
      inside the busy span. At the return show what there is, and refresh it from a queue.
      """,
    limits: """
      Above 250 ms the finding is info, above one second a warning, from nine seconds on an error: \
      the watchdog's ten seconds begin before the app's code runs. The rule counts work that the \
      log calls main-busy, and callbacks and observers on the main thread until they return, except \
      those with their own limits: the launch, willResignActive's observers, didEnterBackground, \
      willTerminate, and work inside them. A span counts if it begins while the app is active, or \
      inactive under an alert or the app switcher, or if it is the callback or an observer of the \
      return, which begins in the background; before the first activation it belongs to the launch. \
      The watchdog is off under a debugger. The often quoted limit of 500 ms is not documented.
      """,
    needs: RuleNeeds(hooks: [[.work, .appDelegate, .sceneDelegate]], profile: [.noDebugger]),
    patterns: [
      .budgetWhileVisible(
        ofEach: .any(of: [.workBegin(.mainBusy), (callbacks | observers).onMainThread]),
        Allowances.mainBusy, allowed: Allowances.sceneUpdate,
        returningBy: BudgetReturn(
          returning.onMainThread,
          says: """
            {name} {label} held the main thread for {elapsed} at the return to the foreground; the \
            watchdog allows {allowed}, counted from before it
            """),
        says: "the main thread was in {name} {label} for {elapsed} while the app was on screen")
    ],
    given: """
      0s - profile hooks=app-delegate,work
      1s main call applicationDidBecomeActive app
      """,
    examples: """
      clean: 40 ms, repeatedly
      2s..2.24s main work.begin main-busy app
      2.3s..2.54s main work.begin main-busy app

      clean: a hang of the launch
      0s - profile hooks=app-delegate,work,system
      0s - process.start app
      1s..1.5s main call applicationDidEnterBackground app
      2s..5s main work.begin main-busy app

      clean: stopped in a debugger
      0s - profile debugger=true hooks=app-delegate,work
      1s main call applicationDidBecomeActive app
      2s..22s main work.begin main-busy app

      clean: a callback of the launch, and one with a limit of its own
      0s - profile mode=app hooks=app-delegate,system
      0s - process.start app launch=user
      1s main state notRunning->inactive app
      1.1s..4s main call applicationDidBecomeActive app
      9s..9.1s main call applicationWillResignActive app
      9.2s..12s main call applicationDidEnterBackground app

      clean: a return that takes 200 ms, and one that a launch in the background precedes
      0s - profile mode=scene hooks=scene-delegate,work,system
      0s - process.start app launch=push
      0.1s..0.2s main call sceneWillConnect scene:1
      60s..64s main call sceneWillEnterForeground scene:1
      64.1s..64.2s main call sceneDidBecomeActive scene:1
      70s..70.1s main call sceneWillResignActive scene:1
      70.2s..70.3s main call sceneDidEnterBackground scene:1
      75s..175s - suspend app
      175.1s..175.3s main call sceneWillEnterForeground scene:1

      clean: an observer of the return on a queue of its own
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s..1.1s main call applicationDidBecomeActive app
      4s..4.1s main call applicationWillResignActive app
      4.2s main notify UIApplication.willResignActiveNotification app
      5s..5.1s main call applicationDidEnterBackground app
      60s main notify UIApplication.willEnterForegroundNotification app
      60s..69s worker observe UIApplication.willEnterForegroundNotification app "sync"

      cannot tell: state unknown
      0s - profile hooks=work
      2s..22s main work.begin main-busy app

      cannot tell: the end may be in the gap
      2s main work.begin main-busy app
      2.1s - gap ring-full 3
      22s main work timer app

      cannot tell: the log begins in the background: the foreground may be that of a launch
      0s - profile mode=app hooks=app-delegate
      0.1s..0.2s main call applicationDidEnterBackground app
      60s..69s main call applicationWillEnterForeground app

      cannot tell: another process may have begun in the gap
      0s - profile mode=app hooks=app-delegate
      1s..1.1s main call applicationDidBecomeActive app
      5s..5.1s main call applicationDidEnterBackground app
      6s - gap source-hole 9
      60s..69s main call applicationWillEnterForeground app

      violating: eleven seconds
      2s..13s main work.begin main-busy app "parse" ◀

      violating: a callback that does not return
      0s - profile mode=scene hooks=scene-delegate
      1s..1.1s main call sceneDidBecomeActive scene:1
      2s main call sceneOpenURLContexts scene:1 ◀
      20s other note "later"

      violating: under an alert
      0s - profile mode=scene hooks=scene-delegate,work
      1s..1.1s main call sceneDidBecomeActive scene:1
      2s..2.1s main call sceneWillResignActive scene:1
      3s..6s main work.begin main-busy app "parse" ◀

      violating: 300 ms: info
      0s - profile hooks=scene-delegate,work
      1s main call sceneDidBecomeActive scene:1
      2s..2.3s main work.begin main-busy app "layout" ◀

      violating: the return to the foreground: 0.6 s before the watchdog's time is over
      0s - profile mode=scene hooks=scene-delegate,work,system
      1s..1.1s main call sceneDidBecomeActive scene:1
      5s..5.1s main call sceneWillResignActive scene:1
      5.2s..5.3s main call sceneDidEnterBackground scene:1
      9s..60s - suspend app
      60.1s..69.5s main call sceneWillEnterForeground scene:1 ◀
      60.2s..69.4s main work.begin main-busy app "reload"

      violating: an observer of the return, in an app without scenes
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s..1.1s main call applicationDidBecomeActive app
      5s..5.1s main call applicationWillResignActive app
      5.2s..5.3s main call applicationDidEnterBackground app
      60s..63s main observe UIApplication.willEnterForegroundNotification app "Feed" ◀
      63.1s main notify UIApplication.willEnterForegroundNotification app
      """
  )
}
