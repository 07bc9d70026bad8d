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
    /// What can be chosen.
    public struct Options: Sendable {
      /// Where the log lies; `nil` is `tracectl` in Application Support.
      public var directory: URL?
      /// Whether methods of the delegates and of UIApplication are watched.
      ///
      /// Without, calls and tasks are not recorded, and rules that need them say that they cannot tell.
      public var watchesMethods = true
      /// Whether UIKit's notifications are observed.
      public var watchesNotifications = true
      /// From when on a turn of the main run loop is recorded as `main-busy`; `nil` is never.
      public var busyThreshold: Duration? = .milliseconds(250)
      /// What else the app records itself and completely, so that its absence counts.
      public var alsoRecords: Set<Hook> = []

      /// Makes the options that fit most apps.
      public init() {}
    }

    /// The tracing that was started; `nil` before.
    public private(set) static var current: LifecycleTracing?

    /// What the app states facts of its own to.
    public nonisolated let recorder: Recorder
    private let options: Options
    private let process: UIKitProcess
    private let reading: ProfileReading
    private let states: StateWatch
    private let delegates: DelegateWatch
    private let tasks: TaskWatch
    private let numbers = SubjectNumbers()
    private var notifications: NotificationWatch?
    private var runLoop: RunLoopWatch?
    private var stated: [Attribute] = []
    private static let setDelegate = (selector: "setDelegate:", token: UInt32(110))

    /// Starts recording, and gives what the app can state facts of its own to.
    ///
    /// The log is `flight.bin` in the directory of `options`; each launch goes on with it. A process that `tracectl record` started
    /// records there instead. A second call has no effect. When no log can be made nothing is recorded,
    /// and the app runs as it would without.
    @discardableResult
    public static func start(_ options: Options = Options()) -> Recorder {
      if let current { return current.recorder }
      let shared = Recorder.shared
      let recorder = shared.isOn ? shared : (try? TraceFiles(options.directory).open()) ?? .off
      return start(options, recorder, .current).recorder
    }

    /// Starts recording in a process that may be a test's.
    @discardableResult
    static func start(
      _ options: Options, _ recorder: Recorder, _ process: UIKitProcess
    ) -> LifecycleTracing {
      let tracing = LifecycleTracing(options, recorder, process)
      current = tracing
      if recorder.isOn { tracing.begin() }
      return tracing
    }

    /// Ends recording; what is watched stays so, and says nothing.
    func stop() {
      process.tell(nil)
      notifications?.stop()
      runLoop?.stop()
      if LifecycleTracing.current === self { LifecycleTracing.current = nil }
    }

    private init(_ options: Options, _ recorder: Recorder, _ process: UIKitProcess) {
      (self.options, self.recorder, self.process) = (options, recorder, process)
      reading = ProfileReading(
        process.information, process.environment, systemVersion: process.systemVersion)
      states = StateWatch(recorder, numbers)
      delegates = DelegateWatch(recorder, numbers, process)
      tasks = TaskWatch(recorder)
    }

    private func begin() {
      if options.watchesMethods { watchMethods() }
      stateProfile()
      recorder.processStarts(launch: reading.launch, bundle: Bundle.main.bundleIdentifier)

      if options.watchesNotifications {
        notifications = NotificationWatch(recorder, numbers, process) { [weak self] _, scene in
          self?.noticed(scene)
        }
      }
      if let threshold = options.busyThreshold, process.hasRunLoop {
        runLoop = RunLoopWatch(recorder, threshold: threshold)
      }
    }

    /// The files to send to who is to read the log.
    ///
    /// They are the log, its older parts, and the ring with what is not in the log yet. `directory` is that
    /// of the options.
    public static func files(in directory: URL? = nil) -> [URL] {
      (try? TraceFiles(directory).all()) ?? []
    }

    // MARK: What is watched

    private func watchMethods() {
      process.tell(self)
      _ = tasks.watch(process)
      let cls = unsafeBitCast(UIApplication.self as AnyClass, to: UnsafeRawPointer.self)
      // UIKit asks a delegate for its methods when it is set: right after it is watched.
      let setter = LifecycleTracing.setDelegate
      _ = process.watch(cls, setter.selector, setter.token, 0)

      for name in reading.sceneDelegateClassNames {
        if let cls = NSClassFromString(name) { _ = delegates.watchSceneDelegates(of: cls) }
      }
      _ = delegates.watchApplicationDelegate()
    }

    /// Something of UIKit is seen, about a scene or the app: delegates may have come, and states changed.
    private func noticed(_ scene: UIScene?) {
      if options.watchesMethods {
        var isNew = delegates.watchApplicationDelegate()
        if let scene, delegates.watchDelegate(of: scene) { isNew = true }
        if isNew { stateProfile() }
      }
      states.look(process.application(), scene)
    }

    // MARK: The profile

    /// States the profile, unless that has been done with the same words.
    private func stateProfile() {
      let attributes = reading.attributes + hookAttributes
      guard attributes != stated else { return }
      stated = attributes
      recorder.profile(Profile(attributes))
    }

    /// What is watched, and what of it is missing.
    private var hookAttributes: [Attribute] {
      var hooks: Set<Hook> = options.alsoRecords.union([.process])
      var partial: Set<Hook> = []
      if options.watchesNotifications { hooks.formUnion([.appNotifications, .sceneNotifications]) }
      if tasks.isHooked { hooks.insert(.tasks) }
      if delegates.hasApplicationDelegate { hooks.insert(.appDelegate) }
      if delegates.hasSceneDelegate { hooks.insert(.sceneDelegate) }
      if options.busyThreshold != nil, hooks.insert(.work).inserted { partial.insert(.work) }

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
      if !delegates.missed.isEmpty {
        attributes.append(
          Attribute(.missed, delegates.missed.sorted().joined(separator: ",")))
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
      guard !tasks.isHooked else {
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
      if !tasks.isHooked { tasks.ends(identifier.rawValue) }
      process.application()?.endBackgroundTask(identifier)
    }
  }

  extension LifecycleTracing: HookListener {
    func entered(_ call: HookedCall) {
      if let method = TaskWatch.Method(rawValue: call.token) { return tasks.entered(method, call) }
      guard let method = LifecycleTracing.method(call.token) else { return }
      states.look(process.application(), call.object(1) as? UIScene)
      delegates.entered(method, call)
    }

    func left(_ call: HookedCall, result: UInt) {
      if let method = TaskWatch.Method(rawValue: call.token) {
        return tasks.left(method, call, result: result)
      }
      guard let method = LifecycleTracing.method(call.token) else { return noticed(nil) }
      states.look(process.application(), call.object(1) as? UIScene)
      delegates.left(method, call)

      // The class of a scene's delegate, before there is an object of it.
      if method.callback == .applicationConfigurationForConnecting,
        let configuration = HookedCall.object(result) as? UISceneConfiguration,
        let cls = configuration.delegateClass, delegates.watchSceneDelegates(of: cls)
      {
        stateProfile()
      }
    }

    nonisolated func blockEntered(_ token: UInt32, _ number: UInt64) {
      if TaskWatch.Method(rawValue: token) != nil {
        tasks.expires(number)
      } else {
        delegates.completed(number)
      }
    }

    nonisolated func blockLeft(_ token: UInt32, _ number: UInt64) {
      if TaskWatch.Method(rawValue: token) != nil { tasks.expired(number) }
    }

    /// The delegates' method with a token; `nil` for another one.
    private static func method(_ token: UInt32) -> DelegateMethod? {
      token < DelegateMethod.all.count ? DelegateMethod.all[Int(token)] : nil
    }
  }
#endif
