import LifecycleModel
import TraceAnalysis

/// A launch into the foreground shows its first frame in time.
struct LaunchFirstFrameRule: Rule {
  /// The user left, or has a screen to touch: the time of the launch is not known any more.
  private static let left = Turn.events(.background) | .work(.input)
  /// An active app is past its launch: frames may be recorded of a view that comes later.
  private static let screen = EventPattern.work(.frame) | Turn.events(.activate)
  private static let message =
    "the first screen came {elapsed} after {opener}; the system allows {allowed}"

  static let description: RuleDescription = .init(
    id: "launch-first-frame",
    number: 9,
    topic: .launch,
    summary: "a foreground launch draws its first frame within 19.6 s of the wake",
    severity: .warning,
    cause: SharedCause(.slowLaunch, rank: 1),
    sources: [.watchdog, .launchTime, .launchKill, .prewarmPauses],
    why: """
      The watchdog kills an app that shows nothing for about twenty seconds; kills were seen after \
      19.62 s. Users leave much earlier.
      """,
    remedy: """
      Move work that the first screen does not need out of the launch: databases, migrations, \
      network, libraries.
      """,
    limits: """
      Measured when the first frame or the activation comes, or the watchdog kills the process. A \
      log with neither proves nothing, and input before the first recorded frame shows that there \
      was one. The launch screen image is not a frame. Background launches are not checked, and prewarmed \
      launches count from their wake. Suspended time does not count. The culprit is the callback, the \
      observer or the work that held the main thread longest; where none took a quarter of the time, \
      such as before main or on other threads, the log does not show what did. The watchdog is off \
      under a debugger.
      """,
    needs: RuleNeeds(hooks: [[.work], [.process]], profile: [.noDebugger]),
    patterns: [
      .stretch(
        from: .verbs(.processStart)
          | .call(
            .applicationWillFinishLaunching, .applicationDidFinishLaunching),
        to: screen, cancelledBy: left, allowed: Allowances.launchToFirstFrame,
        says: message
      ).launched(by: LaunchReason.inForeground),
      .stretch(
        from: .verbs(.resume), to: screen, cancelledBy: left | .verbs(.suspend),
        allowed: Allowances.launchToFirstFrame, says: message
      ).launched(by: [.prewarm]),
    ],
    given: "0s - profile hooks=app-delegate,work,system",
    examples: """
      clean: a frame after 1.2 s
      0s - process.start app launch=user
      0.1s main call applicationWillFinishLaunching app
      1.2s main work frame app

      clean: prewarmed hours before
      0s - process.start app launch=prewarm
      14400s - resume app
      14400.1s main call applicationWillFinishLaunching app
      14401.2s main work frame app

      clean: a background launch that is opened later
      0s - process.start app launch=push
      0.1s main call applicationWillFinishLaunching app
      60s main work frame app

      clean: active at once; frames are recorded of a view that comes later
      0s - profile mode=scene hooks=scene-delegate,work,system
      0s - process.start app launch=user
      0.3s main call sceneDidBecomeActive scene:1
      60s main work frame scene:1 "metal view"

      clean: stopped in a debugger
      0s - profile debugger=true hooks=app-delegate,work,system
      0s - process.start app launch=user
      60s main work frame app

      cannot tell: launch reason unknown
      0s - process.start app launch=unknown
      60s main work frame app

      cannot tell: no frame was recorded
      0s - process.start app launch=user
      60s main work timer app

      clean: the screen was used, but frames are not recorded
      0s - process.start app launch=user
      9s main work input app
      60s - kill app code=0x8badf00d namespace=FRONTBOARD

      cannot tell: killed for another reason, and no frame was recorded
      0s - process.start app launch=user
      60s - kill app namespace=JETSAM reason=per-process-limit

      violating: 21 seconds
      0s - process.start app launch=user ◀
      0.1s..0.2s main call applicationWillFinishLaunching app
      21s main work frame app
      21.1s main call applicationDidBecomeActive app

      violating: a migration while the scene connects
      0s - profile mode=scene hooks=app-delegate,scene-delegate,work,system
      0s - process.start app launch=user
      0.1s..0.4s main call applicationDidFinishLaunching app
      0.5s..20.2s main call sceneWillConnect scene:1 ◀
      0.6s..20.1s main work.begin load scene:1 "migrate"
      20.5s main work frame scene:1

      violating: killed before the first frame
      0s - process.start app launch=user
      0.1s main call applicationWillFinishLaunching app ◀
      0.2s main work.begin network app "config"
      19.97s - kill app code=0x8badf00d namespace=FRONTBOARD reason=scene-create

      violating: slow after the wake
      0s - process.start app launch=prewarm
      1s - suspend app
      14400s - resume app ◀
      14425s main work frame app
      """
  )
}
