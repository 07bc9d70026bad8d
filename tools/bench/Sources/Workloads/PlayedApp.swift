import AppLifecycle
import LifecycleModel

/// An app under the driver of AppLifecycle that does what UIKit's documents advise, and little of it.
@MainActor
class PlayedApp: ApplicationDelegate, SceneDelegate {
  /// Who hears of what; one each, since Foundation calls several in any order.
  private static let observers: [(LifecycleNotification, label: String)] = [
    (.applicationDidBecomeActive, "Player"), (.applicationWillResignActive, "Player"),
    (.applicationDidEnterBackground, "Store"), (.applicationWillEnterForeground, "Store"),
    (.sceneWillEnterForeground, "Window"), (.sceneDidActivate, "Window"),
    (.sceneWillDeactivate, "Window"), (.sceneDidEnterBackground, "Window"),
  ]
  var chance: Chance
  /// The app, from its launch on.
  private(set) var application: Application?

  init(_ chance: Chance) { self.chance = chance }

  /// Keeps the main thread busy for up to `most` seconds.
  func spend(_ most: Double) {
    application?.spend(Double.random(in: 0.0001...most, using: &chance))
  }

  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    self.application = application
    for (notification, label) in PlayedApp.observers {
      application.observe(notification, label: label) { [weak self] _ in self?.spend(0.0005) }
    }
    spend(0.2)
    return true
  }

  func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: ConnectionOptions
  ) -> SceneConfiguration {
    SceneConfiguration(name: "window", role: session.role) { _ in self }
  }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) { spend(0.05) }

  func sceneWillEnterForeground(_ scene: Scene) { spend(0.002) }
  func sceneDidBecomeActive(_ scene: Scene) { spend(0.001) }
  func sceneWillResignActive(_ scene: Scene) { spend(0.001) }

  /// Asks for time, uploads, and gives the time back.
  func sceneDidEnterBackground(_ scene: Scene) {
    guard let application else { return }
    var task = BackgroundTaskIdentifier.invalid
    task = application.beginBackgroundTask(withName: "upload") {
      application.endBackgroundTask(task)
      task = .invalid
    }
    spend(0.01)

    let seconds = Double.random(in: 0.1...1, using: &chance)
    application.perform(.network, "upload", taking: seconds) {
      if task != .invalid { application.endBackgroundTask(task) }
    }
  }
}

/// A life that is played in virtual time.
@MainActor
struct PlayedLife {
  let driver: LifecycleDriver
  /// What the user and the system do by chance.
  var chance: Chance

  /// An app of several scenes, in all that the documents leave open varied by chance.
  init(
    _ seed: UInt64, to path: String, app: @escaping @MainActor (Chance) -> PlayedApp
  ) throws {
    var options = LifecycleDriver.Options()
    (options.seed, options.varies) = (seed, true)
    var apps = Chance(seed: ~seed)
    driver = try LifecycleDriver(options, log: .file(path, replaces: true)) {
      app(Chance(seed: apps.next()))
    }
    chance = Chance(seed: seed)
  }

  /// Lets time pass.
  mutating func wait(_ seconds: ClosedRange<Double>) {
    driver.run(for: Double.random(in: seconds, using: &chance))
  }

  /// A window that is open, by chance.
  mutating func anyScene() -> UInt32 {
    driver.application?.connectedScenes.randomElement(using: &chance)?.number ?? 0
  }

  /// Opens windows until there are `count`.
  mutating func openScenes(_ count: Int) {
    while let scenes = driver.application?.connectedScenes.count, scenes < count {
      driver.openScene()
      wait(0.5...2)
    }
  }

  /// Plays cycles until the log has `count` events, and lets the process fall asleep.
  mutating func play(_ count: Int, cycle: (inout PlayedLife) -> Void) throws {
    while driver.eventCount < count { cycle(&self) }
    driver.goHome()
    driver.run(for: 60)
    try driver.finish()
  }
}
