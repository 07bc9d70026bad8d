import AnalysisTestSupport
import Testing

/// Expects that an app's story is told so, and that no rule finds anything.
@MainActor func expect(
  _ app: HostedApp, _ story: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let told = try app.story()
  #expect(told == HostedApp.expand(story), sourceLocation: sourceLocation)
  #expect(try app.findings() == [], sourceLocation: sourceLocation)
}

// What the documented sequences have in common.

let foregroundOfApp = """
  applicationWillEnterForeground app {
    - state background->inactive app
  }
  UIApplication.willEnterForegroundNotification app

  """

let activationOfApp = """
  - state inactive->active app
  applicationDidBecomeActive app
  UIApplication.didBecomeActiveNotification app

  """

let foregroundOfScene = """
  sceneWillEnterForeground scene:1 {
    - state background->foregroundInactive scene:1
    - state background->inactive app
  }
  UIScene.willEnterForegroundNotification scene:1
  UIApplication.willEnterForegroundNotification app

  """

let activationOfScene = """
  - state foregroundInactive->foregroundActive scene:1
  - state inactive->active app
  sceneDidBecomeActive scene:1
  UIScene.didActivateNotification scene:1
  UIApplication.didBecomeActiveNotification app

  """

let launchOfApp =
  """
  - profile
  - process.start launch=user
  - state notRunning->inactive app
  applicationWillFinishLaunching app
  applicationDidFinishLaunching app
  UIApplication.didFinishLaunchingNotification app

  """ + activationOfApp
  + "work frame app \"first\"\n"

let launchOfScene =
  """
  - profile
  - process.start launch=user
  - state notRunning->background app
  applicationWillFinishLaunching app
  applicationDidFinishLaunching app
  UIApplication.didFinishLaunchingNotification app
  applicationConfigurationForConnecting session:1
  - state unattached->background scene:1
  sceneWillConnect scene:1 options=none
  UIScene.willConnectNotification scene:1

  """ + foregroundOfScene + activationOfScene
  + "work frame scene:1 \"first\"\n"

let resignOfApp = """
  applicationWillResignActive app {
    - state active->inactive app
  }
  UIApplication.willResignActiveNotification app

  """

let resignOfScene = """
  sceneWillResignActive scene:1 {
    - state foregroundActive->foregroundInactive scene:1
    - state active->inactive app
  }
  UIScene.willDeactivateNotification scene:1
  UIApplication.willResignActiveNotification app

  """

let backgroundOfScene = """
  - state foregroundInactive->background scene:1
  - state inactive->background app
  sceneDidEnterBackground scene:1
  UIScene.didEnterBackgroundNotification scene:1
  UIApplication.didEnterBackgroundNotification app
  sceneStateRestorationActivity scene:1
  - snapshot.begin scene:1
  - snapshot.end scene:1
  - suspend app

  """

let backgroundOfApp = """
  - state inactive->background app
  applicationDidEnterBackground app
  UIApplication.didEnterBackgroundNotification app
  - snapshot.begin app
  - snapshot.end app
  - suspend app

  """
