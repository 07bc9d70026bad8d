#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import Platform
  import TraceRecorder
  import UIKit

  /// The observers of UIKit's notifications that the app adds, each by its name and with its time.
  ///
  /// A method counts while its notification is posted: an app may call it itself at other times.
  final class ObserverWatch: MethodWatch {
    /// The ways to add an observer.
    private enum Adder: UInt32, CaseIterable {
      case method = 2_000
      case block

      var selector: String {
        switch self {
        case .method: "addObserver:selector:name:object:"
        case .block: "addObserverForName:object:queue:usingBlock:"
        }
      }

      /// The place of the block; 0 for a method.
      var place: UInt32 { self == .block ? 4 : 0 }
    }

    /// A handler that runs.
    fileprivate struct Handler {
      let notification: LifecycleNotification
      let subject: Subject
      let label: String
    }

    private struct Observers {
      var adding = OutermostCalls()
      /// The notifications that a method observes, by its token.
      var observed: [UInt32: Set<LifecycleNotification>] = [:]
      /// The blocks, by the calls that added them: nobody tells when one is let go.
      var blocks: [UInt64: (notification: LifecycleNotification, label: String)] = [:]
      var hasMissedBlock = false
      var running: [UInt64: [Handler]] = [:]
    }

    let tokens = UInt32(2_000)..<3_000
    private let recorder: Recorder
    private let runtime: HookRuntime
    private let center: ObjectIdentifier
    private let isMain: @Sendable () -> Bool
    private let names: [String: LifecycleNotification]
    private let subject: @MainActor @Sendable (Any?) -> Subject
    private let methods: CalledMethods
    private let observers = Lock(Observers())
    /// So many blocks are known; more are not told.
    static let mostBlocks = 4_096
    /// The selectors of observers' methods that could not be watched, and that which adds blocks when there are
    /// too many.
    var missed: Set<String> {
      let hasMissedBlock = observers.withLock { $0.hasMissedBlock }
      return methods.missed.union(hasMissedBlock ? [Adder.block.selector] : [])
    }
    /// What is being posted, while it is known; set by who brackets the observers.
    @MainActor var posting: (() -> (notification: LifecycleNotification, subject: Subject)?)?
    /// Whether the observers that are added are tracing's own.
    @MainActor var isOwn = false

    @MainActor
    init(_ recorder: Recorder, _ numbers: SubjectNumbers, _ process: UIKitProcess) {
      (self.recorder, runtime) = (recorder, process.runtime)
      methods = CalledMethods(2_010..<3_000, process.runtime)
      center = ObjectIdentifier(process.center)
      isMain = process.isMain
      subject = { numbers.subject(of: $0) }
      names = Dictionary(
        uniqueKeysWithValues: LifecycleNotification.allCases.map { ($0.name.rawValue, $0) })
    }

    /// Watches how observers are added to a center of this class; the selectors that cannot be watched.
    func watch(_ cls: UnsafeRawPointer?) -> [String] {
      Adder.allCases.filter { adder in
        runtime.watch(cls, adder.selector, adder.rawValue, adder.place) == .missed
      }.map(\.selector)
    }

    // MARK: Hooks

    func entered(_ call: HookedCall) -> Bool {
      guard let adder = Adder(rawValue: call.token) else { return enterMethod(call) }
      guard observers.withLock({ $0.adding.enter(call) }) else { return false }
      return adder == .method ? addMethod(call) : addBlock(call)
    }

    func left(_ call: HookedCall, result: UInt) {
      if Adder(rawValue: call.token) == nil { return ends(call.number) }
      observers.withLock { _ = $0.adding.leave(call) }
    }

    func blockEntered(_ block: HookedBlock) {
      let added = observers.withLock { $0.blocks[block.number] }
      guard let added else { return }
      nonisolated(unsafe) let object =
        (HookedCall.object(block.argument) as? NSNotification)?.object
      let subject = isMain() ? MainActor.assumeIsolated { self.subject(object) } : .none
      begins(block.number, Handler(added.notification, subject, added.label))
    }

    func blockLeft(_ block: HookedBlock) { ends(block.number) }

    // MARK: Adding

    /// The notification that an observer is added for; `nil` for another one, and for tracing's own observers.
    private func notification(_ call: HookedCall, named place: Int) -> LifecycleNotification? {
      guard call.receiver == UnsafeRawPointer(bitPattern: UInt(bitPattern: center)),
        let name = call.text(place), let notification = names[name]
      else { return nil }
      return isMain() && MainActor.assumeIsolated({ isOwn }) ? nil : notification
    }

    private func addMethod(_ call: HookedCall) -> Bool {
      guard let notification = notification(call, named: 3), let observer = call.object(1),
        let cls = runtime.classOf(observer), let selector = runtime.selector(call.word(2)),
        let token = methods.watch(cls, selector)
      else { return false }
      observers.withLock { _ = $0.observed[token, default: []].insert(notification) }
      return false
    }

    private func addBlock(_ call: HookedCall) -> Bool {
      guard let notification = notification(call, named: 1),
        runtime.isAppsBlock(call.word(Int(Adder.block.place)))
      else { return false }

      return observers.withLock { observers in
        let count = observers.blocks.count
        guard count < ObserverWatch.mostBlocks else {
          observers.hasMissedBlock = true
          return false
        }
        // Blocks have no names: by their numbers no two of them pass for one observer.
        observers.blocks[call.number] = (notification, "block \(count + 1)")
        return true
      }
    }

    // MARK: Running

    private func enterMethod(_ call: HookedCall) -> Bool {
      guard isMain(), let (notification, subject) = MainActor.assumeIsolated({ posting?() }) else {
        return false
      }
      if observers.withLock({ $0.observed[call.token]?.contains(notification) == true }) {
        begins(call.number, Handler(notification, subject, methods.label(call)))
      }
      return false
    }

    private func begins(_ number: UInt64, _ handler: Handler) {
      observers.withLock { $0.running[number, default: []].append(handler) }
      state(.observe, handler)
    }

    private func ends(_ number: UInt64) {
      let handler: Handler? = observers.withLock { observers in
        let last = observers.running[number]?.popLast()
        if observers.running[number]?.isEmpty == true { observers.running[number] = nil }
        return last
      }
      if let handler { state(.observed, handler) }
    }

    private func state(_ verb: Verb, _ handler: Handler) {
      recorder.record(
        verb, name: handler.notification.rawValue, subject: handler.subject, label: handler.label)
    }
  }

  extension ObserverWatch.Handler {
    fileprivate init(_ notification: LifecycleNotification, _ subject: Subject, _ label: String) {
      (self.notification, self.subject, self.label) = (notification, subject, label)
    }
  }
#endif
