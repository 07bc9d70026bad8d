#if canImport(UIKit) && !os(watchOS)
  import CTraceHooks
  import Foundation

  /// What tracing asks of the Objective-C runtime, on any thread; a test puts a stand-in in its place.
  struct HookRuntime: Sendable {
    /// What came of an attempt to watch a method.
    enum Watched: Sendable {
      case watched, absent, missed
    }

    /// Watches a method of a class; the last argument is the place of a block, or 0.
    var watch:
      @Sendable (
        _ cls: UnsafeRawPointer?, _ selector: String, _ token: UInt32, _ block: UInt32
      ) -> Watched
    /// The class of an object, as the runtime sees it.
    var classOf: @Sendable (AnyObject) -> UnsafeRawPointer?
    /// The class of a name.
    var classNamed: @Sendable (String) -> UnsafeRawPointer?
    /// What has the methods of a class itself, such as those that make objects.
    var makerNamed: @Sendable (String) -> UnsafeRawPointer?
    /// The name of a class.
    var nameOf: @Sendable (UnsafeRawPointer) -> String
    /// Whether a method, before it is watched, is code of the app and of no library of the system.
    var isAppsMethod: @Sendable (_ cls: UnsafeRawPointer, _ selector: String) -> Bool
    /// The same of a block that is an argument.
    var isAppsBlock: @Sendable (UInt) -> Bool
    /// The selector that an argument is.
    var selector: @Sendable (UInt) -> String?

    /// The runtime as it is.
    static let current = HookRuntime(
      watch: { cls, selector, token, block in
        switch trace_hook_watch(cls, selector, token, block) {
        case trace_hook_done, trace_hook_already: .watched
        case trace_hook_absent: .absent
        default: .missed
        }
      },
      classOf: { trace_hook_class_of(Unmanaged.passUnretained($0).toOpaque()) },
      classNamed: { trace_hook_class_named($0) },
      makerNamed: { trace_hook_class_of(trace_hook_class_named($0)) },
      nameOf: { trace_hook_class_name($0).map { String(cString: $0) } ?? "" },
      isAppsMethod: { trace_hook_is_apps_method($0, $1) != 0 },
      isAppsBlock: { trace_hook_is_apps_block($0) != 0 },
      selector: { trace_hook_selector_name($0).map { String(cString: $0) } })
  }

  /// The C layer's functions, which carry nothing, and who they tell.
  enum HookTelling {
    // Written on the main thread before the first method is watched, and when tracing ends.
    nonisolated(unsafe) private static var listener: (any HookListener)?

    /// Says who is told of calls; `nil`: nobody.
    static func tell(_ next: (any HookListener)?) {
      let isFirst = listener == nil
      listener = next
      guard isFirst else { return }
      var events = trace_hook_events(
        entered: { HookTelling.listener?.entered(HookedCall($0, $1)) == true ? 1 : 0 },
        left: { HookTelling.listener?.left(HookedCall($0, $1), result: $2) },
        block_entered: { HookTelling.listener?.blockEntered(HookedBlock($0, $1)) },
        block_left: { HookTelling.listener?.blockLeft(HookedBlock($0, $1)) })
      trace_hook_start(&events)
    }
  }

  extension HookedCall {
    fileprivate init(_ call: trace_hook_call, _ words: UnsafePointer<UInt>) {
      self.init(token: call.token, number: call.number, call.receiver, words)
    }
  }

  extension HookedBlock {
    fileprivate init(_ call: trace_hook_call, _ argument: UInt) {
      self.init(token: call.token, number: call.number, argument: argument)
    }
  }
#endif
