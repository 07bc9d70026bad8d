import LifecycleModel
import TraceAnalysis

/// A launch into the foreground is over in a second.
struct LaunchSlowRule: Rule {
  private static let activation = Turn.events(.activate)
  private static let background = Turn.events(.background)

  static let description: RuleDescription = .init(
    id: "launch-slow",
    number: 109,
    topic: .launch,
    summary:
      "the first frame or the activation comes within a second of the process start",
    severity: .warning,
    cause: SharedCause(.slowLaunch, rank: 2),
    sources: [.launchTime, .responsiveness],
    why: """
      The user waits in front of a launch screen and takes the app for broken before the watchdog \
      does.
      """,
    remedy: """
      Move work that the first screen does not need out of the launch: databases, migrations, \
      network, libraries.
      """,
    limits: """
      Above one second the finding is info, above five seconds a warning; the five seconds are not \
      documented. Measured from the start of the process, or else the first launch callback, to \
      the first frame or the first activation, whichever comes first. Background and prewarmed \
      launches are not checked, and suspended time does not count. The culprit is the callback, the \
      observer or the work that held the main thread longest; where none took a quarter of the time, \
      such as before main or on other threads, the log does not show what did. launch-first-frame \
      covers launches that the watchdog kills. Not checked under a debugger, which slows down the \
      launch.
      """,
    needs: RuleNeeds(hooks: [[.system], [.work] + .turns], profile: [.noDebugger]),
    patterns: [
      .stretch(
        from: .verbs(.processStart)
          | .call(.applicationWillFinishLaunching, .applicationDidFinishLaunching),
        to: .work(.frame) | activation, cancelledBy: background,
        allowed: Allowances.launchWorthKnowing,
        worse: BudgetLimit(.warning, from: Allowances.launchSlow),
        says: "the first screen came {elapsed} after {opener}"
      ).launched(by: LaunchReason.inForeground).severity(.info)
    ],
    given: "0s - profile hooks=app-delegate,work,system",
    examples: """
      clean: a frame after 0.9 s
      0s - process.start app launch=user
      0.1s main call applicationDidFinishLaunching app
      0.9s main work frame app

      clean: launched in the background, and opened later
      0s - process.start app launch=push
      0.1s main call applicationDidFinishLaunching app
      60s main call applicationDidBecomeActive app

      clean: prewarmed hours before
      0s - process.start app launch=prewarm
      14400s - resume app
      14401.2s main work frame app

      cannot tell: launch reason unknown
      0s - process.start app
      3s main work frame app

      cannot tell: the log ends before the first screen
      0s - process.start app launch=user
      3s main work timer app

      violating: two seconds: info
      0s - process.start app launch=user ◀
      0.1s..0.3s main call applicationDidFinishLaunching app
      2s main call applicationDidBecomeActive app

      violating: images that are loaded while the scene connects
      0s - profile mode=scene hooks=app-delegate,scene-delegate,work,system
      0s - process.start app launch=user
      0.1s..0.3s main call applicationDidFinishLaunching app
      0.4s..6.4s main call sceneWillConnect scene:1 ◀
      0.5s..6.3s main work.begin load scene:1 "images"
      6.5s main work frame scene:1

      violating: a transfer that goes on beside the main thread is not what took the time
      0s - profile mode=app hooks=app-delegate,work,system
      0s - process.start app launch=user ◀
      0.1s..0.3s main call applicationDidFinishLaunching app
      0.2s..9s main work.begin network app "config"
      3s..3.1s main call applicationDidBecomeActive app

      violating: work between the callbacks
      0s - profile mode=app hooks=app-delegate,work,system
      0s - process.start app launch=user
      0.1s..0.2s main call applicationDidFinishLaunching app
      0.3s..2.8s main work.begin load app "fonts" ◀
      3s main call applicationDidBecomeActive app

      violating: six seconds, from the first callback on: a warning
      0s - profile launch=user hooks=app-delegate,work,system
      0.1s main call applicationDidFinishLaunching app ◀
      6.1s main work frame app
      """
  )
}
