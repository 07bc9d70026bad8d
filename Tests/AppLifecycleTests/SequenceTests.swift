import AnalysisTestSupport
import AppLifecycle
import Foundation
import LifecycleModel
import Testing

/// The documented sequences, whole: `spec/lifecycle.md` §2, without variation.
@MainActor @Suite struct SequenceTests {
  // MARK: 2.1 to 2.3

  @Test func appGoesToTheBackgroundAndReturns() throws {
    let app = try HostedApp(.app)
    app.act("launch", then: 2) { $0.launch() }
    app.act("home", then: 60) { $0.goHome() }
    app.act("launch", then: 1) { $0.launch() }
    try expect(
      app,
      "> launch\n" + launchOfApp + "> home\n" + resignOfApp + backgroundOfApp
        + "> launch\n- resume app\n" + foregroundOfApp + activationOfApp)
  }

  @Test func sceneGoesToTheBackgroundAndReturns() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("home", then: 60) { $0.goHome() }
    app.act("launch", then: 1) { $0.launch() }
    try expect(
      app,
      "> launch\n" + launchOfScene + "> home\n" + resignOfScene + backgroundOfScene
        + "> launch\n- resume app\n" + foregroundOfScene + activationOfScene)
  }

  /// The application's state is that of the most active scene: its notifications come once.
  @Test func twoScenesLeaveTogether() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("open a second scene", then: 2) { $0.openScene() }
    app.act("home", then: 60) { $0.goHome() }
    try expect(
      app,
      "> launch\n" + launchOfScene + """
        > open a second scene
        applicationConfigurationForConnecting session:2
        - state unattached->background scene:2
        sceneWillConnect scene:2 options=none
        UIScene.willConnectNotification scene:2
        sceneWillEnterForeground scene:2 {
          - state background->foregroundInactive scene:2
        }
        UIScene.willEnterForegroundNotification scene:2
        - state foregroundInactive->foregroundActive scene:2
        sceneDidBecomeActive scene:2
        UIScene.didActivateNotification scene:2
        > home
        sceneWillResignActive scene:1 {
          - state foregroundActive->foregroundInactive scene:1
        }
        UIScene.willDeactivateNotification scene:1
        sceneWillResignActive scene:2 {
          - state foregroundActive->foregroundInactive scene:2
          - state active->inactive app
        }
        UIScene.willDeactivateNotification scene:2
        UIApplication.willResignActiveNotification app
        - state foregroundInactive->background scene:1
        sceneDidEnterBackground scene:1
        UIScene.didEnterBackgroundNotification scene:1
        sceneStateRestorationActivity scene:1
        - state foregroundInactive->background scene:2
        - state inactive->background app
        sceneDidEnterBackground scene:2
        UIScene.didEnterBackgroundNotification scene:2
        UIApplication.didEnterBackgroundNotification app
        sceneStateRestorationActivity scene:2
        - snapshot.begin scene:1
        - snapshot.end scene:1
        - snapshot.begin scene:2
        - snapshot.end scene:2
        - suspend app
        """)
  }

  /// Warm, the URL comes between foreground and active; cold, a scene has it in its options.
  @Test func urlsComeBetweenForegroundAndActive() throws {
    let url = try #require(URL(string: "notes:7"))
    let app = try HostedApp(.app)
    app.act("launch", then: 2) { $0.launch() }
    app.act("home", then: 60) { $0.goHome() }
    app.act("open notes:7", then: 1) { $0.openURL(url) }
    let tail = try app.story().components(separatedBy: "> open notes:7\n").last
    #expect(
      tail
        == HostedApp.expand(
          """
          - resume app

          """ + foregroundOfApp + """
            - deliver url app "notes:7"
            applicationOpenURL app

            """ + activationOfApp))
    let cold = try HostedApp(.scene)
    cold.act("open notes:7") { $0.openURL(url) }
    let story = try cold.story()
    #expect(story.contains("call sceneWillConnect scene:1 options=url"))
    #expect(!story.contains("sceneOpenURLContexts"))
    #expect(try app.findings() == [] && cold.findings() == [])
  }

  // MARK: 2.4 and 2.5

  @Test func appIsLaunchedIntoTheBackground() throws {
    let app = try HostedApp(.app)
    app.act("push", then: 60) { $0.deliverPush("news") }
    app.act("push again", then: 60) { $0.deliverPush("more") }
    try expect(
      app,
      """
      > push
      - profile
      - process.start launch=push
      - state notRunning->background app
      applicationWillFinishLaunching app
      applicationDidFinishLaunching app
      UIApplication.didFinishLaunchingNotification app
      applicationDidEnterBackground app
      UIApplication.didEnterBackgroundNotification app
      - deliver push app "news"
      applicationDidReceiveRemoteNotification app {
        complete push app "news"
      }
      - snapshot.begin app
      - snapshot.end app
      - suspend app
      > push again
      - resume app
      applicationDidEnterBackground app
      UIApplication.didEnterBackgroundNotification app
      - deliver push app "more"
      applicationDidReceiveRemoteNotification app {
        complete push app "more"
      }
      - snapshot.begin app
      - snapshot.end app
      - suspend app
      """)
  }

  @Test func sceneAppIsLaunchedIntoTheBackground() throws {
    let app = try HostedApp(.scene)
    app.act("location", then: 60) { $0.deliverLocation() }
    try expect(
      app,
      """
      > location
      - profile
      - process.start launch=location
      - state notRunning->background app
      applicationWillFinishLaunching app
      applicationDidFinishLaunching app
      UIApplication.didFinishLaunchingNotification app
      applicationConfigurationForConnecting session:1
      - state unattached->background scene:1
      sceneWillConnect scene:1 options=none
      UIScene.willConnectNotification scene:1
      sceneDidEnterBackground scene:1
      UIScene.didEnterBackgroundNotification scene:1
      UIApplication.didEnterBackgroundNotification app
      - deliver location app
      work location app
      - snapshot.begin scene:1
      - snapshot.end scene:1
      - suspend app
      """)
  }

  @Test func prewarmedProcessWaitsForItsUser() throws {
    let app = try HostedApp(.app)
    app.act("prewarm", then: 7200) { $0.prewarm() }
    app.act("launch", then: 1) { $0.launch() }
    let launch = launchOfApp.split(separator: "\n").dropFirst(2).joined(separator: "\n")
    try expect(
      app,
      """
      > prewarm
      - profile
      - process.start launch=prewarm
      - suspend app
      > launch
      - resume app

      """ + launch)
  }

  // MARK: 2.6

  @Test func interruptionPassesWithoutForeground() throws {
    let app = try HostedApp(.app)
    app.act("launch", then: 2) { $0.launch() }
    app.act("a call", then: 10) { $0.interrupt() }
    app.act("the call ends", then: 1) { $0.endInterruption() }
    try expect(
      app,
      "> launch\n" + launchOfApp + "> a call\n" + resignOfApp
        + "> the call ends\n" + activationOfApp)

    let scene = try HostedApp(.scene)
    scene.act("launch", then: 2) { $0.launch() }
    scene.act("a call", then: 10) { $0.interrupt() }
    scene.act("the call ends", then: 1) { $0.endInterruption() }
    try expect(
      scene,
      "> launch\n" + launchOfScene + "> a call\n" + resignOfScene
        + "> the call ends\n" + activationOfScene)
  }

  @Test func lockingTellsOfProtectedData() throws {
    let app = try HostedApp(.app)
    app.act("launch", then: 2) { $0.launch() }
    app.act("lock", then: 60) { $0.lock() }
    app.act("unlock", then: 1) { $0.unlock() }
    let background = backgroundOfApp.replacingOccurrences(
      of: "- snapshot.begin app",
      with: """
        applicationProtectedDataWillBecomeUnavailable app
        UIApplication.protectedDataWillBecomeUnavailableNotification app
        - snapshot.begin app
        """)
    try expect(
      app,
      "> launch\n" + launchOfApp + "> lock\n" + resignOfApp + background + """
        > unlock
        - resume app
        applicationProtectedDataDidBecomeAvailable app
        UIApplication.protectedDataDidBecomeAvailableNotification app

        """ + foregroundOfApp + activationOfApp)
  }

  // MARK: 2.7

  @Test func sceneIsSwipedAway() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("switcher", then: 1) { $0.openSwitcher() }
    app.act("swipe away", then: 1) { $0.killFromSwitcher() }
    try expect(
      app,
      "> launch\n" + launchOfScene + "> switcher\n" + resignOfScene + """
        > swipe away
        - state foregroundInactive->unattached scene:1
        - state inactive->background app
        sceneDidDisconnect scene:1
        UIScene.didDisconnectNotification scene:1
        applicationDidDiscardSceneSessions session:1
        applicationWillTerminate app
        UIApplication.willTerminateNotification app
        - exit app status=0
        """)
  }

  /// Nothing is told to a suspended process; the next one learns which sessions are gone.
  @Test func suspendedAppIsSwipedAway() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("home", then: 60) { $0.goHome() }
    app.act("swipe away", then: 1) { $0.killFromSwitcher() }
    app.act("launch again") { $0.launch() }
    let next = launchOfScene.replacingOccurrences(of: "- profile\n", with: "")
      .replacingOccurrences(of: "session:1", with: "session:2")
      .replacingOccurrences(of: "scene:1", with: "scene:2")
      .replacingOccurrences(
        of: "applicationConfiguration",
        with: "applicationDidDiscardSceneSessions session:1\napplicationConfiguration")
    try expect(
      app,
      "> launch\n" + launchOfScene + "> home\n" + resignOfScene + backgroundOfScene + """
        > swipe away
        - kill app code=0xdeadfa11 namespace=FRONTBOARD reason=closed-in-the-switcher
        > launch again

        """ + next)
  }

  @Test func theSystemEndsAProcess() throws {
    let running = try HostedApp(.app)
    running.act("launch", then: 2) { $0.launch() }
    running.act("home", then: 1) { $0.goHome() }
    running.act("the system needs memory") { $0.endForSystem() }
    let told = try running.story().components(separatedBy: "memory\n").last
    #expect(
      told
        == HostedApp.expand(
          """
          applicationWillTerminate app
          UIApplication.willTerminateNotification app
          - exit app status=0
          """))

    let suspended = try HostedApp(.app)
    suspended.act("launch", then: 2) { $0.launch() }
    suspended.act("home", then: 60) { $0.goHome() }
    suspended.act("the system needs memory") { $0.endForSystem() }
    let silent = try suspended.story().components(separatedBy: "memory\n").last
    #expect(silent == "- kill app code=0x4 namespace=JETSAM reason=vm-pageshortage")
    #expect(try running.findings() + suspended.findings() == [])
  }

  /// A reboot ends every process, and nobody is there to write it down.
  @Test func rebootsAreSilent() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("home", then: 60) { $0.goHome() }
    app.act("reboot") { $0.reboot() }
    #expect(!app.driver.isRunning)
    app.act("launch again") { $0.launch() }
    let after = try app.story().components(separatedBy: "> reboot\n").last
    #expect(after?.hasPrefix("> launch again\n- process.start launch=user\n") == true)
    #expect(try app.findings() == [])
  }
}
