// UIKit's declarations as far as TraceUIKit and its tests use them, with Apple's names, labels and
// isolation. They stand under no condition: the module is built on Linux alone, under the name UIKitStub,
// and TraceUIKit sees it as UIKit. What it does is AppLifecycle's: see StubSystem. It proves nothing about
// the real UIKit; the macOS jobs compile against that one.

import AppLifecycle
@_exported import Foundation
import LifecycleModel

@MainActor package class UIResponder: NSObject {}

@MainActor package class UIApplication: UIResponder {
  package enum State: Int, Sendable { case active, inactive, background }
  package struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
  }
  package struct OpenURLOptionsKey: Hashable, RawRepresentable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
  }

  let application: Application
  unowned let system: StubSystem
  private weak var held: (any UIApplicationDelegate)?

  init(_ application: Application, _ system: StubSystem) {
    (self.application, self.system) = (application, system)
  }

  package var delegate: (any UIApplicationDelegate)? {
    get { held }
    set {
      let object = newValue as AnyObject?
      system.runtime.send("setDelegate:", to: self, [object]) { _ in held = newValue }
    }
  }
  package var applicationState: State {
    switch application.applicationState {
    case .active: .active
    case .inactive: .inactive
    case .background: .background
    }
  }
  package var connectedScenes: Set<UIScene> {
    Set(application.connectedScenes.map { system.scene($0) })
  }
  package func beginBackgroundTask(
    withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    let selector = "beginBackgroundTaskWithName:expirationHandler:"
    let words: [AnyObject?] = [name.map { NSString(string: $0) }]
    return system.runtime.send(selector, to: self, words, handler: expirationHandler) { handler in
      let task = application.beginBackgroundTask(
        withName: name, expirationHandler: handler)
      return UIBackgroundTaskIdentifier(rawValue: Int(task.rawValue))
    }
  }
  /// Has the app do something on its main thread, `seconds` later; for apps of tests.
  package func after(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
    application.async("later", after: seconds, execute: body)
  }
  /// Where the app registers its tasks; BackgroundTasks has one for the process.
  package var scheduler: BGTaskScheduler { system.scheduler }
  /// Has a block run for a notification; for apps of tests.
  package func observe(
    _ name: Notification.Name, _ body: @escaping @MainActor @Sendable () -> Void
  ) { system.addObserver(name, body) }
  /// Submits a request for a continued task; for apps of tests.
  package func submit(continuedTaskWithIdentifier identifier: String) {
    application.submit(continuedTaskWithIdentifier: identifier)
  }
  /// Keeps the main thread busy; for apps of tests.
  package func spend(_ seconds: Double) { application.spend(seconds) }
  package func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    system.runtime.send("endBackgroundTask:", to: self, number: identifier.rawValue) {
      application.endBackgroundTask(number: UInt32(identifier.rawValue))
    }
  }

  package nonisolated static let didFinishLaunchingNotification =
    LifecycleNotification.applicationDidFinishLaunching.foundationName
  package nonisolated static let didBecomeActiveNotification =
    LifecycleNotification.applicationDidBecomeActive.foundationName
  package nonisolated static let willResignActiveNotification =
    LifecycleNotification.applicationWillResignActive.foundationName
  package nonisolated static let didEnterBackgroundNotification =
    LifecycleNotification.applicationDidEnterBackground.foundationName
  package nonisolated static let willEnterForegroundNotification =
    LifecycleNotification.applicationWillEnterForeground.foundationName
  package nonisolated static let willTerminateNotification =
    LifecycleNotification.applicationWillTerminate.foundationName
  package nonisolated static let didReceiveMemoryWarningNotification =
    LifecycleNotification.applicationDidReceiveMemoryWarning.foundationName
  package nonisolated static let significantTimeChangeNotification =
    LifecycleNotification.applicationSignificantTimeChange.foundationName
  package nonisolated static let protectedDataWillBecomeUnavailableNotification =
    LifecycleNotification.applicationProtectedDataWillBecomeUnavailable.foundationName
  package nonisolated static let protectedDataDidBecomeAvailableNotification =
    LifecycleNotification.applicationProtectedDataDidBecomeAvailable.foundationName
  package nonisolated static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
    "UIApplicationBackgroundRefreshStatusDidChangeNotification")
}

/// A background task; public as what the adapter offers has it.
public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  /// The system's number.
  public let rawValue: Int
  /// A task by its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  package static let invalid = Self(rawValue: 0)
}

@MainActor package class UIScene: UIResponder {
  package enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive, foregroundInactive, background
  }
  @MainActor package class ConnectionOptions: NSObject {
    package internal(set) var urlContexts: Set<UIOpenURLContext> = []
    package internal(set) var userActivities: Set<NSUserActivity> = []
    package internal(set) var shortcutItem: UIApplicationShortcutItem?
    package internal(set) var notificationResponse: NSObject?
  }

  let scene: Scene
  package let session: UISceneSession
  package var delegate: (any UISceneDelegate)?
  init(_ scene: Scene, _ session: UISceneSession) { (self.scene, self.session) = (scene, session) }

  package var activationState: ActivationState {
    switch scene.activationState {
    case .unattached: .unattached
    case .foregroundActive: .foregroundActive
    case .foregroundInactive: .foregroundInactive
    case .background: .background
    }
  }

  package nonisolated static let willConnectNotification =
    LifecycleNotification.sceneWillConnect.foundationName
  package nonisolated static let didDisconnectNotification =
    LifecycleNotification.sceneDidDisconnect.foundationName
  package nonisolated static let willEnterForegroundNotification =
    LifecycleNotification.sceneWillEnterForeground.foundationName
  package nonisolated static let didActivateNotification =
    LifecycleNotification.sceneDidActivate.foundationName
  package nonisolated static let willDeactivateNotification =
    LifecycleNotification.sceneWillDeactivate.foundationName
  package nonisolated static let didEnterBackgroundNotification =
    LifecycleNotification.sceneDidEnterBackground.foundationName
}

@MainActor package class UIWindowScene: UIScene {}

@MainActor package class UIOpenURLContext: NSObject {
  package nonisolated let url: URL
  init(_ url: URL) { self.url = url }
}

@MainActor package class UIApplicationShortcutItem: NSObject {
  package nonisolated let type: String
  init(_ type: String) { self.type = type }
}

/// Foundation's on Apple's systems; Linux has none.
package class NSUserActivity: NSObject {
  package let activityType: String
  init(_ type: String) { activityType = type }
}

@MainActor package class UISceneSession: NSObject {
  package struct Role: Hashable, RawRepresentable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
  }
  package let role: Role
  package let persistentIdentifier: String
  init(_ role: Role, _ identifier: String) {
    (self.role, persistentIdentifier) = (role, identifier)
  }
}

@MainActor package class UISceneConfiguration: NSObject {
  package let name: String?
  package let role: UISceneSession.Role
  package var delegateClass: AnyClass?
  package init(name: String?, sessionRole: UISceneSession.Role) {
    (self.name, role) = (name, sessionRole)
  }
}
