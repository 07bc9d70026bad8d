import LifecycleModel
import TraceRecorder

/// The user and the system: starts the app's process, takes it through the documented sequences, and
/// ends it.
///
/// It alone changes states; app code hears of it, and states what it does. Between two actions
/// ``run(for:)`` lets time pass: only there timers fire, dispatched work runs, snapshots are taken
/// and the process is suspended or ended. All is recorded. An action that means nothing in the
/// present situation (home, while the app is not on screen) has no effect.
///
/// ```swift
/// import AppLifecycle
///
/// @MainActor final class MyDelegate: ApplicationDelegate {
///   func applicationDidEnterBackground(_ application: Application) { /* save */ }
/// }
///
/// @MainActor func play() throws -> [UInt8] {
///   let driver = try LifecycleDriver { MyDelegate() }
///   driver.launch()
///   driver.run(for: 5)
///   driver.goHome()
///   driver.run(for: 60)
///   try driver.finish()
///   return driver.bytes
/// }
/// ```
@MainActor
public final class LifecycleDriver {
  /// What can be chosen for an app and the system that it runs on.
  public struct Options: Sendable {
    /// Whether the app uses scenes.
    public var mode = Profile.Mode.scene
    /// Whether the app may have several scenes in windows.
    public var isMultiScene = true
    /// The platform that the profile names.
    public var platform = "linux"
    /// The version of iOS whose rules hold; by default the newest that the rules know.
    public var os = "27.0"
    /// The background modes that the app declares.
    public var backgroundModes: [String] = []
    /// The version of the SDK that the profile names; `nil` leaves it out.
    public var sdk: String?
    /// The app's bundle identifier, which the profile and each start of a process name; `nil` leaves it out.
    public var app: String?
    /// The app's version, such as `4.2.1`, that the profile names; `nil` leaves it out.
    public var version: String?
    /// The app's build, such as `812`, that the profile names; `nil` leaves it out.
    public var build: String?
    /// The device's model, such as `iPhone16,2`, that the profile names; `nil` leaves it out.
    public var device: String?
    /// The number of the installation that the profile names; `nil` leaves it out.
    public var install: String?
    /// Whether a debugger is attached: then no watchdog ends the process, and it is not suspended.
    public var isDebugged = false
    /// Whether the profile says that the app runs in a simulator.
    public var isSimulated = false
    /// The optional callbacks that the app implements, as its profile says.
    ///
    /// No other is called. With `nil` all are, and the profile says nothing.
    public var implemented: [Callback]?
    /// The kinds of view and data that the profile says the app labels: `sensitive`, `alert`,
    /// `restoration`; `nil` leaves the key out.
    public var marks: [String]?
    /// What chance depends on.
    public var seed: UInt64 = 0
    /// Whether order and delays that the documents leave open are chosen by chance.
    public var varies = false
    /// What the system allows.
    public var limits = SystemLimits()

    /// Makes the options of an app with scenes.
    public init() {}
  }

  /// Where the facts go, and which clock they are stamped with.
  public enum Log: Sendable {
    /// Virtual time, in memory: see ``LifecycleDriver/bytes``.
    case memory
    /// Virtual time, in a file, which may be there already only when it is to be replaced; `-` is
    /// standard output.
    case file(String, replaces: Bool)
    /// Real time: this process is the app's, and ends when the system ends it.
    case real(Recorder)
  }

  /// What is on the device's screen.
  enum Screen: Equatable {
    case home, app, interruption, switcher(fromApp: Bool), locked(fromApp: Bool)
  }

  /// What was chosen.
  public let options: Options
  let host: Host
  let makeDelegate: @MainActor () -> any ApplicationDelegate
  var limits: SystemLimits { options.limits }
  var variation: Variation
  var screen = Screen.home
  /// The process, while there is one.
  var process: AppProcess?
  /// The sessions that the system keeps, also without a process; the last one was used last.
  var sessions: [SceneSession] = []
  /// Sessions that were closed while no process could be informed.
  var discardedSessions: [SceneSession] = []
  var profileAttributes: [Attribute] = []
  var lastNumbers = (process: 0, scene: UInt32(0), session: UInt32(0), task: UInt32(0), delivery: 0)
  private let recording: VirtualRecording?
  private var isFinished = false

  /// Begins a log for an app whose delegate `makeDelegate` makes, once a process.
  public convenience init(
    _ options: Options = Options(), log: Log = .memory,
    makeDelegate: @escaping @MainActor () -> any ApplicationDelegate
  ) throws {
    try self.init(options, log, isSilent: false, makeDelegate)
  }

  /// A driver that says nothing itself, in virtual time and in memory: what the app states to
  /// ``appRecorder`` is all of the log.
  package convenience init(
    silent options: Options, makeDelegate: @escaping @MainActor () -> any ApplicationDelegate
  ) throws {
    try self.init(options, .memory, isSilent: true, makeDelegate)
  }

  private init(
    _ options: Options, _ log: Log, isSilent: Bool,
    _ makeDelegate: @escaping @MainActor () -> any ApplicationDelegate
  ) throws {
    self.options = options
    self.makeDelegate = makeDelegate
    variation = Variation(seed: options.seed, isOn: options.varies)
    let recording: VirtualRecording
    switch log {
    case .memory: recording = try VirtualRecording(seed: options.seed)
    case .file(let path, let replaces):
      recording = try VirtualRecording(to: path, replaces: replaces, seed: options.seed)
    case .real(let recorder):
      self.recording = nil
      host = Host(RealTime(recorder))
      return
    }

    self.recording = recording
    host = Host(recording, isSilent: isSilent)
  }

  // MARK: What there is

