import AppLifecycle
import Foundation
import LifecycleModel
import TraceLog
import TraceRecorder
import UIKitStub

@testable import TraceUIKit

/// A variable that closures share.
@MainActor final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// Plays lives: once told by the driver itself, once silent and recorded by the adapter.
@MainActor
struct LifeBench {
  let mode: Profile.Mode
  let seed: UInt64
  /// What a test changes of what the adapter sees.
  var alter: (inout UIKitProcess, StubSystem) -> Void = { _, _ in }
  /// Whether the app gives back all that it takes.
  var isGood = false
  /// Whether it never gives back what it takes.
  var forgets = false
  /// How the adapter records.
  var options = LifecycleTracing.Options()

  init(_ mode: Profile.Mode, seed: UInt64) {
    (self.mode, self.seed) = (mode, seed)
    options.busyThreshold = nil
    // What the process of the tests uses differs from run to run.
    options.samplesMemory = false
  }

  /// Whether the class of scenes' delegates is named by the app's delegate, or in its manifest.
  var namesClass: Bool { seed % 2 == 0 }

  /// What the driver itself tells of the life.
  func told(_ life: (LifecycleDriver) -> Void) throws -> Trace {
    let driver = try LifecycleDriver(driverOptions) { makeSystem(nil) }
    life(driver)
    try driver.finish()
    return try Trace(log: driver.bytes)
  }

  /// What the adapter records of the same life.
  func recorded(_ life: (LifecycleDriver) -> Void) throws -> Trace {
    let made = Box<LifecycleDriver?>(nil)
    let driver = try LifecycleDriver(silent: driverOptions) { makeSystem(made.value) }
    made.value = driver
    defer { made.value = nil }
    life(driver)
    LifecycleTracing.current?.stop()
    try driver.finish()
    return try Trace(log: driver.bytes)
  }

  private var driverOptions: LifecycleDriver.Options {
    var options = LifecycleDriver.Options()
    (options.mode, options.seed, options.varies) = (mode, seed, true)
    return options
  }

  /// The system of a process; with `driver` its app is traced.
  private func makeSystem(_ driver: LifecycleDriver?) -> StubSystem {
    let runtime = StubRuntime()
    let app = TracedApp(seed: seed, isGood: isGood)
    app.forgets = forgets
    for methods in LifeBench.systemMethods { runtime.implement(methods.cls, methods.selectors) }
    // An app without scenes does not answer how one is made.
    let silent = mode == .app ? ["application:configurationForConnectingSceneSession:options:"] : []
    runtime.implement(AppDelegate.self, app.selectors.application.subtracting(silent))
    runtime.implement(WindowDelegate.self, app.selectors.scene)

    let system = StubSystem(runtime) { system in
      AppDelegate.current = (app, system.app)
      if let driver {
        LifecycleTracing.current?.stop()
        LifecycleTracing.start(options, driver.appRecorder, process(system))
      }
      return AppDelegate(app, namesClass: namesClass)
    }
    system.manifestClass = namesClass ? nil : WindowDelegate.self
    return system
  }

  /// The methods of the system's classes.
  private static let systemMethods: [(cls: AnyClass, selectors: [String])] = [
    (
      UIApplication.self,
      [
        "setDelegate:", "beginBackgroundTaskWithName:expirationHandler:",
        "beginBackgroundTaskWithExpirationHandler:", "endBackgroundTask:",
      ]
    ),
    (
      BGTaskScheduler.self,
      [
        "registerForTaskWithIdentifier:usingQueue:launchHandler:", "submitTaskRequest:error:",
      ]
    ),
    (BGAppRefreshTask.self, taskMethods), (BGProcessingTask.self, taskMethods),
    (BGContinuedProcessingTask.self, taskMethods),
    (URLSession.self, ["sessionWithConfiguration:delegate:delegateQueue:"]),
    (
      StubTimer.self,
      [
        "scheduledTimerWithTimeInterval:repeats:block:",
        "timerWithTimeInterval:repeats:block:",
        "timerWithTimeInterval:target:selector:userInfo:repeats:",
        "displayLinkWithTarget:selector:",
      ]
    ),
    (
      NotificationCenter.self,
      ["addObserver:selector:name:object:", "addObserverForName:object:queue:usingBlock:"]
    ),
  ]
  private static let taskMethods = ["setTaskCompletedWithSuccess:", "setExpirationHandler:"]
  private nonisolated static let classes: [String: AnyClass] = [
    "BGTaskScheduler": BGTaskScheduler.self, "NSURLSession": URLSession.self,
    "NSTimer": StubTimer.self, "CADisplayLink": StubTimer.self,
  ]

  /// What the adapter asks of the runtime.
  private func hooks(_ runtime: StubRuntime) -> HookRuntime {
    HookRuntime(
      watch: { cls, selector, token, block in
        nonisolated(unsafe) let cls = cls
        return MainActor.assumeIsolated {
          guard let cls, runtime.has(cls, selector) else { return .absent }
          return runtime.watch(cls, selector, token, block) ? .watched : .missed
        }
      },
      room: { _ in 64 },
      methodOf: { cls, selector in
        nonisolated(unsafe) let cls = cls
        let method = MainActor.assumeIsolated {
          UInt(bitPattern: runtime.method(of: cls, selector))
        }
        return UnsafeRawPointer(bitPattern: method)
      },
      classOf: { StubRuntime.pointer(type(of: $0)) },
      classNamed: { name in LifeBench.classes[name].map(StubRuntime.pointer) },
      makerNamed: { name in LifeBench.classes[name].map(StubRuntime.pointer) },
      nameOf: { String(describing: unsafeBitCast($0, to: AnyClass.self)) },
      isAppsMethod: { cls, _ in
        !String(describing: unsafeBitCast(cls, to: AnyClass.self)).hasPrefix("System")
      },
      isAppsBlock: { $0 != 0 },
      selector: { (HookedCall.object($0) as? NSString)?.description })
  }

  /// What the adapter sees of the process.
  private func process(_ system: StubSystem) -> UIKitProcess {
    let runtime = system.runtime
    var process = UIKitProcess(
      tell: { runtime.listener = $0.map(LifeBench.listener) },
      runtime: hooks(runtime), forwards: { _, _ in nil },
      application: { [weak system] in system?.app }, center: system.center, isMain: { true },
      information: information, environment: [:], systemVersion: "18.2", hasRunLoop: false)

    alter(&process, system)
    return process
  }

  private static func listener(_ told: any HookListener) -> StubRuntime.Listener {
    StubRuntime.Listener(
      entered: { told.entered(HookedCall($0)) },
      left: { told.left(HookedCall($0), result: $1) },
      blockEntered: { told.blockEntered(HookedBlock(token: $0, number: $1, argument: $2)) },
      blockLeft: { told.blockLeft(HookedBlock(token: $0, number: $1, argument: $2)) })
  }

  private var information: [String: Any] {
    var information: [String: Any] = ["DTSDKName": "iphoneos18.2"]
    guard mode == .scene else { return information }
    var manifest: [String: Any] = ["UIApplicationSupportsMultipleScenes": true]
    if !namesClass {
      let role: [[String: Any]] = [
        ["UISceneDelegateClassName": NSStringFromClass(WindowDelegate.self)]
      ]
      manifest["UISceneConfigurations"] = ["UIWindowSceneSessionRoleApplication": role]
    }
    information["UIApplicationSceneManifest"] = manifest
    return information
  }
}

extension HookedCall {
  fileprivate init(_ call: StubRuntime.Listener.Call) {
    self.init(token: call.token, number: call.number, call.receiver, call.words)
  }
}
