#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import Platform
  import TraceRecorder
  import UIKit

  #if canImport(BackgroundTasks)
    import BackgroundTasks
  #endif

  /// The tasks of BGTaskScheduler: registered, submitted, launched, expired, completed, on any thread.
  ///
  /// A task's class is known when the first task of it is launched: its methods are watched then, before the
  /// app's handler has the task.
  final class BGTaskWatch: MethodWatch {
    /// The methods that are watched.
    private enum Method: UInt32 {
      case register = 120
      case submit
      case complete
      case setExpiration

      /// Objective-C's name, and the place of the block that is watched; 0 where there is none.
      var hook: (selector: String, block: UInt32) {
        switch self {
        case .register: ("registerForTaskWithIdentifier:usingQueue:launchHandler:", 3)
        case .submit: ("submitTaskRequest:error:", 0)
        case .complete: ("setTaskCompletedWithSuccess:", 0)
        case .setExpiration: ("setExpirationHandler:", 1)
        }
      }
    }

    /// A task that was launched.
    private struct Launched {
      let identifier: String
      /// The call that gave it the handler of its expiration.
      var expiration: UInt64?
    }

    let tokens = Method.register.rawValue..<Method.setExpiration.rawValue + 1
    private let recorder: Recorder
    private let runtime: HookRuntime
    /// The identifiers of the calls that registered them: each can be registered once.
    private let registered = Lock<[UInt64: String]>([:])
    private let launched = LivingObjects<Launched>()

    init(_ recorder: Recorder, _ runtime: HookRuntime) {
      (self.recorder, self.runtime) = (recorder, runtime)
    }

    /// Watches the scheduler; the selectors that cannot be watched.
    ///
    /// An app without BackgroundTasks has none.
    func watch() -> [String] {
      let cls = runtime.classNamed("BGTaskScheduler")
      return [Method.register, .submit].filter { watch($0, cls) == .missed }.map(\.hook.selector)
    }

    private func watch(_ method: Method, _ cls: UnsafeRawPointer?) -> HookRuntime.Watched {
      runtime.watch(cls, method.hook.selector, method.rawValue, method.hook.block)
    }

    // MARK: Hooks

    func entered(_ call: HookedCall) -> Bool {
      switch Method(rawValue: call.token) {
      case .register:
        guard let identifier = call.text(1) else { return false }
        registered.withLock { $0[call.number] = identifier }
        recorder.record(.bgtaskRegister, name: identifier, subject: .app)
        return true

      case .complete:
        if let identifier = launched(call, { _ in }) {
          recorder.record(.bgtaskComplete, name: identifier, subject: .app)
        }
        return false
      case .setExpiration:
        return launched(call) { $0.expiration = call.number } != nil
      case .submit, nil:
        return false
      }
    }

    func left(_ call: HookedCall, result: UInt) {
      guard call.token == Method.submit.rawValue, let request = call.object(1) as? BGTaskRequest
      else { return }
      // The result is a BOOL, which has the lowest byte alone.
      let answer = result & 0xff == 0 ? "refused" : "submitted"
      recorder.record(
        .note, subject: .app, label: "BGTaskScheduler: \(request.identifier) \(answer)")
    }

    func blockEntered(_ block: HookedBlock) {
      switch Method(rawValue: block.token) {
      case .register: launches(block)
      case .setExpiration:
        if let expired = launched.first(where: { $0.expiration == block.number }) {
          recorder.record(.bgtaskExpire, name: expired.identifier, subject: .app)
        }
      default: break
      }
    }

    func blockLeft(_ block: HookedBlock) {}

    // MARK: What is stated

    /// The launch handler is about to get a task.
    ///
    /// One whose completion would not be seen is not stated.
    private func launches(_ block: HookedBlock) {
      guard let object = HookedCall.object(block.argument),
        let identifier = registered.withLock({ $0[block.number] }),
        let cls = runtime.classOf(object), watch(.complete, cls) == .watched
      else { return }
      _ = watch(.setExpiration, cls)

      launched.keep(Launched(identifier: identifier), for: object)
      let kind = BGTaskWatch.kind(of: object).map { [Attribute(.kind, $0)] } ?? []
      recorder.record(.bgtaskLaunch, name: identifier, subject: .app, attributes: kind)
    }

    /// The identifier of the task that is called; `nil` when its launch was not seen.
    private func launched(_ call: HookedCall, _ change: (inout Launched) -> Void) -> String? {
      launched.value(at: UInt(bitPattern: call.receiver), change)?.identifier
    }

    /// What kind of task it is.
    ///
    /// The class of continued ones is newer than the SDKs that apps may be built with.
    private static func kind(of task: AnyObject) -> String? {
      switch task {
      case is BGAppRefreshTask: "refresh"
      case is BGProcessingTask: "processing"
      default:
        NSStringFromClass(type(of: task)).contains("BGContinuedProcessingTask")
          ? "continued" : nil
      }
    }
  }
#endif
