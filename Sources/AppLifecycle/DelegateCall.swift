import LifecycleModel

/// A call of a method of the app's delegate or of a scene's, whichever it is.
@MainActor
package struct DelegateCall {
  /// Which method.
  package let callback: Callback
  /// The app.
  package let application: Application
  /// The scene, when it is its delegate that is called.
  package let scene: Scene?
  /// Says that the event is handled; `nil` where nobody waits for that.
  package let complete: (@MainActor () -> Void)?

  /// A delegate whose methods, and those of its scenes' delegates, all come to one handler.
  package static func delegate(
    _ handle: @escaping @MainActor (DelegateCall) -> Void
  ) -> any ApplicationDelegate { HandledDelegate(handle) }

  /// The handler of the app's delegate; `nil` for one that has methods.
  var handler: (@MainActor (DelegateCall) -> Void)? {
    (application.delegate as? HandledDelegate)?.handle
  }
}

/// A delegate that has a handler for all calls, and no method but the one that makes such scenes.
@MainActor
private final class HandledDelegate: ApplicationDelegate {
  let handle: @MainActor (DelegateCall) -> Void

  init(_ handle: @escaping @MainActor (DelegateCall) -> Void) { self.handle = handle }

  func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: ConnectionOptions
  ) -> SceneConfiguration {
    SceneConfiguration(name: "handled", role: session.role) { _ in HandledSceneDelegate() }
  }
}

private final class HandledSceneDelegate: SceneDelegate {}
