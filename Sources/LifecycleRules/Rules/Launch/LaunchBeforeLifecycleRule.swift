import LifecycleModel
import TraceAnalysis

/// The lifecycle begins when the launch is over.
struct LaunchBeforeLifecycleRule: Rule {
  static let description = RuleDescription(
    id: "launch-before-lifecycle",
    number: 3,
    topic: .launch,
    summary: "no lifecycle callback comes before applicationDidFinishLaunching returns",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 2),
    sources: [.launchSequence],
    why: """
      The system prepares scenes and activates the app after the launch. An earlier callback meets \
      an app that is not set up.
      """,
    remedy: "Look for code that calls a delegate directly, or a port that launches late.",
    limits: """
      Memory warnings, time changes, protected data and state restoration may come at any time and \
      are not checked. If the app does not implement applicationDidFinishLaunching, there is \
      nothing to compare.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate]]),
    patterns: [
      .orderOnce(
        .returned(.applicationDidFinishLaunching),
        then: Turner.app.calls(.activate, .resign, .background, .foreground)
          | .sceneCalls(except: .sceneStateRestorationActivity),
        per: .app,
        says: "{name} came for {subject} before applicationDidFinishLaunching returned")
    ],
    examples: [
      .clean(
        "the scene connects after the launch",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,system
        0s - process.start app
        1s main call applicationDidFinishLaunching app
        1.1s main return applicationDidFinishLaunching app
        1.2s main call sceneWillConnect scene:1
        """),
      .clean(
        "state is restored during the launch",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,system,work
        0s - process.start app
        1s main call applicationWillFinishLaunching app
        1.1s main return applicationWillFinishLaunching app
        1.2s main work ui app "decode view controllers"
        1.3s main call sceneStateRestorationActivity scene:1
        1.4s main call applicationDidFinishLaunching app
        1.5s main return applicationDidFinishLaunching app
        """),
      .clean(
        "a memory warning, a time change and protected data may come at any time",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications,system
        0s - process.start app
        1s main call applicationDidReceiveMemoryWarning app
        1.1s main call applicationProtectedDataDidBecomeAvailable app
        1.2s main call applicationSignificantTimeChange app
        1.3s main notify UIApplication.didReceiveMemoryWarningNotification app
        1.4s main call applicationDidFinishLaunching app
        1.5s main return applicationDidFinishLaunching app
        """),
      .clean(
        "views appear before the scene is in the foreground",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,system,work
        0s - process.start app
        1s main call applicationDidFinishLaunching app
        1.1s main return applicationDidFinishLaunching app
        1.2s main call sceneWillConnect scene:1
        1.3s main return sceneWillConnect scene:1
        1.4s main work ui scene:1 "onAppear"
        1.5s main call sceneWillEnterForeground scene:1
        1.6s main return sceneWillEnterForeground scene:1
        """),
      .clean(
        "the app delegate is called after the launch and before a scene connects",
        """
        0s - profile mode=scene port=true hooks=app-delegate,scene-delegate,system
        0s - process.start app
        1s main call applicationDidFinishLaunching app
        1.1s main return applicationDidFinishLaunching app
        1.2s main call applicationDidBecomeActive app
        1.3s main call sceneWillConnect scene:1
        """),
      .clean(
        "events are missing: the launch callback begins another process, without the scene",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,system
        1s main call sceneWillConnect scene:1
        2s - gap ring-full 9
        3s main call applicationDidFinishLaunching app
        3.1s main return applicationDidFinishLaunching app
        """),
      .violating(
        "a scene connects during the launch",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,system
        0s - process.start app
        1s main call applicationDidFinishLaunching app
        1.1s main call sceneWillConnect scene:1 ◀
        1.2s main return sceneWillConnect scene:1
        1.3s main return applicationDidFinishLaunching app
        """),
    ]
  )
}
