import LifecycleModel
import TraceAnalysis

/// A process is launched once, and its lifecycle begins when the launch is over.
struct LaunchOrderRule: Rule {
  private static let again = "{name} came again in the same process; the first call was at {since}"

  static let description: RuleDescription = .init(
    id: "launch-order",
    formerRules: [
      FormerRule(
        "launch-once", number: 2,
        culprits: .call(.applicationWillFinishLaunching, .applicationDidFinishLaunching)),
      FormerRule("launch-will-before-did", culprits: .nothing),
      FormerRule("launch-before-lifecycle", number: 3),
    ],
    number: 1,
    topic: .launch,
    summary: "each launch callback comes once, first will, then did, then the lifecycle",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 2),
    sources: [.launchSequence],
    why: """
      The launch callbacks set up what lives as long as the process; UIKit restores state between the \
      two, and then prepares scenes and activates the app. A second call sets it up twice: two windows, \
      two databases, observers that fire twice. An earlier callback meets an app that is not set up.
      """,
    remedy: """
      Look for code that calls a delegate directly, for example to restart the app, or a port that \
      launches late or swaps the two.
      """,
    limits: """
      A test host or a script reload restarts its own world, not the process; process.start events \
      tell processes apart. If the app implements only one of the two, there is nothing to compare; \
      nor is there without applicationDidFinishLaunching. Memory warnings, time changes, protected data \
      and state restoration may come at any time and are not checked.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate]]),
    patterns: [
      .orderOnce(
        .call(.applicationWillFinishLaunching),
        then: .call(.applicationDidFinishLaunching),
        per: .app,
        says: "{name} was called before applicationWillFinishLaunching"),
      .orderOnce(
        .returned(.applicationDidFinishLaunching),
        then: Turner.app.calls(.activate, .resign, .background, .foreground)
          | .sceneCalls(except: .sceneStateRestorationActivity),
        per: .app,
        says: "{name} came for {subject} before applicationDidFinishLaunching returned"),
    ]
      + [.applicationWillFinishLaunching, .applicationDidFinishLaunching].map { (call: Callback) in
        .never(.call(call), between: .call(call), until: .nothing, per: .app, says: again)
          .needing(RuleNeeds(hooks: [[.process]]))
      },
    given: "0s - profile hooks=app-delegate,system",
    examples: """
      clean: once each
      0s - process.start app pid=1
      1s main call applicationWillFinishLaunching app
      1.2s main call applicationDidFinishLaunching app

      clean: once in each of two processes
      0s - process.start app pid=1
      1s main call applicationDidFinishLaunching app
      9s - process.start app pid=2
      10s main call applicationDidFinishLaunching app

      clean: a script reload is not a launch
      0s - profile hooks=app-delegate,system,work
      0s - process.start app pid=1
      1s main call applicationDidFinishLaunching app
      2s main work other app "reload"

      clean: a launch callback behind a gap begins another process
      0s - process.start app pid=1
      1s main call applicationDidFinishLaunching app
      9s - gap ring-full 7
      10s main call applicationDidFinishLaunching app

      violating: twice in one process
      0s - process.start app pid=1
      1s..1.1s main call applicationDidFinishLaunching app
      9s main call applicationDidFinishLaunching app ◀

      clean: will, then did
      0s - profile hooks=app-delegate
      1s..1.1s main call applicationWillFinishLaunching app
      1.2s main call applicationDidFinishLaunching app

      clean: an app that implements only the second
      0s - profile hooks=app-delegate
      1.2s main call applicationDidFinishLaunching app

      clean: an app that implements only the first
      0s - profile hooks=app-delegate
      1.2s main call applicationWillFinishLaunching app

      cannot tell: events are missing between the two: another process may have begun
      0s - profile hooks=app-delegate
      1s main call applicationDidFinishLaunching app
      1.1s - gap ring-full 9
      1.2s main call applicationWillFinishLaunching app

      violating: did, then will
      0s - profile hooks=app-delegate
      1s..1.1s main call applicationDidFinishLaunching app ◀
      1.2s main call applicationWillFinishLaunching app

      clean: the scene connects after the launch
      0s - profile mode=scene hooks=app-delegate,scene-delegate,system
      0s - process.start app
      1s..1.1s main call applicationDidFinishLaunching app
      1.2s main call sceneWillConnect scene:1

      clean: state is restored during the launch
      0s - profile mode=scene hooks=app-delegate,scene-delegate,system,work
      0s - process.start app
      1s..1.1s main call applicationWillFinishLaunching app
      1.2s main work ui app "decode view controllers"
      1.3s main call sceneStateRestorationActivity scene:1
      1.4s..1.5s main call applicationDidFinishLaunching app

      clean: a memory warning, a time change and protected data may come at any time
      0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications,system
      0s - process.start app
      1s main call applicationDidReceiveMemoryWarning app
      1.1s main call applicationProtectedDataDidBecomeAvailable app
      1.2s main call applicationSignificantTimeChange app
      1.3s main notify UIApplication.didReceiveMemoryWarningNotification app
      1.4s..1.5s main call applicationDidFinishLaunching app

      clean: views appear before the scene is in the foreground
      0s - profile mode=scene hooks=app-delegate,scene-delegate,system,work
      0s - process.start app
      1s..1.1s main call applicationDidFinishLaunching app
      1.2s..1.3s main call sceneWillConnect scene:1
      1.4s main work ui scene:1 "onAppear"
      1.5s..1.6s main call sceneWillEnterForeground scene:1

      clean: the app delegate is called after the launch and before a scene connects
      0s - profile mode=scene port=true hooks=app-delegate,scene-delegate,system
      0s - process.start app
      1s..1.1s main call applicationDidFinishLaunching app
      1.2s main call applicationDidBecomeActive app
      1.3s main call sceneWillConnect scene:1

      clean: events are missing: the launch callback begins another process, without the scene
      0s - profile mode=scene hooks=app-delegate,scene-delegate,system
      1s main call sceneWillConnect scene:1
      2s - gap ring-full 9
      3s..3.1s main call applicationDidFinishLaunching app

      violating: a scene connects during the launch
      0s - profile mode=scene hooks=app-delegate,scene-delegate,system
      0s - process.start app
      1s..1.3s main call applicationDidFinishLaunching app
      1.1s..1.2s main call sceneWillConnect scene:1 ◀
      """
  )
}
