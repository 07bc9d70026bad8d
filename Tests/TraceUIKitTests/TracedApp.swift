import enum AppLifecycle.BGTaskKind
import Foundation
import LifecycleModel
import Traces
import UIKitStub

/// The app of the lives: what its delegates implement, and what it does, by a seed.
@MainActor
final class TracedApp {
  /// The selectors that the two classes have.
  let selectors: (application: Set<String>, scene: Set<String>)
  /// Whether the app implements everything; each third one does.
  let hasAll: Bool
  /// Whether it gives back all that it takes.
  private let isGood: Bool
  /// Whether it asks for time when it leaves, and never gives it back.
  var forgets = false
  private var chance: SeededGenerator

  /// An app that implements all that is delivered, and any of the rest.
  init(seed: UInt64, isGood: Bool = false) {
    self.isGood = isGood
    var chance = SeededGenerator(seed: seed)
    let hasAll = seed % 3 == 0
    self.hasAll = hasAll
    func some(_ optional: [String], _ always: [String]) -> Set<String> {
      Set(always + optional.filter { _ in hasAll || !chance.oneIn(5) })
    }
    selectors = (
      some(TracedApp.applicationOptional, TracedApp.applicationAlways),
      // A good app leaves nothing to methods of the app's delegate that scenes silence.
      isGood
        ? Set(TracedApp.sceneAlways + TracedApp.sceneOptional)
        : some(TracedApp.sceneOptional, TracedApp.sceneAlways)
    )
    self.chance = chance
  }

  private static let applicationAlways = [
    "application:configurationForConnectingSceneSession:options:",
    "application:openURL:options:", "application:continueUserActivity:restorationHandler:",
    "application:handleEventsForBackgroundURLSession:completionHandler:",
    "application:performFetchWithCompletionHandler:",
    "application:performActionForShortcutItem:completionHandler:",
    "application:didReceiveRemoteNotification:fetchCompletionHandler:",
  ]
  private static let applicationOptional = [
    "application:willFinishLaunchingWithOptions:", "application:didFinishLaunchingWithOptions:",
    "applicationDidBecomeActive:", "applicationWillResignActive:",
    "applicationDidEnterBackground:", "applicationWillEnterForeground:",
    "applicationWillTerminate:", "applicationDidReceiveMemoryWarning:",
    "applicationSignificantTimeChange:", "applicationProtectedDataWillBecomeUnavailable:",
    "applicationProtectedDataDidBecomeAvailable:", "application:didDiscardSceneSessions:",
  ]
  private static let sceneAlways = [
    "scene:openURLContexts:", "scene:continueUserActivity:",
    "windowScene:performActionForShortcutItem:completionHandler:",
  ]
  private static let sceneOptional = [
    "scene:willConnectToSession:options:", "sceneDidDisconnect:", "sceneWillEnterForeground:",
    "sceneDidBecomeActive:", "sceneWillResignActive:", "sceneDidEnterBackground:",
    "stateRestorationActivityForScene:",
  ]

  /// All selectors, with the names of their callbacks in a trace.
  static let callbacks: [String: String] = {
    let all = applicationAlways + applicationOptional + sceneAlways + sceneOptional
    return Dictionary(uniqueKeysWithValues: all.map { ($0, callback($0)) })
  }()

