import Foundation

/// How an app observes, as far as the hooks see it.
extension StubSystem {
  /// Has a method of an observer called for a notification, as a class with this method is.
  package func addObserver(
    _ observer: AnyObject, _ selector: String, _ name: Notification.Name,
    _ body: @escaping @MainActor () -> Void
  ) {
    let runtime = runtime
    let words = [observer, NSString(string: selector), NSString(string: name.rawValue), nil]
    nonisolated(unsafe) let target = observer
    runtime.send("addObserver:selector:name:object:", to: center, words, block: nil) { _ in
      let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in
        MainActor.assumeIsolated {
          runtime.send(selector, to: target, [nil], block: nil) { _ in body() }
        }
      }
      observers.append(token)
    }
  }

  /// Has a block run for a notification.
  package func addObserver(
    _ name: Notification.Name, _ body: @escaping @MainActor @Sendable () -> Void
  ) {
    let selector = "addObserverForName:object:queue:usingBlock:"
    let words = [NSString(string: name.rawValue), nil, nil]
    runtime.send(selector, to: center, words, block: { _ in body() }) { told in
      let token = center.addObserver(forName: name, object: nil, queue: nil) { note in
        nonisolated(unsafe) let note = NSNotification(name: note.name, object: note.object)
        MainActor.assumeIsolated { told?(note) }
      }
      observers.append(token)
    }
  }
}
