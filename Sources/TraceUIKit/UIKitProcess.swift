#if canImport(UIKit) && !os(watchOS)
  import CTraceHooks
  import Foundation
  import UIKit

  /// What tracing asks of the process that it runs in; a test puts a stand-in in its place.
  @MainActor
  struct UIKitProcess {
    /// What came of an attempt to watch a method.
    enum Watched {
      case watched, absent, missed
    }

    /// Says who is told of calls; `nil`: nobody.
    var tell: ((any HookListener)?) -> Void
    /// Watches a method of a class; the last argument is the place of a block, or 0.
    var watch:
      (_ cls: UnsafeRawPointer?, _ selector: String, _ token: UInt32, _ block: UInt32) -> Watched
    /// The class of an object, as the runtime sees it.
    var classOf: (AnyObject) -> UnsafeRawPointer?
    /// The object that another one hands a method on to.
    var forwards: (AnyObject, _ selector: String) -> AnyObject?
    /// The application; `nil` before UIApplicationMain has made it.
    ///
    /// UIKit's `shared` is nil then, too, and its type hides it.
    var application: () -> UIApplication?
    /// Where UIKit posts.
    var center: NotificationCenter
    /// Whether the caller is on the main thread.
    var isMain: @Sendable () -> Bool
    /// The app's property list.
    var information: [String: Any]
    /// The variables of the environment.
    var environment: [String: String]
    /// The system's version, such as `18.2`; `nil` leaves it to the recorder.
    var systemVersion: String?
    /// Whether the main run loop is this process's.
    var hasRunLoop: Bool

    /// The process as it is.
    static var current: UIKitProcess {
      UIKitProcess(
        tell: { RuntimeHooks.tell($0) },
        watch: { cls, selector, token, block in
          switch trace_hook_watch(cls, selector, token, block) {
          case trace_hook_done, trace_hook_already: .watched
          case trace_hook_absent: .absent
          default: .missed
          }
        },
        classOf: { trace_hook_class_of(Unmanaged.passUnretained($0).toOpaque()) },
        forwards: { object, selector in
          trace_hook_forwards(Unmanaged.passUnretained(object).toOpaque(), selector).map {
            Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
          }
        },
        application: {
          trace_hook_application().map {
            Unmanaged<UIApplication>.fromOpaque($0).takeUnretainedValue()
          }
        },
        center: .default, isMain: { Thread.isMainThread },
        information: Bundle.main.infoDictionary ?? [:],
        environment: ProcessInfo.processInfo.environment, systemVersion: nil, hasRunLoop: true)
    }
  }

  /// The C layer's functions, which carry nothing, and who they tell.
  private enum RuntimeHooks {
    // Written on the main thread before the first method is watched, and when tracing ends.
    nonisolated(unsafe) private static var listener: (any HookListener)?

    static func tell(_ next: (any HookListener)?) {
      let isFirst = listener == nil
      listener = next
      guard isFirst else { return }
      var events = trace_hook_events(
        entered: { call, words in
          guard Thread.isMainThread, let listener = RuntimeHooks.listener else { return }
          nonisolated(unsafe) let call = HookedCall(token: call.token, number: call.number, words)
          MainActor.assumeIsolated { listener.entered(call) }
        },
        left: { call, words, result in
          guard Thread.isMainThread, let listener = RuntimeHooks.listener else { return }
          nonisolated(unsafe) let call = HookedCall(token: call.token, number: call.number, words)
          MainActor.assumeIsolated { listener.left(call, result: result) }
        },
        block_entered: { RuntimeHooks.listener?.blockEntered($0.token, $0.number) },
        block_left: { RuntimeHooks.listener?.blockLeft($0.token, $0.number) })
      trace_hook_start(&events)
    }
  }
#endif
