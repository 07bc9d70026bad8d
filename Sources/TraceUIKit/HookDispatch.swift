#if canImport(UIKit) && !os(watchOS)
  import LifecycleModel
  import UIKit

  extension LifecycleTracing: HookListener {
    nonisolated func entered(_ call: HookedCall) -> Bool {
      if let watch = watch(call.token) { return watch.entered(call) }
      return onMain(call) { $0.enteredDelegate($1) } ?? false
    }

    nonisolated func left(_ call: HookedCall, result: UInt) {
      if let watch = watch(call.token) { return watch.left(call, result: result) }
      onMain(call) { $0.leftDelegate($1, result: result) }
    }

    nonisolated func blockEntered(_ block: HookedBlock) {
      if let watch = watch(block.token) { return watch.blockEntered(block) }
      delegates.completed(block.number)
    }

    nonisolated func blockLeft(_ block: HookedBlock) { watch(block.token)?.blockLeft(block) }

    private nonisolated func watch(_ token: UInt32) -> (any MethodWatch)? {
      watches.first { $0.tokens.contains(token) }
    }

    /// UIKit calls delegates on the main thread; who calls elsewhere is not UIKit.
    @discardableResult
    private nonisolated func onMain<Result: Sendable>(
      _ call: HookedCall, _ body: @MainActor (LifecycleTracing, HookedCall) -> Result
    ) -> Result? {
      guard isMain() else { return nil }
      nonisolated(unsafe) let call = call
      return MainActor.assumeIsolated { body(self, call) }
    }

    // MARK: Delegates

    private func enteredDelegate(_ call: HookedCall) -> Bool {
      guard let method = LifecycleTracing.method(call.token), delegates.isUIKits(method, call)
      else { return false }
      look(call.object(1) as? UIScene)
      delegates.entered(method, call)
      signposts?.begin(method.callback, call.number)
      stateReport?.tell(states.app, in: method.callback)
      return true
    }

    private func leftDelegate(_ call: HookedCall, result: UInt) {
      guard let method = LifecycleTracing.method(call.token) else { return noticed(nil) }
      guard delegates.isUIKits(method, call) else { return }
      signposts?.end(method.callback, call.number)
      delegates.left(method, call)
      stateReport?.tell(states.app)

      // The class of a scene's delegate, before there is an object of it.
      if method.callback == .applicationConfigurationForConnecting,
        let configuration = HookedCall.object(result) as? UISceneConfiguration,
        let cls = configuration.delegateClass, delegates.watchSceneDelegates(of: cls)
      {
        stateProfile()
      }
    }

    /// The delegates' method with a token; `nil` for another one.
    private static func method(_ token: UInt32) -> DelegateMethod? {
      token < DelegateMethod.all.count ? DelegateMethod.all[Int(token)] : nil
    }
  }
#endif
