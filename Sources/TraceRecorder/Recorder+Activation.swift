import LifecycleModel
import Platform
import TraceLog

/// The first activation of the app in this run, for work that must not come before it.
extension Recorder {
  /// Calls `body` once, when the app has become active: at once if it has, otherwise on the thread that states it.
  ///
  /// An app that was prewarmed, was launched in the background or waits for the first unlock of the device does not
  /// become active, and `body` is not called. So it is where nothing is recorded, and where a simulation states all.
  package func whenActive(_ body: @escaping @Sendable () -> Void) {
    core?.pointee.opening?.whenActive(body)
  }

  /// Looks at the name of a fact that was stated in the slow way.
  ///
  /// The names of activations keep the mark of an unused hook until then, so that the first one comes this way
  /// and no other fact costs anything.
  func noteActivation(_ name: String) {
    guard let core, let opening = core.pointee.opening, RecorderCore.activations.contains(name)
    else { return }
    core.pointee.useActivations()
    opening.becomeActive()
  }
}

extension RecorderCore {
  /// The callbacks and notifications that say that the app, or a scene of it, is active.
  static let activations: Set = [
    Callback.applicationDidBecomeActive.rawValue, Callback.sceneDidBecomeActive.rawValue,
    LifecycleNotification.applicationDidBecomeActive.rawValue,
    LifecycleNotification.sceneDidActivate.rawValue,
  ]
}
