#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import Platform
  import TraceRecorder
  import UIKit

  /// Background tasks: begun, expired, ended, by the hooks of UIApplication's methods or by the wrapper.
  @MainActor
  final class TaskWatch {
    /// The methods of UIApplication that are watched, behind those of delegates.
    enum Method: UInt32, CaseIterable {
      case beginNamed = 100
      case begin
      case end

      var selector: String {
        switch self {
        case .beginNamed: "beginBackgroundTaskWithName:expirationHandler:"
        case .begin: "beginBackgroundTaskWithExpirationHandler:"
        case .end: "endBackgroundTask:"
        }
      }

      /// The place of the expiration handler; 0 where there is none.
      var handler: UInt32 {
        switch self {
        case .beginNamed: 2
        case .begin: 1
        case .end: 0
        }
      }
    }

    private let recorder: Recorder
    private var lastNumber: UInt32 = 0
    /// The tasks of UIKit's identifiers; those that have ended, too, so that a second end is one.
    private var known: [Int: UInt32] = [:]
    /// The calls that begin a task, outermost first: UIKit may use one method in the other.
    private var beginning: [UInt64] = []
    private nonisolated let numbers = Lock<[UInt64: UInt32]>([:])
    /// Whether UIApplication's own methods are watched.
    private(set) var isHooked = false

    init(_ recorder: Recorder) { self.recorder = recorder }

    /// Watches UIApplication's methods; false when one of them cannot be watched.
    func watch(_ process: UIKitProcess) -> Bool {
      let cls = unsafeBitCast(UIApplication.self as AnyClass, to: UnsafeRawPointer.self)
      isHooked = Method.allCases.allSatisfy { method in
        process.watch(cls, method.selector, method.rawValue, method.handler) == .watched
      }
      return isHooked
    }

    // MARK: Hooks

    func entered(_ method: Method, _ call: HookedCall) {
      switch method {
      case .end: ends(Int(bitPattern: call.word(1)))
      case .begin, .beginNamed:
        beginning.append(call.number)
        guard beginning.count == 1 else { return }
        let name = method == .beginNamed ? (call.object(1) as? NSString)?.description : nil
        let number = begins(name, hasHandler: call.word(Int(method.handler)) != 0)
        numbers.withLock { $0[call.number] = number }
      }
    }

    func left(_ method: Method, _ call: HookedCall, result: UInt) {
      guard method != .end, beginning.popLast() != nil, beginning.isEmpty else { return }
      guard let number = numbers.withLock({ $0[call.number] }) else { return }
      began(number, as: Int(bitPattern: result))
    }

    /// The expiration handler of the task that a call began runs.
    nonisolated func expires(_ call: UInt64) {
      guard let number = numbers.withLock({ $0[call] }) else { return }
      recorder.record(.taskExpire, subject: .task(number))
    }

    /// It has run.
    nonisolated func expired(_ call: UInt64) {
      guard let number = numbers.withLock({ $0.removeValue(forKey: call) }) else { return }
      recorder.record(.taskExpired, subject: .task(number))
    }

    // MARK: What is stated

    /// A task is asked for; its number.
    func begins(_ name: String?, hasHandler: Bool) -> UInt32 {
      lastNumber += 1
      recorder.taskBegins(lastNumber, name ?? "", hasHandler: hasHandler)
      return lastNumber
    }

    /// UIKit has answered; what it does not grant has ended.
    func began(_ number: UInt32, as identifier: Int) {
      if identifier == UIBackgroundTaskIdentifier.invalid.rawValue {
        recorder.taskEnds(number)
      } else {
        known[identifier] = number
      }
    }

    /// A task is given back; one that nobody began is number 0.
    func ends(_ identifier: Int) { recorder.taskEnds(known[identifier] ?? 0) }
  }
#endif
