import AppLifecycle
import Foundation
import LifecycleModel

/// UIKit over AppLifecycle, for the life of a process.
///
/// It is the delegate of AppLifecycle's application, and hands what it hears to an app in UIKit's shapes.
@MainActor
package final class StubSystem: ApplicationDelegate {
  /// Where UIKit posts.
  package let center = NotificationCenter()
  package let runtime: StubRuntime
  /// The app, once its delegate is about to be made.
  package private(set) var app: UIApplication?

  /// Where the app registers its tasks.
  package private(set) lazy var scheduler = BGTaskScheduler(self)

  private let begin: @MainActor (StubSystem) -> any UIApplicationDelegate
  private var delegate: (any UIApplicationDelegate)?
  private var scenes: [ObjectIdentifier: UIScene] = [:]
  private var sessions: [UInt32: UISceneSession] = [:]
  /// What observes for the system and for the app.
  var observers: [any NSObjectProtocol] = []

  /// `begin` is what the process runs before UIApplicationMain: it makes the delegate.
  package init(
    _ runtime: StubRuntime, begin: @escaping @MainActor (StubSystem) -> any UIApplicationDelegate
  ) {
    (self.runtime, self.begin) = (runtime, begin)
  }

  private func app(_ application: Application) -> UIApplication {
    if let app { return app }
    let app = UIApplication(application, self)
    self.app = app
    // AppLifecycle's observers are no Foundation's.
    application.listen { [unowned self] in post($0.foundationName, $1) }
    delegate = begin(self)
    app.delegate = delegate
    return app
  }

  private func post(_ name: Notification.Name, _ object: AnyObject?) {
    switch object {
    case let object as Scene:
      let scene = scene(object)
      center.post(name: name, object: scene)
    case let application as Application: center.post(name: name, object: app(application))
    default: center.post(name: name, object: nil)
    }
  }

  // MARK: UIKit's objects

  func scene(_ scene: Scene) -> UIScene {
    if let known = scenes[ObjectIdentifier(scene)], known.scene === scene { return known }
    // Those that are gone are let go: another may come to lie in the place of one.
    scenes = scenes.filter { $0.value.activationState != .unattached }
    let made = UIWindowScene(scene, session(scene.session))
    scenes[ObjectIdentifier(scene)] = made
    return made
  }

  private func session(_ session: SceneSession) -> UISceneSession {
    if let known = sessions[session.number] { return known }
    let role =
      switch session.role {
      case .window: "UIWindowSceneSessionRoleApplication"
      case .external: "UIWindowSceneSessionRoleExternalDisplayNonInteractive"
      case .carplay: "CPTemplateApplicationSceneSessionRoleApplication"
      case .other: "UISceneSessionRoleImmersiveSpaceApplication"
      }

    let made = UISceneSession(
      UISceneSession.Role(rawValue: role), "session-\(session.number)")
    sessions[session.number] = made
    return made
  }

  private func connection(_ options: AppLifecycle.ConnectionOptions) -> UIScene.ConnectionOptions {
    let made = UIScene.ConnectionOptions()
    made.urlContexts = Set(options.urls.map { UIOpenURLContext($0) })
    if let activity = options.activity {
      made.userActivities = [NSUserActivity(activity.activityType)]
    }
    made.shortcutItem = options.shortcutItem.map { UIApplicationShortcutItem($0.type) }
    if options.notificationResponse != nil { made.notificationResponse = NSObject() }
    return made
  }

  // MARK: Calls

  /// Calls a method of the app's delegate, if it has it.
  private func tell(
    _ selector: String, _ application: Application, _ arguments: AnyObject?...
  ) {
    let app = app(application)
    guard let delegate = app.delegate, runtime.has(selector, of: delegate) else { return }
    runtime.send(selector, to: delegate, [app] + arguments) { _ in
      delegate.called(selector, app)
    }
  }

  /// Calls a method with a completion handler; without the method it is completed at once.
  private func tell(
    _ selector: String, _ application: Application, _ arguments: [AnyObject?],
    completing handler: @escaping @MainActor () -> Void
  ) {
    let app = app(application)
    guard let delegate = app.delegate, runtime.has(selector, of: delegate) else { return handler() }
    let whole: @MainActor @Sendable () -> Void = { handler() }
    runtime.send(selector, to: delegate, [app] + arguments, handler: whole) { told in
      delegate.called(selector, app, completionHandler: told ?? whole)
    }
  }

  package func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    tell("application:willFinishLaunchingWithOptions:", application, nil)
    return true
  }
  package func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    tell("application:didFinishLaunchingWithOptions:", application, nil)
    return true
  }
  package func applicationDidBecomeActive(_ application: Application) {
    tell("applicationDidBecomeActive:", application)
  }
  package func applicationWillResignActive(_ application: Application) {
    tell("applicationWillResignActive:", application)
  }
  package func applicationDidEnterBackground(_ application: Application) {
    tell("applicationDidEnterBackground:", application)
  }
  package func applicationWillEnterForeground(_ application: Application) {
    tell("applicationWillEnterForeground:", application)
  }
  package func applicationWillTerminate(_ application: Application) {
    tell("applicationWillTerminate:", application)
  }
  package func applicationDidReceiveMemoryWarning(_ application: Application) {
    tell("applicationDidReceiveMemoryWarning:", application)
  }
  package func applicationSignificantTimeChange(_ application: Application) {
    tell("applicationSignificantTimeChange:", application)
  }
  package func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {
    tell("applicationProtectedDataWillBecomeUnavailable:", application)
  }
  package func applicationProtectedDataDidBecomeAvailable(_ application: Application) {
    tell("applicationProtectedDataDidBecomeAvailable:", application)
  }
  package func application(
    _ application: Application, didDiscardSceneSessions closed: [SceneSession]
  ) {
    let all = NSSet(array: closed.map { session($0) })
    tell("application:didDiscardSceneSessions:", application, all)
  }
  package func application(_ application: Application, open url: URL) -> Bool {
    tell("application:openURL:options:", application, NSURL(string: url.absoluteString), nil)
    return true
  }
  package func application(_ application: Application, continue activity: UserActivity) -> Bool {
    tell(
      "application:continueUserActivity:restorationHandler:", application,
      NSUserActivity(activity.activityType), nil)
    return true
  }
  package func application(
    _ application: Application, didReceiveRemoteNotification userInfo: [String: String],
    fetchCompletionHandler: @escaping @MainActor () -> Void
  ) {
    tell(
      "application:didReceiveRemoteNotification:fetchCompletionHandler:", application, [nil],
      completing: fetchCompletionHandler)
  }
  package func application(
    _ application: Application, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping @MainActor () -> Void
  ) {
    tell(
      "application:handleEventsForBackgroundURLSession:completionHandler:", application,
      [NSString(string: identifier)], completing: completionHandler)
  }
  package func application(
    _ application: Application,
    performFetchWithCompletionHandler handler: @escaping @MainActor () -> Void
  ) {
    tell(
      "application:performFetchWithCompletionHandler:", application, [], completing: handler)
  }
  package func application(
    _ application: Application, performActionFor item: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void
  ) {
    tell(
      "application:performActionForShortcutItem:completionHandler:", application,
      [UIApplicationShortcutItem(item.type)], completing: completionHandler)
  }
  package func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: AppLifecycle.ConnectionOptions
  ) -> SceneConfiguration {
    let (app, uiSession) = (app(application), self.session(session))
    let connection = connection(options)
    let selector = "application:configurationForConnectingSceneSession:options:"
    var configuration = UISceneConfiguration(name: nil, sessionRole: uiSession.role)
    if let delegate = app.delegate, runtime.has(selector, of: delegate) {
      configuration = runtime.send(selector, to: delegate, [app, uiSession, connection]) { _ in
        delegate.application(app, configurationForConnecting: uiSession, options: connection)
      }
    }

    let cls: AnyClass? = configuration.delegateClass ?? manifestClass
    return SceneConfiguration(name: configuration.name ?? "", role: session.role) { application in
      StubSceneDelegate(
        application.delegate as? StubSystem, (cls as? any StubMakeable.Type)?.init())
    }
  }

  /// The class that the app's manifest names for scenes.
  package var manifestClass: AnyClass?

  /// Calls a method of a scene's delegate, if it has it.
  fileprivate func tell(
    _ selector: String, _ scene: Scene, _ delegate: (any UISceneDelegate)?,
    _ arguments: [AnyObject?] = [], completing handler: (@MainActor () -> Void)? = nil
  ) {
    let scene = self.scene(scene)
    scene.delegate = delegate
    guard let delegate, runtime.has(selector, of: delegate) else {
      handler?()
      return
    }

    guard let handler else {
      return runtime.send(selector, to: delegate, [scene] + arguments) { _ in
        delegate.called(selector, scene)
      }
    }
    let whole: @MainActor @Sendable () -> Void = { handler() }
    runtime.send(selector, to: delegate, [scene] + arguments, handler: whole) { told in
      delegate.called(selector, scene, completionHandler: told ?? whole)
    }
  }

  fileprivate func connects(
    _ scene: Scene, _ session: SceneSession, _ options: AppLifecycle.ConnectionOptions,
    _ delegate: (any UISceneDelegate)?
  ) {
    tell(
      "scene:willConnectToSession:options:", scene, delegate,
      [self.session(session), connection(options)])
  }
}

