import Foundation
import LifecycleModel

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
}

/// How a scene is made; UISceneConfiguration.
@MainActor
public struct SceneConfiguration {
  /// The name in the app's manifest.
  public var name: String
  /// What the scene is shown on.
  public var role: SceneRole
  /// Makes the delegate of each scene; `nil` for scenes without one.
  public var makeDelegate: (@MainActor () -> any SceneDelegate)?

  /// Makes a configuration.
  public init(
    name: String, role: SceneRole = .window,
    makeDelegate: (@MainActor () -> any SceneDelegate)? = nil
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

  /// Makes options for nothing in particular.
  public init() {}

  /// The word of `sceneWillConnect`.
  var word: String { !urls.isEmpty ? "url" : activity != nil ? "activity" : "none" }
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
}
