import AppLifecycle
import Foundation
import LifecycleModel

/// The delegate of an app whose handlers stand in a scenario; completion handlers are called at once
/// unless a handler says when.
@MainActor
final class ScriptedDelegate: ApplicationDelegate {
  private let script: Script
  private let memory = Memory()

  init(_ script: Script) { self.script = script }

  private func run(_ callback: Callback, _ application: Application) {
    Place(application: application, memory: memory).run(script[callback.rawValue] ?? [])
  }

  private func run(
    _ callback: Callback, _ application: Application, _ complete: @escaping @MainActor () -> Void
  ) {
    guard let steps = script[callback.rawValue] else { return complete() }
    Place(application: application, memory: memory, complete: complete).run(steps)
  }

  func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    run(.applicationWillFinishLaunching, application)
    return true
  }
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    let place = Place(application: application, memory: memory)
    if let steps = script["location"] { application.onLocation { place.run(steps) } }
    if let steps = script["input"] {
      application.onInput { scene in
        var place = place
        place.scene = scene
        place.run(steps)
      }
    }
    run(.applicationDidFinishLaunching, application)
    return true
  }
  func applicationDidBecomeActive(_ application: Application) {
    run(.applicationDidBecomeActive, application)
  }
  func applicationWillResignActive(_ application: Application) {
    run(.applicationWillResignActive, application)
  }
  func applicationDidEnterBackground(_ application: Application) {
    run(.applicationDidEnterBackground, application)
  }
  func applicationWillEnterForeground(_ application: Application) {
    run(.applicationWillEnterForeground, application)
  }
  func applicationWillTerminate(_ application: Application) {
    run(.applicationWillTerminate, application)
  }
  func applicationDidReceiveMemoryWarning(_ application: Application) {
    run(.applicationDidReceiveMemoryWarning, application)
  }
  func applicationSignificantTimeChange(_ application: Application) {
    run(.applicationSignificantTimeChange, application)
  }
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {
    run(.applicationProtectedDataWillBecomeUnavailable, application)
  }
  func applicationProtectedDataDidBecomeAvailable(_ application: Application) {
    run(.applicationProtectedDataDidBecomeAvailable, application)
  }
  func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: ConnectionOptions
  ) -> SceneConfiguration {
    run(.applicationConfigurationForConnecting, application)
    return SceneConfiguration(name: "scenario", role: session.role) { [script, memory] in
      ScriptedSceneDelegate(script, memory, application)
    }
  }
  func application(_ application: Application, didDiscardSceneSessions sessions: [SceneSession]) {
    run(.applicationDidDiscardSceneSessions, application)
  }
  func application(_ application: Application, open url: URL) -> Bool {
    run(.applicationOpenURL, application)
    return true
  }
  func application(_ application: Application, continue activity: UserActivity) -> Bool {
    run(.applicationContinueUserActivity, application)
    return true
  }
  func application(
    _ application: Application, didReceiveRemoteNotification userInfo: [String: String],
    fetchCompletionHandler: @escaping @MainActor () -> Void
  ) { run(.applicationDidReceiveRemoteNotification, application, fetchCompletionHandler) }
  func application(
    _ application: Application, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping @MainActor () -> Void
  ) { run(.applicationHandleEventsForBackgroundURLSession, application, completionHandler) }
  func application(
    _ application: Application, performFetchWithCompletionHandler: @escaping @MainActor () -> Void
  ) { run(.applicationPerformFetch, application, performFetchWithCompletionHandler) }
}

/// The delegate of a scene of such an app.
@MainActor
private final class ScriptedSceneDelegate: SceneDelegate {
  private let script: Script
  private let memory: Memory
  private let application: Application

  init(_ script: Script, _ memory: Memory, _ application: Application) {
    self.script = script
    self.memory = memory
    self.application = application
  }

  private func run(_ callback: Callback, _ scene: Scene) {
    Place(application: application, memory: memory, scene: scene)
      .run(script[callback.rawValue] ?? [])
  }

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
    run(.sceneWillConnect, scene)
  }
  func sceneDidDisconnect(_ scene: Scene) { run(.sceneDidDisconnect, scene) }
  func sceneWillEnterForeground(_ scene: Scene) { run(.sceneWillEnterForeground, scene) }
  func sceneDidBecomeActive(_ scene: Scene) { run(.sceneDidBecomeActive, scene) }
  func sceneWillResignActive(_ scene: Scene) { run(.sceneWillResignActive, scene) }
  func sceneDidEnterBackground(_ scene: Scene) { run(.sceneDidEnterBackground, scene) }
  func scene(_ scene: Scene, openURLContexts urls: [URL]) { run(.sceneOpenURLContexts, scene) }
  func scene(_ scene: Scene, continue activity: UserActivity) {
    run(.sceneContinueUserActivity, scene)
  }
}
