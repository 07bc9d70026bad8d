import LifecycleModel

/// A background task that was begun; UIBackgroundTaskIdentifier.
public struct BackgroundTaskIdentifier: Hashable, Sendable {
  /// The number that traces call the task by; no other task of the log has it.
  public let rawValue: UInt32

  /// No task.
  public static let invalid = BackgroundTaskIdentifier(rawValue: 0)
}

extension Application {
  /// Asks for time in the background; to be ended with ``endBackgroundTask(_:)``.
  ///
  /// The handler runs on the main thread when the time is over: it has about a second, and must end the
  /// task, or the process is killed. `holder` names the variable that keeps the identifier, for the
  /// trace. `.invalid` when the process has died.
  public func beginBackgroundTask(
    withName name: String? = nil, holder: String? = nil,
    expirationHandler: (@MainActor () -> Void)? = nil
  ) -> BackgroundTaskIdentifier {
    guard isRunning, let driver else { return .invalid }
    let number = driver.nextTask()
    var attributes = [Attribute(.handler, expirationHandler == nil ? "false" : "true")]
    if let holder { attributes.append(Attribute(.holder, holder)) }
    record(.taskBegin, "", .task(number), name ?? "", attributes: attributes)
    driver.taskBegan(AppProcess.BackgroundTask(number: number, handler: expirationHandler))
    return BackgroundTaskIdentifier(rawValue: number)
  }

  /// Ends the task of a number, as ``endBackgroundTask(_:)`` does.
  package func endBackgroundTask(number: UInt32) {
    endBackgroundTask(BackgroundTaskIdentifier(rawValue: number))
  }

  /// Gives the time of a task back; for one that is not open it is recorded and has no effect.
  public func endBackgroundTask(_ identifier: BackgroundTaskIdentifier) {
    record(.taskEnd, "", .task(identifier.rawValue))
    driver?.taskEnded(identifier.rawValue, of: process)
  }

  /// Says what is to run when the system launches a task of BGTaskScheduler.
  ///
  /// Each identifier is registered once a process, and before the launch ends; a continued task may be
  /// registered later. Else UIKit throws, and the process dies of it.
  public func register(
    forTaskWithIdentifier identifier: String, kind: BGTaskKind = .refresh,
    launchHandler: @escaping @MainActor (BGTask) -> Void
  ) {
    record(.bgtaskRegister, identifier, .app, "", attributes: [Attribute(.kind, kind.rawValue)])
    guard isRunning else { return }
    if process.launchHandlers[identifier] != nil {
      return raise("NSInternalInconsistencyException", "\(identifier) is registered twice")
    }
    if process.isLaunched && kind != .continued {
      return raise(
        "NSInternalInconsistencyException", "\(identifier) is registered after the launch")
    }
    process.launchHandlers[identifier] = BGTaskRegistration(kind: kind, handler: launchHandler)
  }

  /// Begins a continued task that the app has registered, while the app is in the foreground; else it has
  /// no effect.
  ///
  /// It keeps the process awake in the background until it is completed.
  public func submit(continuedTaskWithIdentifier identifier: String) {
    guard isRunning, process.launchHandlers[identifier]?.kind == .continued,
      process.state.isForeground
    else { return }
    driver?.runBackgroundTask(identifier)
  }
}

/// The kinds of task of BGTaskScheduler.
public enum BGTaskKind: String, CaseIterable, Sendable {
  /// Half a minute to fetch something.
  case refresh
  /// Minutes, while the device is idle.
  case processing
  /// Work that the user has begun.
  case continued
}

/// A launch handler of the app.
struct BGTaskRegistration {
  let kind: BGTaskKind
  let handler: @MainActor (BGTask) -> Void
}

/// A task of BGTaskScheduler that was launched.
@MainActor
public final class BGTask {
  /// The identifier that it was registered under.
  public let identifier: String
  /// What runs when its time is over.
  public var expirationHandler: (@MainActor () -> Void)?

  private let application: Application
  var complete: @MainActor () -> Void = {}
  /// When the system loses patience.
  var expiry: Agenda<@MainActor () -> Void>.Ticket?

  init(_ identifier: String, _ application: Application) {
    self.identifier = identifier
    self.application = application
  }

  /// Ends the task; to be called once.
  public func setTaskCompleted(success: Bool) {
    application.record(.bgtaskComplete, identifier, .app)
    complete()
  }
}
