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
      let watch = process.runtime.watch
      process.runtime.watch = { cls, selector, token, block in
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
      AdapterMutant(notWatching: "identifiers that are registered") {
        $0.hasPrefix("registerForTask")
      },
      AdapterMutant(notWatching: "completions") { $0 == "setTaskCompletedWithSuccess:" },
      AdapterMutant(notWatching: "expirations") { $0 == "setExpirationHandler:" },
    ]

  private static let deaf = [
    AdapterMutant("takes entries for exits") { inner in
      let wrong = Wrong(inner)
      wrong.entered = { call, inner in
        inner.left(call, result: 0)
        return true
      }
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
      wrong.blockEntered = { _, _ in }
      return wrong
    },
    AdapterMutant("misses handlers that have run") { inner in
      let wrong = Wrong(inner)
      wrong.blockLeft = { _, _ in }
      return wrong
    },
    AdapterMutant("is given no block's argument") { inner in
      let wrong = Wrong(inner)
      wrong.blockEntered = { block, inner in
        inner.blockEntered(HookedBlock(token: block.token, number: block.number, argument: 0))
      }
      return wrong
    },
    AdapterMutant("takes each handler for the next call's") { inner in
      let wrong = Wrong(inner)
      wrong.blockEntered = { block, inner in
        inner.blockEntered(
          HookedBlock(token: block.token, number: block.number + 1, argument: block.argument))
      }
      return wrong
    },
  ]

  private static let lost = [
    AdapterMutant(sees: "never finds the application") { $0.application = { nil } },
    AdapterMutant(sees: "observes another center") { $0.center = NotificationCenter() },
    AdapterMutant(sees: "knows no classes") { $0.runtime.classOf = { _ in nil } },
    AdapterMutant(sees: "finds no scheduler of tasks") { $0.runtime.classNamed = { _ in nil } },
    AdapterMutant(sees: "takes the main thread for another") { $0.isMain = { false } },
  ]
}

/// Who is told of calls, and tells it wrongly.
private final class Wrong: HookListener, @unchecked Sendable {
  // Sound because the functions are set before the first call.
  private let inner: any HookListener
  var entered: @Sendable (HookedCall, any HookListener) -> Bool = { $1.entered($0) }
  var left: @Sendable (HookedCall, UInt, any HookListener) -> Void = { $2.left($0, result: $1) }
  var blockEntered: @Sendable (HookedBlock, any HookListener) -> Void = { $1.blockEntered($0) }
  var blockLeft: @Sendable (HookedBlock, any HookListener) -> Void = { $1.blockLeft($0) }

  init(_ inner: any HookListener) { self.inner = inner }

  func entered(_ call: HookedCall) -> Bool { entered(call, inner) }
  func left(_ call: HookedCall, result: UInt) { left(call, result, inner) }
  func blockEntered(_ block: HookedBlock) { blockEntered(block, inner) }
  func blockLeft(_ block: HookedBlock) { blockLeft(block, inner) }
}
