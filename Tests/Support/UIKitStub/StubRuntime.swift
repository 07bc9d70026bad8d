import Foundation

/// What the stub needs of an Objective-C runtime.
///
/// It knows which methods classes have, which ones are watched, and who is told of their calls. Arguments
/// are words, as the C layer has them.
@MainActor
package final class StubRuntime {
  /// Who is told.
  package struct Listener {
    package var entered: (UInt32, UInt64, UnsafePointer<UInt>) -> Void
    package var left: (UInt32, UInt64, UnsafePointer<UInt>, UInt) -> Void
    package var blockEntered: @Sendable (UInt32, UInt64) -> Void
    package var blockLeft: @Sendable (UInt32, UInt64) -> Void

    package init(
      entered: @escaping (UInt32, UInt64, UnsafePointer<UInt>) -> Void,
      left: @escaping (UInt32, UInt64, UnsafePointer<UInt>, UInt) -> Void,
      blockEntered: @escaping @Sendable (UInt32, UInt64) -> Void,
      blockLeft: @escaping @Sendable (UInt32, UInt64) -> Void
    ) {
      (self.entered, self.left) = (entered, left)
      (self.blockEntered, self.blockLeft) = (blockEntered, blockLeft)
    }
  }

  private struct Method: Hashable {
    let cls: UnsafeRawPointer
    let selector: String
  }

  package var listener: Listener?
  /// Methods whose call the runtime cannot watch: those with an argument that is no word.
  package var unwatchable: Set<String> = []
  private var implemented: Set<Method> = []
  private var watched: [Method: (token: UInt32, block: UInt32)] = [:]
  private var number: UInt64 = 0

  package init() {}

  /// Says which methods a class has.
  package func implement(_ cls: AnyClass, _ selectors: some Sequence<String>) {
    for selector in selectors {
      implemented.insert(Method(cls: StubRuntime.pointer(cls), selector: selector))
    }
  }

  /// The class as the runtime sees it.
  package static func pointer(_ cls: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(cls, to: UnsafeRawPointer.self)
  }

  /// Whether the class has the method.
  package func has(_ cls: UnsafeRawPointer?, _ selector: String) -> Bool {
    guard let cls else { return false }
    return implemented.contains(Method(cls: cls, selector: selector))
  }

  func has(_ selector: String, of object: AnyObject) -> Bool {
    has(StubRuntime.pointer(type(of: object)), selector)
  }

  /// Watches a method that is there; false for one that cannot be watched.
  package func watch(
    _ cls: UnsafeRawPointer, _ selector: String, _ token: UInt32, _ block: UInt32
  ) -> Bool {
    guard !unwatchable.contains(selector) else { return false }
    watched[Method(cls: cls, selector: selector)] = (token, block)
    return true
  }

  // MARK: Calls

  /// Sends a message whose last argument may be a handler; `body` is the method, and gets the handler that it
  /// is to run.
  @discardableResult
  func send<Result>(
    _ selector: String, to receiver: AnyObject, _ arguments: [AnyObject?],
    handler: (@MainActor @Sendable () -> Void)? = nil,
    _ body: ((@MainActor @Sendable () -> Void)?) -> Result
  ) -> Result {
    let words = arguments.map { argument in
      argument.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    }
    return withExtendedLifetime(arguments) {
      send(selector, to: receiver, words: words + [handler == nil ? 0 : 1], handler, body)
    }
  }

  /// Sends a message with one number.
  func send(_ selector: String, to receiver: AnyObject, number: Int, _ body: () -> Void) {
    send(selector, to: receiver, words: [UInt(bitPattern: number)], nil) { _ in body() }
  }

  private func send<Result>(
    _ selector: String, to receiver: AnyObject, words: [UInt],
    _ handler: (@MainActor @Sendable () -> Void)?,
    _ body: ((@MainActor @Sendable () -> Void)?) -> Result
  ) -> Result {
    let method = Method(cls: StubRuntime.pointer(type(of: receiver)), selector: selector)
    guard implemented.contains(method), let (token, block) = watched[method], let listener else {
      return body(handler)
    }

    number += 1
    let call = number
    return words.withUnsafeBufferPointer { words in
      guard let words = words.baseAddress else { return body(handler) }
      var told = handler
      if block > 0, let handler {
        told = {
          listener.blockEntered(token, call)
          handler()
          listener.blockLeft(token, call)
        }
      }

      listener.entered(token, call, words)
      let result = body(told)
      listener.left(token, call, words, StubRuntime.word(result))
      return result
    }
  }

  private static func word(_ result: Any) -> UInt {
    switch result {
    case let identifier as UIBackgroundTaskIdentifier: UInt(bitPattern: identifier.rawValue)
    case let object as UISceneConfiguration:
      UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    default: 0
    }
  }
}