/// The delegate of AppLifecycle's scene: hands on what it hears.
@MainActor
private final class StubSceneDelegate: SceneDelegate {
  private weak var system: StubSystem?
  private let delegate: (any UISceneDelegate)?

  init(_ system: StubSystem?, _ delegate: (any UISceneDelegate)?) {
    (self.system, self.delegate) = (system, delegate)
  }

  private func tell(
    _ selector: String, _ scene: Scene, _ arguments: [AnyObject?] = [],
    completing handler: (@MainActor () -> Void)? = nil
  ) { system?.tell(selector, scene, delegate, arguments, completing: handler) }

  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: AppLifecycle.ConnectionOptions
  ) { system?.connects(scene, session, options, delegate) }
  func sceneDidDisconnect(_ scene: Scene) { tell("sceneDidDisconnect:", scene) }
  func sceneWillEnterForeground(_ scene: Scene) { tell("sceneWillEnterForeground:", scene) }
  func sceneDidBecomeActive(_ scene: Scene) { tell("sceneDidBecomeActive:", scene) }
  func sceneWillResignActive(_ scene: Scene) { tell("sceneWillResignActive:", scene) }
  func sceneDidEnterBackground(_ scene: Scene) { tell("sceneDidEnterBackground:", scene) }
  func scene(_ scene: Scene, openURLContexts urls: [URL]) {
    tell("scene:openURLContexts:", scene, [NSSet(array: urls.map { UIOpenURLContext($0) })])
  }
  func scene(_ scene: Scene, continue activity: UserActivity) {
    tell("scene:continueUserActivity:", scene, [NSUserActivity(activity.activityType)])
  }
  func stateRestorationActivity(for scene: Scene) -> UserActivity? {
    tell("stateRestorationActivityForScene:", scene)
    return nil
  }
  func windowScene(
    _ scene: Scene, performActionFor item: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void
  ) {
    tell(
      "windowScene:performActionForShortcutItem:completionHandler:", scene,
      [UIApplicationShortcutItem(item.type)], completing: completionHandler)
  }
}

extension LifecycleNotification {
  /// The name under which UIKit posts it.
  ///
  /// Its constants' raw strings are their Objective-C names: `UIApplication.didBecomeActiveNotification`
  /// is `UIApplicationDidBecomeActiveNotification`. Those of protected data end without
  /// "Notification".
  var foundationName: Notification.Name {
    let parts = rawValue.split(separator: ".")
    let (type, name) = (parts[0], parts[1])
    var text = type + name.prefix(1).uppercased() + name.dropFirst()
    if name.hasPrefix("protectedData") { text.removeLast("Notification".count) }
    return Notification.Name(String(text))
  }
}
