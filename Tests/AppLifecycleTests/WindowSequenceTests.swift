import AnalysisTestSupport
import AppLifecycle
import Foundation
import LifecycleModel
import Testing

/// The documented sequences of windows, quick actions, notifications and other platforms, without variation.
@MainActor @Suite struct WindowSequenceTests {
  // MARK: Windows

  @Test func aWindowLeavesAndReturnsBesideAnother() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("open", then: 2) { $0.openScene() }
    app.act("leave", then: 10) { $0.leaveScene(1) }
    app.act("return", then: 2) { $0.returnToScene(1) }

    let story = try app.story()
    #expect(
      story.components(separatedBy: "> leave\n").last
        == HostedApp.expand(
          """
          sceneWillResignActive scene:1 {
            - state foregroundActive->foregroundInactive scene:1
          }
          UIScene.willDeactivateNotification scene:1
          - state foregroundInactive->background scene:1
          sceneDidEnterBackground scene:1
          UIScene.didEnterBackgroundNotification scene:1
          sceneStateRestorationActivity scene:1
          - snapshot.begin scene:1
          - snapshot.end scene:1
          > return
          sceneWillEnterForeground scene:1 {
            - state background->foregroundInactive scene:1
          }
          UIScene.willEnterForegroundNotification scene:1
          - state foregroundInactive->foregroundActive scene:1
          sceneDidBecomeActive scene:1
          UIScene.didActivateNotification scene:1
          """))
    #expect(try app.findings() == [])
  }

  /// The only window is the app's last one on screen, and leaving it means going home.
  @Test func theOnlyWindowDoesNotLeaveAlone() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("leave", then: 2) { $0.leaveScene(1) }
    #expect(app.driver.state == .active)
    #expect(try app.story().hasSuffix("> leave"))
  }

  @Test func theLastWindowIsClosedAndTheAppStays() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("close", then: 60) { $0.closeScene(1) }
    #expect(app.driver.isSuspended)
    app.act("launch again", then: 2) { $0.launch() }

    let story = try app.story()
    #expect(
      story.components(separatedBy: "> close\n").last?
        .hasPrefix(
          HostedApp.expand(
            resignOfScene + """
              - state foregroundInactive->background scene:1
              - state inactive->background app
              sceneDidEnterBackground scene:1
              UIScene.didEnterBackgroundNotification scene:1
              UIApplication.didEnterBackgroundNotification app
              sceneStateRestorationActivity scene:1
              - state background->unattached scene:1
              sceneDidDisconnect scene:1
              UIScene.didDisconnectNotification scene:1
              applicationDidDiscardSceneSessions session:1
              - suspend app
              > launch again
              - resume app
              applicationConfigurationForConnecting session:2
              """)) == true)
    #expect(try app.findings() == [])
  }

  @Test func theCarsSceneStaysWhileTheDeviceGoesHome() throws {
    let app = try HostedApp(.scene)
    app.act("the car", then: 2) { $0.connectScene(.carplay) }
    #expect(app.driver.state == .active)
    app.act("launch", then: 2) { $0.launch() }
    app.act("home", then: 60) { $0.goHome() }
    #expect(app.driver.state == .active)
    app.act("the car is left", then: 60) { $0.disconnectScene(.carplay) }
    #expect(app.driver.isSuspended)

    let story = try app.story()
    #expect(story.contains("call sceneWillConnect scene:1 role=carplay options=none"))
    #expect(story.contains("> home\ncall sceneWillResignActive scene:2\n"))
    #expect(story.contains("> the car is left\ncall sceneWillResignActive scene:1\n"))
    #expect(try app.findings() == [])
  }

  // MARK: Quick actions and notifications

  @Test func quickActionsComeToTheSceneOrTheApp() throws {
    let item = ShortcutItem(type: "new note")
    let warm = try HostedApp(.scene)
    warm.act("launch", then: 2) { $0.launch() }
    warm.act("home", then: 60) { $0.goHome() }
    warm.act("shortcut", then: 2) { $0.performShortcut(item) }
    #expect(
      try warm.story().contains(
        HostedApp.expand(
          """
          - deliver shortcut scene:1 "new note"
          windowScenePerformActionForShortcutItem scene:1 {
            complete shortcut scene:1 "new note"
          }
          """)))

    let cold = try HostedApp(.scene)
    cold.act("shortcut", then: 2) { $0.performShortcut(item) }
    #expect(try cold.story().contains("sceneWillConnect scene:1 options=shortcut"))
    #expect(try !cold.story().contains("windowScene"))
    let app = try HostedApp(.app)
    app.act("shortcut", then: 2) { $0.performShortcut(item) }
    #expect(
      try app.story().contains(
        HostedApp.expand(
          """
          applicationPerformActionForShortcutItem app {
            complete shortcut app "new note"
          }
          """)))
    #expect(try warm.findings() + cold.findings() + app.findings() == [])
  }

  @Test func tappedNotificationsOpenTheApp() throws {
    var answered: [String] = []
    for mode in Profile.Mode.allCases {
      let app = try HostedApp(
        mode,
        behaviour: [
          .applicationDidFinishLaunching: { application, _ in
            application.onNotificationResponse { response, complete in
              answered.append(response.identifier)
              complete()
            }
          }
        ])
      app.act("tap", then: 2) { $0.openNotification(NotificationResponse(identifier: "cold")) }
      app.act("home", then: 60) { $0.goHome() }
      app.act("tap", then: 2) { $0.openNotification(NotificationResponse(identifier: "warm")) }
      let story = try app.story()
      #expect(app.driver.state == .active)
      #expect(story.contains("options=notification") == (mode == .scene))
      #expect(story.components(separatedBy: "complete notification").count == 3)
      #expect(try app.findings() == [])
    }
    #expect(answered == ["cold", "warm", "cold", "warm"])
  }

  // MARK: Other platforms

  /// tvOS posts the app's foreground notification from the second time on.
  @Test func tvOSIsSilentAtTheFirstForeground() throws {
    let app = try HostedApp(.scene) { $0.platform = "tvos" }
    app.act("launch", then: 2) { $0.launch() }
    app.act("home", then: 60) { $0.goHome() }
    app.act("launch", then: 2) { $0.launch() }
    let parts = try app.story().components(separatedBy: "> home")
    #expect(!parts[0].contains("UIApplication.willEnterForegroundNotification"))
    #expect(parts[1].contains("UIApplication.willEnterForegroundNotification"))
    #expect(try app.findings() == [])
  }

  @Test func catalystQuitsWhenItsTasksHaveEnded() throws {
    let app = try HostedApp(
      .scene,
      behaviour: [
        .sceneDidDisconnect: { application, _ in
          let task = application.beginBackgroundTask(withName: "save") {}
          application.perform(.save, "note", taking: 3) { application.endBackgroundTask(task) }
        }
      ]
    ) { $0.platform = "catalyst" }

    app.act("launch", then: 2) { $0.launch() }
    app.act("quit", then: 2) { $0.killFromSwitcher() }
    #expect(app.driver.isRunning)
    app.driver.run(for: 2)
    #expect(!app.driver.isRunning)
    #expect(
      try app.story().hasSuffix(
        HostedApp.expand(
          """
          task.end task:1
          applicationWillTerminate app
          UIApplication.willTerminateNotification app
          - exit app status=0
          """)))
  }

  /// Whether an app without scenes hears of the background when it is swiped away is left open.
  @Test func aSwipeMayOrMayNotTellOfTheBackground() throws {
    var told: Set<Bool> = []
    for seed in 0..<16 as Range<UInt64> {
      let app = try HostedApp(.app) {
        $0.varies = true
        $0.seed = seed
      }
      app.act("launch", then: 2) { $0.launch() }
      app.act("swipe away", then: 1) { $0.killFromSwitcher() }
      told.insert(try app.story().contains("call applicationDidEnterBackground"))
      #expect(try app.findings() == [])
    }
    #expect(told == [true, false])
  }

  @Test func theProfileSaysWhatTheAppIs() throws {
    let app = try HostedApp(.scene) {
      $0.sdk = "26.0"
      $0.isSimulated = true
      $0.implemented = [.sceneDidBecomeActive, .sceneDidEnterBackground]
      $0.marks = ["sensitive"]
    }

    app.driver.launch()
    let trace = try app.trace()
    let profile = Profile(
      try #require(trace.events.first.map { trace.vocabulary.attributes($0.attributes) }))
    #expect(profile.sdk == "26.0" && profile.simulator)
    #expect(profile.attributes[.implements] == "sceneDidBecomeActive,sceneDidEnterBackground")
    #expect(profile.attributes[.marks] == "sensitive")
  }

  @Test func externalSceneNeverBecomesActive() throws {
    let app = try HostedApp(.scene)
    app.act("launch", then: 2) { $0.launch() }
    app.act("a display", then: 2) { $0.connectScene(.external) }
    app.act("home", then: 60) { $0.goHome() }
    let story = try app.story()
    #expect(story.contains("call sceneWillConnect scene:2 role=external options=none"))
    #expect(story.contains("call sceneWillEnterForeground scene:2"))
    #expect(story.contains("call sceneDidEnterBackground scene:2"))
    #expect(!story.contains("sceneDidBecomeActive scene:2"))
    #expect(!story.contains("sceneWillResignActive scene:2"))
    #expect(try app.findings() == [])
  }
}
