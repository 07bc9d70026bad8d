#if canImport(UIKit) && !os(watchOS)
  import CTraceHooks
  import Foundation
  import Platform

  /// What tracing asks of the Objective-C runtime, on any thread; a test puts a stand-in in its place.
  struct HookRuntime: Sendable {
    /// What came of an attempt to watch a method; one that is watched for somebody else is missed.
    enum Watched: Sendable {
      case watched, absent, missed
    }

    /// Watches a method of a class; the last argument is the place of a block, or 0.
    var watch:
      @Sendable (
        _ cls: UnsafeRawPointer?, _ selector: String, _ token: UInt32, _ block: UInt32
      ) -> Watched
    /// How many methods with so many arguments can still be watched.
    var room: @Sendable (Int) -> Int
    /// What tells a class's method from all others; heirs share what they inherit.
    var methodOf: @Sendable (_ cls: UnsafeRawPointer, _ selector: String) -> UnsafeRawPointer?
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
      room: { Int(trace_hook_room(UInt32($0))) },
      methodOf: { trace_hook_method_of($0, $1) },
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
    /// A listener as one word; it lives as long as the process, because a call on another thread may be in it.
    private final class Told: Sendable {
      let listener: any HookListener
      init(_ listener: any HookListener) { self.listener = listener }
    }

    // Sound because the word is read and written as an atomic.
    nonisolated(unsafe) private static let told = {
      let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
      word.initialize(to: 0)
      return word
    }()

    /// Who is told now.
    static var listener: (any HookListener)? {
      UnsafeRawPointer(bitPattern: UInt(platform_load_acquire(told))).map {
        Unmanaged<Told>.fromOpaque($0).takeUnretainedValue().listener
      }
    }

    /// Says who is told of calls, while other threads may be calling; `nil`: nobody.
    static func tell(_ next: (any HookListener)?) {
      let kept = next.map { Unmanaged.passRetained(Told($0)).toOpaque() }
      platform_store_release(told, UInt64(UInt(bitPattern: kept)))
      _ = isStarted
    }

    private static let isStarted: Bool = {
      var events = trace_hook_events(
        entered: { HookTelling.listener?.entered(HookedCall($0, $1)) == true ? 1 : 0 },
        left: { HookTelling.listener?.left(HookedCall($0, $1), result: $2) },
        block_entered: { HookTelling.listener?.blockEntered(HookedBlock($0, $1)) },
        block_left: { HookTelling.listener?.blockLeft(HookedBlock($0, $1)) })
      trace_hook_start(&events)
      return true
    }()
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
