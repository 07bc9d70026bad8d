import LifecycleModel

/// What the system knows of a process: its state, what it may do, and what it has to be ended for.
///
/// Nothing of it outlives the process; ids do, and belong to the driver.
@MainActor
final class AppProcess {
  /// Code of the app that is to run on the main thread.
  struct AppItem {
    /// Whether it is work that goes on while it waits, and so stands still while the process does.
    var isProgress = false
    let run: @MainActor () -> Void
  }

  /// A background task that is open.
  struct BackgroundTask {
    let number: UInt32
    let handler: (@MainActor () -> Void)?
  }

  /// Something that waits for its completion handler.
  struct OpenDelivery {
    let number: Int
    /// Whether the process is not suspended while it waits.
    let keepsAwake: Bool
    let watch: Watch?
  }

  /// A deadline with what happens then.
  final class Watch {
    let deadline: Nanoseconds
    let termination: Termination

    init(_ deadline: Nanoseconds, _ termination: Termination) {
      self.deadline = deadline
      self.termination = termination
    }
  }

  let number: Int
  let reason: LaunchReason
  /// The app, once its code has begun to run.
  var application: Application?
  private(set) var isAlive = true
  var state: AppState
  var isSuspended = false
  var isLaunched = false
  /// Whether the process was informed that protected files are gone, or began without them.
  var isDataUnavailable = false
  /// Whether something was drawn: only then the launch is over.
  var hasFrame = false
  var scenes: [Scene] = []
  /// What the app has put off; it stands still while the process is suspended.
  var agenda = Agenda<AppItem>()
  /// What the system will do to the process.
  var plans = Agenda<@MainActor () -> Void>()
  var tasks: [BackgroundTask] = []
  var deliveries: [OpenDelivery] = []
  var watches: [Watch] = []
  var launchWatch: Watch?
  var suspensionPlan: Agenda<@MainActor () -> Void>.Ticket?
  var snapshotPlan: Agenda<@MainActor () -> Void>.Ticket?
  /// Resources that are held: how often, by kind and label.
  var held: [String: Int] = [:]
  var launchHandlers: [String: BGTaskRegistration] = [:]
  /// The tasks of BGTaskScheduler that were launched and are not complete, by identifier.
  var runningBGTasks: Set<String> = []
  var locationHandler: (@MainActor () -> Void)?
  var inputHandler: (@MainActor (Scene?) -> Void)?
  var notificationHandler:
    (@MainActor (NotificationResponse, @escaping @MainActor () -> Void) -> Void)?
  /// Whether the user has ended the app, which its background tasks hold up.
  var isQuitting = false
  // The time that tasks have held in the background, and since when they hold it now.
  var budgetUsed: Nanoseconds = 0
  var budgetSince: Nanoseconds?
  var budgetWatch: Watch?
  var budgetPlan: Agenda<@MainActor () -> Void>.Ticket?
  var suspendedSince: Nanoseconds = 0

  init(_ number: Int, _ reason: LaunchReason, _ state: AppState) {
    self.number = number
    self.reason = reason
    self.state = state
  }

  /// Forgets all that dies with the process.
  func end() {
    isAlive = false
    application?.forgetApp()
    application = nil

    // A scene's delegate may hold the application, and so all that was.
    for scene in scenes { scene.delegate = nil }
    scenes = []
    agenda.removeAll()
    plans.removeAll()
    tasks = []
    deliveries = []
    watches = []
    held = [:]
    launchHandlers = [:]
    runningBGTasks = []
    locationHandler = nil
    inputHandler = nil
    notificationHandler = nil
  }

  /// The deadline that comes first.
  var nextWatch: Watch? { watches.min { $0.deadline < $1.deadline } }

  func remove(_ watch: Watch?) {
    if let watch { watches.removeAll { $0 === watch } }
  }

  /// The state of the most active scene, which in an app with scenes is the app's.
  var mostActive: AppState { mostActive(besides: nil) }

  /// The same of all scenes but one.
  func mostActive(besides other: Scene?) -> AppState {
    let states = scenes.filter { $0 !== other }.map(\.activationState.appState)
    return states.contains(.active) ? .active : states.contains(.inactive) ? .inactive : .background
  }

  func holds(_ resource: Resource) -> Bool {
    held.keys.contains { $0.hasPrefix(resource.rawValue + "\0") }
  }
}
