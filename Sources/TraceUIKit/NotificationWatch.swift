#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import TraceRecorder
  import UIKit

  /// UIKit's notifications, and how long those who observe them take.
  ///
  /// One observer is added when tracing starts, and one behind all others: between the two the others
  /// run, where the center calls in the order of adding. Nobody promises that, so it is tried out when
  /// tracing starts. Where it does not hold the pair is not stated, and rules that need it cannot tell.
  @MainActor
  final class NotificationWatch {
    private let recorder: Recorder
    private let numbers: SubjectNumbers
    private let process: UIKitProcess
    /// Who is told of observers that are added, and is not to tell of these.
    private let observers: ObserverWatch
    /// What is to be done when a notification is seen, before it is stated.
    private let seen: @MainActor (UIScene?) -> Void
    private var firsts: [any NSObjectProtocol] = []
    private var lasts: [LifecycleNotification: any NSObjectProtocol] = [:]
    private var open: [(notification: LifecycleNotification, subject: Subject)] = []
    private let isOrdered: Bool
    /// What is being posted, where that is known.
    var posting: (notification: LifecycleNotification, subject: Subject)? { open.last }
    private static let label = "others"

    init(
      _ recorder: Recorder, _ numbers: SubjectNumbers, _ process: UIKitProcess,
      _ observers: ObserverWatch, seen: @escaping @MainActor (UIScene?) -> Void
    ) {
      (self.recorder, self.numbers, self.observers) = (recorder, numbers, observers)
      (self.process, self.seen) = (process, seen)
      isOrdered = NotificationWatch.callsInOrderOfAdding(NotificationCenter())

      for notification in LifecycleNotification.allCases {
        firsts.append(observe(notification) { $0.first(notification, $1) })
        if isOrdered {
          lasts[notification] = observe(notification) { watch, _ in watch.last(notification) }
        }
      }
    }

    /// Whether this center calls observers in the order in which they were added, also when some were
    /// taken away and added again.
    static func callsInOrderOfAdding(_ center: NotificationCenter) -> Bool {
      let name = Notification.Name("tracectl.order")
      nonisolated(unsafe) var called: [Int] = []
      var added: [(number: Int, token: any NSObjectProtocol)] = []
      for number in 0..<24 {
        if number % 3 == 2 { center.removeObserver(added.remove(at: number / 3).token) }
        let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in
          called.append(number)
        }
        added.append((number, token))
      }

      center.post(name: name, object: nil)
      for (_, token) in added { center.removeObserver(token) }
      return called == added.map(\.number)
    }

    /// Observes nothing any more.
    func stop() {
      for token in firsts + Array(lasts.values) { process.center.removeObserver(token) }
      firsts = []
      lasts = [:]
    }

    private func observe(
      _ notification: LifecycleNotification,
      _ body: @escaping @MainActor @Sendable (NotificationWatch, Any?) -> Void
    ) -> any NSObjectProtocol {
      let isMain = process.isMain
      observers.isOwn = true
      defer { observers.isOwn = false }
      return process.center.addObserver(forName: notification.name, object: nil, queue: nil) {
        [weak self] note in
        nonisolated(unsafe) let object = note.object
        // UIKit posts on the main thread; who posts elsewhere is not UIKit.
        guard isMain() else { return }
        MainActor.assumeIsolated { if let self { body(self, object) } }
      }
    }

    private func first(_ notification: LifecycleNotification, _ object: Any?) {
      seen(object as? UIScene)
      let subject = numbers.subject(of: object)
      recorder.notify(notification, object: subject)
      guard isOrdered else { return }
      recorder.record(
        .observe, name: notification.rawValue, subject: subject, label: NotificationWatch.label)
      open.append((notification, subject))
    }

    private func last(_ notification: LifecycleNotification) {
      guard let (opened, subject) = open.last, opened == notification else { return }
      open.removeLast()
      recorder.record(
        .observed, name: notification.rawValue, subject: subject, label: NotificationWatch.label)

      // Behind those who were added since.
      if let old = lasts[notification] { process.center.removeObserver(old) }
      lasts[notification] = observe(notification) { watch, _ in watch.last(notification) }
    }
  }
#endif
