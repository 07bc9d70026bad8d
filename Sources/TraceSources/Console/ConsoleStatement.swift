import LifecycleModel

/// What one console message says about an app's life.
enum ConsoleStatement: Hashable {
  /// UIKit added or removed a deactivation reason.
  case reason(DeactivationChange)
  /// UIKit is about to begin a background task; whether it has an expiration handler.
  case willBeginTask(name: String, hasHandler: Bool)
  /// UIKit began a background task.
  case taskBegan(id: UInt64, name: String?)
  /// UIKit began a background task and hides everything about it.
  case hiddenTaskBegan
  /// The app ended a background task.
  case taskEnded(id: UInt64)
  /// UIKit describes a background task that it ends; most often it has said so just before.
  case taskEndDescribed(id: UInt64)
  /// The app ended a background task that UIKit does not know, or that it has ended already.
  case taskEndRefused(id: UInt64, words: String)
  /// UIKit warns of a background task that is still open: how long ago it began, in whole seconds, at least, and
  /// whether the expiration handlers have been called.
  case taskStillOpen(id: UInt64, name: String?, elapsed: Int?, hasExpired: Bool)
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
  /// The system asks a scene for something, such as `Logical Activate`, under a watchdog; with `isDone` the app has
  /// done it. `id` pairs the two.
  case sceneAction(scene: String, name: String, id: Int64, isDone: Bool, allowance: String?)
  /// The app printed its first line, or its first after an end.
  case printed
  /// The app printed a line after it had said that it ends.
  case wentOn
  /// Somebody asks the system for a launch.
  case openRequested(by: String)
  /// The system is about to make the process.
  case launchRequested(intent: String)
  /// The system could not make the process.
  case launchFailed
  /// The system has made the process.
  case processStarted
  /// SpringBoard says what it knows of the process.
  case processState(isRunning: Bool, visibility: String?)
  /// The process goes on running.
  case resumed
  /// The process stops running.
  case suspended
  /// An observer was informed whether the process runs.
  case observed(isSuspended: Bool)
  /// The process has ended, or the system ends it.
  case ended(Termination)
  /// The process is about to end: by whom and why; the line's words.
  case endForetold(Termination, String)
  /// A framework has caught an exception of the app, which goes on; the line's words.
  case exceptionCaught(String)
  /// The process was to end with what was foretold.
  case endCarriedOut
  /// A debugger saw the process end.
  case endedUnderDebugger(Termination)
  /// The process is being debugged; the line's words.
  case debugged(String)
  /// Apple's software says that something is wrong with the app; the line's words.
  case warned(SystemWarning, String)
  /// Words worth keeping, which are no event of their own.
  case remark(String)
  /// A line of the input could not be read.
  case hole(count: Int64)
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

extension ConsoleStatement {
  /// Whether only UIKit, or the debugger, in the app's own process says such a thing.
  var isOfOwnProcess: Bool {
    switch self {
    case .reason, .taskBegan, .hiddenTaskBegan, .taskEnded, .taskEndDescribed, .taskEndRefused,
      .taskStillOpen, .endForetold, .exceptionCaught, .endedUnderDebugger,
      .warned, .remark:
      true
    default: false
    }
  }

  /// Whether UIKit says such a thing in the app's own process.
  var isOfUIKit: Bool {
    switch self {
    case .reason, .willBeginTask, .taskBegan, .hiddenTaskBegan, .taskEnded, .taskEndDescribed,
      .taskEndRefused, .taskStillOpen, .snapshotBegan, .snapshotEnded, .sceneSeen,
      .sceneInvalidated, .warned(.noScenes, _):
      true
    default: false
    }
  }

  /// Whether the process goes on with it, when the app or the system's keeper of it says so.
  func isLife(isSystem: Bool) -> Bool {
    switch self {
    case .suspended, .resumed, .wentOn: true
    default: !isSystem && isOfUIKit
    }
  }

  /// Whether somebody only asks for a launch, which makes no event by itself.
  var isRequest: Bool {
    switch self {
    case .openRequested, .launchRequested: true
    default: false
    }
  }

  /// Whether the process ends with it through a kill or a crash.
  var isBadEnd: Bool {
    if case .ended(let end) = self, case .killed = end.kind { true } else { false }
  }

  /// Whether the process ends with it.
  var isEnd: Bool {
    switch self {
    case .ended, .endedUnderDebugger, .endCarriedOut: true
    default: false
    }
  }
}
