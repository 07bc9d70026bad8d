import LifecycleModel

/// What one console message says about an app's life.
enum ConsoleFact: Hashable {
  /// UIKit added or removed a deactivation reason.
  case reason(DeactivationChange)
  /// UIKit is about to begin a background task; whether it has an expiration handler.
  case willBeginTask(name: String, hasHandler: Bool)
  /// UIKit began a background task.
  case taskBegan(id: UInt64, name: String?)
  /// UIKit began a background task and hides everything about it.
  case hiddenTaskBegan
  /// UIKit ended a background task.
  case taskEnded(id: UInt64)
  /// A snapshot is being taken.
  case snapshotBegan
  /// A snapshot was taken.
  case snapshotEnded
  /// A notification's name was printed; whether an object was printed with it.
  case notification(name: String, hasObject: Bool)
  /// A scene of the app was named.
  case sceneSeen(String)
  /// A scene is about to go away.
  case sceneInvalidated(String)
  /// The system asks the app's scene for something, under a watchdog.
  case sceneActionSent(SceneAction, allowance: String?)
  /// The app has done what its scene was asked for.
  case sceneActionCompleted(SceneAction)
  /// The system is about to make the process.
  case launchRequested(intent: String)
  /// The system has made the process.
  case processStarted
  /// The process goes on running.
  case resumed
  /// The process stops running.
  case suspended
  /// The process has ended, or the system ends it.
  case ended(Termination)
  /// Words worth keeping, which are no event of their own.
  case remark(String)
  /// A line of the input could not be read.
  case hole
}

/// A change of UIKit's mask of deactivation reasons.
struct DeactivationChange: Hashable {
  /// The number of the reason; its bit in the mask.
  var reason: UInt8
  /// Whether the reason was added, and not removed.
  var isAdded: Bool
  /// The mask before.
  var before: UInt64
  /// The mask after.
  var after: UInt64

  /// Whether the masks differ in just this reason, in just this direction.
  var isConsistent: Bool {
    let bit = UInt64(1) << UInt64(reason)
    return isAdded
      ? before & bit == 0 && after == before | bit : before & bit != 0 && after == before & ~bit
  }
}

/// A thing that the system asks of a scene.
struct SceneAction: Hashable {
  /// The scene's identifier.
  var scene: String
  /// What is asked for, such as `Logical Activate`.
  var name: String
  /// The number that the answer repeats.
  var id: Int64
}

/// How a process ended.
struct Termination: Hashable {
  /// How the end came about.
  enum Kind: Hashable {
    /// The process ended itself, with this status.
    case exited(status: Int64?)
    /// Somebody ended it: who keeps the codes, and the code.
    case killed(namespace: String?, code: UInt64?)
  }

  /// How the end came about.
  var kind: Kind
  /// The explanation in the system's words.
  var reason: String?
}