  /// Nanoseconds since the driver was made.
  public var now: Nanoseconds { host.now }
  /// Whether the app has a process.
  public var isRunning: Bool { process != nil }
  /// Whether the process is suspended.
  public var isSuspended: Bool { process?.isSuspended ?? false }
  /// The state of the app as the system knows it.
  public var state: AppState {
    guard let process else { return .notRunning }
    return process.isSuspended ? .suspended : process.state
  }
  /// What the app of a silent driver states its facts to; off in real time.
  package var appRecorder: Recorder { recording?.recorder ?? .off }
  /// The app, while its process lives and has begun to run its code.
  public var application: Application? { process?.application }
  /// How many events the log holds so far; in real time 0.
  public var eventCount: UInt64 { recording?.eventCount ?? 0 }
  /// How many bytes the log holds so far; in real time 0.
  public var byteCount: Int { recording?.byteCount ?? 0 }
  /// The log in memory, after ``finish()``; empty when it goes elsewhere.
  public var bytes: [UInt8] { recording?.bytes ?? [] }

  /// More virtual time has passed than a recording can state.
  public struct RangeError: Error, Hashable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    /// What happened, and what to do.
    public var description: String {
      "takes more virtual time than a recording can state, which is "
        + "\(LifecycleDriver.latest / .seconds(86_400)) days; let less time pass"
    }
  }

  /// The latest time that a recording can state, in nanoseconds since the driver was made: 2^57, some four
  /// and a half years.
  public nonisolated static let latest: Nanoseconds = VirtualRecording.latest
  /// The numbers of the scenes that are connected, the oldest first, and that of the newest there ever was.
  package var sceneNumbers: [UInt32] { process?.scenes.map(\.number).sorted() ?? [] }
  package var lastScene: UInt32 { lastNumbers.scene }

  /// Ends the recording, and lets the app go; what it was doing stays as it was, and nothing more can
  /// happen to it.
  ///
  /// To be called in the end: until then app and driver hold each other. The log does not say that the
  /// process has ended. Throws when the log could not be written, and a ``RangeError`` when virtual time
  /// has passed ``latest``: from there on events are missing.
  public func finish() throws {
    guard !isFinished else { return }
    isFinished = true
    host.mute(true)
    process?.end()
    for session in sessions + discardedSessions { session.configuration = nil }
    if Application.shared?.driver === self { Application.shared = nil }
    try recording?.finish()
    if recording != nil && now > LifecycleDriver.latest { throw RangeError() }
  }

  // MARK: Time

  /// Lets `seconds` pass.
  public func run(for seconds: Double) { run(until: now + Nanoseconds(seconds: seconds)) }

  /// Lets time pass up to `end`, in nanoseconds since the driver was made.
  ///
  /// Virtual time jumps from one thing that is due to the next.
  public func run(until end: Nanoseconds) {
    while let process {
      let deadline = process.isSuspended ? nil : process.nextWatch?.deadline
      let planned = process.plans.nextDue
      let item = process.isSuspended ? nil : process.agenda.nextDue
      guard let due = [deadline, planned, item].compactMap(\.self).min(), due <= end else { break }
      host.wait(until: due)
      if deadline == due, let watch = process.nextWatch {
        kill(watch.termination)
      } else if planned == due {
        process.plans.removeNext()?()
      } else if let item = process.agenda.removeNext() {
        host.pace()
        turn(process, item.run)
      }
      host.drain()
    }
    host.wait(until: end)
  }

  /// Has the app do something on the main thread at `due`.
  @discardableResult
  func schedule(
    _ item: AppProcess.AppItem, at due: Nanoseconds, in process: AppProcess
  ) -> Agenda<AppProcess.AppItem>.Ticket? {
    process.isAlive ? process.agenda.add(item, due: due) : nil
  }

  /// Has the app do something on the main thread, after `delay`.
  @discardableResult
  func schedule(
    _ item: AppProcess.AppItem, after delay: Nanoseconds, in process: AppProcess
  ) -> Agenda<AppProcess.AppItem>.Ticket? {
    schedule(item, at: now + delay, in: process)
  }

  /// Keeps the main thread busy; the watchdog may end the process meanwhile.
  func spend(_ span: Nanoseconds, in process: AppProcess) {
    guard process.isAlive else { return }
    let end = now + span
    if host.isVirtual, let watch = process.nextWatch, watch.deadline <= end {
      host.wait(until: watch.deadline)
      kill(watch.termination)
    } else {
      host.wait(until: end)
    }
  }

  /// Runs code of the app on its main thread, which must not be stuck while it is on screen.
  func turn(_ process: AppProcess, _ body: () -> Void) {
    guard process.isAlive, !process.isSuspended else { return }
    Application.shared = process.application
    let isVisible = process.hasFrame && process.state.isForeground
    let watch = isVisible ? self.watch(limits.sceneUpdate, .watchdog("scene-update")) : nil
    host.asApp(body)
    unwatch(watch)
  }

  // MARK: The watchdog

  /// Ends the process when `span` has passed, unless ``unwatch(_:)`` comes before.
  func watch(_ span: Nanoseconds, _ termination: Termination) -> AppProcess.Watch? {
    guard let process, !options.isDebugged else { return nil }
    let watch = AppProcess.Watch(now + span + limits.watchdogDelay, termination)
    process.watches.append(watch)
    tellRealWatchdog()
    return watch
  }

  func unwatch(_ watch: AppProcess.Watch?) {
    guard let watch else { return }
    process?.remove(watch)
    tellRealWatchdog()
  }

  private func tellRealWatchdog() {
    let next = process?.nextWatch
    host.guardReal(next?.deadline, next?.termination.attributes ?? [])
  }
}
