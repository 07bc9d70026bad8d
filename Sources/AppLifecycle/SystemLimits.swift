import LifecycleModel

/// What the system allows a process, and how long it takes to do things.
///
/// Apple publishes few of these numbers; each names where it comes from. All are nanoseconds.
public struct SystemLimits: Hashable, Sendable {
  /// For `didEnterBackground` to return: "approximately five seconds" [S4].
  public var didEnterBackground: Nanoseconds = .seconds(5)
  /// For `applicationWillTerminate` to return: about five seconds [D-term].
  public var willTerminate: Nanoseconds = .seconds(5)
  /// From the wake of a process to its first frame: about 20 s [X-wd].
  public var launch: Nanoseconds = .seconds(20)
  /// How long the main thread may be stuck on screen: 10 s [P-pasteb].
  public var sceneUpdate: Nanoseconds = .seconds(10)
  /// Background time that tasks may hold in all: 30 s from iOS 13 [Q-bg].
  public var backgroundTasks: Nanoseconds = .seconds(30)
  /// For an expiration handler to return, and for what it leaves open: about a second [Q-bg].
  public var expiration: Nanoseconds = .seconds(1)
  /// For a push, a fetch, a refresh or a transfer to be completed: 30 s [D-push30][D-bgstrat].
  public var completion: Nanoseconds = .seconds(30)
  /// How many background tasks may be open: about 1,000 [Q-bg].
  public var openTasks = 1000
  /// How late the watchdog looks.
  public var watchdogDelay: Nanoseconds = .milliseconds(50)
  /// From the background to the snapshot, when nothing is in the way.
  public var snapshotDelay: Nanoseconds = .milliseconds(100)
  /// How long a snapshot takes.
  public var snapshot: Nanoseconds = .milliseconds(20)
  /// From the snapshot to the suspension, when nothing keeps the process awake.
  public var suspensionDelay: Nanoseconds = .seconds(5)

  /// The limits of iOS 13 and later.
  public init() {}

  /// The limits of a version of iOS, by its major number: the time for background tasks was 180 s from
  /// iOS 7 on and 600 s before.
  public init(osMajor: Int) {
    if osMajor < 13 { backgroundTasks = .seconds(osMajor < 7 ? 600 : 180) }
  }
}

/// Why the system ends a process: the attributes of `kill`.
struct Termination {
  var code: UInt32
  var namespace: String
  /// Empty where the system gives no reason.
  var reason = ""
  /// The uncaught exception, when one was thrown.
  var exception: String?
  /// The signal by which the process dies.
  var signal: Int32 = 9

  /// A call, the launch or the main thread took too long.
  static func watchdog(_ what: String) -> Termination {
    Termination(code: 0x8bad_f00d, namespace: "FRONTBOARD", reason: what)
  }
  /// Background tasks outlived their expiration.
  static let taskAssertion = Termination(
    code: 0x8bad_f00d, namespace: "RUNNINGBOARD", reason: "background-task-assertion")
  /// Too many background tasks.
  static let tooManyTasks = Termination(
    code: 0xbada_5e47, namespace: "RUNNINGBOARD", reason: "too-many-task-assertions")
  /// A lock was held at suspension.
  static let lockedFile = Termination(
    code: 0xdead_10cc, namespace: "RUNNINGBOARD", reason: "suspended-with-locked-file")
  /// The user closed the app while it was suspended.
  static let closed = Termination(
    code: 0xdead_fa11, namespace: "FRONTBOARD", reason: "closed-in-the-switcher")
  /// Memory was needed elsewhere.
  static let purged = Termination(code: 4, namespace: "JETSAM", reason: "vm-pageshortage")
  /// The app took more memory than it may.
  static let memoryLimit = Termination(code: 7, namespace: "JETSAM", reason: "per-process-limit")

  /// A fault raised a signal.
  static func signal(_ signal: CrashSignal) -> Termination {
    Termination(
      code: UInt32(signal.rawValue), namespace: "SIGNAL", signal: signal.rawValue)
  }

  /// An exception was thrown and not caught.
  static func exception(_ name: String, _ reason: String) -> Termination {
    var termination = signal(.SIGABRT)
    (termination.exception, termination.reason) = (name, reason)
    return termination
  }

  /// A handler was not called in time.
  static func uncompleted(_ delivery: Delivery) -> Termination {
    let code: UInt32 =
      switch delivery {
      case .urlsession: 0x2182_bad3
      case .fetch, .push: 0x2182_bad4
      default: 0x2182_bad2
      }
    return Termination(
      code: code, namespace: "RUNNINGBOARD", reason: "\(delivery.rawValue)-not-completed")
  }

  var attributes: [Attribute] {
    let said: [(AttributeKey, String?)] = [
      (.code, "0x" + String(code, radix: 16)), (.namespace, namespace), (.exception, exception),
      (.reason, reason.isEmpty ? nil : reason),
    ]
    return said.compactMap { key, value in value.map { Attribute(key, $0) } }
  }
}
