import LifecycleModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One instance of the app's user interface; UIScene.
@MainActor
public final class Scene {
  /// What is made again when the scene is.
  public let session: SceneSession
  /// Who hears of the scene's life.
  public var delegate: (any SceneDelegate)?
  /// The state of the scene.
  public internal(set) var activationState = SceneActivation.unattached
  /// The number that traces call the scene by; no other scene of the log has it.
  public let number: UInt32
  /// Whether the scene comes back when the user returns to the app.
  var returns = false

  init(_ session: SceneSession, number: UInt32) {
    self.session = session
    self.number = number
  }

  var subject: Subject { .scene(number) }
}

/// A scene that can be made again, even by another process; UISceneSession.
@MainActor
public final class SceneSession {
  /// What the scene is shown on.
  public let role: SceneRole
  /// How the scene is made; `nil` before the first time.
  public internal(set) var configuration: SceneConfiguration?
  /// What the last scene of this session gave to be restored from; `nil` when it gave nothing.
  public internal(set) var stateRestorationActivity: UserActivity?
  /// The number that traces call the session by; no other session of the log has it.
  public let number: UInt32

  init(_ role: SceneRole, number: UInt32) {
    self.role = role
    self.number = number
  }

  var subject: Subject { .session(number) }
}

/// What a scene is shown on; the raw values are those of `sceneWillConnect`.
public enum SceneRole: String, CaseIterable, Sendable {
  /// A window on the device.
  case window
  /// A second display, which nobody touches: such a scene does not become active.
  case external
  /// The display of a car: it is on or off whatever the device's screen shows.
  case carplay
  /// Any other role, such as an immersive space's.
  case other

  /// Whether such a scene comes and goes with the device's own screen.
  var isOnDevice: Bool { self != .carplay }
}

/// How a scene is made; UISceneConfiguration.
@MainActor
public struct SceneConfiguration {
  /// The name in the app's manifest.
  public var name: String
  /// What the scene is shown on.
  public var role: SceneRole
  /// Makes the delegate of each scene, for the app of the process that connects it; `nil` for scenes
  /// without one.
  ///
  /// A session keeps it when its process ends, as UIKit keeps the name of a class.
  public var makeDelegate: (@MainActor (Application) -> any SceneDelegate)?

  /// Makes a configuration.
  public init(
    name: String, role: SceneRole = .window,
    makeDelegate: (@MainActor (Application) -> any SceneDelegate)? = nil
  ) {
    self.name = name
    self.role = role
    self.makeDelegate = makeDelegate
  }
}

/// What a scene is connected for.
public struct ConnectionOptions: Sendable {
  /// The URLs that the scene was made to open.
  public var urls: [URL] = []
  /// The activity that the scene was made to continue.
  public var activity: UserActivity?
  /// The quick action that the scene was made for.
  public var shortcutItem: ShortcutItem?
  /// The notification that the user tapped, and for which the scene was made.
  public var notificationResponse: NotificationResponse?

  /// Makes options for nothing in particular.
  public init() {}

  /// The word of `sceneWillConnect`.
  var word: String {
    if !urls.isEmpty { return "url" }
    if activity != nil { return "activity" }
    if shortcutItem != nil { return "shortcut" }
    return notificationResponse != nil ? "notification" : "none"
  }
}

/// The methods by which a scene's owner hears of its life; UISceneDelegate's, and each may be left out.
@MainActor
public protocol SceneDelegate: AnyObject {
  /// The scene is added to the app.
  func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions)
  /// The scene was removed from the app.
  func sceneDidDisconnect(_ scene: Scene)
  /// The scene is about to be on screen.
  func sceneWillEnterForeground(_ scene: Scene)
  /// The scene is active and gets events.
  func sceneDidBecomeActive(_ scene: Scene)
  /// The scene is about to resign the active state; by the return it should be doing little.
  func sceneWillResignActive(_ scene: Scene)
  /// The scene is no longer on screen; there are about five seconds to return.
  func sceneDidEnterBackground(_ scene: Scene)
  /// The scene is asked to open URLs.
  func scene(_ scene: Scene, openURLContexts urls: [URL])
  /// The scene is asked to continue an activity.
  func scene(_ scene: Scene, continue activity: UserActivity)
  /// What the scene's interface is to be restored from, when the scene has entered the background.
  func stateRestorationActivity(for scene: Scene) -> UserActivity?
  /// The user has chosen a quick action; the handler is to be called when it is done.
  func windowScene(
    _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void)
}

extension SceneDelegate {
  /// Does nothing.
  public func scene(
    _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
  ) {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: Scene) {}
  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: Scene) {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: Scene) {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: Scene) {}
  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: Scene) {}
  /// Does nothing.
  public func scene(_ scene: Scene, openURLContexts urls: [URL]) {}
  /// Does nothing.
  public func scene(_ scene: Scene, continue activity: UserActivity) {}
  /// Gives nothing.
  public func stateRestorationActivity(for scene: Scene) -> UserActivity? { nil }
  /// Has nothing to do.
  public func windowScene(
    _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void
  ) { completionHandler() }
}
