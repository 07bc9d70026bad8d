import LifecycleModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A call of a method of the app's delegate or of a scene's, whichever it is.
@MainActor
package struct DelegateCall {
  /// Which method.
  package let callback: Callback
  /// The app.
  package let application: Application
  /// The scene, when it is its delegate that is called.
  package var scene: Scene?
  /// Says that the event is handled; `nil` where nobody waits for that.
  package var complete: (@MainActor () -> Void)?

  /// A delegate whose methods, and those of its scenes' delegates, all come to one handler.
  package static func delegate(
    _ handle: @escaping @MainActor (DelegateCall) -> Void
  ) -> any ApplicationDelegate { ForwardingDelegate(handle) }
}

@MainActor
private final class ForwardingDelegate: ApplicationDelegate {
  let handle: @MainActor (DelegateCall) -> Void

  init(_ handle: @escaping @MainActor (DelegateCall) -> Void) { self.handle = handle }

  private func forward(
    _ callback: Callback, _ application: Application, _ complete: (@MainActor () -> Void)? = nil
  ) { handle(DelegateCall(callback: callback, application: application, complete: complete)) }

  func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    forward(.applicationWillFinishLaunching, application)
    return true
  }
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    forward(.applicationDidFinishLaunching, application)
    return true
  }
  func applicationDidBecomeActive(_ application: Application) {
    forward(.applicationDidBecomeActive, application)
  }
  func applicationWillResignActive(_ application: Application) {
    forward(.applicationWillResignActive, application)
  }
  func applicationDidEnterBackground(_ application: Application) {
    forward(.applicationDidEnterBackground, application)
  }
  func applicationWillEnterForeground(_ application: Application) {
    forward(.applicationWillEnterForeground, application)
  }
  func applicationWillTerminate(_ application: Application) {
    forward(.applicationWillTerminate, application)
  }
  func applicationDidReceiveMemoryWarning(_ application: Application) {
    forward(.applicationDidReceiveMemoryWarning, application)
  }
  func applicationSignificantTimeChange(_ application: Application) {
    forward(.applicationSignificantTimeChange, application)
  }
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {
    forward(.applicationProtectedDataWillBecomeUnavailable, application)
  }
  func applicationProtectedDataDidBecomeAvailable(_ application: Application) {
    forward(.applicationProtectedDataDidBecomeAvailable, application)
  }
  func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: ConnectionOptions
  ) -> SceneConfiguration {
    forward(.applicationConfigurationForConnecting, application)
    return SceneConfiguration(name: "forwarding", role: session.role) { application in
      ForwardingSceneDelegate(application)
    }
  }
  func application(_ application: Application, didDiscardSceneSessions sessions: [SceneSession]) {
    forward(.applicationDidDiscardSceneSessions, application)
  }
  func application(_ application: Application, open url: URL) -> Bool {
    forward(.applicationOpenURL, application)
    return true
  }
  func application(_ application: Application, continue activity: UserActivity) -> Bool {
    forward(.applicationContinueUserActivity, application)
    return true
  }
  func application(
    _ application: Application, didReceiveRemoteNotification userInfo: [String: String],
    fetchCompletionHandler: @escaping @MainActor () -> Void
  ) { forward(.applicationDidReceiveRemoteNotification, application, fetchCompletionHandler) }
  func application(
    _ application: Application, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping @MainActor () -> Void
  ) { forward(.applicationHandleEventsForBackgroundURLSession, application, completionHandler) }
  func application(
    _ application: Application, performFetchWithCompletionHandler: @escaping @MainActor () -> Void
  ) { forward(.applicationPerformFetch, application, performFetchWithCompletionHandler) }
  func application(
    _ application: Application, performActionFor shortcutItem: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void
  ) { forward(.applicationPerformActionForShortcutItem, application, completionHandler) }
}

@MainActor
private final class ForwardingSceneDelegate: SceneDelegate {
  private let application: Application
  /// The app's delegate, which hears of its scenes, too.
  private let delegate: ForwardingDelegate?

  init(_ application: Application) {
    self.application = application
    delegate = application.delegate as? ForwardingDelegate
  }

  private func forward(
    _ callback: Callback, _ scene: Scene, _ complete: (@MainActor () -> Void)? = nil
  ) {
    delegate?.handle(
      DelegateCall(
        callback: callback, application: application, scene: scene, complete: complete))
  }

  func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
    forward(.sceneWillConnect, scene)
  }
  func sceneDidDisconnect(_ scene: Scene) { forward(.sceneDidDisconnect, scene) }
  func sceneWillEnterForeground(_ scene: Scene) { forward(.sceneWillEnterForeground, scene) }
  func sceneDidBecomeActive(_ scene: Scene) { forward(.sceneDidBecomeActive, scene) }
  func sceneWillResignActive(_ scene: Scene) { forward(.sceneWillResignActive, scene) }
  func sceneDidEnterBackground(_ scene: Scene) { forward(.sceneDidEnterBackground, scene) }
  func scene(_ scene: Scene, openURLContexts urls: [URL]) { forward(.sceneOpenURLContexts, scene) }
  func scene(_ scene: Scene, continue activity: UserActivity) {
    forward(.sceneContinueUserActivity, scene)
  }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    forward(.sceneStateRestorationActivity, scene)
    return nil
  }
  func windowScene(
    _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void
  ) { forward(.windowScenePerformActionForShortcutItem, scene, completionHandler) }
}
