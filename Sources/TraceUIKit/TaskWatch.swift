#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import Platform
  import TraceRecorder
  import UIKit

  /// Background tasks: begun, expired, ended, by the hooks of UIApplication's methods or by the wrapper.
  ///
  /// Apps begin and end them on any thread.
  final class TaskWatch: MethodWatch {
    /// The methods of UIApplication that are watched, behind those of delegates.
    enum Method: UInt32, CaseIterable {
      case beginNamed = 100
      case begin
      case end

      /// Objective-C's name, and the place of the expiration handler; 0 where there is none.
      var hook: (selector: String, handler: UInt32) {
        switch self {
        case .beginNamed: ("beginBackgroundTaskWithName:expirationHandler:", 2)
        case .begin: ("beginBackgroundTaskWithExpirationHandler:", 1)
        case .end: ("endBackgroundTask:", 0)
        }
      }
    }

    /// A task that was granted.
    fileprivate struct Granted {
      let number: UInt32
      /// The call that began it; `nil` for the wrapper's.
      let call: UInt64?
      var hasEnded = false
    }

    fileprivate struct Tasks {
      var last: UInt32 = 0
      /// The tasks of UIKit's identifiers; the last ones that have ended, too, so that a second end is one.
      var known: [Int: Granted] = [:]
      /// The identifiers of the known ones that have ended, in this order.
      var ended: [Int] = []
      var beginning = OutermostCalls()
      /// Whether only some methods are watched: a begin without its end would be a task that stays open.
      var arePartlyWatched = false
      /// The tasks of the calls that began them, as long as they are known.
      var numbers: [UInt64: UInt32] = [:]
    }

    let tokens = Method.beginNamed.rawValue..<Method.end.rawValue + 1
    private let recorder: Recorder
    private let none = UIBackgroundTaskIdentifier.invalid.rawValue
    private let tasks = Lock(Tasks())
    /// So many tasks that have ended are known.
    static let mostEnded = 256
    /// How much is known of tasks.
    var known: (identifiers: Int, calls: Int) {
      tasks.withLock { ($0.known.count, $0.numbers.count) }
    }

    init(_ recorder: Recorder) { self.recorder = recorder }

    /// Watches UIApplication's methods; false when one of them cannot be watched, and then says nothing of the
    /// others: the wrapper alone states tasks.
    func watch(_ runtime: HookRuntime) -> Bool {
      let cls = unsafeBitCast(UIApplication.self as AnyClass, to: UnsafeRawPointer.self)
      let areWatched = Method.allCases.allSatisfy { method in
        runtime.watch(cls, method.hook.selector, method.rawValue, method.hook.handler) == .watched
      }
      tasks.withLock { $0.arePartlyWatched = !areWatched }
      return areWatched
    }

    // MARK: Hooks

    func entered(_ call: HookedCall) -> Bool {
      guard let method = Method(rawValue: call.token),
        !tasks.withLock({ $0.arePartlyWatched })
      else { return false }
      if method == .end {
        ends(Int(bitPattern: call.word(1)))
        return false
      }

      guard tasks.withLock({ $0.beginning.enter(call) }) else { return false }
      let name = method == .beginNamed ? call.text(1) : nil
      let number = begins(name, hasHandler: call.word(Int(method.hook.handler)) != 0)
      tasks.withLock { $0.numbers[call.number] = number }
      return true
    }

    func left(_ call: HookedCall, result: UInt) {
      let number: UInt32? = tasks.withLock { tasks in
        tasks.beginning.leave(call) ? tasks.numbers[call.number] : nil
      }
      if let number { began(number, as: Int(bitPattern: result), by: call.number) }
    }

    /// The expiration handler of the task that a call began runs.
    func blockEntered(_ block: HookedBlock) {
      guard let number = tasks.withLock({ $0.numbers[block.number] }) else { return }
      recorder.record(.taskExpire, subject: .task(number))
    }

    /// It has run.
    func blockLeft(_ block: HookedBlock) {
      let number = tasks.withLock { $0.numbers.removeValue(forKey: block.number) }
      if let number { recorder.record(.taskExpired, subject: .task(number)) }
    }

    // MARK: What is stated

    /// A task is asked for; its number.
    func begins(_ name: String?, hasHandler: Bool) -> UInt32 {
      let number = tasks.withLock { tasks in
        tasks.last += 1
        return tasks.last
      }
      recorder.taskBegins(number, name ?? "", hasHandler: hasHandler)
      return number
    }

    /// UIKit has answered; what it does not grant has ended.
    func began(_ number: UInt32, as identifier: Int, by call: UInt64? = nil) {
      guard identifier == none else {
        return tasks.withLock { $0.known[identifier] = Granted(number: number, call: call) }
      }
      if let call { tasks.withLock { $0.numbers[call] = nil } }
      recorder.taskEnds(number)
    }

    /// A task is given back; one that nobody began is number 0.
    func ends(_ identifier: Int) {
      recorder.taskEnds(tasks.withLock { $0.end(identifier) } ?? 0)
    }
  }

  extension TaskWatch.Tasks {
    /// A task ends, and is known for a while: its handler may run, and it may end again; its number.
    fileprivate mutating func end(_ identifier: Int) -> UInt32? {
      guard let task = known[identifier] else { return nil }
      guard !task.hasEnded else { return task.number }
      known[identifier]?.hasEnded = true
      ended.append(identifier)

      if ended.count > TaskWatch.mostEnded { forget(ended.removeFirst()) }
      return task.number
    }

    private mutating func forget(_ identifier: Int) {
      // UIKit may have given the identifier to another one since.
      guard let task = known[identifier], task.hasEnded else { return }
      known[identifier] = nil
      if let call = task.call { numbers[call] = nil }
    }
  }
#endif