  /// Said anew, and not taken from the adapter: the words of the selector without its arguments.
  private static func callback(_ selector: String) -> String {
    let special = [
      "application:configurationForConnectingSceneSession:options:":
        "applicationConfigurationForConnecting",
      "application:continueUserActivity:restorationHandler:": "applicationContinueUserActivity",
      "application:willFinishLaunchingWithOptions:": "applicationWillFinishLaunching",
      "application:didFinishLaunchingWithOptions:": "applicationDidFinishLaunching",
      "application:didReceiveRemoteNotification:fetchCompletionHandler:":
        "applicationDidReceiveRemoteNotification",
      "application:performFetchWithCompletionHandler:": "applicationPerformFetch",
      "scene:willConnectToSession:options:": "sceneWillConnect",
      "stateRestorationActivityForScene:": "sceneStateRestorationActivity",
    ]
    if let name = special[selector] { return name }

    var words = selector.split(separator: ":").map(String.init)
    words.removeAll { $0 == "completionHandler" || $0 == "options" }
    return words.enumerated().map { index, word in
      index == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  /// The callbacks that the app implements, by their names in a trace.
  var implemented: Set<String> {
    Set(selectors.application.union(selectors.scene).compactMap { TracedApp.callbacks[$0] })
  }

  // MARK: What the app does

  func heard(_ selector: String, _ app: UIApplication?) {
    guard let app else { return }
    switch selector {
    case "application:willFinishLaunchingWithOptions:":
      register(app)
      // In which order observers run is not known, and with it when the next call comes.
      if !forgets { observe(app) }
    case "applicationDidEnterBackground:", "sceneDidEnterBackground:": leave(app)
    case "applicationDidBecomeActive:", "sceneDidBecomeActive:":
      app.spend(Double.random(in: 0...0.2, using: &chance))
    default: break
    }
  }

  func heard(_ app: UIApplication?, _ complete: @escaping @MainActor @Sendable () -> Void) {
    let delay = Double.random(in: 0.01...3, using: &chance)
    guard let app, !chance.oneIn(3) else { return complete() }
    app.after(delay) { complete() }
  }

  /// Registers the tasks of BGTaskScheduler; completes one sometimes when it expires, and sometimes twice.
  private func register(_ app: UIApplication) {
    for (identifier, kind) in [("refresh", BGTaskKind.refresh), ("cleanup", .processing)] {
      app.scheduler.register(forTaskWithIdentifier: identifier, kind: kind) { [weak self] task in
        self?.perform(task, app)
      }
    }
  }

  /// Observes both families, each with a block of its own.
  private func observe(_ app: UIApplication) {
    let names = [
      UIApplication.didEnterBackgroundNotification, UIScene.didEnterBackgroundNotification,
      UIApplication.didBecomeActiveNotification,
    ]
    for name in names { app.observe(name) { app.spend(0.001) } }
  }

  private func perform(_ task: BGTask, _ app: UIApplication) {
    let habit = isGood ? 9 : Int.random(in: 0..<8, using: &chance)
    task.expires { task.setTaskCompleted(success: false) }
    guard habit > 0 else { return }
    app.after(Double.random(in: 0.1...4, using: &chance)) {
      task.setTaskCompleted(success: true)
      if habit == 1 { task.setTaskCompleted(success: true) }
    }
  }

  /// Asks for time, and gives it back: sometimes twice, sometimes by the handler alone, sometimes never.
  private func leave(_ app: UIApplication) {
    if forgets {
      _ = app.beginBackgroundTask(withName: "upload")
      return
    }
    let handles = !chance.oneIn(4)
    let habit = Int.random(in: 0..<12, using: &chance)
    let task = Box(UIBackgroundTaskIdentifier.invalid)
    var handler: (@MainActor @Sendable () -> Void)?
    if handles || isGood { handler = { app.endBackgroundTask(task.value) } }
    task.value = app.beginBackgroundTask(
      withName: habit == 0 ? nil : "save", expirationHandler: handler)
    app.spend(0.02)

    let delay = Double.random(in: 0.1...8, using: &chance)
    guard habit < 10 || isGood else { return }
    app.after(delay) {
      app.endBackgroundTask(task.value)
      if habit == 1, !self.isGood { app.endBackgroundTask(task.value) }
    }
  }
}

/// The app's delegate, as UIKit sees it.
final class AppDelegate: NSObject, UIApplicationDelegate {
  private let traced: TracedApp
  /// Whether the class of scenes' delegates is in what the delegate answers, or in the manifest.
  private let namesClass: Bool
  static var current: (traced: TracedApp, app: UIApplication?)?

  init(_ traced: TracedApp, namesClass: Bool) {
    (self.traced, self.namesClass) = (traced, namesClass)
  }

  func called(_ selector: String, _ application: UIApplication) {
    traced.heard(selector, application)
  }
  func called(
    _ selector: String, _ application: UIApplication,
    completionHandler: @escaping @MainActor @Sendable () -> Void
  ) { traced.heard(application, completionHandler) }
  func application(
    _ application: UIApplication, configurationForConnecting session: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(name: "main", sessionRole: session.role)
    if namesClass { configuration.delegateClass = WindowDelegate.self }
    return configuration
  }
}

/// The delegate of the app's scenes.
final class WindowDelegate: NSObject, StubMakeable {
  override required init() {}

  func called(_ selector: String, _ scene: UIScene) {
    AppDelegate.current?.traced.heard(selector, AppDelegate.current?.app)
  }
  func called(
    _ selector: String, _ scene: UIScene,
    completionHandler: @escaping @MainActor @Sendable () -> Void
  ) { AppDelegate.current?.traced.heard(AppDelegate.current?.app, completionHandler) }
}
