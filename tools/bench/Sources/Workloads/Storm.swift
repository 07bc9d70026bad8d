import AppLifecycle
import LifecycleModel

/// An app that breaks several rules each time it leaves the screen, and works a little in between.
@MainActor
enum StormWorkload {
  static func write(_ count: Int, _ seed: UInt64, to path: String) throws {
    try FilledLife.write(count, seed, to: path, share: 2, app: { StormyApp($0) }) { life in
      life.driver.launch()
      life.wait(2...15)
      life.driver.goHome()
      life.wait(20...60)
    }
  }
}

/// What no document advises.
private final class StormyApp: PlayedApp {
  /// A timer that nobody stops.
  override func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    application.scheduledTimer(withTimeInterval: 2, repeats: true, label: "poll") { _ in }
    return super.application(application, didFinishLaunchingWithOptions: options)
  }

  override func sceneDidBecomeActive(_ scene: Scene) {
    application?.acquire(.socket, "feed", scene: scene)
    application?.dirty("draft", scene: scene)
    super.sceneDidBecomeActive(scene)
  }

  override func sceneWillResignActive(_ scene: Scene) {
    application?.async("refresh", scene: scene) {}
    super.sceneWillResignActive(scene)
  }

  /// Draws, asks for time without saying what to do at its end, and gives it back twice.
  override func sceneDidEnterBackground(_ scene: Scene) {
    guard let application else { return }
    application.work(.gpu, "preview", scene: scene)
    let task = application.beginBackgroundTask(withName: "export")
    spend(0.01)
    application.endBackgroundTask(task)
    application.endBackgroundTask(task)
    application.async("close", after: 0.5) {
      application.release(.socket, "feed", scene: scene)
      application.saved("draft", scene: scene)
    }
  }
}
