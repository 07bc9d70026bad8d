import LifecycleModel
import TraceRecorder

/// The app, as its own code sees it; UIApplication.
///
/// One is made for each process. When its process has died, it is out of use: what is asked of it
/// has no effect, and nothing is recorded.
@MainActor
public final class Application {
  /// What the app is doing.
  public enum State: String, Sendable {
    /// On screen, and getting events.
    case active
    /// On screen, and getting no events.
    case inactive
    /// Not on screen.
    case background
  }

  /// The app whose code runs now; `nil` when none does.
  public internal(set) static var shared: Application?

  /// Those who hear notifications, in the order in which they were added.
  private var observers: [Observer] = []
  /// What the app can state any other fact to.
  public let recorder: Recorder
  /// Who hears of the app's life; `nil` when the process has died.
  public private(set) var delegate: (any ApplicationDelegate)?

  /// Weak, so that code of an app which keeps its application keeps nothing else.
  private(set) weak var driver: LifecycleDriver?
  let process: AppProcess

  init(_ driver: LifecycleDriver, _ process: AppProcess, _ delegate: any ApplicationDelegate) {
    self.driver = driver
    self.process = process
    self.delegate = delegate
    recorder = driver.host.recorder
  }

  /// Gives up what belongs to the app's code, so that nothing of a dead process is kept.
  func forgetApp() {
    delegate = nil
    observers = []
  }

  /// Whether the process still lives: false in code that goes on after the system has ended it.
  public var isRunning: Bool { process.isAlive }

  /// The scenes that are connected.
  public var connectedScenes: [Scene] { process.scenes }

  /// The state of the app; with scenes that of the most active one.
  ///
  /// Reading it is recorded.
  public var applicationState: State {
    let state = State(process.state)
    record(.sample, SampledValue.applicationState.rawValue, .app, state.rawValue)
    return state
  }

  /// Seconds of background time that tasks have left; in the foreground without limit.
  ///
  /// Reading it is recorded.
  public var backgroundTimeRemaining: Double {
    let left = driver?.backgroundTimeLeft
    if isRunning { recorder.sample(.backgroundTimeRemaining, left.map { $0 / 1_000_000 } ?? -1) }
    return left.map { Double($0) / 1e9 } ?? .greatestFiniteMagnitude
  }

  /// Runs `body` whenever `notification` is posted about `object`; `nil` stands for any.
  ///
  /// Nothing is recorded.
  package func listen(
    _ notification: LifecycleNotification? = nil, object: AnyObject? = nil,
    _ body: @escaping @MainActor (LifecycleNotification, AnyObject?) -> Void
  ) {
    observers.append(Observer(notification: notification, object: object, body: body))
  }

  /// Calls those who listen now; who is added meanwhile hears the next notification.
  func deliver(_ notification: LifecycleNotification, _ object: AnyObject?) {
    for observer in observers where observer.hears(notification, object) {
      observer.body(notification, object)
    }
  }

  /// States a fact, unless the process has died.
  func record(
    _ verb: Verb, _ name: String, _ subject: Subject, _ label: String = "",
    value: Int64? = nil, attributes: [Attribute] = []
  ) {
    guard isRunning else { return }
    recorder.record(
      verb, name: name, subject: subject, label: label, value: value, attributes: attributes)
  }
}

/// A block that hears notifications.
private struct Observer {
  let notification: LifecycleNotification?
  /// Kept weakly, as a center of Foundation's does.
  weak var object: AnyObject?
  private let hearsAnyObject: Bool
  let body: @MainActor (LifecycleNotification, AnyObject?) -> Void

  init(
    notification: LifecycleNotification?, object: AnyObject?,
    body: @escaping @MainActor (LifecycleNotification, AnyObject?) -> Void
  ) {
    (self.notification, self.object, self.body) = (notification, object, body)
    hearsAnyObject = object == nil
  }

  func hears(_ posted: LifecycleNotification, _ about: AnyObject?) -> Bool {
    (notification ?? posted) == posted && (hearsAnyObject || object != nil && object === about)
  }
}

extension Application.State {
  init(_ state: AppState) {
    switch state {
    case .active: self = .active
    case .inactive: self = .inactive
    case .background, .notRunning, .suspended: self = .background
    }
  }
}
