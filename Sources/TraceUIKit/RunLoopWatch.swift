#if canImport(UIKit) && !os(watchOS)
  import CoreFoundation
  import Foundation
  import LifecycleModel
  import TraceRecorder

  /// The turns of the main run loop: one that takes long is `main-busy`, and is begun in the log while it
  /// lasts, so that a hang that ends in a kill is seen.
  ///
  /// The main thread writes two words a turn. A thread of its own looks at them, and waits while the loop
  /// does.
  final class RunLoopWatch: @unchecked Sendable {
    // Sound because the observers are touched by the thread that makes and stops the watch, and the rest
    // are constants.
    private let recorder: Recorder
    private let threshold: UInt64
    private let clock = TurnClock()
    private let looker: any DispatchSourceTimer
    private let loop: CFRunLoop
    private var observers: [CFRunLoopObserver] = []

    #if canImport(Darwin)
      private static var commonModes: CFRunLoopMode { .commonModes }
    #else
      private static var commonModes: CFString { kCFRunLoopCommonModes }
    #endif

    /// Watches a run loop whose turn goes on.
    init(_ recorder: Recorder, threshold: Duration, of loop: CFRunLoop = CFRunLoopGetMain()) {
      (self.recorder, self.loop) = (recorder, loop)
      let (seconds, attoseconds) = threshold.components
      self.threshold = UInt64(max(1_000_000, seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
      let queue = DispatchQueue(label: "tracectl.run-loop", qos: .utility)
      looker = DispatchSource.makeTimerSource(queue: queue)

      // First to wake and last to sleep, so that what other observers do in between counts as well.
      add(.afterWaiting, CFIndex.min) { if $0.clock.begin() { $0.goOn() } }
      // A loop with more to do does not wait: each iteration is a turn, so that many short ones are no hang.
      add(.beforeTimers, CFIndex.min) { if $0.clock.begin() { $0.goOn() } }
      add(.beforeWaiting, CFIndex.max) { $0.clock.end() }
      clock.begin()
      looker.setEventHandler { @Sendable [weak self] in self?.look() }
      goOn()
      looker.resume()
    }

    /// Looks from now on, three times in a turn that is long.
    private func goOn() {
      let pause = DispatchTimeInterval.nanoseconds(Int(threshold / 3))
      let leeway = DispatchTimeInterval.nanoseconds(Int(threshold / 12))
      looker.schedule(deadline: .now() + pause, repeating: pause, leeway: leeway)
    }

    private func add(
      _ activity: CFRunLoopActivity, _ order: CFIndex, _ body: @escaping (RunLoopWatch) -> Void
    ) {
      let observer = CFRunLoopObserverCreateWithHandler(nil, activity.rawValue, true, order) {
        [weak self] _, _ in if let self { body(self) }
      }
      guard let observer else { return }
      CFRunLoopAddObserver(loop, observer, RunLoopWatch.commonModes)
      observers.append(observer)
    }

    /// Watches no more.
    func stop() {
      looker.cancel()
      for observer in observers {
        CFRunLoopRemoveObserver(loop, observer, RunLoopWatch.commonModes)
      }
      observers = []
    }

    private func look() {
      switch clock.look(threshold) {
      case .began(let turn): recorder.workBegins(.mainBusy, .app, "", value: turn)
      case .ended(let turn): recorder.workEnds(.mainBusy, .app, "", value: turn)
      case .nothing: if clock.mayRest() { looker.schedule(deadline: .distantFuture) }
      }
    }
  }
#endif
