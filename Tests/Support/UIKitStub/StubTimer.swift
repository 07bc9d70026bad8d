import Foundation

/// A timer or a display link, as far as the hooks see it: the test says when it fires.
@MainActor package class StubTimer: NSObject {
  private let fires: @MainActor (StubTimer) -> Void

  private init(_ fires: @escaping @MainActor (StubTimer) -> Void) { self.fires = fires }

  /// Fires once.
  package func fire() { fires(self) }

  /// A timer with a block.
  package static func scheduled(
    _ runtime: StubRuntime, _ block: @escaping @MainActor @Sendable () -> Void
  ) -> StubTimer {
    let selector = "scheduledTimerWithTimeInterval:repeats:block:"
    return runtime.send(selector, to: runtime, makes: self, [nil], block: { _ in block() }) {
      told in
      StubTimer { told?($0) }
    }
  }

  /// A timer with a block, which one method makes by another.
  package static func scheduledByAnother(
    _ runtime: StubRuntime, _ block: @escaping @MainActor @Sendable () -> Void
  ) -> StubTimer {
    let selector = "timerWithTimeInterval:repeats:block:"
    return runtime.send(selector, to: runtime, makes: self, [nil], block: { _ in block() }) {
      told in
      scheduled(runtime) { told?(nil) }
    }
  }

  /// A timer or a display link that calls a method of `target`, which takes the timer or nothing.
  package static func calling(
    _ runtime: StubRuntime, _ maker: String, _ target: AnyObject, _ selector: String
  ) -> StubTimer {
    let name = NSString(string: selector)
    return runtime.send(maker, to: runtime, makes: self, [target, name, nil], block: nil) { _ in
      StubTimer { timer in
        runtime.send(selector, to: target, [selector.hasSuffix(":") ? timer : nil], block: nil) {
          _ in
        }
      }
    }
  }
}
