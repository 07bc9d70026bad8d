import Foundation

@testable import TraceUIKit

/// A way in which the adapter could be wrong, made by changing what it sees and is told.
struct AdapterMutant: CustomStringConvertible, Sendable {
  let description: String
  let alter: @MainActor @Sendable (inout UIKitProcess) -> Void

  static let all = blind + deaf + lost

  /// Does not watch some methods.
  private init(notWatching what: String, _ isMeant: @escaping @Sendable (String) -> Bool) {
    description = "does not watch \(what)"
    alter = { process in
      let watch = process.watch
      process.watch = { cls, selector, token, block in
        isMeant(selector) ? .absent : watch(cls, selector, token, block)
      }
    }
  }

  /// Is told something else.
  private init(_ description: String, _ change: @escaping @Sendable (any HookListener) -> Wrong) {
    self.description = description
    alter = { process in
      let tell = process.tell
      process.tell = { listener in tell(listener.map(change)) }
    }
  }

  /// Sees another process.
  private init(
    sees description: String, _ alter: @escaping @MainActor @Sendable (inout UIKitProcess) -> Void
  ) {
    (self.description, self.alter) = (description, alter)
  }

  private static let blind =
    DelegateMethod.all.map { method in
      AdapterMutant(notWatching: method.selector) { $0 == method.selector }
    } + [
      AdapterMutant(notWatching: "the delegate being set") { $0 == "setDelegate:" },
      AdapterMutant(notWatching: "tasks that begin") { $0.hasPrefix("beginBackgroundTask") },
      AdapterMutant(notWatching: "tasks that end") { $0 == "endBackgroundTask:" },
    ]

  private static let deaf = [
    AdapterMutant("takes entries for exits") { inner in
      let wrong = Wrong(inner)
      wrong.entered = { call, inner in inner.left(call, result: 0) }
      return wrong
    },
    AdapterMutant("misses exits") { inner in
      let wrong = Wrong(inner)
      wrong.left = { _, _, _ in }
      return wrong
    },
    AdapterMutant("loses what calls return") { inner in
      let wrong = Wrong(inner)
      wrong.left = { call, _, inner in inner.left(call, result: 0) }
      return wrong
    },
    AdapterMutant("misses handlers that run") { inner in
      let wrong = Wrong(inner)
      wrong.blockEntered = { _, _, _ in }
      return wrong
    },
    AdapterMutant("misses handlers that have run") { inner in
      let wrong = Wrong(inner)
      wrong.blockLeft = { _, _, _ in }
      return wrong
    },
    AdapterMutant("takes each handler for the next call's") { inner in
      let wrong = Wrong(inner)
      wrong.blockEntered = { token, number, inner in inner.blockEntered(token, number + 1) }
      return wrong
    },
  ]

  private static let lost = [
    AdapterMutant(sees: "never finds the application") { $0.application = { nil } },
    AdapterMutant(sees: "observes another center") { $0.center = NotificationCenter() },
    AdapterMutant(sees: "knows no classes") { $0.classOf = { _ in nil } },
    AdapterMutant(sees: "takes the main thread for another") { $0.isMain = { false } },
  ]
}

/// Who is told of calls, and tells it wrongly.
private final class Wrong: HookListener, @unchecked Sendable {
  // Sound because the functions are set before the first call.
  private let inner: any HookListener
  var entered: @MainActor (HookedCall, any HookListener) -> Void = { $1.entered($0) }
  var left: @MainActor (HookedCall, UInt, any HookListener) -> Void = { $2.left($0, result: $1) }
  var blockEntered: @Sendable (UInt32, UInt64, any HookListener) -> Void = {
    $2.blockEntered($0, $1)
  }
  var blockLeft: @Sendable (UInt32, UInt64, any HookListener) -> Void = { $2.blockLeft($0, $1) }

  init(_ inner: any HookListener) { self.inner = inner }

  func entered(_ call: HookedCall) { entered(call, inner) }
  func left(_ call: HookedCall, result: UInt) { left(call, result, inner) }
  func blockEntered(_ token: UInt32, _ number: UInt64) { blockEntered(token, number, inner) }
  func blockLeft(_ token: UInt32, _ number: UInt64) { blockLeft(token, number, inner) }
}
