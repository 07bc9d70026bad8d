#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import Platform
  import TraceRecorder

  /// Timers and display links that the app makes: each time that one fires is `work timer`.
  ///
  /// A timer that calls a method is known by the argument that the method gets: a method without one cannot
  /// be told from a call by the app itself, and is not stated.
  final class TimerWatch: MethodWatch {
    /// The ways to make a timer.
    private enum Maker: UInt32, CaseIterable {
      case scheduledBlock = 1_000
      case block
      case scheduledTarget
      case target
      case link

      var cls: String { self == .link ? "CADisplayLink" : "NSTimer" }

      var selector: String {
        switch self {
        case .scheduledBlock: "scheduledTimerWithTimeInterval:repeats:block:"
        case .block: "timerWithTimeInterval:repeats:block:"
        case .scheduledTarget:
          "scheduledTimerWithTimeInterval:target:selector:userInfo:repeats:"
        case .target: "timerWithTimeInterval:target:selector:userInfo:repeats:"
        case .link: "displayLinkWithTarget:selector:"
        }
      }

      /// The place of the block; 0 for a target.
      var place: UInt32 { self == .scheduledBlock || self == .block ? 2 : 0 }
    }

    private struct Timers {
      var methods = CalledMethods(1_010..<2_000)
      var making = OutermostCalls()
      /// What is called by the timers that live, by where they lie.
      var made: [UInt: (timer: Weak, token: UInt32)] = [:]
    }

    /// A timer as long as it lives: later another object may lie in its place.
    private struct Weak { weak var object: AnyObject? }

    let tokens = UInt32(1_000)..<2_000
    private let recorder: Recorder
    private let runtime: HookRuntime
    private let timers = Lock(Timers())

    init(_ recorder: Recorder, _ runtime: HookRuntime) {
      (self.recorder, self.runtime) = (recorder, runtime)
    }

    /// Watches how timers are made; the selectors that cannot be watched.
    func watch() -> [String] {
      Maker.allCases.filter { maker in
        let cls = runtime.makerNamed(maker.cls)
        return runtime.watch(cls, maker.selector, maker.rawValue, maker.place) == .missed
      }.map(\.selector)
    }

    func entered(_ call: HookedCall) -> Bool {
      if let maker = Maker(rawValue: call.token) {
        return timers.withLock { $0.making.enter(call) } && maker.place > 0
          && runtime.isAppsBlock(call.word(Int(maker.place)))
      }
      let label: String? = timers.withLock { timers in
        // The argument is only compared: the app may call its method with what is no object.
        guard let made = timers.made[call.word(1)], made.timer.object != nil,
          made.token == call.token
        else { return nil }
        return timers.methods.label(call.token)
      }
      if let label { recorder.work(.timer, label: label) }
      return false
    }

    func left(_ call: HookedCall, result: UInt) {
      guard let maker = Maker(rawValue: call.token),
        timers.withLock({ $0.making.leave(call) }), maker.place == 0, result != 0,
        let target = call.object(1), let cls = runtime.classOf(target),
        let selector = runtime.selector(call.word(2)), selector.hasSuffix(":")
      else { return }

      let timer = Weak(object: HookedCall.object(result))
      timers.withLock { timers in
        guard let token = timers.methods.watch(cls, selector, runtime) else { return }
        timers.made = timers.made.filter { $0.value.timer.object != nil }
        timers.made[result] = (timer, token)
      }
    }

    func blockEntered(_ block: HookedBlock) { recorder.work(.timer, label: "block") }

    func blockLeft(_ block: HookedBlock) {}
  }
#endif
