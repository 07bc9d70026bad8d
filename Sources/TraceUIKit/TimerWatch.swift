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

    let tokens = UInt32(1_000)..<2_000
    private let recorder: Recorder
    private let runtime: HookRuntime
    private let methods: CalledMethods
    private let making = Lock(OutermostCalls())
    /// The tokens of what the timers call.
    private let made = LivingObjects<UInt32>()
    /// The selectors of methods that timers call, and that could not be watched.
    var missed: Set<String> { methods.missed }

    init(_ recorder: Recorder, _ runtime: HookRuntime) {
      (self.recorder, self.runtime) = (recorder, runtime)
      methods = CalledMethods(1_010..<2_000, runtime)
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
        return making.withLock { $0.enter(call) } && maker.place > 0
          && runtime.isAppsBlock(call.word(Int(maker.place)))
      }
      // The argument is only compared: the app may call its method with what is no object.
      if made.value(at: call.word(1)) == call.token {
        recorder.work(.timer, label: methods.label(call))
      }
      return false
    }

    func left(_ call: HookedCall, result: UInt) {
      guard let maker = Maker(rawValue: call.token),
        making.withLock({ $0.leave(call) }), maker.place == 0,
        let timer = HookedCall.object(result), let target = call.object(1),
        let cls = runtime.classOf(target),
        let selector = runtime.selector(call.word(2)), selector.hasSuffix(":"),
        let token = methods.watch(cls, selector)
      else { return }
      made.keep(token, for: timer)
    }

    func blockEntered(_ block: HookedBlock) { recorder.work(.timer, label: "block") }

    func blockLeft(_ block: HookedBlock) {}
  }
#endif
