#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import TraceRecorder
  import UIKit

  /// Records the life of an app of UIKit: with one line in the app, every fact that UIKit shows is stated.
  ///
  ///     init() { LifecycleTracing.start() }
  ///
  /// It begins as early as the app's code runs; what was before is not in the log. It adds no method to
  /// any class and changes the class of no object.
  @MainActor
  @available(iOSApplicationExtension, unavailable)
  @available(tvOSApplicationExtension, unavailable)
  @available(visionOSApplicationExtension, unavailable)
  public final class LifecycleTracing {
    /// The tracing that was started; `nil` before.
    public internal(set) static var current: LifecycleTracing?
    /// Why nothing is recorded, since ``start(_:)`` could not make a log; `nil` when all is well.
    ///
    /// It is a `LogError`, or an error of Foundation about the directory. When protected data become available,
    /// as at the first unlock of the device, it is tried again.
    public internal(set) static var failure: (any Error)?

    /// What the app states facts of its own to.
    public nonisolated let recorder: Recorder
    private let options: Options
    let process: UIKitProcess
    private var reading: ProfileReading
    /// What the profile says of this installation of the app: nothing, unless the app asks for it.
    private let installation: [Attribute]
    let states: StateWatch
    let delegates: DelegateWatch
    private let tasks: TaskWatch
    private let systemTasks: BGTaskWatch
    private let sessions: URLSessionWatch
    private let timers: TimerWatch
    private let observers: ObserverWatch
    /// Who is told of calls that any thread may make.
    nonisolated let watches: [any MethodWatch]
    nonisolated let isMain: @Sendable () -> Bool
    private let numbers = SubjectNumbers()
    private var notifications: NotificationWatch?
    private var runLoop: RunLoopWatch?
    private var pauses: PauseWatch?
    #if canImport(Darwin)
      private var memory: MemoryWatch?
    #endif
    /// Who waits for protected data, to try again.
    var waiting: (any NSObjectProtocol)?
    /// The calls in Instruments.
    let signposts: Signposts?
    /// The calls as the system is told of them.
    var stateReport: StateReport?
    #if !os(tvOS)
      var reports: SystemReports?
    #endif
    private var stated: [Attribute] = []
    /// Whether all methods of background tasks are watched.
    private var watchesTasks = false
    /// The selectors of the system's classes that could not be watched.
    private var missed: [String] = []
    /// The selectors of methods that timers and observers call, and that could not be watched.
    private var missedCalled: Set<String> { timers.missed.union(observers.missed) }
    private var statedMissed: Set<String> = []
    private static let setDelegate = (selector: "setDelegate:", token: UInt32(110))

    /// Ends recording; what is watched stays so, and says nothing.
    ///
    /// Calls that are open on other threads may still be stated.
    func stop() {
      process.tell(nil)
      notifications?.stop()
      runLoop?.stop()
      pauses?.stop()
      #if canImport(Darwin)
        memory?.stop()
      #endif
      if let waiting { process.center.removeObserver(waiting) }
      waiting = nil
      #if !os(tvOS)
        reports?.stop()
      #endif
      TracingMark.own.remove()
      if LifecycleTracing.current === self { LifecycleTracing.current = nil }
    }

    init(_ options: Options, _ recorder: Recorder, _ process: UIKitProcess) {
      (self.options, self.recorder, self.process) = (options, recorder, process)
      reading = ProfileReading(
        process.information, process.environment, systemVersion: process.systemVersion)
      installation = LifecycleTracing.installation(options, recorder, process)
      states = StateWatch(recorder, numbers)
      delegates = DelegateWatch(recorder, numbers, process)
      tasks = TaskWatch(recorder)
      systemTasks = BGTaskWatch(recorder, process.runtime)
      sessions = URLSessionWatch(recorder, process.runtime)
      timers = TimerWatch(recorder, process.runtime)
      observers = ObserverWatch(recorder, numbers, process)
      watches = [tasks, systemTasks, sessions, timers, observers]
      isMain = process.isMain
      signposts = options.statesSignposts ? Signposts() : nil
      stateReport = options.reportsStates ? StateReport(log: recorder.logID) : nil
    }

    func begin() {
      if watchesMethods { watchMethods() }
      stateProfile()
      recorder.processStarts(launch: reading.launch, bundle: Bundle.main.bundleIdentifier)

      if options.watchesNotifications {
        let notifications = NotificationWatch(recorder, numbers, process, observers) {
          [weak self] scene in self?.noticed(scene)
        }
        observers.posting = { [weak notifications] in notifications?.posting }
        self.notifications = notifications
      }
      if process.hasRunLoop { pauses = PauseWatch(recorder) }
      #if canImport(Darwin)
        if options.samplesMemory { memory = MemoryWatch(recorder) }
      #endif
      if let threshold = options.busyThreshold, process.hasRunLoop {
        runLoop = RunLoopWatch(recorder, threshold: threshold)
      }
    }

    /// The files to send to who is to read the log.
    ///
    /// They are the log, all its parts, the ring with what is not in the log yet, and MetricKit's reports
    /// about earlier runs. `directory` is that of the options. With `forUpload` the ring is left out, which always has the
    /// boot of the device: Apple lets the user alone send that. The log has it unless ``Options/statesBoot`` is false.
    public static func files(in directory: URL? = nil, forUpload: Bool = false) -> [URL] {
      (try? TraceFiles(directory).all(withRing: !forUpload)) ?? []
    }

    /// Stops recording until the app is launched again, and closes the log, as when the user withdraws consent.
    ///
    /// What is watched stays so, and says nothing. To the next launch it is a run whose end nobody saw.
    public static func stop() {
      guard let current else { return }
      current.stop()
      current.recorder.finish()
    }

    /// Stops recording, and removes the log, MetricKit's reports and the number of the installation.
    ///
    /// `directory` is that of the options. It throws what Foundation says of a file that cannot be removed.
    public static func erase(in directory: URL? = nil) throws {
      stop()
      try TraceFiles(directory).erase()
    }

    // MARK: What is watched

    /// Whether the runtime is touched: the options say it, unless the app's property list forbids it.
    private var watchesMethods: Bool {
      options.watchesMethods
        && process.information["TracectlWatchesDelegates"] as? Bool != false
    }

    private func watchMethods() {
      process.tell(self)
      let runtime = process.runtime
      watchesTasks = tasks.watch(runtime)
      missed = systemTasks.watch() + sessions.watch()
      if options.watchesTimers { missed += timers.watch() }
      if options.watchesObservers { missed += observers.watch(runtime.classOf(process.center)) }

      let cls = unsafeBitCast(UIApplication.self as AnyClass, to: UnsafeRawPointer.self)
      // UIKit asks a delegate for its methods when it is set: right after it is watched.
      let setter = LifecycleTracing.setDelegate
      _ = runtime.watch(cls, setter.selector, setter.token, 0)

      for name in reading.sceneDelegateClassNames {
        if let cls = NSClassFromString(name) { _ = delegates.watchSceneDelegates(of: cls) }
      }
      _ = delegates.watchApplicationDelegate()
    }

    /// Something of UIKit is seen, about a scene or the app: delegates may have come, and states changed.
    func noticed(_ scene: UIScene?) {
      // UIKit gives scenes to apps without delegates of scenes, too.
      var isNew = scene?.delegate != nil && !reading.usesScenes
      if isNew { reading.usesScenes = true }
      if watchesMethods {
        if delegates.watchApplicationDelegate() { isNew = true }
        if let scene, delegates.watchDelegate(of: scene) { isNew = true }
        if missedCalled != statedMissed { isNew = true }
      }
      if isNew { stateProfile() }
      look(scene)
    }

    /// Looks at the states of the app and its scenes, and at one that may not be connected any more.
    func look(_ departing: UIScene?) {
      let before = states.app
      states.look(process.application(), departing)
      guard states.app != before else { return }
      pauses?.follow(states.app)
      if options.samplesMemory { recorder.sampleMemory() }
      // What is stated later waits for the next time.
      if states.app == .background { recorder.syncSoon() }
    }

    // MARK: The profile

    /// States the profile, unless that has been done with the same words.
    func stateProfile() {
      if delegates.usesScenes { reading.usesScenes = true }
      let attributes = reading.attributes + installation + hookAttributes
      guard attributes != stated else { return }
      stated = attributes
      statedMissed = missedCalled
      recorder.profile(Profile(attributes))
    }

    private static func installation(
      _ options: Options, _ recorder: Recorder, _ process: UIKitProcess
    ) -> [Attribute] {
      guard options.statesInstallation, recorder.isOn,
        let app = process.information["CFBundleIdentifier"] as? String,
        let number = (try? TraceFiles(options.directory))?.installation(of: app)
      else { return [] }
      return [Attribute(.install, number)]
    }

    /// What is watched, and what of it is missing.
    private var hookAttributes: [Attribute] {
      var hooks: Set<Hook> = options.alsoRecords.union([.process])
      var partial: Set<Hook> = []
      if options.watchesNotifications { hooks.formUnion([.appNotifications, .sceneNotifications]) }
      if watchesTasks { hooks.insert(.tasks) }
      if delegates.hasApplicationDelegate { hooks.insert(.appDelegate) }
      if delegates.hasSceneDelegate { hooks.insert(.sceneDelegate) }
      let works =
        options.busyThreshold != nil || options.samplesMemory
        || options.watchesTimers && watchesMethods
      if works, hooks.insert(.work).inserted { partial.insert(.work) }

      func list(_ hooks: Set<Hook>) -> String {
        Hook.allCases.filter(hooks.contains).map(\.rawValue).joined(separator: ",")
      }
      var attributes = [Attribute(.hooks, list(hooks))]
      if !partial.isEmpty { attributes.append(Attribute(.partial, list(partial))) }
      if delegates.hasApplicationDelegate, delegates.hasSceneDelegate || reading.mode == .app {
        let names = Callback.allCases.filter(delegates.implemented.contains).map(\.rawValue)
        attributes.append(
          Attribute(.implements, names.isEmpty ? "none" : names.joined(separator: ",")))
      }
      let missed = delegates.missed.union(missed).union(missedCalled)
      if !missed.isEmpty {
        attributes.append(Attribute(.missed, missed.sorted().joined(separator: ",")))
      }
      return attributes
    }

    // MARK: Background tasks

    /// Asks for time in the background as UIApplication does, and records it where methods are not
    /// watched, too.
    public func beginBackgroundTask(
      withName name: String? = nil, expirationHandler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
      guard let application = process.application() else { return .invalid }
      guard !watchesTasks else {
        return application.beginBackgroundTask(
          withName: name, expirationHandler: expirationHandler)
      }

      let number = tasks.begins(name, hasHandler: expirationHandler != nil)
      var watched: (@MainActor @Sendable () -> Void)?
      if let expirationHandler {
        watched = { [recorder] in recorder.taskExpires(number) { expirationHandler() } }
      }
      let identifier = application.beginBackgroundTask(withName: name, expirationHandler: watched)
      tasks.began(number, as: identifier.rawValue)
      return identifier
    }

    /// Gives the time back as UIApplication does, and records it where methods are not watched, too.
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
      if !watchesTasks { tasks.ends(identifier.rawValue) }
      process.application()?.endBackgroundTask(identifier)
    }
  }
#endif
